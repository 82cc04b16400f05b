"""Plots in another style (resolution, font size, colour, format); counts of fields read right, null and wrong."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from cycler import cycler
from PIL import Image

from bench.models.reader.reading import read
from bench.suites.plotchain import score_item
from generators.plotchain.family import PlotCase, edition_named
from generators.plotchain.rendering import build_figure, pinned_style

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = ["STYLES", "Style", "Tally", "confused", "restyled", "tally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What differs from the usual picture; `jpeg_quality` None for PNG."""

    dpi: int = 160
    jpeg_quality: int | None = None
    settings: Mapping[Any, Any] = field(default_factory=dict)


STYLES: Mapping[str, Style] = {
    "as drawn": Style(),
    "100 dpi": Style(dpi=100),
    "130 dpi": Style(dpi=130),
    "200 dpi": Style(dpi=200),
    "12 pt": Style(settings={"font.size": 12}),
    "8 pt": Style(settings={"font.size": 8}),
    "red curve": Style(settings={"axes.prop_cycle": cycler(color=["#c81e28", "#2ca02c"])}),
    "green curve": Style(settings={"axes.prop_cycle": cycler(color=["#1a7a3a", "#9467bd"])}),
    "jpeg 90": Style(jpeg_quality=90),
}


def restyled(item: Item, style: Style) -> bytes:
    """Draw an item in another style and return the file's bytes, cropped as usual."""
    picture: Any = item.picture
    family = edition_named("v4").family(item.family)
    case: PlotCase[Any] = PlotCase(
        params=family.restore(picture.params), difficulty=picture.difficulty, seed=picture.seed
    )
    content = io.BytesIO()
    with pinned_style(), mpl.rc_context(dict(style.settings)):
        build_figure(family, case).savefig(content, format="png", dpi=style.dpi, bbox_inches="tight")
    if style.jpeg_quality is None:
        return content.getvalue()
    jpeg = io.BytesIO()
    Image.open(content).convert("RGB").save(jpeg, format="JPEG", quality=style.jpeg_quality)
    return jpeg.getvalue()


FAR = 10.0


class Tally:
    """Fields right, null and wrong over many readings; `far` are wrong by more than ten tolerances."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.misses: list[str] = []
        self.far: list[str] = []

    def see(self, item: Item, picture: bytes) -> None:
        text = read(picture, item.prompt).text
        policies: tuple[Policy, ...] = ("plotread", "strict")
        for policy in policies:
            score = score_item(item, text, policy=policy)
            for row in score.fields:
                self.count[policy] += row.passed
                self.count["final"] += row.passed and row.scope == "final" and policy == "plotread"
                self.count["finals"] += row.scope == "final" and policy == "plotread"
                self.count["fields"] += policy == "plotread"
                self.count["null"] += row.prediction is None and policy == "plotread"
                if not row.passed:
                    self.misses.append(f"{item.id} {row.field} {policy}: {row.prediction}, truth {row.truth}")
                bound = max(row.abs_tol, row.rel_tol * abs(row.truth))
                if row.abs_err is not None and row.abs_err > FAR * bound:
                    self.far.append(self.misses[-1])

    def rate(self, which: str) -> float:
        return self.count[which] / self.count["finals" if which == "final" else "fields"]

    @property
    def wrong(self) -> int:
        return self.count["fields"] - self.count["plotread"] - self.count["null"]

    def __str__(self) -> str:
        rates = ", ".join(
            f"{name} {100 * self.rate(name):.2f} %" for name in ("plotread", "final", "strict", "null")
        )
        return "\n".join([f"{self.count['fields']} fields: {rates}", *self.misses])


def tally(items: Iterable[Item]) -> Tally:
    found = Tally()
    for item in items:
        found.see(item, item.picture.png())
    print(found)
    return found


def confused(items: Sequence[Item], prompts: Sequence[Item]) -> list[str]:
    """Return what is answered about pictures when the prompt asks for another kind of plot.

    The diode's target current is left out: the prompt states it, whatever the picture shows.
    """
    found = []
    for item in items:
        picture = item.picture.png()
        for other in (other for other in prompts if other.family != item.family):
            answer = json.loads(read(picture, other.prompt).text.splitlines()[-1])
            answer.pop("target_current_a", None)
            if any(value is not None for value in answer.values()):
                found.append(f"{item.id} asked as {other.family}: {answer}")
    return found
