"""Where a run keeps what it can make again: pictures, limits shared by its processes."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

__all__ = ["RunPaths", "paths_for"]

FOLDER = "eyechart"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPaths:
    """`cache` outlives the run unless it is `passing`; `limits` and `drawing` are files of this run alone."""

    cache: Path
    limits: Path
    drawing: Path
    passing: bool = False

    @property
    def pictures(self) -> Path:
        """The folder of drawn pictures."""
        return self.cache / "pictures"

    def to_worker(self) -> dict[str, str]:
        """Return what a worker of the same machine finds them by."""
        return {f"eyechart_{name}": str(getattr(self, name)) for name in ("cache", "limits", "drawing")}

    def clean_up(self) -> None:
        """Remove what belongs to this run alone."""
        self.limits.unlink(missing_ok=True)
        if self.passing:
            shutil.rmtree(self.cache, ignore_errors=True)


def paths_for(config: pytest.Config, worker_input: Mapping[str, Any] | None) -> RunPaths:
    """Return the controller's places in a worker that shares its disk, else places of this process."""
    if worker_input is not None and Path(worker_input["eyechart_cache"]).is_dir():
        return RunPaths(
            cache=Path(worker_input["eyechart_cache"]),
            limits=Path(worker_input["eyechart_limits"]),
            drawing=Path(worker_input["eyechart_drawing"]),
        )
    cache = _lasting_cache(config)
    passing = cache is None
    folder = cache or Path(tempfile.mkdtemp(prefix=f"{FOLDER}-"))
    mine = f"{os.getpid()}-{time.time_ns()}"
    return RunPaths(
        cache=folder, limits=folder / f"limits-{mine}", drawing=folder / f"drawing-{mine}", passing=passing
    )


def _lasting_cache(config: pytest.Config) -> Path | None:
    """Return a folder in pytest's cache, or None where there is no cache to write.

    It stands beside pytest's own folders, not in them: a worker that is given --cache-clear too would delete
    what the controller has just prepared.
    """
    cache = getattr(config, "cache", None)
    if cache is None:
        return None
    try:
        folder = Path(cache.mkdir(FOLDER)).parents[1] / FOLDER
        if config.getoption("cacheclear"):
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
