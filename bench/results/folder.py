"""A run's folder: made before anything is asked, filled when the run ends."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.results.raw import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

__all__ = ["MANIFEST", "RunFolder"]

MANIFEST = "run.json"
RESULTS = Path("results")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class RunFolder:
    """The folder of one run. `models` are the (provider, name) pairs that it holds results of."""

    def __init__(self, path: Path, models: Sequence[tuple[str, str]]) -> None:
        self.path = path
        self._models = [list(pair) for pair in models]

    @classmethod
    def create(cls, out: Path | None, models: Sequence[tuple[str, str]], started: datetime) -> RunFolder:
        """Make the folder, or take the one of an earlier run of the same models, whose files it will replace.

        Without `out` the folder is results/<models>_<UTC time>, always a new one.

        Raises:
            UserError: the folder cannot be written, holds other models' results, or other files.
        """
        folder = cls(out if out is not None else _unused(models, started), models)
        folder._prepare()
        return folder

    def _prepare(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe = self.path / f".writable-{os.getpid()}"
            probe.touch()
            probe.unlink()
            others = [entry.name for entry in self.path.iterdir()]
        except OSError as error:
            raise UserError(
                f"--out {self.path}: cannot be written ({error.strerror or error}); name another folder"
            ) from error
        if MANIFEST in others:
            self._check_same_models()
        elif others:
            raise UserError(
                f"--out {self.path}: expected a new folder or an earlier run's, found {min(others)!r} "
                f"and no {MANIFEST}; name another folder"
            )

    def _check_same_models(self) -> None:
        try:
            content = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
            held = [[model["provider"], model["name"]] for model in content["models"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"--out {self.path}: its {MANIFEST} cannot be read; name another folder") from error
        if held != self._models:
            names = ", ".join(":".join(pair) for pair in held)
            raise UserError(f"--out {self.path}: holds a run of {names}; name another folder")

    def write_manifest(self, content: Mapping[str, Any]) -> None:
        """Write run.json.

        Raises:
            OSError: it cannot be written.
        """
        write_atomically(self.path / MANIFEST, json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def remove_if_empty(self) -> None:
        """Leave no trace of a run that never had a case."""
        if self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()


def _unused(models: Sequence[tuple[str, str]], started: datetime) -> Path:
    names = "+".join(_UNSAFE.sub("-", name) for _, name in models)[:80]
    path = RESULTS / f"{names}_{started:%Y%m%dT%H%M%SZ}"
    count = 1
    while path.exists():
        count += 1
        path = path.with_name(f"{names}_{started:%Y%m%dT%H%M%SZ}-{count}")
    return path
