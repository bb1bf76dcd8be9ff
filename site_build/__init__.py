"""The site's build: read everything, validate everything, then write ``dist/``."""
