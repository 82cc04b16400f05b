"""Dropping what a model thought aloud before it answered."""

from __future__ import annotations

import re

__all__ = ["without_thinking"]

_TAG = re.compile(
    r"<(?P<close>/?)(?:think|thinking|thought|reasoning)>|\[(?P<end>/?)THINK\]",
    re.IGNORECASE,
)


def without_thinking(text: str) -> str:
    """Return the text outside `<think>...</think>` blocks; linear in its length.

    Accepted: `think`, `thinking`, `thought`, `reasoning` in angle brackets and `[THINK]`, any case.
    A close tag that was never opened (the server's template opened it, or the start was cut off)
    drops everything before it. A block that is never closed drops everything after its opening:
    a thought is not an answer. An opening tag inside a block changes nothing.
    """
    kept: list[str] = []
    start, inside = 0, False
    for tag in _TAG.finditer(text):
        closing = bool(tag["close"] or tag["end"])
        if not closing and not inside:
            kept.append(text[start : tag.start()])
            inside = True
        elif closing:
            if not inside:
                kept.clear()
            start, inside = tag.end(), False
    if not inside:
        kept.append(text[start:])
    return "".join(kept)
