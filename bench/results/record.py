"""One record: an item, what was asked, what came back and how it scored. All tables come from these."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from bench.errors import DataError
from bench.models.types import Drawing, drawing_from_json, drawing_to_json, parts, reply_from_json, reply_to_json
from bench.results.files import json_line
from bench.suites.base import natural_key
from scorers.json_values import without_lone_surrogates
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bench.models.types import Response

__all__ = [
    "STATUSES",
    "Record",
    "RecordStatus",
    "passes_by_majority",
    "record_order",
]

RecordStatus = Literal["answered", "refused", "truncated", "unparsed", "failed", "undrawn", "unscored"]
STATUSES: tuple[RecordStatus, ...] = get_args(RecordStatus)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXTS = (
    "case_id",
    "item_id",
    "suite",
    "family",
    "difficulty",
    "provider",
    "model",
    "item_digest",
    "ask_digest",
    "policy",
    "prompt",
    "image_path",
)
_TEXTS_OR_NONE = ("task", "picture_sha256")
_PLAIN = (*_TEXTS, *_TEXTS_OR_NONE, "repeat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything kept of one reply to one case.

    `case_id` is the test's id, `item_id` the item's: an item asked for several tasks has several
    cases. `task` is None in PlotChain. `repeat` counts from 0. `policy` names what decided a pass
    ("plotread", "strict", a judge). `image_path` is for people to read, never opened. `about` is what tables
    need to know of the item besides. `drawing` is the first stage of a two-stage case, `judge_reply` what a
    judge wrote.

    Two fields follow from the others. `status` is how it ended: the reply's status, or what stands in its place
    ("undrawn": no second stage, because the first gave no usable drawing; "unscored": not judged; "unparsed": an
    answer in which nothing was found). `passed` is whether it was answered and every final field passed.
    """

    case_id: str
    item_id: str
    suite: str
    family: str
    task: str | None
    difficulty: str
    provider: str
    model: str
    repeat: int
    item_digest: str
    ask_digest: str
    policy: str
    prompt: str
    picture_sha256: str | None
    image_path: str
    reply: Response
    score: Score
    about: Mapping[str, str | None] = field(default_factory=dict)
    drawing: Drawing | None = None
    judge_reply: Response | None = None
    status: RecordStatus = field(init=False, repr=False, compare=False)
    passed: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.reply.status != "answered" and any(row.passed for row in self.score.fields):
            raise ValueError(
                f"a reply that is {self.reply.status!r} passes no field, but the score of case "
                f"{self.case_id!r} has one that passed: score it as missing (`scorable_text`)"
            )
        # Tables look at both dozens of times; a frozen record takes them in no other way.
        object.__setattr__(self, "status", _status(self.reply, self.score, self.drawing))
        object.__setattr__(self, "passed", self.status == "answered" and self.score.passed)

    @property
    def scored(self) -> bool:
        """Whether it counts as right or wrong at all."""
        return self.score.unscored is None

    def to_json(self) -> dict[str, Any]:
        """Return plain dicts, lists, strings, numbers and None, fit for JSON.

        Halves of surrogate pairs in texts become U+FFFD; all else comes back equal by `from_json`.
        """
        return {name: _writable(part) for name, part in self._content().items()}

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
        content = self._content()
        text = json_line(content)
        if text.isascii() or not _needs_change(content):
            return text, self
        writable = self.to_json()
        return json_line(writable), Record.from_json(writable)

    def _content(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "reply": reply_to_json(self.reply),
            "score": _score_to_json(self.score),
            "about": dict(self.about),
            "drawing": None if self.drawing is None else drawing_to_json(self.drawing),
            "judge_reply": None if self.judge_reply is None else reply_to_json(self.judge_reply),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Record:
        """Build the record that `to_json` described; what only later versions write may be missing.

        Raises:
            DataError: a key is missing or holds another type; the message names it.
        """
        try:
            _check_types(data)
            plain = {name: data[name] for name in _PLAIN}
            return Record(
                **plain, reply=reply_from_json(data["reply"]), score=_score(data["score"]), **_stages(data)
            )
        except (KeyError, TypeError, ValueError) as error:
            case = data.get("case_id") if isinstance(data, dict) else None
            raise DataError(f"a record (case {case!r}) cannot be read: {type(error).__name__}: {error}") from error


def _status(reply: Response, score: Score, drawing: Drawing | None) -> RecordStatus:
    if reply.status == "failed":
        return "failed"
    if score.unscored is not None:
        return "unscored"
    if drawing is not None and not drawing.usable:
        return "undrawn"
    if reply.status == "answered" and not score.parsed:
        return "unparsed"
    return reply.status


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


def _needs_change(content: Mapping[str, Any]) -> bool:
    """Whether a text in it cannot be written: it holds half of a surrogate pair, or two that were never joined."""
    return _LONE_SURROGATE.search(json.dumps(content, ensure_ascii=False)) is not None


def _writable(value: object) -> object:
    if isinstance(value, str):
        return without_lone_surrogates(value)
    if isinstance(value, dict):
        return {without_lone_surrogates(str(key)): _writable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_writable(part) for part in value]
    return value


def _check_types(data: Mapping[str, Any]) -> None:
    for name in _TEXTS:
        _expect(name, data[name], str)
    for name in _TEXTS_OR_NONE:
        _expect(name, data[name], str, type(None))
    _expect("repeat", data["repeat"], int)


def _expect(name: str, value: object, *kinds: type) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name} must be {wanted}, got {value!r}")


def _score_to_json(score: Score) -> dict[str, Any]:
    unscored = None if score.unscored is None else parts(score.unscored)
    return {**parts(score), "fields": [parts(row) for row in score.fields], "unscored": unscored}


def _score(data: Mapping[str, Any]) -> Score:
    rows = tuple(FieldScore(**row) for row in data["fields"])
    unscored = data.get("unscored")
    return Score(
        fields=rows,
        parsed=data["parsed"],
        answer=data["answer"],
        rule=data["rule"],
        unscored=None if unscored is None else Unscored(**unscored),
    )


def _stages(data: Mapping[str, Any]) -> dict[str, Any]:
    drawing, judge_reply = data.get("drawing"), data.get("judge_reply")
    _expect("about", data.get("about", {}), dict)
    return {
        "about": data.get("about", {}),
        "drawing": None if drawing is None else drawing_from_json(drawing),
        "judge_reply": None if judge_reply is None else reply_from_json(judge_reply),
    }
