"""What the terminal shows of a run: the header before, a live line while it goes on, the summary after."""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bench.results.aggregate import known_total
from bench.results.record import passes_by_majority
from bench.session import is_paid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    import pytest

    from bench.gate.result import GateResult
    from bench.models.resolve import ResolvedModel
    from bench.models.roles import ModelRoles
    from bench.options import Settings
    from bench.results.collector import ResultCollector
    from bench.results.record import Record

__all__ = [
    "Below",
    "LiveLine",
    "Progress",
    "header",
    "is_watched",
    "paid",
    "print_gate",
    "progress_line",
    "shortened_failures",
    "stages_header",
    "summary",
]


_TROUBLE = ("refused", "truncated", "unparsed", "undrawn", "unscored")
_MINUTE_S, _HOUR_S = 60, 3600


class Progress:
    """Counts cases as they end; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started_s = clock()
        self.done = 0
        self.scored = 0
        self.passed = 0
        self.trouble: Counter[str] = Counter()

    def see(self, records: Sequence[Record]) -> None:
        """Count a case by its records; one that was skipped has none."""
        self.done += 1
        if any(record.scored for record in records):
            self.scored += 1
            self.passed += passes_by_majority(records)
        for record in records:
            if record.status == "failed":
                self.trouble[f"failed ({record.reply.failure})"] += 1
            elif record.status in _TROUBLE:
                self.trouble[record.status] += 1

    @property
    def elapsed_s(self) -> float:
        """How long it has been going on."""
        return self._clock() - self._started_s

    def left_s(self, total: int) -> float | None:
        """How long it will go on at the pace so far; None before there is one."""
        if not 0 < self.done <= total:
            return None
        return self.elapsed_s / self.done * (total - self.done)


def progress_line(progress: Progress, *, total: int, cost_usd: float | None, width: int) -> str:
    """Return the line, cut to `width` columns; `cost_usd` None leaves the cost out.

    The parts that matter most stand first.
    """
    parts = [f"{progress.done}/{total} cases"]
    if progress.scored:
        parts.append(f"{100 * progress.passed / progress.scored:.1f} % passed")
    if (left_s := progress.left_s(total)) is not None:
        parts.append(f"{_span(left_s)} left")
    parts += [f"{n} {kind}" for kind, n in sorted(progress.trouble.items())]
    if cost_usd is not None:
        parts.append(f"{cost_usd:.4f} USD")
    line = "eyechart: " + ", ".join(parts)
    return line if len(line) <= width else f"{line[: max(0, width - 3)]}..."


def _span(seconds: float) -> str:
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S:.0f} min {seconds % _MINUTE_S:.0f} s"
    return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"


def paid(collector: ResultCollector, models: Sequence[ResolvedModel]) -> float | None:
    """Return what has been paid so far, in US dollars; None where nothing is paid for or a price is unknown."""
    paying = {model.label for model in models if is_paid(model)}
    amounts = [spent.known_usd for label, spent in collector.spent.items() if label in paying]
    return known_total(amounts)


FIRST_S = 2.0
EVERY_S = 0.5
_SAVE, _RESTORE, _DOWN, _UP, _ERASE = "\x1b7", "\x1b8", "\x1bD", "\x1b[A", "\x1b[K"


def is_watched(config: pytest.Config, stream: Any, environ: Mapping[str, str]) -> bool:  # noqa: ANN401
    """Whether a person looks at a terminal that can move its cursor, and wants more than pytest's own line.

    Not where tests write to the terminal themselves or a debugger may (-s, --pdb): their output would be mixed
    with the line.
    """
    option = config.option
    mixed = option.capture == "no" or option.usepdb or option.trace
    quiet = option.verbose < 0 or option.no_header
    in_ci = any(environ.get(name) for name in ("CI", "BUILD_NUMBER"))
    capable = environ.get("TERM", "dumb") not in {"", "dumb"}
    return stream.isatty() and capable and not (mixed or quiet or in_ci)


class Below:
    """A terminal's stream that keeps one line below whatever is written; `line` None keeps none.

    The line is erased before a write and drawn again after it, in one write, so that nothing flickers and no text
    is ever mixed with it. Everything else is the stream's own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line: str | None = None

    def write(self, text: str) -> int:
        """Write text where the cursor is; returns its length, as files do."""
        self._stream.write(f"{self._erased()}{text}{self._drawn()}")
        return len(text)

    def show(self, line: str | None) -> None:
        """Draw another line, or none."""
        before = self._erased()
        self._line = line
        self._stream.write(f"{before}{self._drawn()}")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)

    def _erased(self) -> str:
        return "" if self._line is None else f"{_SAVE}{_DOWN}\r{_ERASE}{_RESTORE}"

    def _drawn(self) -> str:
        """Make sure that there is a line below, which may scroll, and only then remember the cursor's place."""
        if self._line is None:
            return ""
        return f"{_DOWN}{_UP}{_SAVE}{_DOWN}\r{self._line}{_ERASE}{_RESTORE}"


class LiveLine:
    """Shows a run's progress from its third second on, twice a second at most.

    `total` and `cost_usd` are asked whenever the line is drawn.
    """

    def __init__(
        self,
        reporter: pytest.TerminalReporter,
        *,
        total: Callable[[], int],
        cost_usd: Callable[[], float | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = reporter._tw  # noqa: SLF001 - the one stream that all of pytest's output goes through
        self._stream = self._writer._file  # noqa: SLF001
        self._below = Below(self._stream)
        self._writer._file = self._below  # noqa: SLF001
        self._total = total
        self._cost_usd = cost_usd
        self._clock = clock
        self._next_s = clock() + FIRST_S
        self._progress = Progress(clock)

    @classmethod
    def start(
        cls,
        config: pytest.Config,
        environ: Mapping[str, str],
        *,
        total: Callable[[], int],
        cost_usd: Callable[[], float | None],
    ) -> LiveLine | None:
        """Start showing where somebody looks; None elsewhere."""
        reporter: pytest.TerminalReporter | None = config.pluginmanager.getplugin("terminalreporter")
        if reporter is None or not is_watched(config, reporter._tw._file, environ):  # noqa: SLF001
            return None
        return cls(reporter, total=total, cost_usd=cost_usd)

    def see(self, records: Sequence[Record]) -> None:
        """Count a case and draw the line when it is time."""
        self._progress.see(records)
        if self._clock() >= self._next_s:
            self._next_s = self._clock() + EVERY_S
            width = self._writer.fullwidth - 1
            self._below.show(
                progress_line(self._progress, total=self._total(), cost_usd=self._cost_usd(), width=width)
            )

    def close(self) -> None:
        """Erase the line and give the stream back; repeatable."""
        if self._writer._file is self._below:  # noqa: SLF001
            self._below.show(None)
            self._writer._file = self._stream  # noqa: SLF001


TABLES_SHOWN = 10
WIDTH = 80


def header(
    settings: Settings, models: Sequence[ResolvedModel], suites: Sequence[str], *, distributed: bool
) -> list[str]:
    """Return the lines that say what is about to be measured."""
    lines = [f"eyechart: model {model.label} ({model.about})" for model in models]
    limit = "" if settings.limit is None else f", the first {settings.limit}"
    shard = "" if settings.shard is None else f", shard {settings.shard}"
    lines.extend(f"eyechart: {about}{limit}{shard}" for about in suites)
    if all(model.provider == "offline" for model in models):
        lines.append("eyechart: name a real model with --model=PROVIDER:NAME, such as --model=gpt-4o")
    if distributed and any(model.remote for model in models):
        lines.append("eyechart: each worker has one ask in flight; --concurrency is for runs without -n")
    return lines


def stages_header(roles: ModelRoles, settings: Settings, *, two_stage: bool) -> list[str]:
    """Return the lines that say who judges and who draws."""
    lines = [f"eyechart: {one.label} ({one.about})" for one in roles.asked]
    if settings.visual_cot_control is not None:
        lines.append(f"eyechart: no drawing is asked for; shown instead: {settings.visual_cot_control}")
    elif not two_stage:
        lines.append(
            "eyechart: two-stage cases are left out; --image-model=PROVIDER:NAME names a model that draws"
        )
    return lines


def summary(
    collector: ResultCollector,
    models: Sequence[ResolvedModel],
    *,
    selected: int,
    folder: Path | None,
    going_on: str,
    width: int,
) -> list[str]:
    """Return the lines that say what was measured, what is missing and where the files are.

    `folder` is None when nothing could be written; `going_on` says how missing cases get run.
    """
    from bench.tables.summary import format_summary  # noqa: PLC0415

    notes = [
        *_first_stages(collector),
        *_calibration(collector),
        *_asking(collector, models),
        *_missing(collector, selected, going_on),
    ]
    if folder is not None:
        notes.append(f"results: {folder}" if collector.records else "nothing was measured, and nothing written")
    wrapper = textwrap.TextWrapper(
        width=min(WIDTH, width), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    wrapped = [line for note in notes for line in wrapper.wrap(note)]
    return [*format_summary(collector.records), *wrapped]


def print_gate(reporter: pytest.TerminalReporter, result: GateResult, *, ends_with: int) -> None:
    """Print the gate's verdict and what it rests on; `ends_with` is the exit code of the run."""
    from bench.gate.text import format_gate  # noqa: PLC0415 - only where a gate is

    verdict, *lines = format_gate(result)
    reporter.write_sep("=", "eyechart gate")
    reporter.write_line(verdict, bold=True, green=result.verdict == "upgrade", red=result.exit_code == 1)
    for line in lines:
        reporter.write_line(line)
    if ends_with != result.exit_code:
        reporter.write_line(f"exit code {ends_with} stands before the gate's: the run did not end as it should")


def _first_stages(collector: ResultCollector) -> Iterator[str]:
    """Say what became of the drawings: for each source, how many of which status."""
    counts: dict[str, Counter[str]] = {}
    for record in collector.records:
        if record.drawing is not None:
            counts.setdefault(record.drawing.source, Counter())[record.drawing.status] += 1
    for source, found in counts.items():
        said = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in found.most_common())
        yield f"first stage, {source}: {said}"


def _calibration(collector: ResultCollector) -> list[str]:
    records = [record for record in collector.records if record.suite == "calibration"]
    if not records:
        return []
    from bench.tables.calibration import calibration_text  # noqa: PLC0415 - only where a judge was calibrated

    return calibration_text(records)


def _asking(collector: ResultCollector, models: Sequence[ResolvedModel]) -> Iterator[str]:
    records = collector.records
    cut = [record for record in records if record.status == "truncated"]
    if cut:
        thought = any((record.reply.usage.reasoning_tokens or 0) > 0 for record in cut)
        why = " (reasoning counts; --reasoning-effort lowers it)" if thought else ""
        were = _count(len(cut), "reply was", "replies were")
        yield f"{were} cut off by the token limit{why}: raise --max-tokens"
    for model in models:
        for adaptation in collector.adaptations(model.label):
            yield f"{model.label}: the server refused {adaptation['field']}: {_done(adaptation)}"
        if (spent := collector.spent.get(model.label)) and is_paid(model):
            yield f"{model.label}: {_count(spent.asks, 'ask', 'asks')} sent, cost {_usd(spent.known_usd)}"


def _missing(collector: ResultCollector, selected: int, going_on: str) -> Iterator[str]:
    if collector.from_store:
        came = _count(collector.from_store, "reply came", "replies came")
        yield f"{came} from the store; --fresh asks again"
    if collector.skipped:
        skipped = _count(collector.skipped, "case", "cases")
        yield f"{skipped} skipped: the replayed file has no output for them"
    for reason, declined in collector.declined.items():
        yield f"{_count(declined, 'case', 'cases')} skipped: {reason}"
    if (missing := selected - collector.cases) > 0:
        yield f"{missing} of {selected} cases not run" + (f"; {going_on}" if going_on else "")


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _done(adaptation: Mapping[str, str]) -> str:
    return f"sent as {adaptation['to']}" if "to" in adaptation else "left out"


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.4f} USD"


@contextmanager
def shortened_failures(reporter: pytest.TerminalReporter, *, chosen_style: bool) -> Iterator[int]:
    """While pytest prints its summary, let it see only the first failed cases; give the number left out.

    A benchmark is not a broken build: hundreds of wrong answers are a result, and they stand in the tables.
    With `chosen_style` (--tb was given) nothing is left out.
    """
    failed = reporter.stats.get("failed", [])
    left_out = 0 if chosen_style else max(0, len(failed) - TABLES_SHOWN)
    if left_out:
        reporter.stats["failed"] = failed[:TABLES_SHOWN]
    try:
        yield left_out
    finally:
        if left_out:
            reporter.stats["failed"] = failed
