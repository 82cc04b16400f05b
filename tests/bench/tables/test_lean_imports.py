"""What runs in pytest's controller loads no numerical library."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODULES = (
    "scorers.plotchain",
    "bench.results.record",
    "bench.results.raw",
    "bench.tables.leaderboard",
    "bench.tables.plotchain",
    "bench.tables.summary",
)
SCRIPT = """
import importlib, sys
importlib.import_module(sys.argv[1])
heavy = {"numpy", "scipy", "matplotlib", "PIL", "httpx", "pytest", "generators"} & set(sys.modules)
sys.exit(f"{sys.argv[1]} loads {sorted(heavy)}" if heavy else 0)
"""


@pytest.mark.parametrize("module", MODULES)
def test_module_loads_only_the_standard_library(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, module], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
