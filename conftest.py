"""Loads the benchmark's plugin; there is no entry point, so that installing eyechart changes no other suite."""

pytest_plugins = ["bench.plugin"]
