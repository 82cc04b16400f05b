"""Problems of a seed, made one by one on demand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.drawing.labels import make_diagram
from generators.auxsolidmath.drawing.pictures import DiagramPicture, ProblemSpec
from generators.auxsolidmath.drawing.projection import choose_view, project_figure
from generators.auxsolidmath.exact import given_en, given_zh
from generators.auxsolidmath.naming import ProblemDraws, draw_naming
from generators.auxsolidmath.problem import NAMES
from generators.auxsolidmath.prompts import direct_prompt
from generators.auxsolidmath.registry import EASY, HARD, ListedProblem, family_kinds, family_named, list_problems
from generators.items import Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.auxsolidmath.drawing.projection import View
    from generators.auxsolidmath.exact import ExactAnswer
    from generators.auxsolidmath.problem import Difficulty, Problem
    from generators.items import JsonValue, Picture

__all__ = [
    "AuxSolidMathSource",
    "Language",
    "PlannedProblem",
    "allowed_repeats",
    "auxiliary_picture",
    "blind_answer",
    "item_of",
    "make_spec",
    "plan_split",
]


_ITEMS_A_REPEAT = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedProblem:
    """One item's parameters, and its answer in the family's letters."""

    family: str
    index: int
    params: object
    answer: str


def allowed_repeats(items: int) -> int:
    """Return how often an answer may occur among the first `items` of a split: at most 5 % of 100 or more."""
    return 1 + items // _ITEMS_A_REPEAT


def plan_split(seed: int, difficulty: Difficulty, count: int) -> dict[tuple[str, int], PlannedProblem]:
    """Choose the parameters of a split's first `count` items, by family and index.

    A claim to be proved is no answer that could be guessed, and is not counted. When every unused answer has been
    given too often, the least frequent one is taken.
    """
    kinds = family_kinds(difficulty)
    decks = [(name, kind, _Deck(name, seed)) for name, kind in kinds.items()]
    given: Counter[str] = Counter()
    plan = {}
    for place in range(count):
        index, (name, kind, deck) = place // len(decks), decks[place % len(decks)]
        planned = deck.take(index, given, allowed_repeats(place + 1))
        given[planned.answer] += kind == "CALCULATION"
        plan[name, index] = planned
    return plan


class _Deck:
    """A family's parameters in the order of a seed, different answers first; begun again when used up."""

    def __init__(self, family: str, seed: int) -> None:
        self._family = family
        mixed = ProblemDraws(seed, "grid", family).shuffled(_answered_grid(family))
        seen: Counter[str] = Counter()
        rounds = []
        for params, answer in mixed:
            rounds.append((seen[answer], params, answer))
            seen[answer] += 1
        self._cards = [(params, answer) for _, params, answer in sorted(rounds, key=lambda card: card[0])]
        self._left = list(self._cards)

    def take(self, index: int, given: Counter[str], allowed: int) -> PlannedProblem:
        if not self._left:
            self._left = list(self._cards)
        admissible = (card for card in self._left if given[card[1]] < allowed)
        card = next(admissible, None) or min(self._left, key=lambda card: given[card[1]])
        self._left.remove(card)
        return PlannedProblem(family=self._family, index=index, params=card[0], answer=card[1])


@cache
def _answered_grid(family: str) -> list[tuple[object, str]]:
    chosen = family_named(family)
    return [(params, chosen.answer(params).text) for params in chosen.grid()]


def make_spec(seed: int, planned: PlannedProblem) -> ProblemSpec:
    """Draw letters, view and the place of the sizes for a family's item."""
    family = family_named(planned.family)
    draws = ProblemDraws(seed, planned.family, planned.index)
    problem = family.build(planned.params)
    first = ProblemDraws(seed, "given_in", planned.family).pick((0, 1))
    given_in = family.given_in[(planned.index + first) % len(family.given_in)]
    naming = draw_naming(problem.figure.points, draws)
    marked = family.givens(planned.params) if given_in == "figure" else ()

    def faults(view: View) -> int:
        return make_diagram(problem, view, naming, marked).faults

    return ProblemSpec(
        family=planned.family,
        params=planned.params,
        given_in=given_in,
        naming=naming,
        view=choose_view(problem, family.view, draws, faults),
    )


Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """A spec's texts with its own letters."""

    spec: ProblemSpec
    problem: Problem
    answer: ExactAnswer

    def text(self, template: str) -> str:
        return self.spec.naming.text(template)

    def question(self, language: Language) -> str:
        givens = family_named(self.spec.family).givens(self.spec.params)
        template = self.problem.question_en if language == "en" else self.problem.question_zh
        if givens:
            clause = given_en if language == "en" else given_zh
            template = template.replace("{given}", clause(givens, self.spec.given_in))
        return self.text(template)

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


def item_of(item_id: str, index: int, spec: ProblemSpec, language: Language) -> Item:
    """Return the item of a spec; its picture is drawn only when the bytes are asked for."""
    family = family_named(spec.family)
    problem, answer = spec.problem(), family.answer(spec.params)
    wording = _Wording(spec=spec, problem=problem, answer=answer)
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
        params=spec.json(),
        picture=DiagramPicture(item_id=item_id, spec=spec),
        extra={
            "question": question,
            "question_en": wording.question("en"),
            "question_zh": wording.question("zh"),
            "answer_latex": wording.text(answer.latex),
            "auxiliary_line_description": wording.description("en"),
            "auxiliary_line_description_zh": wording.description("zh"),
            "aux_ops": _operations(wording),
            "facts": _facts(wording),
            "given_in": spec.given_in,
            "givens": [wording.text(f"{given.name} = {given.size}") for given in family.givens(spec.params)],
            "solution": wording.solution(),
            "points3d": {spec.naming.label(label): list(point) for label, point in problem.figure.points.items()},
            "projection": _projection(spec, problem),
        },
    )


def _operations(wording: _Wording) -> list[JsonValue]:
    label = wording.spec.naming.label
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
    label = wording.spec.naming.label
    everything = [*(fact for step in wording.problem.constructions for fact in step.facts), *wording.problem.facts]
    return [
        {
            "relation": fact.relation,
            "points": [label(point) for point in fact.labels],
            "text": wording.text(fact.text),
        }
        for fact in everything
    ]


def _projection(spec: ProblemSpec, problem: Problem) -> dict[str, JsonValue]:
    """Return how points fall on the picture: x = left + scale · right·p, y = top − scale · up·p, in pixels."""
    canvas = project_figure(problem, spec.view).canvas
    view = spec.view
    return {
        **view.json(),
        "right": list(view.right),
        "up": list(view.up),
        "towards_viewer": list(view.towards_viewer),
        "scale_px": canvas.scale,
        "origin_px": list(canvas.origin_px),
        "width_px": canvas.width_px,
        "height_px": canvas.height_px,
    }


class AuxSolidMathSource:
    """A seed's problems; any whole number is a set of its own.

    Making one is deterministic and independent of the order of requests. `language` is that of the questions.
    """

    def __init__(self, *, seed: int = 0, language: Language = "en", easy: int = EASY, hard: int = HARD) -> None:
        self.seed = seed
        self.language: Language = language
        self.cases = list_problems(easy=easy, hard=hard)
        self._cases = {ref.id: ref for ref in self.cases}
        self._counts: dict[Difficulty, int] = {"easy": easy, "hard": hard}
        self._plans: dict[Difficulty, dict[tuple[str, int], PlannedProblem]] = {}

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Item]:
        return (self.item(ref) for ref in self.cases)

    def case(self, item_id: str) -> ListedProblem:
        """Find a case by its id.

        Raises:
            KeyError: no case has this id.
        """
        if item_id not in self._cases:
            raise KeyError(f"no AuxSolidMath problem {item_id!r} among {len(self.cases)}")
        return self._cases[item_id]

    def item(self, ref: ListedProblem) -> Item:
        """Make one problem; its picture is drawn only when the bytes are asked for."""
        return item_of(ref.id, ref.index, self.spec(ref), self.language)

    def spec(self, ref: ListedProblem) -> ProblemSpec:
        """Return what a problem is made from."""
        plan = self._plans.get(ref.difficulty)
        if plan is None:
            plan = self._plans[ref.difficulty] = plan_split(
                self.seed, ref.difficulty, self._counts[ref.difficulty]
            )
        return make_spec(self.seed, plan[ref.family, ref.index])


def auxiliary_picture(item: Item) -> Picture:
    """Return an item's diagram with the constructions in red on the same raster.

    Raises:
        TypeError: the item was not made by this generator.
    """
    if not isinstance(item.picture, DiagramPicture):
        raise TypeError(f"expected an item of the generator, got {item.id!r} with a picture from elsewhere")
    return DiagramPicture(item_id=item.id, spec=item.picture.spec, auxiliary=True)


def blind_answer(item: Item) -> str:
    """Return the commonest answer over all parameters of the item's family: what can be said without looking.

    Of several equally frequent ones the first by its text; for a claim, the item's own, which the question states.
    """
    family = family_named(item.family)
    if family.kind == "PROVING":
        return str(item.truth["answer"])
    answers = Counter(family.answer(params).text for params in family.grid())
    return min(answers, key=lambda answer: (-answers[answer], answer))
