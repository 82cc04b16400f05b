"""The cases of a run: which items of which suite, asked of which model, under which test id."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from bench.models.types import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.models.resolve import ResolvedModel
    from bench.models.types import Request, Response, SamplingParams
    from bench.options import Shard
    from bench.suites.judge import JudgeQuestion
    from generators.items import Item
    from scorers.score import FieldScore, Score

__all__ = [
    "Case",
    "CaseName",
    "GivesVerdicts",
    "ItemRef",
    "Judged",
    "ReadsValues",
    "Suite",
    "ascii_only",
    "cases_of",
    "items_of_shard",
]


HEADINGS = ("field", "answered", "truth", "error", "tolerance", "")


class ItemRef(Protocol):
    """What is known of an item before it is made: enough for test ids and markers."""

    @property
    def id(self) -> str:
        """Item id."""
        ...

    @property
    def difficulty(self) -> str:
        """Name of the marker that selects items of this kind."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseName:
    """A case before a model is chosen: its id, the item it asks about, and the task where a suite has several.

    `marks` are markers besides the difficulty.
    """

    id: str
    item_id: str
    difficulty: str
    task: str | None = None
    marks: tuple[str, ...] = ()


class Suite(Protocol):
    """One benchmark suite: its items, how they are asked, how replies are scored."""

    @property
    def name(self) -> str:
        """Suite name, also the marker of its test function."""
        ...

    @property
    def about(self) -> str:
        """One clause for the run's header: which items these are."""
        ...

    @property
    def policy(self) -> str:
        """What decides a pass, as written into records."""
        ...

    def cases(self, limit: int | None) -> Iterable[CaseName]:
        """Name the cases of the first `limit` items, in order, without making the items."""
        ...

    def item(self, item_id: str, task: str | None) -> Item:
        """Make one item, with the prompt of one task."""
        ...

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the question to a model: about the item's picture, and a drawing where the task has two stages."""
        ...

    def schema(self, item: Item) -> dict[str, Any] | None:
        """Return the JSON schema of an answer, for --structured; None where answers are no JSON."""
        ...

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:
        """Score a reply; `stored_answer` counts only where the text holds no answer."""
        ...

    def about_item(self, item: Item) -> Mapping[str, str | None]:
        """Return what records keep of the item for the suite's tables."""
        ...

    def oracle_text(self, item: Item) -> str:
        """Return the truth in the form that the prompt asks for."""
        ...

    def blind_text(self, item: Item) -> str:
        """Return what is answered without looking: a constant."""
        ...

    @property
    def drawing_recipe(self) -> Mapping[str, str | int]:
        """What `python -m generators.draw` makes the items from; empty where nothing is drawn ahead of tests."""
        ...

    @property
    def own_model(self) -> ResolvedModel | None:
        """The one model that the suite's cases are about; None where these are the run's."""
        ...

    @staticmethod
    def failure_text(case: str, reply: Response, score: Score, about: Mapping[str, str | None]) -> str:
        """Return why a case failed, for the test's report; `case` names it and its repeat."""
        ...

    @staticmethod
    def field_text(row: FieldScore) -> str:
        """Return a field's score in a few words, for JUnit and JSON reports."""
        ...


class ReadsValues:
    """What suites share that read numbers: a failed case shows a table of values."""

    own_model: ResolvedModel | None = None
    drawing_recipe: Mapping[str, str | int] = MappingProxyType({})

    def about_item(self, item: Item) -> dict[str, str | None]:  # noqa: ARG002
        """Return nothing: the tables need no more than the records hold."""
        return {}

    @staticmethod
    def failure_text(case: str, reply: Response, score: Score, about: Mapping[str, str | None]) -> str:  # noqa: ARG004
        """Return a small text table: field, answered, truth, error, tolerance, verdict."""
        rows = [HEADINGS, *(_row(row) for row in score.fields)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([_headline(case, reply, score), *(line.rstrip() for line in lines)])

    @staticmethod
    def field_text(row: FieldScore) -> str:
        """Return the outcome, the answer and the truth."""
        answered = "null" if row.prediction is None else format(row.prediction, ".12g")
        return f"{_outcome(row)}: answered {answered}, truth {row.truth:.12g}"


class GivesVerdicts:
    """What suites share whose fields are verdicts on a solution: a failed case shows a line for each."""

    own_model: ResolvedModel | None = None
    drawing_recipe: Mapping[str, str | int] = MappingProxyType({})

    @staticmethod
    def failure_text(case: str, reply: Response, score: Score, about: Mapping[str, str | None]) -> str:  # noqa: ARG004
        """Return a line for each verdict that fails, with the answers where these were compared."""
        found = (score.answer or {}).get("found")
        compared = f" (answered {found}; reference {about.get('answer')})" if found else ""
        return "\n".join(
            f"{case}: {row.field} fails: {row.why}{compared}" for row in score.fields if not row.passed
        )

    @staticmethod
    def field_text(row: FieldScore) -> str:
        """Return the outcome and its reason."""
        return f"{_outcome(row)}: {row.why}"


def _outcome(row: FieldScore) -> str:
    return "passed" if row.passed else "failed"


def _headline(case: str, reply: Response, score: Score) -> str:
    if reply.status != "answered" or not score.parsed:
        status = reply.status if reply.status != "answered" else "unparsed"
        return f"{case}: {status}" + (f" ({reply.finish_reason})" if reply.finish_reason else "")
    finals = [row for row in score.fields if row.scope == "final"]
    wrong = [row.field for row in finals if not row.passed]
    return f"{case}: {len(wrong)} of {len(finals)} final fields wrong: {', '.join(wrong)}"


def _row(row: FieldScore) -> tuple[str, ...]:
    return (
        row.field,
        "null" if row.prediction is None else f"{row.prediction:.6g}",
        f"{row.truth:.6g}",
        "" if row.abs_err is None else f"{row.abs_err:.4g}",
        f"{row.abs_tol:.4g} or {row.rel_tol:.0%}",
        "ok" if row.passed else "wrong",
    )


@runtime_checkable
class Judged(Protocol):
    """A suite whose answers a judge may decide."""

    def judge_question(self, item: Item) -> JudgeQuestion:
        """Return what a judge is told about the item."""
        ...

    def judged(self, item: Item, judge_reply: Response) -> Score:
        """Score by what a judge wrote."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test: an item (and, in suites that have them, a task), asked of one model.

    `id` is the parameter part of the test's id; `model` is the model's label in this run.
    """

    id: str
    suite: str
    item_id: str
    difficulty: str
    model: str
    task: str | None = None
    marks: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[str, str | None]:
        """The item's id and the task: what the case asks, of whichever model."""
        return self.item_id, self.task


def ascii_only(label: str) -> str:
    """Return a label of which pytest leaves every character as it is in a test's id."""
    plain = (letter if letter.isascii() and letter.isprintable() else f"%{ord(letter):x}" for letter in label)
    return "".join(plain).replace("\\", "%5c")


def cases_of(
    suite: Suite, model_labels: Sequence[str], limit: int | None, shard: Shard | None = None
) -> list[Case]:
    """List a suite's cases: items in order, models within a case; ids name the model when there are several.

    A shard keeps whole items, whichever the limit.
    """
    several = len(model_labels) > 1
    kept = None if shard is None else items_of_shard(shard, (name.item_id for name in suite.cases(None)))
    return [
        Case(
            id=f"{name.id}-{ascii_only(label)}" if several else name.id,
            suite=suite.name,
            item_id=name.item_id,
            difficulty=name.difficulty,
            model=label,
            task=name.task,
            marks=name.marks,
        )
        for name in suite.cases(limit)
        if kept is None or name.item_id in kept
        for label in model_labels
    ]


def items_of_shard(shard: Shard, item_ids: Iterable[str]) -> frozenset[str]:
    """Return the items of a suite that belong to a shard.

    Items in the order of their ids go round the parts, so that families, whose ids begin alike, are spread
    evenly. `item_ids` are all of the suite: an item's part depends on no --limit and on no order.
    """
    ordered = sorted(set(item_ids), key=lambda item_id: (natural_key(item_id), item_id))
    return frozenset(ordered[shard.k - 1 :: shard.n])
