"""A run's life inside pytest, from options to exit code. The plugin's hooks delegate to this object."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench import recording, terminal
from bench.contestants import contestants
from bench.errors import EyechartError
from bench.forecast import forecast
from bench.items_source import open_source
from bench.models.replay import replayed_models
from bench.options import read_settings
from bench.pictures import DrawingAhead, Pictures
from bench.results.collected import Collected
from bench.results.folder import RunFolder
from bench.results.store import ReplyStore
from bench.session import Session
from bench.suites import PlotChain
from generators.errors import ItemDataError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from bench.cases import Case
    from bench.options import Settings
    from bench.session import Answer

__all__ = ["RUN", "Run", "is_benchmark_run", "start_run"]

HERE = Path(__file__).resolve().parent
CACHE_FOLDER = "eyechart"


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
    if not is_benchmark_run(config) or config.getoption("help", default=False):
        return
    try:
        run = Run(config, read_settings(config))
    except (EyechartError, ItemDataError) as error:
        raise pytest.UsageError(f"eyechart: {error}") from error
    config.stash[RUN] = run
    config.pluginmanager.register(run.reports, "eyechart-reports")


class Reports:
    """Receives the reports of tests, in the controller or where there are no workers."""

    def __init__(self, collected: Collected) -> None:
        self._collected = collected

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the records that came with the report."""
        self._collected.see(report)


class Run:
    """One run in one pytest process: alone, as xdist's controller, or as one of its workers."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.config = config
        self.settings = settings
        self.started = datetime.now(UTC)
        self._worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        self._cache = self._cache_folder()
        self.source = open_source(settings, self._cache, in_worker=self.is_worker)
        suite = PlotChain(self.source.refs, self.source.item, policy=settings.policy)
        known = {ref.id for ref in self.source.refs} if settings.replay else ()
        self._limits = Path(self._worker["eyechart_limits"]) if self._worker else self._new_limits()
        self.models = contestants(settings, self._limits, replayed_models(settings.replay, known))
        marker = self._cache / (self._worker["eyechart_drawing"] if self._worker else f"drawing-{os.getpid()}")
        pictures = Pictures(self._cache / "pictures", drawing=marker)
        self.session = Session(settings, [suite], self.models, pictures, in_turn=self.is_worker)
        self.collected = Collected()
        self.reports = Reports(self.collected)
        drawing_header = {**self.source.drawing_header(), "cache": str(self._cache / "pictures")}
        self._drawing = DrawingAhead(marker, drawing_header)
        self._selected: list[Case] = []
        self._folder: RunFolder | None = None
        self._not_written: str | None = None

    @property
    def is_worker(self) -> bool:
        """Whether this process is one of xdist's workers."""
        return self._worker is not None

    @property
    def is_controller(self) -> bool:
        """Whether this process distributes the tests to workers."""
        return self.config.pluginmanager.hasplugin("dsession")

    def header(self) -> list[str]:
        """Say which models, which items and, when it matters, how asking is spread."""
        return terminal.header(self.settings, self.models, self.source.about, distributed=self.is_controller)

    def prepare(self) -> None:
        """Make the results folder before anything is asked, and what workers share.

        Raises:
            pytest.UsageError: the folder cannot be made or holds another run.
        """
        if self.is_worker or self.config.option.collectonly:
            return
        try:
            self._folder = RunFolder.create(
                self.settings.out, [(model.provider, model.name) for model in self.models], self.started
            )
            if any(model.looks for model in self.models):
                ReplyStore(self.settings.replies).close()  # refuse an unusable file before anything is asked
            if self.is_controller:
                self.source.prepare_catalog()
        except EyechartError as error:
            raise pytest.UsageError(f"eyechart: {error}") from error
        if self.is_controller and any(model.looks for model in self.models):
            self._drawing.announce()

    def worker_input(self) -> dict[str, str]:
        """Return what a worker must know of this process."""
        return {
            "eyechart_drawing": self._drawing.marker.name,
            "eyechart_cache": str(self._cache),
            "eyechart_limits": str(self._limits),
        }

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """Make one test for each case of the suite that the function's marker names."""
        for name in self.session.suites:
            if metafunc.definition.get_closest_marker(name):
                cases = self.session.cases(name)
                marks = {
                    case.difficulty: getattr(pytest.mark, case.difficulty)
                    for case in cases
                    if case.difficulty in DIFFICULTY_MARKERS
                }
                metafunc.parametrize(
                    "case",
                    [pytest.param(case, id=case.id, marks=marks.get(case.difficulty, ())) for case in cases],
                    indirect=True,
                )

    def selected(self, items: Sequence[pytest.Item]) -> None:
        """Keep the cases that will run, in their order."""
        self._selected = [case for item in items if (case := case_of(item)) is not None]

    def selected_by_worker(self, ids: Sequence[str]) -> None:
        """Keep the cases that workers will run and draw their pictures; the first worker's list counts."""
        if self._selected or not ids:
            return
        known = {case.id: case for name in self.session.suites for case in self.session.cases(name)}
        named = (node_id.partition("[")[2].rpartition("]")[0] for node_id in ids)
        self._selected = [known[name] for name in named if name in known]
        self._draw_ahead()
        if reporter := self.config.pluginmanager.getplugin("terminalreporter"):
            for line in self.forecast():
                reporter.write_line(line)

    def forecast(self) -> list[str]:
        """Say what the selected cases can cost at most."""
        return forecast(self.session, self._selected)

    def begin(self) -> None:
        """Draw and ask ahead of the tests."""
        if not self.is_worker and not self.is_controller:
            self._draw_ahead()
            self.session.plan(self._selected)

    def asking(self, node: pytest.Item) -> Callable[[Case], tuple[Answer, ...]]:
        """Return the function that asks a case's model on behalf of a test."""
        return lambda case: recording.ask_case(self.session, node, case)

    def recorder(self, node: pytest.Item, case: Case) -> recording.Recorder:
        """Return the function that scores and keeps the case's answers."""
        return lambda item, answers: recording.record_case(self.session, node, case, item, answers)

    def finish(self, exitstatus: int) -> None:
        """Stop asking and write everything that is known."""
        self.close()
        if self.is_worker or self._folder is None:
            return
        try:
            self._write(self._folder, complete=self._is_complete(exitstatus))
        except OSError as error:
            self._not_written = (
                f"{self._folder.path} cannot be written ({error.strerror or error}); every reply is kept in "
                f"{self.settings.replies}: free some space and run the same command again"
            )

    def exit_code(self, exitstatus: int) -> int:
        """Return the exit code: pytest's, unless results could not be written or --exit-zero applies."""
        if self._not_written:
            return pytest.ExitCode.INTERNAL_ERROR
        only_scores = exitstatus == pytest.ExitCode.TESTS_FAILED and self.collected.unmeasured == 0
        if self.settings.exit_zero and only_scores and self._folder is not None:
            return pytest.ExitCode.OK
        return exitstatus

    def _write(self, folder: RunFolder, *, complete: bool) -> None:
        from bench.results.writing import write_run  # noqa: PLC0415 - eight workers never write

        write_run(
            folder,
            settings=self.settings,
            models=self.models,
            suites=tuple(self.session.suites),
            collected=self.collected,
            started=self.started,
            complete=complete,
            selected=len(self._selected),
        )

    def shortened_failures(self, reporter: pytest.TerminalReporter) -> AbstractContextManager[int]:
        """Return a context in which pytest shows only the first failed cases."""
        return terminal.shortened_failures(reporter, chosen_style=self.config.option.tbstyle not in {"auto", "no"})

    def print_summary(self, reporter: pytest.TerminalReporter, left_out: int) -> None:
        """Print what was measured and where it lies; `left_out` failed cases were not shown."""
        if self._folder is None or not (self._selected or self._not_written):
            return
        lines = terminal.summary(
            self.collected,
            self.models,
            selected=len(self._selected),
            folder=self._folder.path,
            replies=self.settings.replies if any(model.looks for model in self.models) else None,
            not_written=self._not_written,
        )
        if left_out:
            reporter.write_line(
                f"... and {left_out} more failed cases, in per_item.csv; --tb=short shows them all"
            )
        reporter.write_sep("=", "eyechart")
        for line in lines:
            reporter.write_line(line)

    def close(self) -> None:
        """Release the event loop, connections, the store and drawing processes; repeatable."""
        self.session.close()
        if not self.is_worker:
            self._drawing.finish()
            self._limits.unlink(missing_ok=True)

    def _is_complete(self, exitstatus: int) -> bool:
        finished = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        return finished and self.collected.cases == len(self._selected)

    def _draw_ahead(self) -> None:
        looking = {model.label for model in self.models if model.looks}
        wanted = dict.fromkeys(case.item_id for case in self._selected if case.model in looking)
        pictures = self.session.pictures
        self._drawing.start(item_id for item_id in wanted if pictures.is_missing(self.source.item(item_id)))

    def _new_limits(self) -> Path:
        folder = self._cache / "limits"
        if self.settings.rpm or self.settings.max_cost_usd:
            folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{os.getpid()}-{time.time_ns()}.sqlite"

    def _cache_folder(self) -> Path:
        if self._worker is not None and Path(self._worker["eyechart_cache"]).is_dir():
            return Path(self._worker["eyechart_cache"])
        cache = getattr(self.config, "cache", None)
        if cache is None:
            return Path(tempfile.gettempdir()) / CACHE_FOLDER
        # Beside pytest's own folders, not in them: a worker that gets --cache-clear too would delete what
        # the controller has just prepared.
        folder = Path(cache.mkdir("eyechart")).parents[1] / CACHE_FOLDER
        if self.config.getoption("cacheclear"):
            shutil.rmtree(folder, ignore_errors=True)
        return folder


RUN = pytest.StashKey[Run]()
DIFFICULTY_MARKERS = frozenset({"clean", "moderate", "edge"})


def case_of(item: pytest.Item) -> Case | None:
    """Return the case that a test is about, or None for a test that has none."""
    call = getattr(item, "callspec", None)
    case: Case | None = None if call is None else call.params.get("case")
    return case
