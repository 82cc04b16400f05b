"""A run's outcomes as a small file that a repository can keep: what the gate needs, without texts and pictures."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from bench.errors import DataError, UserError
from bench.results.comparability import CaseOutcome, RunOutcomes, outcomes_of
from bench.results.files import write_atomically
from bench.results.run_folder import read_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["open_outcomes", "read_baseline", "write_baseline"]

KIND = "eyechart baseline"
FORMAT = 1
_PLAIN = tuple(field.name for field in fields(RunOutcomes) if field.name not in {"label", "cases"})
_COLUMNS = tuple(field.name for field in fields(CaseOutcome))


def open_outcomes(path: Path, *, model: str | None = None, label: str | None = None) -> RunOutcomes:
    """Read the outcomes of a run's folder, or of a baseline file.

    Raises:
        UserError: nothing of the kind is there, or it is not the one model's that is wanted.
        DataError: a file holds something else.
    """
    name = label or str(path)
    if path.is_file():
        return read_baseline(path, label=name)
    return outcomes_of(read_run(path), label=name, model=model)


def write_baseline(path: Path, outcomes: RunOutcomes) -> None:
    """Write outcomes, one case on a line so that a change in a repository can be read.

    Raises:
        OSError: the file cannot be written.
    """
    head = {"kind": KIND, "format": FORMAT, **{name: getattr(outcomes, name) for name in _PLAIN}}
    lines = [f"{json.dumps(name)}: {_text(value)}" for name, value in {**head, "columns": _COLUMNS}.items()]
    cases = ",\n  ".join(_text(_row(case)) for case in outcomes.cases)
    write_atomically(path, "{\n" + ",\n".join([*lines, f'"cases": [\n  {cases}\n]']) + "\n}\n")


def _row(case: CaseOutcome) -> list[object]:
    return [getattr(case, name) for name in _COLUMNS]


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def read_baseline(path: Path, *, label: str) -> RunOutcomes:
    """Read a baseline file.

    Raises:
        UserError: it cannot be opened.
        DataError: it is none, or of a later version; the message names file and case.
    """
    content = _content(path)
    if content.get("kind") != KIND or content.get("format") != FORMAT:
        raise DataError(
            f"{path}: expected a baseline of format {FORMAT} (python -m bench.leaderboard baseline RUN -o FILE), "
            f"got kind {content.get('kind')!r:.40} and format {content.get('format')!r:.20}"
        )
    try:
        plain = {name: content[name] for name in _PLAIN}
        cases = tuple(_case(row, content["columns"], place) for place, row in enumerate(content["cases"]))
        return RunOutcomes(label=label, cases=cases, **plain)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: the baseline cannot be read: {type(error).__name__}: {error}") from error


def _case(row: list[Any], columns: list[str], place: int) -> CaseOutcome:
    try:
        named: Mapping[str, Any] = dict(zip(columns, row, strict=True))
        return CaseOutcome(**{**named, "results": tuple(named["results"]), "errors": tuple(named["errors"])})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"case {place}: {error}") from error


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: expected a baseline, got malformed JSON: {error}") from error
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected a baseline as a JSON object, got {type(content).__name__}")
    return content
