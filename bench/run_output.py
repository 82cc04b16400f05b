"""What a run leaves behind: its folder, tables, the gate's verdict, the report, the summary and the exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bench import terminal
from bench.errors import EyechartError, UserError
from bench.results.run_folder import RunFolder, default_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from bench.gate.gate_plugin import Gate
    from bench.models.resolve import ResolvedModel
    from bench.results.collector import ResultCollector
    from bench.results.record import Record
    from bench.session import Session
    from bench.suites.base import Case

__all__ = ["RunOutput", "make_folder"]


def make_folder(config: pytest.Config, session: Session, started: datetime) -> RunFolder:
    """Make the results folder.

    Raises:
        UserError: it cannot be made, or it holds another run or a file that this run reads.
    """
    settings = session.settings
    models = [(model.provider, model.name) for model in session.tested.values()]
    out = settings.out or default_folder(config.rootpath, models, started)
    for path in settings.replay:
        if out.resolve() in path.resolve().parents:
            raise UserError(f"--out {out}: holds the replayed file {path}; name another folder")
    for run in filter(None, (settings.gate, settings.gate_aa)):
        if out.resolve() in {run.resolve(), *run.resolve().parents}:
            raise UserError(f"--out {out}: holds the run to compare with, {run}; name another folder")
    return RunFolder(out, models)


class RunOutput:
    """Writes and prints a run's results.

    `folder` is None where nothing is written: in workers, and where tests are only listed. `selected` counts
    the cases that were to run; `exitstatus` is pytest's own.
    """

    def __init__(
        self,
        config: pytest.Config,
        session: Session,
        collector: ResultCollector,
        gate: Gate | None,
        *,
        started: datetime,
    ) -> None:
        self._config = config
        self._session = session
        self._collector = collector
        self._gate = gate
        self._not_written: str | None = None
        self._imported = False
        self.started = started
        self.folder: RunFolder | None = None
        self.selected = 0
        self.exitstatus = int(pytest.ExitCode.OK)

    def gate_warning(self, cases: Sequence[Case]) -> list[str]:
        """Say, before anything is asked, that the gate could not use these cases."""
        if self._gate is None:
            return []
        policies = {name: self._session.suites[name].policy for name in {case.suite for case in cases}}
        from bench.results.manifest import scorer_digest  # noqa: PLC0415 - only where a gate is

        return self._gate.warning(
            cases, policies=policies, options=self._session.settings.to_json(), scorers_sha256=scorer_digest()
        )

    def import_writers(self) -> None:
        """Import what writes tables and report while responses are awaited: at the end somebody waits for it."""
        if not self._imported and self.folder is not None:
            import_module("bench.report.page")
            import_module("bench.tables.run_files")
            self._imported = True

    def write(self, folder: RunFolder) -> None:
        """Write tables, the gate's verdict and the report; what cannot be written is said in one line."""
        self._collector.see_spending(os.getpid(), self._session.gateway.spending.snapshot())
        try:
            manifest = self._prepare(folder)
            if manifest is not None:
                self._write_all(folder, manifest)
            elif self._gate is not None:
                self._decide(self._gate, None)
        except OSError as error:
            settings = self._session.settings
            kept = f"; stored replies are kept in {settings.replies}" if self._session.stores else ""
            self._not_written = (
                f"{folder.path} cannot be written ({error.strerror or error}){kept}: "
                "free some space and run the same command again"
            )
            if not self._config.pluginmanager.hasplugin("terminalreporter"):
                sys.stderr.write(f"eyechart: {self._not_written}\n")

    def exit_code(self, exitstatus: int) -> int:
        """Return the exit code: the one decided so far, unless nothing could be written or --exit-zero applies.

        A gate's verdict replaces "all passed" and "some failed"; an interrupted run or a wrong call stays that.
        """
        if self._not_written:
            return pytest.ExitCode.INTERNAL_ERROR
        decided = None if self._gate is None else self._gate.result
        if decided is not None and exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            return decided.exit_code
        measured = self._collector.unmeasured == 0 and self._is_complete(exitstatus)
        only_scores = exitstatus == pytest.ExitCode.TESTS_FAILED and measured
        if self._session.settings.exit_zero and only_scores and self.folder is not None:
            return pytest.ExitCode.OK
        return exitstatus

    def shortened_failures(self, reporter: pytest.TerminalReporter) -> AbstractContextManager[int]:
        """Return a context in which pytest shows only the first failed cases."""
        return terminal.shortened_failures(
            reporter, chosen_style=self._config.option.tbstyle not in {"auto", "no"}
        )

    def print_summary(self, reporter: pytest.TerminalReporter, left_out: int) -> None:
        """Print what was measured, where it lies and the gate's verdict; `left_out` failed cases are not shown."""
        if self.folder is not None and (self.selected or self._not_written):
            self._print_measured(self.folder, reporter, left_out)
        if self._gate is not None and self._gate.result is not None:
            terminal.print_gate(reporter, self._gate.result, ends_with=self.exit_code(self.exitstatus))

    @property
    def _models(self) -> tuple[ResolvedModel, ...]:
        """All that are asked: the tested models, the judge, the one that draws."""
        return (*self._session.tested.values(), *self._session.roles.asked)

    def _prepare(self, folder: RunFolder) -> dict[str, Any] | None:
        from bench.tables.run_files import prepare_run  # noqa: PLC0415 - eight workers never write

        return prepare_run(
            folder,
            settings=self._session.settings,
            models=tuple(self._session.tested.values()),
            roles=self._session.roles,
            collector=self._collector,
            started=self.started,
            complete=self._is_complete(self.exitstatus),
            selected=self.selected,
        )

    def _write_all(self, folder: RunFolder, manifest: Mapping[str, Any]) -> None:
        """Write tables, have the gate decide, and write the report, which says what it decided."""
        from bench.results.manifest import reply_cost  # noqa: PLC0415 - eight workers never write
        from bench.suites.geometry import Geometry  # noqa: PLC0415
        from bench.tables.run_files import write_run  # noqa: PLC0415

        geometry = self._session.suites.get("geometry")
        cost_usd = reply_cost(self._models)
        write_run(
            folder,
            manifest,
            collector=self._collector,
            cost_usd=cost_usd,
            geometry=geometry if isinstance(geometry, Geometry) else None,
            png=self._session.pictures.png,
        )
        if self._gate is not None:
            self._decide(self._gate, folder.path)
        from bench.report.page import write_run_report  # noqa: PLC0415

        suites, pictures = self._session.suites, self._session.pictures
        write_run_report(
            folder.path,
            manifest=manifest,
            records=self._collector.records,
            cost_usd=cost_usd,
            find_item=lambda record: suites[record.suite].item(record.item_id, record.task),
            png=pictures.without_drawing,
            copies=pictures.copies,
            gate=None if self._gate is None else self._gate.result,
        )

    def _decide(self, gate: Gate, written: Path | None) -> None:
        try:
            gate.decide(written, os.environ)
        except (EyechartError, OSError) as error:
            self._not_written = f"the gate could not be decided: {error}"
        gate.report(self._config)

    def _print_measured(self, folder: RunFolder, reporter: pytest.TerminalReporter, left_out: int) -> None:
        lines = terminal.summary(
            self._collector,
            self._models,
            selected=self.selected,
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
        settings = self._session.settings
        if not self._session.stores or self._config.getoption("maxfail"):
            return ""
        without = "without --fresh, " if settings.fresh else ""
        return f"{without}the same command goes on from there (replies: {settings.replies})"

    def _is_complete(self, exitstatus: int) -> bool:
        finished = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        failed = any(record.status == "failed" or _is_unjudged(record) for record in self._collector.records)
        return finished and not failed and self._collector.cases == self.selected


def _is_unjudged(record: Record) -> bool:
    """Whether a judge could not be asked: the next run asks again."""
    return record.judge_reply is not None and record.judge_reply.status == "failed"
