"""Reading a judge's verdict: one JSON object with four keys, or a reason why there is no verdict.

Accepted: the object alone, in a code fence, or with prose around it; thinking blocks are dropped first. The
three verdicts are true or false, or the numbers 1 and 0. Other keys are ignored.

Refused, each with its reason: no object; more than one object that looks like a verdict, also when they agree;
a key that is missing or stands twice with different values; a verdict that is a string, null or another number;
`text_ok` that does not follow from the other two. A refusal is no verdict: it is never read as "wrong".
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from scorers.json_values import without_lone_surrogates
from scorers.thinking import without_thinking

__all__ = ["VERDICT_KEYS", "JudgeVerdict", "NoVerdict", "read_verdict"]

VERDICT_KEYS = ("reasoning_rigorous", "conclusion_correct", "text_ok", "text_reason")

MAX_CHARS = 200_000
MAX_WORK = 1_000_000
_REASON_CHARS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVerdict:
    """What a judge decided: both parts, and its reason on one line."""

    reasoning_rigorous: bool
    conclusion_correct: bool
    text_reason: str

    @property
    def text_ok(self) -> bool:
        """Whether both parts hold."""
        return self.reasoning_rigorous and self.conclusion_correct


@dataclass(frozen=True, slots=True, kw_only=True)
class NoVerdict:
    """Why a judge's text holds no usable verdict, in one clause."""

    why: str


class _TwoValuesError(ValueError):
    """A key stands twice with different values."""


def read_verdict(text: str) -> JudgeVerdict | NoVerdict:
    """Read a judge's text; any text gets a result, in bounded work."""
    if len(text) > MAX_CHARS:
        return NoVerdict(why=f"a verdict of more than {MAX_CHARS} characters")
    try:
        found = _verdicts(without_thinking(text))
    except _TwoValuesError as error:
        return NoVerdict(why=str(error))
    if not found:
        return NoVerdict(why="no JSON object with a verdict")
    if len(found) > 1:
        return NoVerdict(why=f"{len(found)} verdicts instead of one")
    return _checked(found[0])


def _verdicts(text: str) -> list[dict[str, object]]:
    """Return the outermost objects that hold at least one of the three verdicts."""
    found: list[dict[str, object]] = []
    start, work = text.find("{"), 0
    while start >= 0 and work < MAX_WORK:
        value, end = _object_at(text, start)
        work += end - start
        if value is not None and not value.keys().isdisjoint(VERDICT_KEYS[:3]):
            found.append(value)
        start = text.find("{", start + 1 if value is None else end)
    return found


def _object_at(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    """Return the object that begins at `start`, or None, and where reading ended."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start + 1)
    except _TwoValuesError:
        raise
    except (ValueError, RecursionError):  # an integer of thousands of digits; thousands of levels
        return None, len(text)
    return (value if isinstance(value, dict) else None), end


def _without_contradiction(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values and repr(values[key]) != repr(value):
            raise _TwoValuesError(f"{without_lone_surrogates(key)[:40]!r} stands twice, with different values")
        values[key] = value
    return values


_DECODER = json.JSONDecoder(object_pairs_hook=_without_contradiction)


def _checked(found: dict[str, object]) -> JudgeVerdict | NoVerdict:
    missing = [key for key in VERDICT_KEYS if key not in found]
    if missing:
        return NoVerdict(why=f"a verdict without {', '.join(missing)}")
    flags = {key: _flag(found[key]) for key in VERDICT_KEYS[:3]}
    unclear = [key for key, flag in flags.items() if flag is None]
    if unclear:
        return NoVerdict(why=f"{unclear[0]} is neither true nor false: {_shown(found[unclear[0]])}")
    reason = found["text_reason"]
    if not isinstance(reason, str):
        return NoVerdict(why=f"text_reason is no text: {_shown(reason)}")
    verdict = JudgeVerdict(
        reasoning_rigorous=flags["reasoning_rigorous"] is True,
        conclusion_correct=flags["conclusion_correct"] is True,
        text_reason=" ".join(without_lone_surrogates(reason).split())[:_REASON_CHARS],
    )
    if verdict.text_ok is not flags["text_ok"]:
        said = ", ".join(f"{key} {str(flag).lower()}" for key, flag in flags.items())
        return NoVerdict(why=f"a verdict that contradicts itself: {said}")
    return verdict


def _flag(value: object) -> bool | None:
    """Return a flag: JSON's true and false, and the whole numbers 1 and 0."""
    if isinstance(value, bool):
        return value
    return bool(value) if isinstance(value, int) and value in {0, 1} else None


def _shown(value: object) -> str:
    return without_lone_surrogates(json.dumps(value)[:40])
