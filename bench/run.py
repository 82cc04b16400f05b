"""A run's life inside pytest, from options to exit code. The plugin's hooks delegate to this object."""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench import recording
from bench.errors import EyechartError
from bench.gate.gate_plugin import Gate
from bench.models.resolve import resolve_models
from bench.models.roles import resolve_roles
from bench.options import read_settings
from bench.paths import paths_for
from bench.results.collector import ResultCollector
from bench.results.raw import Replayed, replayed_models
from bench.results.store import ReplyStore
from bench.run_output import RunOutput, make_folder
from bench.selection import Invocation, case_of, cases_named, parametrize
from bench.session import Session, cost_estimate
from bench.suites import open_suites
from bench.suites.image_cache import DRAWN_AHEAD, DrawingAhead, Pictures
from bench.suites.visual_cot import open_stages
from bench.terminal import LiveLine, header, paid, stages_header
from generators.errors import ItemDataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.options import Settings
    from bench.results.record import Record
    from bench.session import Answer
    from bench.suites.base import Case, Suite
    from generators.items import Item

__all__ = ["RUN", "Run", "start_run"]

FOLDER_INPUT = "eyechart_folder"


def start_run(config: pytest.Config) -> None:
    """Validate options, items and models, and put the run into the stash; nothing for other test runs.

    Raises:
        pytest.UsageError: an option, file, key or model is not usable; one line.
    """
    if not Invocation(config).is_benchmark_run:
        return
    try:
        run = Run(config, read_settings(config))
    except (EyechartError, ItemDataError) as error:
        raise pytest.UsageError(f"eyechart: {error}") from error
    config.stash[RUN] = run
    watching = Upcoming(run) if run.is_worker else Reports(run)
    for plugin in (watching, Interrupts(run)):
        config.pluginmanager.register(plugin, f"eyechart-{type(plugin).__name__.lower()}")


class Reports:
    """Receives the reports of tests, in the controller or where there are no workers."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the records that came with the report, and show how far the run is."""
        records = self._run.collector.see(report)
        if records:
            self._run.output.import_writers()
        if records is not None and self._run.live is not None:
            self._run.live.see(records)


class Upcoming:
    """Learns, in a worker, which test comes next: its request goes out while the one that runs is scored."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> None:
        """Tell the run."""
        self._run.upcoming = None if nextitem is None else case_of(nextitem)


class Interrupts:
    """Learns of Ctrl-C before pytest describes where it was, which takes a second or two."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """Send nothing more."""
        self._run.session.send_no_more()


class Run:
    """One run in one pytest process: alone, as xdist's controller, or as one of its workers."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.config = config
        self.invocation = Invocation(config)
        self._worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if self.is_worker:
            settings = replace(settings, concurrency=1)  # one request under way at each server
        self.settings = settings
        self.paths = paths_for(config, self._worker)
        environ = None if self.invocation.runs_tests else NoKeysNeeded(os.environ)
        roles = resolve_roles(settings, self.paths.limits, environ=environ)
        suites = open_suites(settings, judge=roles.judge, calibrates=self.invocation.calibrates)
        processes = 1 if self.is_worker else os.cpu_count() or 1
        models = resolve_models(
            settings, self.paths.limits, self._replayed(suites), environ=environ, processes=processes
        )
        pictures = Pictures(self.paths.pictures, drawing=self.paths.drawing)
        self._stages = open_stages(suites, roles, settings, pictures, folder=self._given_folder())
        self.session = Session(settings, suites, models, pictures, in_turn=self.is_worker, stages=self._stages)
        self.collector = ResultCollector()
        recipe = next((suite.drawing_recipe for suite in suites if suite.drawing_recipe), {})
        folders = {"cache": str(self.paths.pictures), "copies": str(pictures.copies.folder)}
        self._drawing = DrawingAhead(self.paths.drawing, {**recipe, **folders})
        self._selected: list[Case] = []
        self.live: LiveLine | None = None
        self.running: pytest.Item | None = None
        self.upcoming: Case | None = None
        gate = None if self.is_worker else Gate.from_settings(settings, len(models))
        self.output = RunOutput(config, self.session, self.collector, gate, started=datetime.now(UTC))

    @property
    def is_worker(self) -> bool:
        """Whether this process is one of xdist's workers."""
        return self._worker is not None

    @property
    def two_stage(self) -> bool:
        """Whether two-stage cases can run: something is drawn, or drawings were stored."""
        offline = (model.offline for model in self.session.tested.values())
        return self._stages.two_stage or any(model is not None and model.has_drawings for model in offline)

    @property
    def _looks(self) -> bool:
        """Whether a model will be shown pictures."""
        return any(model.looks for model in self.session.tested.values())

    def header(self) -> list[str]:
        """Say which models, which items and, when it matters, how requests are spread."""
        suites = self.session.suites.items()
        about = [suite.about for name, suite in suites if self.invocation.names(f"test_{name}.py")]
        models = tuple(self.session.tested.values())
        lines = header(self.settings, models, about, distributed=self.invocation.is_controller)
        if not self.invocation.names("test_auxsolidmath.py"):
            return lines
        return [*lines, *stages_header(self.session.roles, self.settings, two_stage=self.two_stage)]

    def prepare(self) -> None:
        """Make the results folder before anything is asked, and what workers share.

        Raises:
            pytest.UsageError: the folder cannot be made or holds another run.
        """
        if self.is_worker or not self.invocation.runs_tests:
            return
        try:
            if self.session.stores:
                ReplyStore(self.settings.replies).close()  # refuse an unusable file before anything is asked
            self.output.folder = make_folder(self.config, self.session, self.output.started)
            self._stages.folder = self.output.folder.path
        except EyechartError as error:
            raise pytest.UsageError(f"eyechart: {error}") from error
        if self.invocation.is_controller and self._looks:
            self._drawing.announce()

    def worker_input(self) -> dict[str, Any]:
        """Return what a worker must know of this process."""
        folder = {} if self.output.folder is None else {FOLDER_INPUT: str(self.output.folder.path)}
        return {**self.paths.to_worker(), **folder}

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """Make the tests of a function that asks for a case."""
        parametrize(metafunc, self.session)

    def deselect(self, items: list[pytest.Item]) -> None:
        """Leave out two-stage cases where nothing is drawn."""
        if self.two_stage:
            return
        out = [item for item in items if (case := case_of(item)) is not None and "visual_cot" in case.marks]
        if out:
            self.config.hook.pytest_deselected(items=out)
            left = {id(item) for item in out}
            items[:] = [item for item in items if id(item) not in left]

    def selected(self, items: Sequence[pytest.Item]) -> None:
        """Keep the cases that will run, in their order."""
        self._select([case for item in items if (case := case_of(item)) is not None])

    def selected_by_worker(self, node_ids: Sequence[str]) -> None:
        """Keep the cases that workers will run and draw their pictures; the first worker's list counts."""
        if self._selected or not node_ids:
            return
        self._select(cases_named(node_ids, self.session))
        self._draw_ahead()
        if reporter := self.config.pluginmanager.getplugin("terminalreporter"):
            for line in self.cost_estimate():
                reporter.write_line(line)

    def cost_estimate(self) -> list[str]:
        """Say what the selected cases can cost at most, and whether the gate could not use them."""
        return [*cost_estimate(self.session, self._selected), *self.output.gate_warning(self._selected)]

    def begin(self) -> None:
        """Draw and send requests ahead of the tests."""
        if not self.invocation.runs_tests or self.is_worker:
            return
        if not self.invocation.is_controller:
            if self._looks:
                self._drawing.announce()
            self.session.plan(self._selected)  # asks for pictures that are there, waits for those that are not
            self._draw_ahead()
        models = tuple(self.session.tested.values())
        self.live = LiveLine.start(
            self.config,
            os.environ,
            total=lambda: self.output.selected,
            cost_usd=lambda: paid(self.collector, models),
        )

    def ask(self, case: Case) -> tuple[Answer, ...]:
        """Ask a case's model on behalf of the test that runs."""
        __tracebackhide__ = True
        stops = self.session.gateway.stop_condition.line or self.config.option.maxfail
        if self.invocation.runs_tests and self.upcoming is not None and not stops:
            self.session.plan_next(case, self.upcoming)
        return recording.ask_case(self.session, self._test(), case)

    def record(self, item: Item, answers: tuple[Answer, ...]) -> list[Record]:
        """Score and keep the answers to the case of the test that runs."""
        return recording.record_case(self.session, self._test(), self.case, item, answers)

    @property
    def case(self) -> Case:
        """The case of the test that runs.

        Raises:
            TypeError: the test asks for none.
        """
        test = self._test()
        case = case_of(test)
        if case is None:
            raise TypeError(f"{test.nodeid}: `case` and `record` are for tests that ask for a case")
        return case

    def finish(self, exitstatus: int) -> None:
        """Stop asking and write everything that is known."""
        self.output.exitstatus = exitstatus
        if self.live is not None:
            self.live.close()
        # Ctrl-C twice leaves pytest's exit status at 0.
        cut = exitstatus == pytest.ExitCode.OK and self.collector.cases < self.output.selected
        with suppress(KeyboardInterrupt):  # one more: no reply is waited for, what is known is written
            self.close(interrupted=cut or exitstatus == pytest.ExitCode.INTERRUPTED)
        if not self.is_worker and self.output.folder is not None:
            self.output.write(self.output.folder)
        gc.freeze()  # else Python looks through all objects once more as it ends: 0.1 s in each of eight workers

    def close(self, *, interrupted: bool = False) -> None:
        """Release the event loop, connections, the store and drawing processes; repeatable."""
        self.session.close(interrupted=interrupted)
        if not self.is_worker:
            self._drawing.finish()
        if not self.is_worker or self.paths.passing:
            self.paths.clean_up()

    def _select(self, cases: list[Case]) -> None:
        self._selected = cases
        self.output.selected = len({case.id for case in cases})

    def _replayed(self, suites: Sequence[Suite]) -> list[Replayed]:
        if not self.settings.replay:
            return []
        owner = {name.item_id: suite for suite in suites for name in suite.cases(None)}
        return replayed_models(
            self.settings.replay, owner, lambda item_id, task: owner[item_id].item(item_id, task)
        )

    def _given_folder(self) -> Path | None:
        """Return the results folder that a worker was told, where there is one."""
        given = None if self._worker is None else self._worker.get(FOLDER_INPUT)
        return None if given is None else Path(given)

    def _draw_ahead(self) -> None:
        looking = {model.label for model in self.session.tested.values() if model.looks}
        drawn = [case for case in self._selected if case.suite in DRAWN_AHEAD and case.model in looking]
        wanted = {case.item_id: case for case in drawn}
        session = self.session
        self._drawing.start(
            tuple(wanted), lambda item_id: session.pictures.is_missing(session.item(wanted[item_id]))
        )

    def _test(self) -> pytest.Item:
        if self.running is None:
            raise RuntimeError("no test runs: `ask` and `record` are for tests and their fixtures")
        return self.running


class NoKeysNeeded(dict[str, str]):
    """The environment, with a stand-in for every key that is not there: listing tests needs none."""

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401
        """Return a variable; a key is always there."""
        return super().get(name, "not-needed" if name.endswith("_KEY") else default)


RUN = pytest.StashKey[Run]()
