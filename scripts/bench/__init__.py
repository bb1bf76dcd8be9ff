"""Parts of the start-up benchmark, `scripts/bench_runtime.py`."""
