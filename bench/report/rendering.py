"""The page's templates, and the filters by which they write numbers, texts and links.

Templates are `templates/*.html.j2`, one for each section of the page. Every value that a template writes is
escaped, and its invisible characters are spelt out. Only the page's own assets and what templates made are markup.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.statistics.intervals import Interval

__all__ = [
    "INVISIBLE",
    "Section",
    "amount_usd",
    "asset",
    "case_name",
    "data_json",
    "duration",
    "gallery_link",
    "model_colour",
    "percent",
    "percent_range",
    "plural",
    "render",
    "section",
    "shown",
    "stream",
    "thousands",
]

INVISIBLE = (
    "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069"
    "\\ufeff\\ufff9-\\ufffb"
)
"""Characters that are not seen but change what is seen, as the inside of a character class: controls but tab and
line feed, marks and overrides of the writing direction, characters without width."""

_FOLDER = Path(__file__).parent
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_MODEL_COLOURS = 8
_MINUTE_S = 60
_HOUR_S = 3600
_CENT_USD = 0.01
# "</script>" and "<!--" end or confuse a script element; the line separators end a line in old JavaScript.
_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page: its link in the menu, its heading, its markup."""

    id: str
    heading: str
    body: Markup


def section(identity: str, heading: str, **values: object) -> Section:
    """Return the section whose template is `<identity>.html.j2`, with these values."""
    return Section(id=identity, heading=heading, body=render(f"{identity}.html.j2", **values))


def render(template: str, **values: object) -> Markup:
    """Return the markup that a template makes of these values.

    Raises:
        jinja2.UndefinedError: the template uses a value that is not given.
    """
    return Markup(_environment().get_template(template).render(values))  # noqa: S704 - autoescaped


def stream(template: str, **values: object) -> Iterator[str]:
    """Yield a page's markup in pieces, so that megabytes of pictures are never one text."""
    return _environment().get_template(template).generate(values)


@cache
def asset(name: str) -> Markup:
    """Return the text of one of the page's own files, a style sheet or a script."""
    return Markup((_FOLDER / "assets" / name).read_text(encoding="utf-8"))  # noqa: S704 - not made by a model


def data_json(value: object) -> Markup:
    """Return JSON for a script element, which no text in it can close.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return Markup(text)  # noqa: S704 - escaped for where it stands


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        finalize=_written,
        loader=FileSystemLoader(_FOLDER / "templates"),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    for filter_ in (amount_usd, duration, model_colour, percent, percent_range, plural, px, short, thousands):
        environment.filters[filter_.__name__] = filter_
    environment.globals["gallery_link"] = gallery_link
    return environment


def _written(value: object) -> str:
    return value if isinstance(value, Markup) else shown(str(value))


def shown(text: str) -> str:
    """Return the text with invisible characters spelt out as ⟨U+202E⟩; halves of surrogate pairs become U+FFFD."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", without_lone_surrogates(text))


def percent(share: float | None) -> str:
    """Write a share as a percentage with one decimal; all and nothing are said only where they are exact."""
    if share is None:
        return "–"
    if share in {0.0, 1.0}:
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def percent_range(interval: Interval) -> str:
    """Write the ends of an interval."""
    if interval.low is None or interval.high is None:
        return "–"
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def thousands(number: int | None) -> str:
    """Write a count with its thousands apart."""
    return "–" if number is None else f"{number:,}"


def plural(number: int, one: str, more: str) -> str:
    """Write a count with its noun."""
    return f"{thousands(number)} {one if number == 1 else more}"


def short(number: float) -> str:
    """Write a number with four digits at most."""
    return f"{number:.4g}"


def px(length: float) -> str:
    """Write a length in CSS pixels with one decimal at most."""
    return f"{length:.1f}".removesuffix(".0")


def amount_usd(amount: float | None) -> str:
    """Write an amount of US dollars; to the cent from one cent on, with two digits below."""
    if amount is None:
        return "unknown"
    if amount == 0:
        return "0"
    return f"{amount:,.2f}" if amount >= _CENT_USD else f"{amount:.2g}"


def duration(seconds: float | None) -> str:
    """Write a time span."""
    if seconds is None:
        return "–"
    if seconds < _MINUTE_S:
        return f"{seconds:.3g} s"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S:.0f} min {seconds % _MINUTE_S:.0f} s"
    return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"


def model_colour(place: int) -> str:
    """Return the style sheet's class for the model in this place, counted from 0."""
    return f"m{place % _MODEL_COLOURS}"


def case_name(item_id: str, task: str | None) -> str:
    """Return the name under which the gallery shows a case: the item's, and the task's where it does not tell."""
    return item_id if task is None or item_id.startswith(f"{task}-") else f"{item_id}-{task}"


def gallery_link(**filters: str | None) -> str:
    """Return the link that opens the gallery with these filters; None leaves one out."""
    given = {name: without_lone_surrogates(value) for name, value in filters.items() if value is not None}
    return f"#gallery?{urlencode(given, quote_via=quote)}"
