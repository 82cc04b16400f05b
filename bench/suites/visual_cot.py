"""What is asked around a solid-geometry question: a drawing before it, a judge's verdict after it."""

from __future__ import annotations

import asyncio
import hashlib
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from bench.errors import UserError
from bench.models.images import picture_size
from bench.models.roles import DRAWS_REFERENCE
from bench.models.types import Drawing, Response, file_part
from bench.suites.auxsolidmath import AuxSolidMath, is_two_stage
from bench.suites.base import Judged
from bench.suites.judge import CANDIDATE_CHARS, judge_request, new_nonce
from generators.errors import PictureError
from generators.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from PIL import Image

    from bench.models.resolve import ResolvedModel
    from bench.models.roles import ModelRoles
    from bench.models.types import DrawingStatus, Request
    from bench.options import Settings, VisualCotControl
    from bench.suites.base import Case, Suite
    from bench.suites.image_cache import Pictures
    from generators.items import Item

__all__ = ["AskModel", "Drawn", "FirstStage", "Stages", "blank_picture", "look_at", "open_stages"]


KINDS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_PIXELS = 50_000_000
MOST_BYTES = 50_000_000
BLANK_INK_SHARE = 0.0002  # a label of one letter covers about so much of a figure
INK_STEP = 24  # grey levels from the background
SAME_SHAPE = 0.02
SAME_BLUR_PX = 2
SAME_STEP = 40  # grey levels: after the blur, a line of 2 px differs by 70 and resampling by less than 30
SAME_PIXELS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decoded:
    """The first frame as RGB on white; `sendable` when the file is a PNG that can be sent as it is."""

    rgb: Image.Image
    sendable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A first stage's outcome; `png` is there when a picture was decoded, usable or not."""

    status: DrawingStatus
    note: str = ""
    png: bytes | None = None


def look_at(reply: Response, original: bytes) -> Drawn:
    """Say what an image model's reply is worth, compared with the original picture (PNG bytes).

    "identical" is a copy of the original, also resized or encoded anew; "blank" has no line in it. Of several
    pictures the first counts. A picture that is no PNG, is transparent or moves becomes an opaque still PNG.
    """
    if reply.status == "failed":
        return Drawn(status="failed", note=f"{reply.failure}: {reply.error}")
    if reply.status == "refused":
        return Drawn(status="refused", note=" ".join(reply.text.split())[:200] or str(reply.finish_reason or ""))
    if not reply.pictures:
        why = "cut off" if reply.status == "truncated" else "no picture"
        return Drawn(status="no_image", note=" ".join(f"{why} {reply.text}".split())[:200])
    return _look(reply.pictures[0], original)


def blank_picture(original: bytes) -> bytes:
    """Return a white picture (PNG) of the original's size."""
    from PIL import Image  # noqa: PLC0415 - only where drawings are made

    with Image.open(io.BytesIO(original)) as picture:
        return _png(Image.new("RGB", picture.size, "white"))


def _look(data: bytes, original: bytes) -> Drawn:
    try:
        picture = _decoded(data)
    except (OSError, ValueError, SyntaxError) as error:
        return Drawn(status="not_an_image", note=f"{error}"[:200])
    png = data if picture.sendable else _png(picture.rgb)
    grey = picture.rgb.convert("L")
    if _is_blank(grey):
        return Drawn(status="blank", note="no line in it", png=png)
    if _is_copy(grey, _decoded(original).rgb.convert("L")):
        return Drawn(status="identical", note="a copy of the original", png=png)
    return Drawn(status="ok", png=png)


def _decoded(data: bytes) -> _Decoded:
    """Decode a picture onto white.

    Raises:
        OSError, ValueError, SyntaxError: no picture of a known kind, damaged, cut short, or too large.
    """
    from PIL import Image  # noqa: PLC0415

    size = picture_size(data)
    if len(data) > MOST_BYTES or (size is not None and size[0] * size[1] > MOST_PIXELS):
        raise ValueError(f"larger than {MOST_PIXELS} pixels or bytes")
    try:
        with Image.open(io.BytesIO(data), formats=KINDS) as file:
            if file.width * file.height > MOST_PIXELS:
                raise ValueError(f"larger than {MOST_PIXELS} pixels")
            file.load()
            return _opaque(file)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(f"larger than {MOST_PIXELS} pixels") from error


def _opaque(file: Image.Image) -> _Decoded:
    from PIL import Image  # noqa: PLC0415

    if file.mode.startswith("I"):  # 16 bits a pixel: a plain conversion would cut off, not scale
        return _Decoded(rgb=file.convert("I").point(lambda level: level / 257).convert("RGB"), sendable=False)
    if file.has_transparency_data:
        over = file.convert("RGBA")
        rgb = Image.new("RGB", file.size, "white")
        rgb.paste(over, mask=over.getchannel("A"))
        return _Decoded(rgb=rgb, sendable=False)
    still = getattr(file, "n_frames", 1) == 1
    return _Decoded(rgb=file.convert("RGB"), sendable=file.format == "PNG" and still)


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _is_blank(grey: Image.Image) -> bool:
    counts = grey.histogram()
    ground = max(range(256), key=counts.__getitem__)
    ink = sum(count for level, count in enumerate(counts) if abs(level - ground) >= INK_STEP)
    return ink < BLANK_INK_SHARE * grey.width * grey.height


def _is_copy(grey: Image.Image, original: Image.Image) -> bool:
    from PIL import Image, ImageChops, ImageFilter  # noqa: PLC0415

    shape, wanted = grey.width / grey.height, original.width / original.height
    if abs(shape / wanted - 1) > SAME_SHAPE:
        return False
    resized = grey if grey.size == original.size else grey.resize(original.size, Image.Resampling.LANCZOS)
    blur = ImageFilter.BoxBlur(SAME_BLUR_PX)
    counts = ImageChops.difference(resized.filter(blur), original.filter(blur)).histogram()
    return sum(counts[SAME_STEP:]) < SAME_PIXELS


class AskModel(Protocol):
    """Asks a model unless the store has its reply; `sent` goes out where the key is made of another ask."""

    async def __call__(
        self, model: ResolvedModel, request: Request, *, case: Case, sent: Request | None = None
    ) -> tuple[Response, bool]:
        """Return the reply, and whether it came from the store."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStage:
    """The drawing as the records keep it, and its pixels when it is usable."""

    drawing: Drawing
    png: bytes | None = None

    def in_place_of_an_answer(self) -> Response:
        """Return what stands for the second stage's reply where there was none."""
        asked = self.drawing.reply
        if asked is not None and asked.status == "failed":
            return replace(asked, error=f"first stage, {self.drawing.source}: {asked.error}")
        return Response(status="refused", finish_reason=f"first stage: {self.drawing.status}", attempts=0)


@dataclass(slots=True, kw_only=True)
class Stages:
    """The stages of the cases of a run; `folder` is the run's, None where nothing is written.

    `judged` are the suites, by name, whose answers the judge is asked about.
    """

    suite: AuxSolidMath
    judged: Mapping[str, Judged]
    roles: ModelRoles
    pictures: Pictures
    draws_reference: bool = False
    control: VisualCotControl | None = None
    folder: Path | None = None

    @property
    def two_stage(self) -> bool:
        """Whether the run has drawings at all."""
        return self.roles.image_model is not None or self.draws_reference or self.control is not None

    def draws(self, case: Case) -> bool:
        """Whether the case has two stages."""
        return case.suite == self.suite.name and is_two_stage(case.task)

    def judges(self, case: Case) -> bool:
        """Whether a judge is asked about the case's answers."""
        return self.roles.judge is not None and case.suite in self.judged

    async def draw(
        self, case: Case, item: Item, picture: bytes, repeat: int, ask_model: AskModel
    ) -> FirstStage | None:
        """Get the drawing of a two-stage case; None for any other case."""
        if not self.draws(case):
            return None
        image_model = self.roles.image_model
        if image_model is None:
            return await asyncio.to_thread(self._made_here, item, picture)
        reply, _ = await ask_model(image_model, self.suite.drawing_request(item, picture, repeat), case=case)
        source, path = f"{image_model.provider}:{image_model.name}", _path(case, image_model, repeat)
        return await asyncio.to_thread(self._looked_at, item, reply, source, picture, path)

    async def judge(
        self, case: Case, item: Item, reply: Response, repeat: int, ask_model: AskModel
    ) -> Response | None:
        """Get a judge's verdict on an answer; None where no judge is asked: no answer needs none."""
        judge = self.roles.judge
        if judge is None or not self.judges(case) or reply.status != "answered":
            return None
        question = self.judged[case.suite].judge_question(item)
        kept = judge_request(question, reply.text, repeat=repeat)
        sent = judge_request(question, reply.text, repeat=repeat, nonce=new_nonce())
        return (await ask_model(judge, kept, case=case, sent=sent))[0]

    def longest_judge_request(self, case: Case, item: Item) -> Request:
        """Return the longest question that the judge can be asked about a case, for a forecast of the cost."""
        return judge_request(self.judged[case.suite].judge_question(item), "x" * CANDIDATE_CHARS)

    def reference(self, case: Case, item: Item) -> Drawing | None:
        """Return what the reference's drawing is worth in a two-stage case; None elsewhere, or without one."""
        if not self.draws(case):
            return None
        try:
            return self._reference(item, self.pictures.png(item)).drawing
        except PictureError:
            return None

    def _reference(self, item: Item, picture: bytes) -> FirstStage:
        drawn = Response(status="answered", pictures=(self._reference_png(item),), attempts=0)
        return self._looked_at(item, drawn, f"offline:{DRAWS_REFERENCE}", picture, None)

    def _made_here(self, item: Item, picture: bytes) -> FirstStage:

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

    def _looked_at(self, item: Item, reply: Response, source: str, picture: bytes, path: str | None) -> FirstStage:

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
            write_atomically(self.folder / path, png, synced=True)
        except OSError as error:
            raise UserError(f"{self.folder / path} cannot be written ({error.strerror or error})") from error


def _diagnostics(item: Item, png: bytes) -> dict[str, float]:
    """Measure a model's drawing where points and projection are known: never part of a score.

    Where the constructions have no straight segment, only the kept ink is measured.
    """
    if "projection" not in item.extra:
        return {}
    from generators.auxsolidmath.drawing.pictures import diagnose  # noqa: PLC0415 - only where drawings are looked at

    try:
        found = diagnose(item, png)
    except PictureError:  # what cannot be measured is shown all the same
        return {}
    if all(share is None for share in found.segments.values()):
        return {"ink_kept": found.ink_kept}
    return {"ink_kept": found.ink_kept, "gold_covered": found.gold_covered, "stray_ink": found.stray_ink}


def open_stages(
    suites: Sequence[Suite],
    asked: ModelRoles,
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
        roles=asked,
        pictures=pictures,
        draws_reference=settings.image_model == DRAWS_REFERENCE,
        control=settings.visual_cot_control,
        folder=folder,
    )


def _path(case: Case, image_model: ResolvedModel, repeat: int) -> str:
    """Return where a drawing is kept, from the run's folder."""
    return f"auxsolidmath/images/{case.task}/{case.item_id}_{file_part(image_model.name)}_{repeat}.png"
