"""A pytest plugin for runs of tests: no picture can be annotated, as on a disk that is full by then."""

from typing import Any

import bench.tables.geometry


def _fail(*_: Any) -> bytes:
    raise OSError(28, "No space left on device")


bench.tables.geometry.annotate = _fail  # type: ignore[assignment]
