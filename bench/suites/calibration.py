"""How well a judge judges: labelled solutions, put to it exactly as the solutions of models are.

The labelled solutions stand in `fixtures/judge_cases.jsonl`. They are the replies of a model that asks nobody, so
that prompt, store, retries and reading of the verdict are those of a real run.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.errors import DataError
from bench.models.resolve import ResolvedModel
from bench.models.types import Message, Request, Response, SamplingParams
from bench.suites.base import CaseName, GivesVerdicts
from bench.suites.judge import JudgeQuestion, verdict_of
from generators.errors import PictureError
from generators.items import Item
from scorers.judge_verdict import NoVerdict
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.models.protocols import Asked, KnownAnswers
    from bench.models.types import Drawing

__all__ = ["CASES", "VERDICTS", "Calibration", "LabelledSolutions", "labelled_cases"]

CASES = Path(__file__).resolve().parents[2] / "fixtures" / "judge_cases.jsonl"
VERDICTS = ("text_ok", "reasoning_rigorous", "conclusion_correct")


@cache
def labelled_cases() -> Mapping[str, Mapping[str, Any]]:
    """Return the labelled cases by id.

    Raises:
        DataError: the file is missing or damaged.
    """
    try:
        lines = CASES.read_text(encoding="utf-8").splitlines()
        return {row["id"]: row for row in map(json.loads, lines)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"judge cases {CASES.name}: cannot be read ({error})") from error


class NoPicture:
    """A judge sees none."""

    key = None

    def png(self) -> bytes:
        """Refuse.

        Raises:
            PictureError: always.
        """
        raise PictureError("a labelled solution has no picture")


class LabelledSolutions:
    """Replies with the labelled solution of each case, under the judge's own name."""

    about = "labelled solutions"
    has_drawings = False

    def __init__(self, judge: ResolvedModel) -> None:
        self.provider = judge.provider
        self.name = judge.name

    def answers(self, asked: Asked) -> bool:
        """Whether there is a solution."""
        return asked[0] in labelled_cases()

    def repeats(self, asked: Asked, wanted: Iterable[int]) -> Iterable[int]:  # noqa: ARG002
        """Return all that are wanted: the judge is asked again."""
        return wanted

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:  # noqa: ARG002
        """Return the solution."""
        return Response(status="answered", text=str(labelled_cases()[asked[0]]["candidate"]), attempts=0)

    def stored_answer(self, asked: Asked, repeat: int) -> Mapping[str, Any] | None:  # noqa: ARG002
        """Return nothing: there is only the text."""
        return None

    def drawing(self, asked: Asked, repeat: int) -> Drawing | None:  # noqa: ARG002
        """Return nothing: there is one stage."""
        return None


class Calibration(GivesVerdicts):
    """Each labelled solution is a case; it passes when the judge's `text_ok` is the label."""

    name = "calibration"
    about = "calibration, labelled solutions put to the judge"

    def __init__(self, judge: ResolvedModel) -> None:
        self.own_model = ResolvedModel(
            label=f"calibration of {judge.label}",
            provider=judge.provider,
            name=judge.name,
            about="labelled solutions",
            offline=LabelledSolutions(judge),
        )
        self.policy = f"judge {judge.provider}:{judge.name}"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the first `limit` cases."""
        for case_id, row in list(labelled_cases().items())[:limit]:
            yield CaseName(id=f"judge-{case_id}", item_id=case_id, difficulty=row["label"])

    def item(self, item_id: str, task: str | None) -> Item:  # noqa: ARG002
        """Make one case's item; its truth are the labels."""
        row = labelled_cases()[item_id]
        rigorous, correct = bool(row["reasoning_rigorous"]), bool(row["conclusion_correct"])
        return Item(
            id=item_id,
            suite=self.name,
            family=row["label"],
            index=0,
            difficulty=row["label"],
            prompt=row["problem"],
            truth={
                "text_ok": rigorous and correct,
                "reasoning_rigorous": rigorous,
                "conclusion_correct": correct,
            },
            final_fields=("text_ok",),
            checkpoint_fields=VERDICTS[1:],
            params={"candidate": row["candidate"]},
            picture=NoPicture(),
            extra=dict(row),
        )

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the text of the problem; it is sent to no model, because the solutions are there."""
        return Request(
            messages=(Message(role="user", text=item.prompt, pictures=tuple(pictures)),),
            sampling=sampling,
            repeat=repeat,
        )

    def schema(self, item: Item) -> dict[str, Any] | None:  # noqa: ARG002
        """Return nothing: solutions are prose."""
        return None

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:  # noqa: ARG002
        """Return no score: only a judge's verdict is compared with the labels."""
        return Score(
            fields=(),
            parsed=True,
            answer=None,
            rule="none",
            unscored=Unscored(cause="judge", why="no judge was asked"),
        )

    def judge_question(self, item: Item) -> JudgeQuestion:
        """Return what the judge is told."""
        return JudgeQuestion(
            problem=str(item.extra["problem"]),
            kind=str(item.extra["kind"]),
            construction=str(item.extra["auxiliary_line_description"]),
            answer=str(item.extra["answer"]),
            claims=tuple(str(claim) for claim in labelled_cases()[item.id]["claims"]),
        )

    def judged(self, item: Item, judge_reply: Response) -> Score:
        """Compare a verdict with the labels."""
        verdict = verdict_of(judge_reply)
        if isinstance(verdict, NoVerdict):
            unscored = Unscored(cause="judge", why=verdict.why)
            return Score(fields=(), parsed=True, answer=None, rule="none", unscored=unscored)
        said = {name: bool(getattr(verdict, name)) for name in VERDICTS}
        fields = tuple(_field(name, said[name], bool(item.truth[name]), verdict.text_reason) for name in VERDICTS)
        answer: dict[str, object] = {**said, "text_reason": verdict.text_reason}
        return Score(fields=fields, parsed=True, answer=answer, rule="judge")

    def oracle_text(self, item: Item) -> str:
        """Return the labelled solution."""
        return str(item.params["candidate"])

    def blind_text(self, item: Item) -> str:
        """Return the labelled solution: nobody looks at anything."""
        return self.oracle_text(item)

    def about_item(self, item: Item) -> dict[str, str | None]:
        """Return the labels."""
        return {name: str(item.truth[name]) for name in VERDICTS}


def _field(name: str, said: bool, label: bool, why: str) -> FieldScore:
    return FieldScore(
        field=name,
        scope="final" if name == VERDICTS[0] else "checkpoint",
        prediction=float(said),
        truth=float(label),
        abs_err=float(said != label),
        rel_err=None,
        abs_tol=0.0,
        rel_tol=0.0,
        passed=said == label,
        why=why,
    )
