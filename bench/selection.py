"""Which cases tests are about: made from suites, found again in collected items and in workers' node ids."""

from __future__ import annotations

import re
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.suites.base import Case

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.session import Session

__all__ = ["HERE", "Invocation", "case_of", "cases_named", "parametrize"]

HERE = Path(__file__).resolve().parent
KINDS = frozenset(
    {
        *("clean", "moderate", "edge", "ctrl", "usss", "usds", "hsfr", "hsrp", "hsdn"),
        *("easy", "hard", "calculation", "proving", "visual_cot"),
    }
)


class Invocation:
    """What pytest was called for, as far as a run's course depends on it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._start = config.invocation_params.dir
        self.paths = [(self._start / argument.split("::")[0]).resolve() for argument in config.args]

    @property
    def is_benchmark_run(self) -> bool:
        """Whether an argument names the benchmark's folder, something in it, or a folder around it."""
        about_pytest = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test", "cacheshow")
        if any(self._config.getoption(name, default=None) for name in about_pytest):
            return False
        return any(path == HERE or path in HERE.parents or HERE in path.parents for path in self.paths)

    @property
    def runs_tests(self) -> bool:
        """Whether tests will run: not when they are only listed or planned."""
        option = self._config.option
        return not (option.collectonly or option.setupplan or option.setuponly)

    @property
    def is_controller(self) -> bool:
        """Whether this process distributes the tests to xdist's workers."""
        return self._config.pluginmanager.hasplugin("dsession")

    @property
    def calibrates(self) -> bool:
        """Whether -m names the calibration of the judge."""
        expression = re.sub(r"\bnot\s+calibration\b", "", self._config.option.markexpr or "")
        return re.search(r"\bcalibration\b", expression) is not None

    def names(self, file: str) -> bool:
        """Whether an argument covers a file of the benchmark."""
        return any(path == HERE / file or path in (HERE / file).parents for path in self.paths)

    def ignores(self, path: Path) -> bool:
        """Whether a file is left out: the calibration, unless it is asked for."""
        return path == HERE / "test_calibration.py" and not self.calibrates


def parametrize(metafunc: pytest.Metafunc, session: Session) -> None:
    """Make one test for each case of the suite that the test function is marked with."""
    suites = [name for name in session.suites if metafunc.definition.get_closest_marker(name)]
    if len(suites) != 1:
        pytest.fail(
            f"{metafunc.definition.nodeid}: a test that asks for a case carries the marker of one suite, "
            f"such as @pytest.mark.{next(iter(session.suites))}",
            pytrace=False,
        )
    cases = session.cases(suites[0])
    marks = {name: getattr(pytest.mark, name) for name in KINDS}
    parameters = [
        pytest.param(
            case, id=case.id, marks=[marks[name] for name in (case.difficulty, *case.marks) if name in marks]
        )
        for case in cases
    ]
    metafunc.parametrize("case", parameters, indirect=True)


def case_of(item: pytest.Item) -> Case | None:
    """Return the case that a test is about, or None for a test that has none."""
    call = getattr(item, "callspec", None)
    case = None if call is None else call.params.get("case")
    return case if isinstance(case, Case) else None  # an empty selection has a stand-in of pytest's


def cases_named(node_ids: Iterable[str], session: Session) -> list[Case]:
    """Return the cases that a worker's tests are about; a test may have further parameters around the case's."""
    known = {case.id: case for name in session.suites for case in session.cases(name)}
    found = (_named(node_id.partition("[")[2].rpartition("]")[0], known) for node_id in node_ids)
    return [case for case in found if case is not None]


def _named(name: str, known: Mapping[str, Case]) -> Case | None:
    if name in known:
        return known[name]
    parts = name.split("-")
    for run in (parts, parts[::-1]):
        for joined in _joined(run, backwards=run is not parts):
            if joined in known:
                return known[joined]
    return None


def _joined(parts: Sequence[str], *, backwards: bool) -> list[str]:
    """Return the growing joins of the parts, longest first: beginnings of the name, or ends of it."""
    joins = accumulate(parts, lambda so_far, part: f"{part}-{so_far}" if backwards else f"{so_far}-{part}")
    return list(joins)[::-1]
