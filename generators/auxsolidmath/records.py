"""A draft turned into an item: wording, truth, constructions, facts, and where the points lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.constructions import NAMES
from generators.auxsolidmath.drawn import DrawnPicture
from generators.auxsolidmath.givens import given_en, given_zh
from generators.auxsolidmath.prompts import direct_prompt
from generators.auxsolidmath.registry import family_named
from generators.auxsolidmath.sketch import make_sketch
from generators.items import Item

if TYPE_CHECKING:
    from generators.auxsolidmath.answer import Answer
    from generators.auxsolidmath.draft import Draft
    from generators.auxsolidmath.family import Problem
    from generators.items import JsonValue

__all__ = ["Language", "item_of", "question_of"]

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """A draft's texts with its own letters."""

    draft: Draft
    problem: Problem
    answer: Answer

    def text(self, template: str) -> str:
        return self.draft.naming.text(template)

    def question(self, language: Language) -> str:
        return question_of(self.draft, self.problem, language)

    def description(self, language: Language) -> str:
        steps = self.problem.constructions
        if language == "en":
            return " ".join(self.text(step.en) for step in steps)
        return "".join(self.text(step.zh) for step in steps)

    def solution(self) -> str:
        steps = [f"{number}. {self.text(step)}" for number, step in enumerate(self.problem.solution, start=1)]
        last = (
            f"Therefore {self.text(self.answer.text)}."
            if self.answer.value is None
            else f"Answer: {self.answer.text}"
        )
        return "\n".join((f"Auxiliary lines: {self.description('en')}", *steps, last))


def question_of(draft: Draft, problem: Problem, language: Language) -> str:
    """Return a draft's question in one language."""
    givens = family_named(draft.family).givens(draft.params)
    template = problem.question_en if language == "en" else problem.question_zh
    if givens:
        given = given_en(givens, draft.given_in) if language == "en" else given_zh(givens, draft.given_in)
        template = template.replace("{given}", given)
    return draft.naming.text(template)


def item_of(item_id: str, index: int, draft: Draft, language: Language) -> Item:
    """Return the item of a draft; its picture is drawn only when the bytes are asked for."""
    family = family_named(draft.family)
    problem, answer = draft.problem(), family.answer(draft.params)
    wording = _Wording(draft=draft, problem=problem, answer=answer)
    question = wording.question(language)
    return Item(
        id=item_id,
        suite="auxsolidmath",
        family=family.name,
        index=index,
        difficulty=family.difficulty,
        prompt=direct_prompt(question),
        truth={
            "kind": family.kind,
            "answer": wording.text(answer.text),
            "answer_kind": answer.kind,
            "answer_float": answer.value,
        },
        final_fields=("answer",),
        checkpoint_fields=(),
        params=draft.json(),
        picture=DrawnPicture(item_id=item_id, draft=draft),
        extra={
            "question": question,
            "question_en": wording.question("en"),
            "question_zh": wording.question("zh"),
            "answer_latex": wording.text(answer.latex),
            "auxiliary_line_description": wording.description("en"),
            "auxiliary_line_description_zh": wording.description("zh"),
            "aux_ops": _operations(wording),
            "facts": _facts(wording),
            "given_in": draft.given_in,
            "givens": [wording.text(f"{given.name} = {given.size}") for given in family.givens(draft.params)],
            "solution": wording.solution(),
            "points3d": _points(draft, problem),
            "projection": _projection(draft, problem),
        },
    )


def _operations(wording: _Wording) -> list[JsonValue]:
    label = wording.draft.naming.label
    return [
        {
            "op": step.operation,
            "name_en": NAMES[step.operation][0],
            "name_zh": NAMES[step.operation][1],
            "en": wording.text(step.en),
            "zh": wording.text(step.zh),
            "creates": [label(point) for point in step.creates],
            "segments": [[label(start), label(end)] for start, end in step.lines],
        }
        for step in wording.problem.constructions
    ]


def _facts(wording: _Wording) -> list[JsonValue]:
    label = wording.draft.naming.label
    everything = [*(fact for step in wording.problem.constructions for fact in step.facts), *wording.problem.facts]
    return [
        {
            "relation": fact.relation,
            "points": [label(point) for point in fact.labels],
            "text": wording.text(fact.text),
        }
        for fact in everything
    ]


def _points(draft: Draft, problem: Problem) -> dict[str, JsonValue]:
    return {draft.naming.label(label): list(point) for label, point in problem.figure.points.items()}


def _projection(draft: Draft, problem: Problem) -> dict[str, JsonValue]:
    """Return how points fall on the picture: x = left + scale · right·p, y = top − scale · up·p, in pixels."""
    canvas = make_sketch(problem, draft.view).canvas
    view = draft.view
    return {
        "kind": view.preset.kind,
        "angle_deg": view.preset.angle_deg,
        "factor": view.preset.factor,
        "turn_deg": view.turn_deg,
        "mirrored": view.mirrored,
        "right": list(view.right),
        "up": list(view.up),
        "towards_viewer": list(view.towards_viewer),
        "scale_px": canvas.scale,
        "origin_px": list(canvas.origin_px),
        "width_px": canvas.width_px,
        "height_px": canvas.height_px,
    }
