"""Tables of the page: they scroll sideways in a box of their own, never the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report.markup import Html, Part, element

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["table"]


def table(
    headings: Sequence[Part], rows: Sequence[Sequence[Part]], *, numbers_from: int, name: str | None = None
) -> Html:
    """Return a table; columns from `numbers_from` on, counted from 0, are set to the right."""
    head = element("tr", *(_cell("th", part, place, numbers_from) for place, part in enumerate(headings)))
    body = [
        element("tr", *(_cell("td", part, place, numbers_from) for place, part in enumerate(row))) for row in rows
    ]
    whole = element("table", element("thead", head), element("tbody", *body), class_=name)
    return element("div", whole, class_="scroll", tabindex=0)


def _cell(tag: str, part: Part, place: int, numbers_from: int) -> Html:
    return element(tag, part, class_="number" if place >= numbers_from else None)
