"""A run's life inside pytest, from options to exit code. The plugin's hooks delegate to this object."""

from __future__ import annotations

import gc
import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench import recording, terminal
from bench.cost_estimate import cost_estimate
from bench.errors import EyechartError, UserError
from bench.garbage import search_less
from bench.gate.gate_plugin import Gate
from bench.meanwhile import meanwhile
from bench.models.replay import Replayed, replayed_models
from bench.models.resolve import contestants
from bench.models.roles import companions
from bench.options import read_settings
from bench.paths import paths_for
from bench.results.collector import ResultCollector
from bench.results.run_folder import RunFolder, default_folder
from bench.results.store import ReplyStore
from bench.selection import case_of, cases_named, parametrize
from bench.session import Session
from bench.suites import open_suites
from bench.suites.image_cache import DRAWN_AHEAD, DrawingAhead, Pictures
from bench.suites.plotchain import open_source
from bench.suites.visual_cot import open_stages
from bench.terminal import LiveLine, paid
from generators.errors import ItemDataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from bench.ahead import Ahead
    from bench.options import Settings
    from bench.results.record import Record
    from bench.session import Answer
    from bench.suites.base import Case, Suite
    from generators.items import Item

__all__ = ["RUN", "Run", "start_run"]

HERE = Path(__file__).resolve().parent
FOLDER_INPUT = "eyechart_folder"
ASKING_INPUT = "eyechart_asking"
WORTH_A_COPY = 1000  # fewer cases gain less by a report of its own process than its memory is worth


def is_benchmark_run(config: pytest.Config) -> bool:
    """Whether an argument names the benchmark's folder, something in it, or a folder around it."""
    start = config.invocation_params.dir
    for argument in config.args:
        path = (start / argument.split("::")[0]).resolve()
        if path == HERE or path in HERE.parents or HERE in path.parents:
            return True
    return False


def start_run(config: pytest.Config) -> None:
    """Validate options, items and models, and put the run into the stash; nothing for other test runs.

    Raises:
        pytest.UsageError: an option, file, key or model is not usable; one line.
    """
    about_pytest = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test", "cacheshow")
    if not is_benchmark_run(config) or any(config.getoption(name, default=None) for name in about_pytest):
        return
    try:
        run = Run(config, read_settings(config))
    except (EyechartError, ItemDataError) as error:
        raise pytest.UsageError(f"eyechart: {error}") from error
    config.stash[RUN] = run
    watching = Upcoming(run) if run.is_worker else Reports(run)
    config.pluginmanager.register(watching, f"eyechart-{type(watching).__name__.lower()}")


class Reports:
    """Receives the reports of tests, in the controller or where there are no workers."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the records that came with the report, and show how far the run is."""
        records = self._run.collected.see(report)
        if records:
            self._run.work_ahead(records)
        if records is not None and self._run.live is not None:
            self._run.live.see(records)


class Upcoming:
    """Learns, in a worker, which test comes next: it is asked for while the one that runs is scored."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> None:
        """Tell the run."""
        self._run.upcoming = None if nextitem is None else case_of(nextitem)


class Run:
    """One run in one pytest process: alone, as xdist's controller, or as one of its workers."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.config = config
        self.started = datetime.now(UTC)
        self._worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if self.is_worker:
            settings = replace(settings, concurrency=1)  # one ask in flight at each server
        self.settings = settings
        self.places = paths_for(config, self._worker)
        self.source = open_source(settings, self.places.cache)
        self.companions = companions(settings, self.places.limits, environ=self._environ())
        suites = open_suites(settings, self.source, judge=self.companions.judge, calibrates=self.calibrates)
        replayed = self._replayed(suites)
        processes = 1 if self.is_worker else os.cpu_count() or 1
        self.models = contestants(
            settings, self.places.limits, replayed, environ=self._environ(), processes=processes
        )
        pictures = Pictures(self.places.pictures, drawing=self.places.drawing)
        self.stages = open_stages(suites, self.companions, settings, pictures, folder=self._given_folder())
        self.session = Session(
            settings,
            suites,
            self.models,
            pictures,
            in_turn=self.is_worker,
            stages=self.stages,
            shared=self._asking_processes(),
        )
        self.collected = ResultCollector()
        drawing_header = {
            **self.source.drawing_header(),
            "cache": str(self.places.pictures),
            "copies": str(pictures.copies.folder),
        }
        self._drawing = DrawingAhead(self.places.drawing, drawing_header)
        self._selected: list[Case] = []
        self.live: LiveLine | None = None
        self._ahead: Ahead | None = None
        self.running: pytest.Item | None = None
        self.upcoming: Case | None = None
        self._listening: dict[str, str] = {}
        self._folder: RunFolder | None = None
        self._not_written: str | None = None
        self._exitstatus = int(pytest.ExitCode.OK)
        self._search_as_before: Callable[[], None] = lambda: None
        self._gate = None if self.is_worker else Gate.from_settings(settings, len(self.models))

    @property
    def is_worker(self) -> bool:
        """Whether this process is one of xdist's workers."""
        return self._worker is not None

    @property
    def is_controller(self) -> bool:
        """Whether this process distributes the tests to workers."""
        return self.config.pluginmanager.hasplugin("dsession")

    def _given_folder(self) -> Path | None:
        """Return the results folder that a worker was told, where there is one."""
        given = None if self._worker is None else self._worker.get(FOLDER_INPUT)
        return None if given is None else Path(given)

    def _asking_processes(self) -> dict[str, Path]:
        """Return where processes ask for all workers, as a worker was told, by model."""
        told: Mapping[str, str] = {} if self._worker is None else self._worker.get(ASKING_INPUT, {})
        return {label: Path(address) for label, address in told.items()}

    @property
    def two_stage(self) -> bool:
        """Whether two-stage cases can run: something is drawn, or drawings were stored."""
        return self.stages.two_stage or any(
            model.offline is not None and model.offline.has_drawings for model in self.models
        )

    @property
    def asks(self) -> bool:
        """Whether tests will run: not when they are only listed or planned."""
        option = self.config.option
        return not (option.collectonly or option.setupplan or option.setuponly)

    @property
    def looks(self) -> bool:
        """Whether a model will be shown pictures."""
        return any(model.looks for model in self.models)

    @property
    def stores(self) -> bool:
        """Whether a server will be asked, whose replies are kept."""
        return any(model.remote for model in (*self.models, *self.companions.asked))

    def header(self) -> list[str]:
        """Say which models, which items and, when it matters, how asking is spread."""
        about = [suite.about for name, suite in self.session.suites.items() if self._is_named(f"test_{name}.py")]
        lines = terminal.header(self.settings, self.models, about, distributed=self.is_controller)
        if not self._is_named("test_auxsolidmath.py"):
            return lines
        return [*lines, *terminal.stages_header(self.companions, self.settings, two_stage=self.two_stage)]

    @property
    def calibrates(self) -> bool:
        """Whether -m names the calibration of the judge."""
        expression = re.sub(r"\bnot\s+calibration\b", "", self.config.option.markexpr or "")
        return re.search(r"\bcalibration\b", expression) is not None

    def ignores(self, path: Path) -> bool:
        """Whether a file is left out: the calibration, unless it is asked for."""
        return path == HERE / "test_calibration.py" and not self.calibrates

    def _replayed(self, suites: Sequence[Suite]) -> list[Replayed]:
        if not self.settings.replay:
            return []
        owner = {name.item_id: suite for suite in suites for name in suite.cases(None)}
        return replayed_models(
            self.settings.replay, owner, lambda item_id, task: owner[item_id].item(item_id, task)
        )

    def _is_named(self, file: str) -> bool:
        """Whether an argument covers a file of the benchmark."""
        start = self.config.invocation_params.dir
        paths = [(start / argument.split("::")[0]).resolve() for argument in self.config.args]
        return any(path == HERE / file or path in (HERE / file).parents for path in paths)

    def prepare(self) -> None:
        """Make the results folder before anything is asked, and what workers share.

        Raises:
            pytest.UsageError: the folder cannot be made or holds another run.
        """
        if self.is_worker or not self.asks:
            return
        try:
            if self.stores:
                ReplyStore(self.settings.replies).close()  # refuse an unusable file before anything is asked
                if not self.is_controller and self._may_be_long():
                    self.session.start_processes()  # they start while tests are collected
            self._folder = self._make_folder()
            self.stages.folder = self._folder.path
            if self.is_controller:
                self.source.prepare_catalog()
        except EyechartError as error:
            raise pytest.UsageError(f"eyechart: {error}") from error
        if self.is_controller and self.looks:
            self._drawing.announce()

    def share_asking(self, workers: int) -> None:
        """Start what asks for all workers, before these start."""
        if self._folder is not None and self.stores and self._may_be_long():
            listening = self.session.share_processes(workers)
            self._listening = {label: str(address) for label, address in listening.items()}

    def _may_be_long(self) -> bool:
        """Whether so many asks may be selected that a process for each server is worth its start."""
        option, session = self.config.option, self.session
        if (
            option.keyword
            or self.config.getoption("lf", default=False)
            or any("::" in a for a in self.config.args)
        ):
            return False
        named = [name for name in session.suites if self._is_named(f"test_{name}.py")]
        marked = [name for name in named if name in (option.markexpr or "")]
        return session.is_long(sum(len(session.cases(name)) for name in marked or named))

    def _make_folder(self) -> RunFolder:
        models = [(model.provider, model.name) for model in self.models]
        out = self.settings.out or default_folder(self.config.rootpath, models, self.started)
        for path in self.settings.replay:
            if out.resolve() in path.resolve().parents:
                raise UserError(f"--out {out}: holds the replayed file {path}; name another folder")
        for run in filter(None, (self.settings.gate, self.settings.gate_aa)):
            if out.resolve() in {run.resolve(), *run.resolve().parents}:
                raise UserError(f"--out {out}: holds the run to compare with, {run}; name another folder")
        return RunFolder.create(out, models)

    def worker_input(self) -> dict[str, Any]:
        """Return what a worker must know of this process."""
        folder = {} if self._folder is None else {FOLDER_INPUT: str(self._folder.path)}
        return {**self.places.to_worker(), **folder, ASKING_INPUT: self._listening}

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
        self._selected = [case for item in items if (case := case_of(item)) is not None]

    def selected_by_worker(self, node_ids: Sequence[str]) -> None:
        """Keep the cases that workers will run and draw their pictures; the first worker's list counts."""
        if self._selected or not node_ids:
            return
        self._selected = cases_named(node_ids, self.session)
        self._draw_ahead()
        if reporter := self.config.pluginmanager.getplugin("terminalreporter"):
            for line in self.cost_estimate():
                reporter.write_line(line)

    def cost_estimate(self) -> list[str]:
        """Say what the selected cases can cost at most, and whether the gate could not use them."""
        warning = [] if self._gate is None else self._gate.warning(self.session, self._selected)
        return [*cost_estimate(self.session, self._selected), *warning]

    def begin(self) -> None:
        """Draw and ask ahead of the tests."""
        self._search_as_before = search_less()
        if self.asks and not self.is_worker and not self.is_controller:
            if self.looks:
                self._drawing.announce()
            self.session.plan(self._selected)  # asks for pictures that are there, waits for those that are not
            self._draw_ahead()
        if self.asks and not self.is_worker:
            self.live = LiveLine.start(
                self.config,
                os.environ,
                total=lambda: self._selected_count,
                cost_usd=lambda: paid(self.collected, self.models),
            )

    def work_ahead(self, records: Sequence[Record]) -> None:
        """Do for the end of the run what can be done while replies are awaited; not before the first one came."""
        if self._ahead is None and self._folder is not None:
            from bench.ahead import Ahead  # noqa: PLC0415 - eight workers never report

            self._ahead = Ahead()
        if self._ahead is not None and not self.is_controller:  # which has less time and memory
            self._ahead.take(records)

    def ask(self, case: Case) -> tuple[Answer, ...]:
        """Ask a case's model on behalf of the test that runs."""
        __tracebackhide__ = True
        stops = self.session.asking.trouble.line or self.config.option.maxfail
        if self.asks and self.upcoming is not None and not stops:
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

    def _test(self) -> pytest.Item:
        if self.running is None:
            raise RuntimeError("no test runs: `ask` and `record` are for tests and their fixtures")
        return self.running

    def finish(self, exitstatus: int) -> None:
        """Stop asking and write everything that is known."""
        self._exitstatus = exitstatus
        if self._folder is not None:
            gc.freeze()  # all records live to the end: making tables looked at them again and again
        self._search_as_before()
        self.session.asking.let_others_send_no_more()
        if self.live is not None:
            self.live.close()
        cut = exitstatus == pytest.ExitCode.OK and self.collected.cases < self._selected_count  # Ctrl-C twice
        with suppress(KeyboardInterrupt):  # one more: no reply is waited for, what is known is written
            self.close(interrupted=cut or exitstatus == pytest.ExitCode.INTERRUPTED)
        if self.is_worker or self._folder is None:
            return
        self.collected.see_spending(os.getpid(), self.session.asking.spending.snapshot())
        try:
            manifest = self._prepare(self._folder, complete=self._is_complete(exitstatus))
            if manifest is not None:
                self._write(self._folder, manifest)
            elif self._gate is not None:
                self._decide(self._gate, None)
        except OSError as error:
            kept = f"; stored replies are kept in {self.settings.replies}" if self.stores else ""
            self._not_written = (
                f"{self._folder.path} cannot be written ({error.strerror or error}){kept}: "
                "free some space and run the same command again"
            )
            if not self.config.pluginmanager.hasplugin("terminalreporter"):
                sys.stderr.write(f"eyechart: {self._not_written}\n")

    def _write(self, folder: RunFolder, manifest: Mapping[str, Any]) -> None:
        """Write tables, have the gate decide, and write the report, which says what it decided."""
        from bench.tables.run_files import annotates, write_run  # noqa: PLC0415 - eight workers never write

        apart = (
            self.collected.cases >= WORTH_A_COPY
            and not self.is_controller
            and self._gate is None
            and not annotates(self.session, self.collected.records)
        )
        with meanwhile(lambda: self._report(folder.path, manifest), apart=apart):
            write_run(
                folder,
                manifest,
                models=self.models,
                session=self.session,
                collected=self.collected,
                texts=None if self._ahead is None else self._ahead.texts,
            )
            self.source.keep_catalog()
            if self._gate is not None:
                self._decide(self._gate, folder.path)

    def _decide(self, gate: Gate, written: Path | None) -> None:
        try:
            gate.decide(written, os.environ)
        except (EyechartError, OSError) as error:
            self._not_written = f"the gate could not be decided: {error}"
        gate.report(self.config)

    def exit_code(self, exitstatus: int) -> int:
        """Return the exit code: the one decided so far, unless nothing could be written or --exit-zero applies.

        A gate's verdict replaces "all passed" and "some failed"; an interrupted run or a wrong call stays that.
        """
        if self._not_written:
            return pytest.ExitCode.INTERNAL_ERROR
        decided = None if self._gate is None else self._gate.result
        if decided is not None and exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            return decided.exit_code
        measured = self.collected.unmeasured == 0 and self._is_complete(exitstatus)
        only_scores = exitstatus == pytest.ExitCode.TESTS_FAILED and measured
        if self.settings.exit_zero and only_scores and self._folder is not None:
            return pytest.ExitCode.OK
        return exitstatus

    def _report(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        from bench.report.page import write_run_report  # noqa: PLC0415 - eight workers never report
        from bench.results.pricing import reply_cost  # noqa: PLC0415

        write_run_report(
            folder,
            manifest=manifest,
            records=self.collected.records,
            cost_usd=reply_cost((*self.models, *self.companions.asked)),
            find_item=lambda record: self.session.suites[record.suite].item(record.item_id, record.task),
            png=self.session.pictures.without_drawing,
            copies=self.session.pictures.copies,
            gate=None if self._gate is None else self._gate.result,
        )

    def _prepare(self, folder: RunFolder, *, complete: bool) -> dict[str, Any] | None:
        from bench.tables.run_files import prepare_run  # noqa: PLC0415 - eight workers never write

        return prepare_run(
            folder,
            settings=self.settings,
            models=self.models,
            session=self.session,
            collected=self.collected,
            started=self.started,
            complete=complete,
            selected=self._selected_count,
        )

    @property
    def _selected_count(self) -> int:
        return len({case.id for case in self._selected})

    def shortened_failures(self, reporter: pytest.TerminalReporter) -> AbstractContextManager[int]:
        """Return a context in which pytest shows only the first failed cases."""
        return terminal.shortened_failures(reporter, chosen_style=self.config.option.tbstyle not in {"auto", "no"})

    def print_summary(self, reporter: pytest.TerminalReporter, left_out: int) -> None:
        """Print what was measured, where it lies and the gate's verdict; `left_out` failed cases are not shown."""
        if self._folder is not None and (self._selected or self._not_written):
            self._print_measured(self._folder, reporter, left_out)
        if self._gate is not None and self._gate.result is not None:
            terminal.print_gate(reporter, self._gate.result, ends_with=self.exit_code(self._exitstatus))

    def _print_measured(self, folder: RunFolder, reporter: pytest.TerminalReporter, left_out: int) -> None:
        lines = terminal.summary(
            self.collected,
            (*self.models, *self.companions.asked),
            selected=self._selected_count,
            folder=None if self._not_written else folder.path,
            going_on=self._how_to_go_on(),
            width=reporter._tw.fullwidth,  # noqa: SLF001 - the only way to learn it
        )
        if left_out:
            reporter.write_line(f"... and {left_out} more failed cases, in the tables; --tb=short shows them all")
        reporter.write_sep("=", "eyechart")
        for line in lines:
            reporter.write_line(line)
        if self._not_written:
            reporter.write_line(self._not_written, red=True)

    def _how_to_go_on(self) -> str:
        """Say how the cases that were not run get run; nothing where the same command would stop again."""
        if not self.stores or self.config.getoption("maxfail"):
            return ""
        without = "without --fresh, " if self.settings.fresh else ""
        return f"{without}the same command goes on from there (replies: {self.settings.replies})"

    def close(self, *, interrupted: bool = False) -> None:
        """Release the event loop, connections, the store and drawing processes; repeatable."""
        self.session.close(interrupted=interrupted)
        if not self.is_worker:
            self._drawing.finish()
        if not self.is_worker or self.places.passing:
            self.places.clean_up()

    def release(self) -> None:
        """Release also what asks for workers, when these are gone; repeatable."""
        self.close()
        self.session.asking.end_shared()

    def _is_complete(self, exitstatus: int) -> bool:
        finished = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        failed = any(record.status == "failed" or _is_unjudged(record) for record in self.collected.records)
        return finished and not failed and self.collected.cases == self._selected_count

    def _draw_ahead(self) -> None:
        looking = {model.label for model in self.models if model.looks}
        drawn = [case for case in self._selected if case.suite in DRAWN_AHEAD and case.model in looking]
        wanted = {case.item_id: case for case in drawn}
        session = self.session
        self._drawing.start(
            tuple(wanted), lambda item_id: session.pictures.is_missing(session.item(wanted[item_id]))
        )

    def _environ(self) -> Mapping[str, str] | None:
        """Where keys are; listing tests needs none."""
        return None if self.asks else NoKeysNeeded(os.environ)


def _is_unjudged(record: Record) -> bool:
    """Whether a judge could not be asked: the next run asks again."""
    return record.judge_reply is not None and record.judge_reply.status == "failed"


class NoKeysNeeded(dict[str, str]):
    """The environment, with a stand-in for every key that is not there."""

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401
        """Return a variable; a key is always there."""
        return super().get(name, "not-needed" if name.endswith("_KEY") else default)


RUN = pytest.StashKey[Run]()
