"""The pytest plugin: hooks, each of which only delegates."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from bench.options import add_options
from bench.recording import attach, shorten_traceback
from bench.run import RUN, start_run

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from bench.recording import Recorder
    from bench.run import Run
    from bench.session import Answer
    from bench.suites.base import Case
    from generators.items import Item

MARKERS = (
    "plotchain: engineering plots, 15 families",
    "clean: items drawn with grid and markers, without noise",
    "moderate: items with some noise",
    "edge: items without grid, noisier, coarser ticks",
    "geometry: dot images, 6 classes, 7 tasks",
    "ctrl: geometry, an empty picture and one dot",
    "usss: geometry, dots of one size at random",
    "usds: geometry, dots of several sizes at random",
    "hsfr: geometry, dots on a hexagonal lattice",
    "hsrp: geometry, dots on a lattice, each moved",
    "hsdn: geometry, a lattice with missing and extra dots",
    "auxsolidmath: solid-geometry problems with auxiliary lines, in one stage or two",
    "easy: auxsolidmath, problems of the easy split",
    "hard: auxsolidmath, problems of the hard split",
    "calculation: auxsolidmath, a value is asked for",
    "proving: auxsolidmath, a proof is asked for",
    "visual_cot: auxsolidmath, a drawing is asked for first and shown with the question",
    "calibration: labelled solutions that say how well the judge judges; run only where -m names them",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare options and ini values."""
    add_options(parser)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Declare markers; validate options and models before anything is collected."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    start_run(config)
    if RUN in config.stash:
        config.option.randomly_reorganize = False  # pytest-randomly: cases are asked in the order of their set
    config.pluginmanager.register(fixtures_of(config), "eyechart-fixtures")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Release what a run still holds."""
    if run := config.stash.get(RUN, None):
        run.close()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which model, which items and where the results go."""
    run = config.stash.get(RUN, None)
    return run.header() if run else []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Make the results folder and what worker processes share, before anything starts."""
    if run := session.config.stash.get(RUN, None):
        run.prepare()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401
    """Tell an xdist worker where the shared files are."""
    if run := node.config.stash.get(RUN, None):
        node.workerinput.update(run.worker_input())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:  # noqa: ANN401
    """Learn from the first worker which cases were selected: the controller collects none."""
    if run := node.config.stash.get(RUN, None):
        run.selected_by_worker(ids)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the calibration of judges unless -m names it."""
    run = config.stash.get(RUN, None)
    return True if run and run.invocation.ignores(collection_path) else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test for each case of the suite that the test function is marked with."""
    run = metafunc.config.stash.get(RUN, None)
    if run and "case" in metafunc.fixturenames:
        run.parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run cannot ask: two-stage cases without a model that draws."""
    if run := config.stash.get(RUN, None):
        run.deselect(items)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Learn which cases were selected, in the order they will run."""
    if run := session.config.stash.get(RUN, None):
        run.selected(session.items)


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Say what the run can cost, before anything is asked."""
    run = config.stash.get(RUN, None)
    return run.cost_estimate() if run else []


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Start asking ahead of the tests, unless an error of collection lets none run."""
    run = session.config.stash.get(RUN, None)
    if run and (not session.testsfailed or session.config.option.continue_on_collection_errors):
        run.begin()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Learn which test runs: one fixture serves all tests, which costs pytest less than one for each."""
    if run := item.config.stash.get(RUN, None):
        run.running = item


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the case's records to the report that travels to the controller."""
    shorten_traceback(call)
    report = yield
    if RUN in item.config.stash:
        attach(item, report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> Generator[None, None, None]:
    """Write tables before pytest prints its summary; decide the exit code after all other plugins did."""
    run = session.config.stash.get(RUN, None)
    if run is not None:
        run.finish(exitstatus)
    yield
    if run is not None:
        session.exitstatus = run.output.exit_code(int(session.exitstatus))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Generator[None, None, None]:
    """Print pytest's own summary, shortened when most cases fail, and then ours, so that it stands last."""
    run = config.stash.get(RUN, None)
    if run is None:
        return (yield)
    with run.output.shortened_failures(terminalreporter) as left_out:
        yield
    run.output.print_summary(terminalreporter, left_out)
    return None


def fixtures_of(config: pytest.Config) -> ModuleType:
    """Return a plugin with the fixtures of one configuration.

    They ask neither for `request` nor for `pytestconfig`, which asks for it: pytest makes one anew for each
    fixture of each test, a twelfth of a case's cost.
    """

    def run() -> Run:
        return config.stash[RUN]

    @pytest.fixture
    def case() -> Case:
        """The case that the test is about: item, task and model."""
        return run().case

    @pytest.fixture
    def item(case: Case) -> Item:
        """The item: prompt, exact truth, parameters."""
        return run().session.item(case)

    @pytest.fixture
    def image(item: Item) -> bytes:
        """The picture's PNG bytes, as a model is shown them."""
        return run().session.pictures.png(item)

    @pytest.fixture(scope="session")
    def ask() -> Callable[[Case], tuple[Answer, ...]]:
        """Ask a case's model: one answer for each of --repeats; trouble with the server is an error."""
        return run().ask

    @pytest.fixture
    def reply(case: Case, ask: Callable[[Case], tuple[Answer, ...]]) -> tuple[Answer, ...]:
        """The model's answers to the case."""
        return ask(case)

    @pytest.fixture(scope="session")
    def record() -> Recorder:
        """Score the answers to the test's case and keep the records; returns them."""
        return run().record

    plugin = ModuleType(__name__)
    vars(plugin).update(case=case, item=item, image=image, ask=ask, reply=reply, record=record)
    return plugin
