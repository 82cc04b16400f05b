"""Raw outputs as JSON lines, one reply each: `raw_<provider>_<model>.jsonl`, written and read back.

A line has ten keys first, in this order: provider, model, id, type, image_path, prompt, raw_text,
parsed_json, latency_s, error. `error` is null unless the request failed. The keys after them are ours;
files without them are read as well: a line with an error is then a failed reply, any other an answer,
also with an empty text.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, cast, get_args

from bench.errors import DataError, UserError
from bench.models.types import (
    Drawing,
    FailureClass,
    Response,
    Status,
    Usage,
    drawing_from_json,
    drawing_to_json,
    parts,
    reply_to_json,
)
from bench.results.files import json_line, write_atomically
from bench.results.record import STATUSES, record_order
from bench.results.texts import Texts
from scorers.json_values import json_safe

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from bench.results.record import Record, RecordStatus

__all__ = ["RAW_KEYS", "StoredReply", "raw_file_names", "raw_line", "read_raw", "write_raw"]

RAW_KEYS = (
    "provider",
    "model",
    "id",
    "type",
    "image_path",
    "prompt",
    "raw_text",
    "parsed_json",
    "latency_s",
    "error",
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_CHARS = 80
_ERROR_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """A reply read back from a raw file.

    `stored_answer` is `parsed_json`, for texts in which nothing is found now. Digests, policy and task
    are None in files that others wrote. `place` is "file:line", for messages.
    """

    provider: str
    model: str
    item_id: str
    family: str
    image_path: str
    prompt: str
    reply: Response
    stored_answer: dict[str, object] | None
    repeat: int
    task: str | None
    item_digest: str | None
    ask_digest: str | None
    picture_sha256: str | None
    policy: str | None
    drawing: Drawing | None
    place: str


def raw_file_names(contestants: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name the file of each (provider, model); no two share one, also where case does not count.

    Letters, digits, `.`, `_` and `-` stay; other runs become `-`. A name that had to be changed, or
    could be mistaken for another, carries `~` and eight hex digits of the SHA-256 of both names.
    """
    wanted = {pair: _plain_name(*pair) for pair in contestants}
    folded = [name.casefold() for name in wanted.values()]
    return {
        pair: name if _is_faithful(pair, name) and folded.count(name.casefold()) == 1 else _hashed(pair, name)
        for pair, name in wanted.items()
    }


def _plain_name(provider: str, model: str) -> str:
    parts = (_UNSAFE.sub("-", name)[:_NAME_CHARS] for name in (provider, model))
    return "_".join(["raw", *parts]) + ".jsonl"


def _is_faithful(pair: tuple[str, str], name: str) -> bool:
    provider, model = pair
    return name == f"raw_{provider}_{model}.jsonl" and "_" not in provider and bool(provider and model)


def _hashed(pair: tuple[str, str], name: str) -> str:
    digest = hashlib.sha256(json.dumps(pair).encode()).hexdigest()
    return f"{name.removesuffix('.jsonl')}~{digest[:8]}.jsonl"


def write_raw(records: Iterable[Record], folder: Path, texts: Texts | None = None) -> list[Path]:
    """Write one file for each model, lines sorted by item, task and repeat; return their paths.

    `texts` may hold lines that were made ahead.

    Raises:
        OSError: the folder cannot be written; no half-written file is left.
    """
    texts = texts or Texts()
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in sorted(records, key=record_order):
        groups.setdefault((record.provider, record.model), []).append(record)
    written = []
    for pair, name in raw_file_names(groups).items():
        path = folder / name
        write_atomically(path, b"".join(texts.of(record, raw_line) for record in groups[pair]))
        written.append(path)
    return written


def raw_line(record: Record) -> bytes:
    """Return a record's line, with its end.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    return f"{json_line(_row(record))}\n".encode()


def _row(record: Record) -> dict[str, Any]:
    reply = record.reply
    return {
        "provider": record.provider,
        "model": record.model,
        "id": record.item_id,
        "type": record.family,
        "image_path": record.image_path,
        "prompt": record.prompt,
        "raw_text": reply.text,
        "parsed_json": record.score.answer,
        "latency_s": reply.latency_s,
        "error": reply.error,
        "status": record.status,
        "failure": reply.failure,
        "finish_reason": reply.finish_reason,
        "served_model": reply.served_model,
        "usage": parts(reply.usage),
        "attempts": reply.attempts,
        "request_id": reply.request_id,
        "repeat": record.repeat,
        "suite": record.suite,
        "task": record.task,
        "case_id": record.case_id,
        "difficulty": record.difficulty,
        "policy": record.policy,
        "parse_rule": record.score.rule,
        "item_digest": record.item_digest,
        "ask_digest": record.ask_digest,
        "picture_sha256": record.picture_sha256,
        **_stages(record),
    }


def _stages(record: Record) -> dict[str, Any]:
    """What only cases of several stages, or judged by a model, have."""
    row: dict[str, Any] = {}
    if record.status in {"undrawn", "unscored"}:
        row["reply_status"] = record.reply.status
    if record.score.unscored is not None:
        row["unscored"] = record.score.unscored.why
    if record.drawing is not None:
        row["drawing"] = drawing_to_json(record.drawing)
    if record.judge_reply is not None:
        row["judge"] = reply_to_json(record.judge_reply)
    return row


def read_raw(paths: Iterable[Path], known_ids: Collection[str] | None) -> dict[tuple[str, str], list[StoredReply]]:
    """Read raw files; replies by (provider, model), in the files' order.

    `known_ids` are the items that can be scored; None takes any id.

    Raises:
        UserError: a file cannot be opened.
        DataError: a line is no JSON object, lacks one of the ten keys or holds another type there, two
            lines are the same provider, model, id, task and repeat, or an id is unknown.
    """
    found: dict[tuple[str, str], list[StoredReply]] = {}
    places: dict[tuple[object, ...], str] = {}
    unknown: list[StoredReply] = []
    for stored in (stored for path in paths for stored in _read_file(path)):
        key = (stored.provider, stored.model, stored.item_id, stored.task, stored.repeat)
        if key in places:
            raise DataError(
                f"{stored.place}: {stored.item_id!r} of {stored.provider}:{stored.model} (repeat "
                f"{stored.repeat}) stands already at {places[key]}; keep one of the two"
            )
        places[key] = stored.place
        if known_ids is not None and stored.item_id not in known_ids:
            unknown.append(stored)
        found.setdefault((stored.provider, stored.model), []).append(stored)
    _refuse_unknown(unknown)
    return found


def _refuse_unknown(unknown: list[StoredReply]) -> None:
    if unknown:
        more = f" (and {len(unknown) - 1} more like it)" if len(unknown) > 1 else ""
        raise DataError(
            f"{unknown[0].place}: no item has the id {unknown[0].item_id!r}{more}; "
            "replay against the data set that the file was made from"
        )


def _read_file(path: Path) -> Iterator[StoredReply]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _stored(_object(line, f"{path}:{number}"), f"{path}:{number}")
    except OSError as error:
        raise UserError(f"raw outputs cannot be read from {str(path)!r}: {error.strerror or error}") from error


def _object(line: bytes, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8-sig"), parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: expected one JSON object on the line, got malformed JSON: {error}") from error
    if not isinstance(row, dict):
        raise DataError(f"{place}: expected a JSON object, got {type(row).__name__}")
    missing = [key for key in RAW_KEYS if key not in row]
    if missing:
        raise DataError(f"{place}: expected the keys {', '.join(RAW_KEYS)}; missing: {', '.join(missing)}")
    return row


def _stored(row: dict[str, Any], place: str) -> StoredReply:
    def text(key: str) -> str:
        return str(_typed(row, place, key, str))

    def text_or_none(key: str) -> str | None:
        return None if row.get(key) is None else text(key)

    answer = None if row["parsed_json"] is None else _typed(row, place, "parsed_json", dict)
    return StoredReply(
        provider=text("provider"),
        model=text("model"),
        item_id=text("id"),
        family=text("type"),
        image_path=text("image_path"),
        prompt=text("prompt"),
        reply=_reply(row, place),
        stored_answer=None if answer is None else {key: json_safe(value) for key, value in answer.items()},
        repeat=_count(row, place, "repeat") or 0,
        task=text_or_none("task"),
        item_digest=text_or_none("item_digest"),
        ask_digest=text_or_none("ask_digest"),
        picture_sha256=text_or_none("picture_sha256"),
        policy=text_or_none("policy"),
        drawing=_drawing(row, place),
        place=place,
    )


def _drawing(row: dict[str, Any], place: str) -> Drawing | None:
    if row.get("drawing") is None:
        return None
    try:
        return drawing_from_json(_typed(row, place, "drawing", dict))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{place}: drawing cannot be read: {type(error).__name__}: {error}") from error


def _reply(row: dict[str, Any], place: str) -> Response:
    error = " ".join(_typed(row, place, "error", str, default="").split())[:_ERROR_CHARS] or None
    status = _status(row, place, error)
    return Response(
        status=status,
        text=_typed(row, place, "raw_text", str, default="" if error else None),
        served_model=_typed(row, place, "served_model", str, default="") or None,
        finish_reason=_typed(row, place, "finish_reason", str, default="") or None,
        usage=_usage(_typed(row, place, "usage", dict, default={}), place),
        latency_s=_amount(row, place, "latency_s"),
        attempts=_count(row, place, "attempts") or 1,
        request_id=_typed(row, place, "request_id", str, default="") or None,
        failure=_choice(row, place, "failure", get_args(FailureClass)) or ("server" if error else None),
        error=error,
    )


def _usage(row: dict[str, Any], place: str) -> Usage:
    counts = [entry.name for entry in fields(Usage) if entry.name != "cost_usd"]
    return Usage(**{name: _count(row, place, name) for name in counts}, cost_usd=_amount(row, place, "cost_usd"))


def _status(row: dict[str, Any], place: str, error: str | None) -> Status:
    named = _choice(row, place, "status", STATUSES)
    status: RecordStatus = named or ("failed" if error else "answered")
    if (status == "failed") != (error is not None):
        raise DataError(f"{place}: a failed line, and no other, has an error; got {status!r} and {error!r}")
    if status in get_args(Status):
        return cast("Status", status)
    replied: Status | None = _choice(row, place, "reply_status", ("answered", "refused", "truncated"))
    return replied or "answered"


def _typed(row: dict[str, Any], place: str, key: str, kind: type, default: object = None) -> Any:  # noqa: ANN401
    value = default if row.get(key) is None else row[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {str: "text", dict: "an object", int: "a whole number", float: "a number"}
        raise DataError(f"{place}: {key} must be {names[kind]}, got {value!r:.80}")
    return value


def _count(row: dict[str, Any], place: str, key: str) -> int | None:
    if row.get(key) is None:
        return None
    count = int(_typed(row, place, key, int))
    if count < 0:
        raise DataError(f"{place}: {key} must not be negative, got {count}")
    return count


def _amount(row: dict[str, Any], place: str, key: str) -> float | None:
    if row.get(key) is None:
        return None
    amount = float(_typed(row, place, key, int if isinstance(row[key], int) else float))
    if not math.isfinite(amount) or amount < 0:
        raise DataError(f"{place}: {key} must be a number from 0, got {amount!r}")
    return amount


def _choice(row: dict[str, Any], place: str, key: str, choices: tuple[str, ...]) -> Any:  # noqa: ANN401
    if row.get(key) is None or row[key] in choices:
        return row.get(key)
    raise DataError(f"{place}: {key} must be one of {', '.join(choices)}, got {row[key]!r:.80}")
