"""The solid-geometry suite: problems with diagrams, in one stage or two, judged exactly or by a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

from bench.errors import UserError
from bench.models.types import Message, Request, Response, SamplingParams, scorable_text
from bench.suites.base import CaseName, GivesVerdicts
from bench.suites.judge import JudgeQuestion, verdict_of
from scorers.judge_verdict import JudgeVerdict, NoVerdict
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.models.resolve import ResolvedModel
    from bench.options import Settings
    from generators.auxsolidmath.registry import ListedProblem
    from generators.auxsolidmath.source import AuxSolidMathSource
    from generators.items import Item, Picture

__all__ = [
    "AuxSolidMath",
    "GeneratedProblems",
    "ImportedProblems",
    "ProblemRef",
    "ProblemSource",
    "is_two_stage",
    "open_problems",
    "problem_text",
    "task_named",
]


KEPT_ITEMS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRef:
    """What is known of a problem before it is made; `kind` is CALCULATION or PROVING."""

    id: str
    family: str
    difficulty: str
    kind: str


class ProblemSource(Protocol):
    """The problems of a run.

    An item's `extra` holds `question` and `auxiliary_line_description` in the language in which it is asked.
    """

    @property
    def about(self) -> str:
        """One clause: which problems."""
        ...

    @property
    def refs(self) -> Sequence[ProblemRef | ListedProblem]:
        """The problems in their order, without making them."""
        ...

    def item(self, item_id: str) -> Item:
        """Make one problem."""
        ...

    def reference_drawing(self, item: Item) -> Picture | None:
        """Return the diagram with the reference's auxiliary lines, or None where there is none."""
        ...


class GeneratedProblems:
    """Problems of the generator: any seed is a set of its own."""

    def __init__(self, *, seed: int, language: Literal["en", "zh"]) -> None:
        self._seed = seed
        self._language = language
        self.item = lru_cache(KEPT_ITEMS)(self._make)

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        return f"seed {self._seed}, problems in {'Chinese' if self._language == 'zh' else 'English'}"

    @cached_property
    def refs(self) -> Sequence[ProblemRef | ListedProblem]:
        """The problems in their order."""
        from generators.auxsolidmath.registry import list_problems  # noqa: PLC0415 - only where it runs

        return list_problems()

    def reference_drawing(self, item: Item) -> Picture:
        """Return the diagram with the constructions in red."""
        from generators.auxsolidmath.source import auxiliary_picture  # noqa: PLC0415 - only where it runs

        return auxiliary_picture(item)

    @cached_property
    def _source(self) -> AuxSolidMathSource:
        from generators.auxsolidmath.source import AuxSolidMathSource  # noqa: PLC0415

        return AuxSolidMathSource(seed=self._seed, language=self._language)

    def _make(self, item_id: str) -> Item:
        item = self._source.item(self._source.case(item_id))
        if self._language == "en":
            return item
        description = item.extra["auxiliary_line_description_zh"]
        return replace(item, extra={**item.extra, "auxiliary_line_description": description})


class ImportedProblems:
    """Problems of a local copy of the real data set, read at once so that a fault is met before anything is asked.

    Raises:
        ItemDataError: the data set cannot be used; the message names file and row.
    """

    def __init__(self, path: Path) -> None:
        from generators.auxsolidmath.dataset.loader import load_problems  # noqa: PLC0415 - only where it is used

        self._items = {item.id: item for item in load_problems(path)}
        self.about = f"{len(self._items)} problems from {path}"
        self.refs: Sequence[ProblemRef | ListedProblem] = [
            ProblemRef(id=item.id, family=item.family, difficulty=item.difficulty, kind=str(item.truth["kind"]))
            for item in self._items.values()
        ]

    def item(self, item_id: str) -> Item:
        """Return one problem."""
        return self._items[item_id]

    def reference_drawing(self, item: Item) -> Picture | None:
        """Return the row's picture with auxiliary lines, where it has one."""
        from generators.auxsolidmath.dataset.loader import imported_auxiliary_picture  # noqa: PLC0415

        return imported_auxiliary_picture(item)


def open_problems(settings: Settings) -> ProblemSource:
    """Return the problems that the options describe.

    Raises:
        UserError: a language is chosen and the problems are the data set's.
        ItemDataError: the data set cannot be used; the message names file and row.
    """
    if settings.auxsolidmath_data is not None:
        if settings.question_language != "en":
            raise UserError("--question-language is for generated problems: --auxsolidmath-data has its own texts")
        return ImportedProblems(settings.auxsolidmath_data)
    return GeneratedProblems(seed=settings.item_seed, language=settings.question_language)


MAX_TOKENS = 16_384
TWO_STAGE = "_visual_cot"
ONE_PICTURE, TWO_PICTURES = 1, 2


def task_named(difficulty: str, *, two_stage: bool) -> str:
    """Return a task's name, such as "auxsolidmath_easy_visual_cot"."""
    return f"auxsolidmath_{difficulty}{TWO_STAGE if two_stage else ''}"


def is_two_stage(task: str | None) -> bool:
    """Whether a task asks for a drawing first."""
    return task is not None and task.endswith(TWO_STAGE)


def problem_text(item: Item) -> str:
    """Return the problem in the language it is asked in."""
    return str(item.extra["question"])


class AuxSolidMath(GivesVerdicts):
    """Each problem is two cases, direct and visual_cot; problems come from the generator or from a data set.

    `judge` is None where the final answer is compared exactly; proofs are then unscored.
    """

    name = "auxsolidmath"

    def __init__(self, source: ProblemSource, *, judge: ResolvedModel | None = None) -> None:
        self._source = source
        self._judge = judge

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        how = "final answers compared exactly, proofs unscored"
        if self._judge is not None:
            how = f"judged by {self._judge.provider}:{self._judge.name}"
        return f"auxsolidmath, {self._source.about}; {how}"

    @property
    def policy(self) -> str:
        """What decides a pass."""
        return "exact" if self._judge is None else f"judge {self._judge.provider}:{self._judge.name}"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the cases of the first `limit` problems: all direct ones, then those of two stages."""
        refs = self._source.refs[:limit]
        for two_stage in (False, True):
            for ref in refs:
                task = task_named(ref.difficulty, two_stage=two_stage)
                marks = (ref.kind.lower(), *(("visual_cot",) if two_stage else ()))
                yield CaseName(
                    id=f"{task}-{ref.id.partition('-')[2]}",
                    item_id=ref.id,
                    difficulty=ref.difficulty,
                    task=task,
                    marks=marks,
                )

    def item(self, item_id: str, task: str | None) -> Item:
        """Make one problem, with the prompt of one task."""
        item = self._source.item(item_id)
        if not is_two_stage(task):
            return item
        from generators.auxsolidmath.prompts import visual_cot_prompt  # noqa: PLC0415 - only where it runs

        return replace(item, prompt=visual_cot_prompt(problem_text(item)))

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the question: the diagram, and in the second of two stages the drawing after it.

        Raises:
            ValueError: another number of pictures than the prompt speaks of.
        """
        from generators.auxsolidmath.prompts import split_visual_cot_prompt, visual_cot_prompt  # noqa: PLC0415

        two_stage = item.prompt == visual_cot_prompt(problem_text(item))
        wanted = TWO_PICTURES if two_stage else ONE_PICTURE
        if len(pictures) != wanted:
            raise ValueError(f"{item.id}: the prompt speaks of {wanted} pictures, got {len(pictures)}")
        text = split_visual_cot_prompt(item.prompt).question if two_stage else item.prompt
        message = Message(role="user", text=text, pictures=tuple(pictures))
        return Request(messages=(message,), sampling=sampling.with_max_tokens(MAX_TOKENS), repeat=repeat)

    def drawing_request(self, item: Item, picture: bytes, repeat: int) -> Request:
        """Build what the image model is asked in the first of two stages."""
        from generators.auxsolidmath.prompts import split_visual_cot_prompt  # noqa: PLC0415

        message = Message(role="user", text=split_visual_cot_prompt(item.prompt).generation, pictures=(picture,))
        return Request(
            messages=(message,), sampling=SamplingParams(temperature=None, image_detail=None), repeat=repeat
        )

    def schema(self, item: Item) -> dict[str, Any] | None:  # noqa: ARG002
        """Solutions are prose, not JSON: no schema is asked for."""
        return None

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:  # noqa: ARG002
        """Score a reply by its final answer; a proof is unscored.

        Where a judge decides, this is for replies that it need not see: what is no answer is wrong.
        """
        if self._judge is not None:
            return _both_wrong(f"no answer: {reply.finish_reason or reply.status}")
        from scorers.auxsolidmath import score_auxsolidmath  # noqa: PLC0415 - only where it runs

        return score_auxsolidmath(scorable_text(reply), item.truth)

    def judged(self, item: Item, judge_reply: Response) -> Score:  # noqa: ARG002
        """Score by what a judge wrote; anything but a verdict is unscored, with the reason."""
        verdict = verdict_of(judge_reply)
        if isinstance(verdict, NoVerdict):
            unscored = Unscored(cause="judge", why=verdict.why)
            return Score(fields=(), parsed=True, answer=None, rule="none", unscored=unscored)
        return judged_score(verdict)

    def judge_question(self, item: Item) -> JudgeQuestion:
        """Return what the judge is told about a problem."""
        return JudgeQuestion(
            problem=problem_text(item),
            kind=str(item.truth["kind"]),
            construction=str(item.extra.get("auxiliary_line_description") or ""),
            answer=str(item.truth["answer"] or ""),
            figure=_texts(item.extra.get("givens")) if item.extra.get("given_in") == "figure" else (),
        )

    def oracle_text(self, item: Item) -> str:
        """Return the reference solution, or the answer where there is none."""
        return str(item.extra.get("solution") or item.truth["answer"])

    def blind_text(self, item: Item) -> str:
        """Return what is said without looking: the commonest answer of the family, or of the data set."""
        if "blind_answer" in item.extra:
            return str(item.extra["blind_answer"])
        from generators.auxsolidmath.source import blind_answer  # noqa: PLC0415

        return blind_answer(item)

    def about_item(self, item: Item) -> dict[str, str | None]:
        """Return what the tables say of a problem."""
        given_in = item.extra.get("given_in")
        return {
            "kind": str(item.truth["kind"]),
            "answer": str(item.truth["answer"] or ""),
            "answer_kind": str(item.truth.get("answer_kind") or ""),
            "given_in": None if given_in is None else str(given_in),
        }

    def reference_drawing(self, item: Item) -> Picture | None:
        """Return the diagram with the reference's auxiliary lines, or None where there is none."""
        return self._source.reference_drawing(item)

    @cached_property
    def counterparts(self) -> Mapping[str, str]:
        """For each problem another one, of another family where there is one: its drawing is shown instead."""
        refs = list(self._source.refs)
        half = max(1, len(refs) // 2)
        pairs: dict[str, str] = {}
        for at, ref in enumerate(refs):
            others = [refs[(at + half + step) % len(refs)] for step in range(len(refs))]
            other = next((one for one in others if one.family != ref.family), others[0])
            pairs[ref.id] = other.id
        return pairs


def judged_score(verdict: JudgeVerdict) -> Score:
    """Return a verdict in the form of every suite: both parts have to hold."""
    fields = (
        _field("reasoning_rigorous", passed=verdict.reasoning_rigorous, why=verdict.text_reason),
        _field("conclusion_correct", passed=verdict.conclusion_correct, why=verdict.text_reason),
    )
    answer: dict[str, object] = {
        "reasoning_rigorous": verdict.reasoning_rigorous,
        "conclusion_correct": verdict.conclusion_correct,
        "text_ok": verdict.text_ok,
        "text_reason": verdict.text_reason,
    }
    return Score(fields=fields, parsed=True, answer=answer, rule="judge")


def _both_wrong(why: str) -> Score:
    verdict = JudgeVerdict(reasoning_rigorous=False, conclusion_correct=False, text_reason=why)
    return replace(judged_score(verdict), answer=None, rule="none")


def _field(name: str, *, passed: bool, why: str) -> FieldScore:
    return FieldScore(
        field=name,
        scope="final",
        prediction=float(passed),
        truth=1.0,
        abs_err=float(not passed),
        rel_err=float(not passed),
        abs_tol=0.0,
        rel_tol=0.0,
        passed=passed,
        why=why,
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(part) for part in value) if isinstance(value, list) else ()
