"""The solid-geometry suite: problems with diagrams, asked in one stage or two, judged exactly or by a model."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bench.cases import CaseName
from bench.judge import JudgeQuestion, verdict_of
from bench.models.protocol import Ask, Reply, Sampling, Turn
from bench.results.record import scorable_text
from scorers.judge_verdict import JudgeVerdict, NoVerdict
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.auxsolidmath_items import ProblemSource
    from bench.contestants import Contestant
    from generators.items import Item, Picture

__all__ = ["AuxSolidMath", "is_two_stage", "problem_text", "task_named"]

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


class AuxSolidMath:
    """Each problem is two cases, direct and visual_cot; problems come from the generator or from a data set.

    `judge` is None where the final answer is compared exactly; proofs are then unscored.
    """

    name = "auxsolidmath"

    def __init__(self, source: ProblemSource, *, judge: Contestant | None = None) -> None:
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

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: Sampling, repeat: int) -> Ask:
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
        turn = Turn(role="user", text=text, pictures=tuple(pictures))
        return Ask(turns=(turn,), sampling=sampling.with_max_tokens(MAX_TOKENS), repeat=repeat)

    def drawing_ask(self, item: Item, picture: bytes, repeat: int) -> Ask:
        """Build what the image model is asked in the first of two stages."""
        from generators.auxsolidmath.prompts import split_visual_cot_prompt  # noqa: PLC0415

        turn = Turn(role="user", text=split_visual_cot_prompt(item.prompt).generation, pictures=(picture,))
        return Ask(turns=(turn,), sampling=Sampling(temperature=None, image_detail=None), repeat=repeat)

    def schema(self, item: Item) -> dict[str, Any] | None:  # noqa: ARG002
        """Solutions are prose, not JSON: no schema is asked for."""
        return None

    def score(self, item: Item, reply: Reply, stored_answer: Mapping[str, object] | None) -> Score:  # noqa: ARG002
        """Score a reply by its final answer; a proof is unscored.

        Where a judge decides, this is for replies that it need not see: what is no answer is wrong.
        """
        if self._judge is not None:
            return _both_wrong(f"no answer: {reply.finish_reason or reply.status}")
        from scorers.auxsolidmath import score_auxsolidmath  # noqa: PLC0415 - only where it runs

        return score_auxsolidmath(scorable_text(reply), item.truth)

    def judged(self, item: Item, judge_reply: Reply) -> Score:  # noqa: ARG002
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
