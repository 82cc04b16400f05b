"""A pytest plugin for runs of tests: a copy of the process makes the report also of a short run, and says so."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bench.run

bench.run.WORTH_A_COPY = 1
os.cpu_count = lambda: 2
_report = bench.run.Run._report


def _and_say_who(self: bench.run.Run, folder: Path, manifest: Mapping[str, Any]) -> None:
    _report(self, folder, manifest)
    (folder / "made_by").write_text("a copy" if os.getppid() == _HERE else "the process itself")


_HERE = os.getpid()
bench.run.Run._report = _and_say_who  # type: ignore[method-assign]
