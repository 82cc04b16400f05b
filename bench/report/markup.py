"""HTML put together from parts, in which every text is escaped unless it is markup already."""

from __future__ import annotations

import html
import json
import re

from scorers.json_values import without_lone_surrogates

__all__ = ["INVISIBLE", "Html", "Part", "data_block", "element", "joined", "shown"]

INVISIBLE = (
    "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069"
    "\\ufeff\\ufff9-\\ufffb"
)
"""Characters that are not seen but change what is seen, as the inside of a character class: controls but tab and
line feed, marks and overrides of the writing direction, characters without width."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_VOID = frozenset({"br", "col", "img", "input", "link", "meta"})
# "</script>" and "<!--" end or confuse a script element; the line separators end a line in old JavaScript.
_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Html(str):
    """Text that is markup: it goes into a page as it stands."""

    __slots__ = ()


Part = Html | str | int | None
"""What an element may hold."""


def shown(text: str) -> str:
    """Return the text with invisible characters spelt out as ⟨U+202E⟩; halves of surrogate pairs become U+FFFD."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", without_lone_surrogates(text))


def element(tag: str, /, *children: Part, **attributes: str | int | None) -> Html:
    """Return one element. Texts are escaped; None is left out, also as an attribute's value.

    Attribute names are written with `_` for `-` and may end in `_` where Python owns the word (`class_`, `for_`).
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(shown(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{joined(*children)}</{tag}>")


def joined(*children: Part) -> Html:
    """Return the parts one after the other; texts are escaped."""
    return Html("".join(_part(child) for child in children if child is not None))


def _part(child: Html | str | int) -> str:
    return child if isinstance(child, Html) else html.escape(shown(str(child)))


def data_block(identity: str, value: object) -> Html:
    """Return a script element that holds JSON, which no text in it can close.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return Html(f'<script type="application/json" id="{html.escape(identity)}">{text}</script>')
