"""What is asked around the question itself: a drawing before it, a judge's verdict after it.

A picture that was paid for is stored and written to its file before anything else happens to it. The second stage
is asked with two pictures or not at all.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from bench.auxsolidmath_suite import AuxSolidMath, is_two_stage
from bench.cases import Judged
from bench.companions import DRAWS_REFERENCE
from bench.errors import UserError
from bench.judge import CANDIDATE_CHARS, judge_ask, new_nonce
from bench.models.protocol import Reply
from bench.results.drawing import Drawing
from bench.results.files import write_atomically
from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.cases import Case, Suite
    from bench.companions import Companions
    from bench.contestants import Contestant
    from bench.models.protocol import Ask
    from bench.options import Settings, VisualCotControl
    from bench.pictures import Pictures
    from generators.items import Item

__all__ = ["AskCompanion", "FirstStage", "Stages", "open_stages"]


class AskCompanion(Protocol):
    """Asks a model unless the store has its reply; `sent` goes out where the key is made of another ask."""

    async def __call__(
        self, model: Contestant, ask: Ask, *, case: Case, sent: Ask | None = None
    ) -> tuple[Reply, bool]:
        """Return the reply, and whether it came from the store."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStage:
    """The drawing as the records keep it, and its pixels when it is usable."""

    drawing: Drawing
    png: bytes | None = None

    def in_place_of_an_answer(self) -> Reply:
        """Return what stands for the second stage's reply where there was none."""
        asked = self.drawing.reply
        if asked is not None and asked.status == "failed":
            return replace(asked, error=f"first stage, {self.drawing.source}: {asked.error}")
        return Reply(status="refused", finish_reason=f"first stage: {self.drawing.status}", attempts=0)


@dataclass(slots=True, kw_only=True)
class Stages:
    """The stages of the cases of a run; `folder` is the run's, None where nothing is written.

    `judged` are the suites, by name, whose answers the judge is asked about.
    """

    suite: AuxSolidMath
    judged: Mapping[str, Judged]
    companions: Companions
    pictures: Pictures
    draws_reference: bool = False
    control: VisualCotControl | None = None
    folder: Path | None = None

    @property
    def two_stage(self) -> bool:
        """Whether the run has drawings at all."""
        return self.companions.drawer is not None or self.draws_reference or self.control is not None

    def draws(self, case: Case) -> bool:
        """Whether the case has two stages."""
        return case.suite == self.suite.name and is_two_stage(case.task)

    def judges(self, case: Case) -> bool:
        """Whether a judge is asked about the case's answers."""
        return self.companions.judge is not None and case.suite in self.judged

    async def draw(
        self, case: Case, item: Item, picture: bytes, repeat: int, ask: AskCompanion
    ) -> FirstStage | None:
        """Get the drawing of a two-stage case; None for any other case."""
        if not self.draws(case):
            return None
        drawer = self.companions.drawer
        if drawer is None:
            return await asyncio.to_thread(self._made_here, item, picture)
        reply, _ = await ask(drawer, self.suite.drawing_ask(item, picture, repeat), case=case)
        source, path = f"{drawer.provider}:{drawer.name}", _path(case, drawer, repeat)
        return await asyncio.to_thread(self._looked_at, item, reply, source, picture, path)

    async def judge(self, case: Case, item: Item, reply: Reply, repeat: int, ask: AskCompanion) -> Reply | None:
        """Get a judge's verdict on an answer; None where no judge is asked: no answer needs none."""
        judge = self.companions.judge
        if judge is None or not self.judges(case) or reply.status != "answered":
            return None
        question = self.judged[case.suite].judge_question(item)
        kept = judge_ask(question, reply.text, repeat=repeat)
        sent = judge_ask(question, reply.text, repeat=repeat, nonce=new_nonce())
        return (await ask(judge, kept, case=case, sent=sent))[0]

    def longest_judge_ask(self, case: Case, item: Item) -> Ask:
        """Return the longest question that the judge can be asked about a case, for a forecast of the cost."""
        return judge_ask(self.judged[case.suite].judge_question(item), "x" * CANDIDATE_CHARS)

    def reference(self, case: Case, item: Item) -> Drawing | None:
        """Return what the reference's drawing is worth in a two-stage case; None elsewhere, or without one."""
        if not self.draws(case):
            return None
        try:
            return self._reference(item, self.pictures.png(item)).drawing
        except PictureError:
            return None

    def _reference(self, item: Item, picture: bytes) -> FirstStage:
        drawn = Reply(status="answered", pictures=(self._reference_png(item),), attempts=0)
        return self._looked_at(item, drawn, f"offline:{DRAWS_REFERENCE}", picture, None)

    def _made_here(self, item: Item, picture: bytes) -> FirstStage:
        from bench.drawings import blank_picture  # noqa: PLC0415 - only where drawings are made

        if self.control is None:
            return self._reference(item, picture)
        if self.control == "original":
            png = picture
        elif self.control == "blank":
            png = blank_picture(picture)
        elif self.control == "gold":
            png = self._reference_png(item)
        else:
            png = self._reference_png(self._counterpart(item))
        shown = Drawing(status="ok", source=f"control {self.control}", sha256=hashlib.sha256(png).hexdigest())
        return FirstStage(drawing=shown, png=png)

    def _counterpart(self, item: Item) -> Item:
        other = self.suite.counterparts[item.id]
        if other == item.id:
            raise PictureError(
                f"{item.id}: --visual-cot-control=shuffled needs a second problem, and there is none"
            )
        return self.suite.item(other, None)

    def _reference_png(self, item: Item) -> bytes:
        drawn = self.suite.reference_drawing(item)
        if drawn is None:
            raise PictureError(f"{item.id}: the data set has no auxiliary_line_image for it")
        return self.pictures.png(replace(item, picture=drawn))

    def _looked_at(self, item: Item, reply: Reply, source: str, picture: bytes, path: str | None) -> FirstStage:
        from bench.drawings import look_at  # noqa: PLC0415

        drawn = look_at(reply, picture)
        if drawn.png is not None and path is not None:
            self._write(path, drawn.png)
        drawing = Drawing(
            status=drawn.status,
            source=source,
            note=drawn.note,
            sha256=None if drawn.png is None else hashlib.sha256(drawn.png).hexdigest(),
            path=None if drawn.png is None else path,
            reply=replace(reply, pictures=()) if path is not None else None,
            diagnostics={} if drawn.png is None or path is None else _diagnostics(item, drawn.png),
        )
        return FirstStage(drawing=drawing, png=drawn.png if drawn.status == "ok" else None)

    def _write(self, path: str, png: bytes) -> None:
        if self.folder is None:
            return
        try:
            write_atomically(self.folder / path, png)
        except OSError as error:
            raise UserError(f"{self.folder / path} cannot be written ({error.strerror or error})") from error


def _diagnostics(item: Item, png: bytes) -> dict[str, float]:
    """Measure a model's drawing where points and projection are known: never part of a score.

    Where the constructions have no straight segment, only the kept ink is measured.
    """
    if "projection" not in item.extra:
        return {}
    from generators.auxsolidmath.diagnostics import diagnose  # noqa: PLC0415 - only where drawings are looked at

    try:
        found = diagnose(item, png)
    except PictureError:  # what cannot be measured is shown all the same
        return {}
    if all(share is None for share in found.segments.values()):
        return {"ink_kept": found.ink_kept}
    return {"ink_kept": found.ink_kept, "gold_covered": found.gold_covered, "stray_ink": found.stray_ink}


def open_stages(
    suites: Sequence[Suite],
    asked: Companions,
    settings: Settings,
    pictures: Pictures,
    *,
    folder: Path | None = None,
) -> Stages:
    """Return the stages of a run's cases."""
    (solid,) = (suite for suite in suites if isinstance(suite, AuxSolidMath))
    return Stages(
        suite=solid,
        judged={suite.name: suite for suite in suites if isinstance(suite, Judged)},
        companions=asked,
        pictures=pictures,
        draws_reference=settings.image_model == DRAWS_REFERENCE,
        control=settings.visual_cot_control,
        folder=folder,
    )


def _path(case: Case, drawer: Contestant, repeat: int) -> str:
    """Return where a drawing is kept, from the run's folder."""
    model = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in drawer.name)[:60]
    return f"auxsolidmath/images/{case.task}/{case.item_id}_{model}_{repeat}.png"
