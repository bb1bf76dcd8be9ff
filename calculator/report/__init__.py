"""Formatters: an estimate in, text for a person or a program out, in a given language."""
