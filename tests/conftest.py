"""What all tests share: where the reference data lie, and warnings as errors."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterable

# A busy machine is no fault of the code: examples may take as long as they take.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", PATIENT)
settings.register_profile("sampling", PATIENT, max_examples=25)

# A shell without job control starts commands in the background deaf to Ctrl-C, and their children with them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


LONG = ("slow", "sweep", "performance")
NOT_QUICK = {
    *("AuxSolidMathSource", "BrokenProcessPool", "DrawingAhead", "GeometrySource", "Image", "LoopbackServer"),
    *("PlotChainSource", "ReaderFactory", "ReadingProcess", "bench", "check_png", "chromium", "dots_png"),
    *("encode_png", "gather", "multiprocessing", "np", "published_plotchain", "pytester", "run_module"),
    *("server", "shared", "sp", "subprocess", "threading", "write_suite"),
}
"""Fixtures and imports of modules that start processes, servers or browsers, draw pictures, or read data sets."""


def sampled(cases: Iterable[Any], first: int = 1) -> list[Any]:
    """Cases of a parametrized test, of which only the first run without -m sweep."""
    given = [*cases]
    swept = [case if isinstance(case, tuple) else (case,) for case in given[first:]]
    return [*given[:first], *(pytest.param(*case, marks=pytest.mark.sweep) for case in swept)]


def pytest_configure(config: pytest.Config) -> None:
    """Take fewer examples of Hypothesis than with -m sweep; call no snapshot unused where no test runs."""
    settings.load_profile("thorough" if "sweep" in (config.option.markexpr or "") else "sampling")
    config.option.disable_unused_snapshots = config.option.collectonly


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Make warnings errors here, and only here; leave long tests out unless -m or the path names them."""
    chosen = config.option.markexpr or ""
    left_out = []
    for item in items:
        if item.path.is_relative_to(ROOT / "tests"):
            item.add_marker(pytest.mark.filterwarnings("error"), append=False)
            names = [vars(getattr(item, "module", item)).keys(), {*getattr(item, "fixturenames", ())}]
            if all(map(NOT_QUICK.isdisjoint, names)) and not any(map(item.get_closest_marker, LONG)):
                item.add_marker(pytest.mark.quick)
            if any(item.get_closest_marker(name) and name not in chosen for name in unasked(config)):
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def unasked(config: pytest.Config) -> set[str]:
    """Markers of tests that run only when asked for: by -m, or by a path into tests/performance."""
    named = any("performance" in argument for argument in config.args)
    return {"slow", "sweep"} if named else {"slow", "sweep", "performance"}


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of reference data that users do not have; tests that need it skip without it."""
    folder = Path(os.environ.get("EYECHART_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found: no folder {folder.name!r} beside the repository")
    return folder


@pytest.fixture(scope="session")
def published_plotchain(shared: Path) -> Path:
    """The published PlotChain release: plotchain.jsonl, pictures and two models' results."""
    folder = shared / "data" / "plotchain"
    if not folder.is_dir():
        pytest.skip("reference data hold no data/plotchain")
    return folder
