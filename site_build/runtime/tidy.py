"""Run inside the runtime before its memory is taken: drops what the visitor would pay for."""

import gc
import linecache
import re
import sys
import zipimport

linecache.clearcache()
re.purge()
# The archive is not there when the snapshot starts: whatever imports more must fail plainly.
zipimport._zip_directory_cache.clear()  # type: ignore[attr-defined]
sys.path_importer_cache.clear()
gc.collect()
