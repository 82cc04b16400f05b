"""A run's folder: made before anything is asked, filled when the run ends."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.results.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

__all__ = ["MANIFEST", "RunFolder", "default_folder"]

MANIFEST = "run.json"
WRITTEN_LAST = (MANIFEST, "gate.json", "gate.md")
MARKER = ".eyechart"
RESULTS = "results"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class RunFolder:
    """The folder of one run. `models` are the (provider, name) pairs that it holds results of.

    A hidden file marks it as a run's folder before anything else is in it; run.json is removed before files
    change and written last, so that it never speaks of files that are not there.
    """

    def __init__(self, path: Path, models: Sequence[tuple[str, str]]) -> None:
        self.path = path
        self._models = [list(pair) for pair in models]
        self._held_cases = 0

    @classmethod
    def create(cls, out: Path, models: Sequence[tuple[str, str]]) -> RunFolder:
        """Make the folder, or take the one of an earlier run of the same models.

        Raises:
            UserError: the folder cannot be written, holds other models' results, or other files.
        """
        folder = cls(out, models)
        folder._prepare()
        return folder

    def _prepare(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            others = [entry.name for entry in self.path.iterdir() if entry.name != MARKER]
            ours = MANIFEST in others or (self.path / MARKER).exists()
            if ours or not others:
                (self.path / MARKER).touch()
        except OSError as error:
            raise UserError(
                f"--out {self.path}: cannot be written ({error.strerror or error}); name another folder"
            ) from error
        if MANIFEST in others:
            self._read_held()
        elif not ours and others:
            raise UserError(
                f"--out {self.path}: expected a new folder or an earlier run's, found {min(others)!r} "
                f"and no {MANIFEST}; name another folder"
            )

    def _read_held(self) -> None:
        try:
            content = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
            held = [[model["provider"], model["name"]] for model in content["models"]]
            self._held_cases = int(content["cases_selected"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"--out {self.path}: its {MANIFEST} cannot be read; name another folder") from error
        if held != self._models:
            names = ", ".join(":".join(pair) for pair in held)
            raise UserError(f"--out {self.path}: holds a run of {names}; name another folder")

    @property
    def holds_a_run(self) -> bool:
        """Whether the results of an earlier run that came to its end lie there."""
        return self._held_cases > 0

    def make_room(self, cases: int) -> None:
        """Get ready to be filled with a run of so many cases: a larger run's results are never replaced.

        Raises:
            OSError: the folder beside it cannot be made.
        """
        if cases < self._held_cases:
            self.path = _unused(self.path)
            self.path.mkdir()
            (self.path / MARKER).touch()
        for name in WRITTEN_LAST:
            (self.path / name).unlink(missing_ok=True)

    def write_manifest(self, content: Mapping[str, Any]) -> None:
        """Write run.json.

        Raises:
            OSError: it cannot be written.
        """
        write_atomically(self.path / MANIFEST, json.dumps(content, indent=2) + "\n")

    def remove_if_empty(self) -> None:
        """Leave no trace of a run that never had a record."""
        if self.path.is_dir() and {entry.name for entry in self.path.iterdir()} <= {MARKER}:
            (self.path / MARKER).unlink(missing_ok=True)
            self.path.rmdir()


def default_folder(root: Path, models: Sequence[tuple[str, str]], started: datetime) -> Path:
    """Return results/<models>_<UTC time> under `root`, a folder that does not exist."""
    names = "+".join(_UNSAFE.sub("-", name) for _, name in models)[:80]
    path = root / RESULTS / f"{names}_{started:%Y%m%dT%H%M%SZ}"
    return _unused(path) if path.exists() else path


def _unused(path: Path) -> Path:
    count = 2
    while (beside := path.with_name(f"{path.name}-{count}")).exists():
        count += 1
    return beside
