r"""Locating the final answer in a reply's plain text.

In this order: the last `\boxed{...}` (one left open at the very end, too); the last statement behind an answer
cue in English or Chinese; the last statement that states a value. An answer that is withdrawn afterwards ("wait,
...", 不对) does not win: what follows the withdrawal is searched first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scorers.auxsolidmath.reading.plain_text import FACTORIAL
from scorers.auxsolidmath.reading.statements import any_word, holds_value, statements, without_negated

__all__ = ["Located", "Withdrawn", "locate", "part_texts"]

_COPULAS = ("is", "are", "equals", "should be", "must be", "would be", "comes out (?:to be|as)", "becomes")

_ANSWER_CUE = re.compile(
    r"(?:\b|(?<=_))(?:answer|solution|result)s?\b\"?(?:\s+(?:to|for|of)\b[^.:\n=]{1,80}?)?\s*"
    rf"(?:(?::|=|⇒)|{any_word(*_COPULAS)})\s*:?"
    r"|\b(?:final|my)\s+(?:answer|result)\b\s*:?"
    r"|^[ #]{0,12}answer[ ]{0,12}$"
    r"|(?:答案|最终结果|最后结果|结论)(?!不)\s*(?:应该是|应该为|应为|应是|是|为|等于|:)?|(?:^|(?<=[\s。;,]))答\s*:",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands in front of a final answer."""

_WRONG = ("wrong", "incorrect", "not right", "not correct")

_WITHDRAWAL = re.compile(
    any_word("wait", "actually", "correction", "scratch that", "on second thought", "let me (?:correct|redo|fix)",
             "i made an? (?:mistake|error|slip)", "sorry", "oops", "apologies", "my mistake", "i misread",
             "i miscalculated")
    + rf"|\b(?:that|this|it|which)(?:'s| is| was) (?:{'|'.join(_WRONG)}|a mistake|an error)\b"
    + r"|不对|更正|纠正|抱歉|等一下|算错|有误|搞错|错了|重新计算",
    re.IGNORECASE,
)  # fmt: skip
"""What takes an answer back, or may."""

_CONFIRMED = re.compile(
    any_word("yes", "confirmed", "confirms", "indeed", "matches", "consistent", "is (?:right|correct)", "all good",
             "checks out", "same")
    + r"|没错|正确|一致|吻合|无误",
    re.IGNORECASE,
)  # fmt: skip
"""What says that a check came out well."""

_DENIED = re.compile(
    any_word("no", *_WRONG, "mistake", "error", "scratch", "misread", "miscalculated", "oops") + r"|不对|错|有误",
    re.IGNORECASE,
)
"""What says that the answer before is wrong."""

_NOTE = re.compile(
    r"^[\s$(*]*(?:note|check|verif|remark|for (?:reference|comparison)|confidence"
    r"|auxiliary (?:line|construction)s?|key (?:idea|step|point)s?|注|检验|验证|说明|辅助线|置信度)",
    re.IGNORECASE,
)
"""How a statement begins that is no conclusion."""

_NEGATED_BOX = re.compile(
    r"(?:\b(?:not|isn't|never|neither|nor|rather than|instead of|cannot be|can't be)"
    r"(?:\s+(?:equal to|simply|just|be))?"
    r"|\b(?:wrong|incorrect|tempting|mistake)\b[^.,;\n]{0,20}|(?:不是|并非|而非|不等于))[\s$:]*$",
    re.IGNORECASE,
)
"""What stands in front of a box that is not the answer."""

_REFUTED = re.compile(
    r"[=≈][^=≈,;]{1,60}\b(?:is|are|was|would be|leads to|gives)\s+(?:impossible|false|absurd|wrong|incorrect"
    r"|a contradiction|not possible|not true)\b|[=≈][^=≈,;]{1,60}\b(?:contradicts|would contradict)\b"
    r"|[=≈][^=≈,;]{1,60}(?:不可能|不成立|矛盾)|\b(?:impossible (?:that|for)|someone might say|one might think)\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't|must not) (?:be|equal)\s+[$-]{0,2}[0-9√\\]",
    re.IGNORECASE,
)
"""What says of a value that it is none of the problem's."""

_SUPPOSED = re.compile(
    r"^[\s$(*]*(?:let|assum(?:e|ing)|suppos(?:e|ing)|设|令|假设)"
    r"(?!.*(?:,|\b(?:then|so|thus|hence|therefore|gives?|get)\b|[⇒∴则得有]|所以))",
    re.IGNORECASE | re.DOTALL,
)
"""How a statement begins that only supposes a value."""

_CANNOT = "(?:cannot|can't|can not|(?:am|are) unable to)"

_UNDETERMINED = re.compile(
    rf"(?:\b(?:answer|problem|question)\b[^.\n]{{0,40}}\b{_CANNOT} be (?:determined|solved|answered|found|given)\b"
    rf"|\b(?:i|we) {_CANNOT} (?:solve|answer|determine the answer|give an answer)\b"
    r"|\b(?:insufficient|not enough) (?:information|data)\b"
    r"|(?:无法|不能)(?:作答|回答|解答|确定答案|求出答案)|条件不足)"
    r"(?!.*(?:\b(?:but|however|yet|therefore|thus|hence|so)\b|[∴⇒]|所以|因此|故|但))",
    re.IGNORECASE | re.DOTALL,
)
"""What says that no answer is given."""

_BOX = re.compile(r"\\(?:boxed|fbox)\s*(?:\{|(?=[^\s{$])|\s(?=[^\s{$]))")
_BOX_BEHIND_SIGN = re.compile(
    r"(?:(?<=[=≈$(⇒])\s*-\s*|(?<!\w)-(?=$)|[±√/^]\s*|[0-9)}π]\s*\*\s*|\\frac\s*\{\s*|\\sqrt\s*(?:\[[0-9]\])?\s*\{\s*"
    r"|(?<![A-Za-z0-9_.])[0-9.]{1,12}|π)$"
)
_BOX_BEFORE_SIGN = re.compile(
    r"[ ]*(?:[\^*/√π°]|\\frac|\\sqrt|[-+](?=[ ]?[0-9√π\\])|[0-9](?=[^.)]))[^$\n,;。=≈:!?]{0,80}"
)
_BOX_NAME = re.compile(r"^[^=≈]{0,80}[=≈]")
_LIST_NUMBER = re.compile(r"(?:^|(?<=\n))[ $]*[0-9]{1,2}[.)][ ]+(?=\S)")
_BARE_BOX = re.compile(r"[^\s$.,;{}]{1,60}")
_BETWEEN = re.compile(r"^[\s$,;.。]*(?:or|and|或者?|和|与|以及)?[\s$,;]*$", re.IGNORECASE)
_OR_BETWEEN = re.compile(r"\b(?:or|and)\b|或|和|与|以及", re.IGNORECASE)
_BOX_END = re.compile(r"[$\n。]|\\\)|\\\]")
_LABEL = re.compile(
    r"(?:(?:(?<=[\s,;:。.$])|^)(?:\b[Pp]art\s*)?第?\(\s*([1-9]|[a-d]|i{1,3}|iv|v|I{1,3}|IV|V)\s*\)\s*(?:小?问|题)?"
    r"|(?:(?<=[\s,;:。.$])|^)[Pp]art\s*([1-9])\b|第\s*([一二三四五1-5])\s*(?:小?问|题)"
    r"|(?:(?<=[\n;])|^)[ $]*([1-9])[.)](?=\s))\s*[:.]?",
)
_LABEL_VALUES = {
    "a": "1", "b": "2", "c": "3", "d": "4", "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5",
    "一": "1", "二": "2", "三": "3", "四": "4", "五": "5",
}  # fmt: skip
_MOST_STATEMENTS_BACK = 8
_MOST_BOXES = 200
_MOST_CUES = 12
_LONGEST_OPEN_BOX = 200
_LONGEST_BOX = 2_000


class Withdrawn(ValueError):  # noqa: N818
    """The answer was withdrawn, and no other follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where an answer may be: texts to try in order, by the rule that found them.

    Under the last rule a text without a value is passed over; `open_box` tells of a box without an end.
    """

    texts: tuple[str, ...]
    rule: str
    open_box: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Box:
    start: int
    end: int
    content: str
    closed: bool


def locate(text: str, *, many: bool = False) -> Located | None:
    """Find the final answer in a text in plain form; `many` when the gold has several parts.

    Raises:
        Withdrawn: the answer was withdrawn, and no other follows.
    """
    withdrawals = list(_WITHDRAWAL.finditer(text))
    if withdrawals:
        last = withdrawals[-1]
        rest = text[last.end() :]
        found = _locate(rest, many=many)
        if found is not None and not (found.rule == "last statement" and _CONFIRMED.search(rest)):
            return found
        around = text[max(0, last.start() - 40) : last.end() + 80]
        if found is None and _DENIED.search(around) and not _CONFIRMED.search(rest):
            raise Withdrawn("the answer was withdrawn, and no other follows")
    return _locate(text, many=many)


def _locate(text: str, *, many: bool) -> Located | None:
    found = _boxed(text, many=many) or _behind_cue(text, many=many)
    if found is None and _UNDETERMINED.search(text):
        raise Withdrawn("the reply says that the answer cannot be told")
    return found or _last_statement(text, many=many)


def _boxed(text: str, *, many: bool) -> Located | None:
    boxes = [
        _with_neighbours(text, _innermost(box))
        for box in _boxes(text)
        if box.content.strip(" $") and not _NEGATED_BOX.search(text[max(0, box.start - 40) : box.start])
    ]
    if not boxes:
        return None
    group = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        between = text[box.end : group[0].start]
        joined = _BETWEEN.match(between) is not None if len(between) <= _MOST_BOXES else False
        if not joined or (not many and not _OR_BETWEEN.search(between) and "," not in between):
            break
        group.insert(0, box)
    rule = "last box" if len(group) == 1 else "last boxes"
    content = " or ".join(box.content for box in group) if not many else "; ".join(box.content for box in group)
    if (
        many
        and len(group) == 1
        and len(boxes) > 1
        and not re.search(r"[;,±]|\bor\b|\band\b|或|和", boxes[-1].content)
    ):
        content, rule = _labelled_boxes(text, boxes), "boxes of the parts"
    return Located(texts=(content,), rule=rule, open_box=not group[-1].closed)


def _with_neighbours(text: str, box: _Box) -> _Box:
    r"""Return the box with the signs next to it that belong to its value: `-\boxed{3}\pi` is -3π."""
    before = _BOX_BEHIND_SIGN.search(text[max(0, box.start - 40) : box.start])
    behind = _BOX_BEFORE_SIGN.match(text[box.end : box.end + 80]) if box.closed else None
    if before is None and behind is None:
        return replace(box, content=FACTORIAL.sub("‼", box.content))
    inner = _BOX_NAME.sub("", box.content)
    content = f"{before[0].strip() if before else ''}({inner}){behind[0] if behind else ''}"
    return replace(box, content=content)


def _innermost(box: _Box) -> _Box:
    """Return the box with the content of the last box within it, if there is one."""
    inner = _boxes(box.content)
    return replace(box, content=inner[-1].content) if inner else box


def _labelled_boxes(text: str, boxes: list[_Box]) -> str:
    """Put the label that stands before each box in front of its content."""
    contents: dict[str, str] = {}
    start = 0
    for place, box in enumerate(boxes):
        labels = list(_LABEL.finditer(text, start, box.start))
        label = _label(labels[-1]) if labels else f"box {place + 1}"
        contents[label] = box.content
        start = box.end
    if any(label.startswith("box") for label in contents):
        return "; ".join(contents.values())
    return "; ".join(f"({label}) {content}" for label, content in contents.items())


def _label(found: re.Match[str]) -> str:
    text = next(group for group in found.groups() if group is not None)
    return _LABEL_VALUES.get(text.lower(), text)


def _boxes(text: str) -> list[_Box]:
    """Return the last boxes in order; brackets are matched, and a box within a box is not looked at."""
    result: list[_Box] = []
    end = 0
    for found in list(_BOX.finditer(text))[-_MOST_BOXES:]:
        if found.start() >= end:
            result.append(_box(text, found))
            end = result[-1].end
    return result


def _box(text: str, found: re.Match[str]) -> _Box:
    if not found[0].endswith("{"):
        bare = _BARE_BOX.match(text, found.end())
        content = bare[0] if bare else ""
        return _Box(start=found.start(), end=found.end() + len(content), content=content, closed=True)
    depth = 1
    for at in range(found.end(), min(len(text), found.end() + _LONGEST_BOX)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return _Box(start=found.start(), end=at + 1, content=text[found.end() : at], closed=True)
    rest = text[found.end() : found.end() + _LONGEST_OPEN_BOX]
    stop = _BOX_END.search(rest)
    content = rest[: stop.start()] if stop else rest
    return _Box(start=found.start(), end=found.end() + len(content), content=content, closed=False)


def _behind_cue(text: str, *, many: bool) -> Located | None:
    for found in reversed(list(_ANSWER_CUE.finditer(text))[-_MOST_CUES:]):
        rest = text[found.end() : found.end() + 2000]
        if not many:
            first_line, line_end, below = rest.partition("\n")
            rest = f"{first_line}{line_end}{_LIST_NUMBER.sub('', below) if first_line.strip(' $') else below}"
        if many:
            joined = " ; ".join(_stated(rest))
            if holds_value(joined):
                return Located(texts=(joined,), rule="answer cue")
            continue
        first = next(iter(_stated(rest)), None)
        if first is not None:
            return Located(texts=(first,), rule="answer cue")
    return None


def _stated(text: str) -> list[str]:
    """Return the statements that state a value, without what they negate."""
    kept = [without_negated(statement) for statement in statements(text) if not _REFUTED.search(statement)]
    return [statement for statement in kept if holds_value(statement) or _is_letter(statement)]


def _is_letter(statement: str) -> bool:
    """Whether it is a lone letter: an answer in a parameter."""
    return len(statement.strip(" $.,:")) == 1


def _last_statement(text: str, *, many: bool) -> Located | None:
    stated = _stated(text if many else _LIST_NUMBER.sub("", text))
    kept = [one for one in stated if not _NOTE.match(one) and not _SUPPOSED.match(one)][-_MOST_STATEMENTS_BACK:]
    if not kept:
        return None
    if many:
        return Located(texts=(" ; ".join(kept),), rule="last statement")
    return Located(texts=tuple(reversed(kept)), rule="last statement")


def part_texts(text: str) -> dict[str, str] | None:
    """Split a text at labels such as `(1)`, `Part 2:` or 第一问, by label; None where there are none.

    A label that comes again begins its part anew.
    """
    found = list(_LABEL.finditer(text))
    if not found:
        return None
    ends = [*(label.start() for label in found[1:]), len(text)]
    return {_label(label): text[label.end() : end] for label, end in zip(found, ends, strict=True)}
