"""One record: an item, what was asked, what came back and how it scored. All tables come from these."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping  # noqa: TC003 - msgspec reads the fields' types
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from bench.errors import DataError
from bench.models.types import Drawing, Response, Usage, natural_key, part_names
from bench.results.files import convert, json_line
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Collection

    from _typeshed import DataclassInstance

__all__ = [
    "STATUSES",
    "Record",
    "RecordStatus",
    "check_drawing",
    "passes_by_majority",
    "record_order",
    "reply_from_json",
]

RecordStatus = Literal["answered", "refused", "truncated", "unparsed", "failed", "undrawn", "unscored"]
STATUSES: tuple[RecordStatus, ...] = get_args(RecordStatus)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True)
class Record:
    """Everything kept of one reply to one case; its parts stand in the order in which they are written.

    `case_id` is the test's id, `item_id` the item's: an item asked for several tasks has several
    cases. `task` is None in PlotChain. `repeat` counts from 0. `policy` names what decided a pass
    ("plotread", "strict", a judge). `image_path` is for people to read, never opened. `about` is what tables
    need to know of the item besides. `drawing` is the first stage of a two-stage case, `judge_reply` what a
    judge wrote.
    """

    case_id: str
    item_id: str
    suite: str
    family: str
    difficulty: str
    provider: str
    model: str
    item_digest: str
    ask_digest: str
    policy: str
    prompt: str
    image_path: str
    task: str | None
    picture_sha256: str | None
    repeat: int
    reply: Response
    score: Score
    about: Mapping[str, str | None] = field(default_factory=dict)
    drawing: Drawing | None = None
    judge_reply: Response | None = None

    def __post_init__(self) -> None:
        if self.reply.status != "answered" and any(row.passed for row in self.score.fields):
            raise ValueError(
                f"a reply that is {self.reply.status!r} passes no field, but the score of case "
                f"{self.case_id!r} has one that passed: score it as missing (`scorable_text`)"
            )

    @cached_property
    def status(self) -> RecordStatus:
        """How it ended: the reply's status, or what stands in its place.

        "undrawn": no second stage, because the first gave no usable drawing; "unscored": not judged; "unparsed":
        an answer in which nothing was found.
        """
        if self.reply.status == "failed":
            return "failed"
        if self.score.unscored is not None:
            return "unscored"
        if self.drawing is not None and not self.drawing.usable:
            return "undrawn"
        return "unparsed" if self.reply.status == "answered" and not self.score.parsed else self.reply.status

    @cached_property
    def passed(self) -> bool:
        """Whether it was answered and every final field passed."""
        return self.status == "answered" and self.score.passed

    @property
    def scored(self) -> bool:
        """Whether it counts as right or wrong at all."""
        return self.score.unscored is None

    def to_json(self) -> dict[str, Any]:
        """Return plain dicts, lists, strings, numbers and None, as `line` writes them.

        Halves of surrogate pairs in texts become U+FFFD, pictures base64 text; all comes back by `from_json`.

        Raises:
            ValueError: a number is NaN or infinite.
        """
        content: dict[str, Any] = json.loads(self.line())
        return content

    def line(self) -> str:
        """Return `to_json` as one line of JSON.

        Raises:
            ValueError: a number is NaN or infinite.
        """
        return self.written()[0]

    def written(self) -> tuple[str, Record]:
        """Return the line, and the record that `from_json` makes of it: this one, unless it had to be changed.

        Raises:
            ValueError: a number is NaN or infinite.
        """
        content = msgspec.to_builtins(self)
        text = json_line(content)
        if text.isascii() or not _LONE_SURROGATE.search(json.dumps(content, ensure_ascii=False)):
            return text, self
        writable = json.loads(text)  # in which keys that became equal stand once
        return json_line(writable), Record.from_json(writable)

    @staticmethod
    def from_json(data: Mapping[str, Any], *, place: str = "") -> Record:
        """Build the record that `to_json` described; what only later versions write may be missing.

        Raises:
            DataError: a part is missing or of another type; the message names it, after `place`.
        """
        try:
            record = convert(data, Record)
            _check_parts(data)
        except ValueError as error:
            case = data.get("case_id")
            named = case if isinstance(case, str) else None
            raise DataError(f"{place}a record (case {named!r:.80}) cannot be read: {error}") from error
        return record


def reply_from_json(content: Mapping[str, Any]) -> Response:
    """Rebuild a reply from what `msgspec.to_builtins` makes of one.

    Raises:
        ValueError: a part is missing or of another type, or the parts contradict each other.
    """
    reply = convert(content, Response)
    _check_reply(content, "")
    return reply


def _check_parts(data: Mapping[str, Any]) -> None:
    """Refuse in a record what conversion passes over: replies that lack a part, and parts that nobody knows."""
    for name in ("reply", "judge_reply"):
        if data.get(name) is not None:
            _check_reply(data[name], f"{name}.")
    if data.get("drawing") is not None:
        check_drawing(data["drawing"])
    for row in data["score"]["fields"]:
        _refuse_unknown(row, FieldScore, "score.fields")
    _refuse_unknown(data["score"].get("unscored") or {}, Unscored, "score.unscored")


def check_drawing(content: Mapping[str, Any]) -> None:
    """Refuse what conversion passes over in a drawing.

    Raises:
        ValueError: its reply lacks a part, or it has one that nobody knows.
    """
    _refuse_unknown(content, Drawing, "drawing")
    if content.get("reply") is not None:
        _check_reply(content["reply"], "drawing.reply.")


def _check_reply(content: Mapping[str, Any], place: str) -> None:
    if lacking := _names(Response) - content.keys():
        raise ValueError(f"{place}{min(lacking)} is missing")
    _refuse_unknown(content["usage"], Usage, f"{place}usage")


def _refuse_unknown(content: Mapping[str, Any], kind: type[DataclassInstance], place: str) -> None:
    if unknown := content.keys() - _names(kind):
        raise ValueError(f"{place}: {min(unknown)!r:.80} is unknown")


@cache
def _names(kind: type[DataclassInstance]) -> frozenset[str]:
    return frozenset(part_names(kind))


def passes_by_majority(repeats: Collection[Record]) -> bool:
    """Whether more than half of a case's scored repeats passed; half is not enough."""
    return 2 * sum(record.passed for record in repeats) > sum(record.scored for record in repeats)


def record_order(record: Record) -> tuple[Any, ...]:
    """Sort key: item id by its numbers, task, provider and model, then repeat."""
    return (
        natural_key(record.item_id),
        record.item_id,
        record.task or "",
        record.provider,
        record.model,
        record.repeat,
    )
