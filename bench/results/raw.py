"""Raw outputs as JSON lines, one reply each: `raw_<provider>_<model>.jsonl`, written and read back.

A line has ten keys first, in this order: provider, model, id, type, image_path, prompt, raw_text,
parsed_json, latency_s, error. `error` is null unless the request failed. The keys after them are ours;
files without them are read as well: a line with an error is then a failed reply, any other an answer,
also with an empty text.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args

import msgspec

from bench.errors import DataError, UserError
from bench.models.types import Drawing, FailureClass, Response, Status, Usage, parts
from bench.results.files import convert, json_lines, read_object, safe_name, write_atomically
from bench.results.record import (
    RecordStatus,
    check_drawing,
    record_order,
)
from scorers.json_values import json_safe

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.models.protocols import Asked, KnownAnswers
    from bench.results.record import Record
    from generators.items import Item

__all__ = [
    "RAW_KEYS",
    "RawLine",
    "Replayed",
    "StoredReply",
    "raw_file_names",
    "read_raw",
    "replayed_models",
    "write_raw",
]

Count = Annotated[int, msgspec.Meta(ge=0)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]


class RawLine(msgspec.Struct, kw_only=True, rename={"item_id": "id", "family": "type"}):
    """One line as it is read: the ten keys, then those of ours that are read back; null stands for an absent one.

    Digests, policy and task are None in files that others wrote.
    """

    provider: str
    model: str
    item_id: str
    family: str
    image_path: str
    prompt: str
    raw_text: str | None
    parsed_json: dict[str, Any] | None
    latency_s: Amount | None
    error: str | None
    status: RecordStatus | None = None
    failure: FailureClass | None = None
    finish_reason: str | None = None
    served_model: str | None = None
    usage: Usage = Usage()
    attempts: Count = 1
    request_id: str | None = None
    repeat: Count = 0
    task: str | None = None
    policy: str | None = None
    item_digest: str | None = None
    ask_digest: str | None = None
    picture_sha256: str | None = None
    reply_status: Literal["answered", "refused", "truncated"] = "answered"
    drawing: Drawing | None = None


RAW_KEYS = RawLine.__struct_encode_fields__[:10]
_NAME_CHARS = 80
_ERROR_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """A reply read back from a raw file.

    `stored_answer` is `parsed_json`, for texts in which nothing is found now. `place` is "file:line".
    """

    line: RawLine
    reply: Response
    stored_answer: dict[str, object] | None
    place: str


def raw_file_names(resolve_models: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name the file of each (provider, model); no two share one, also where case does not count.

    Names are made safe. One that had to be changed, or could be mistaken for another, carries `~` and eight
    hex digits of the SHA-256 of both names.
    """
    wanted = {
        pair: "_".join(["raw", *(safe_name(name)[:_NAME_CHARS] for name in pair)]) for pair in resolve_models
    }
    folded = [name.casefold() for name in wanted.values()]
    return {
        pair: (name if _is_faithful(pair, name) and folded.count(name.casefold()) == 1 else _hashed(pair, name))
        + ".jsonl"
        for pair, name in wanted.items()
    }


def _is_faithful(pair: tuple[str, str], name: str) -> bool:
    provider, model = pair
    return name == f"raw_{provider}_{model}" and "_" not in provider and bool(provider and model)


def _hashed(pair: tuple[str, str], name: str) -> str:
    return f"{name}~{hashlib.sha256(json.dumps(pair).encode()).hexdigest()[:8]}"


def write_raw(records: Iterable[Record], folder: Path) -> list[Path]:
    """Write one file for each model, lines sorted by item, task and repeat; return their paths.

    Raises:
        OSError: the folder cannot be written; no half-written file is left.
        ValueError: a number is NaN or infinite.
    """
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in sorted(records, key=record_order):
        groups.setdefault((record.provider, record.model), []).append(record)
    paths = {pair: folder / name for pair, name in raw_file_names(groups).items()}
    for pair, path in paths.items():
        write_atomically(path, json_lines(_row(record) for record in groups[pair]))
    return list(paths.values())


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
        row["drawing"] = msgspec.to_builtins(record.drawing)
    if record.judge_reply is not None:
        row["judge"] = msgspec.to_builtins(record.judge_reply)
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
        line = stored.line
        key = (line.provider, line.model, line.item_id, line.task, line.repeat)
        if key in places:
            raise DataError(
                f"{stored.place}: {line.item_id!r} of {line.provider}:{line.model} (repeat {line.repeat}) stands "
                f"already at {places[key]}; keep one of the two"
            )
        places[key] = stored.place
        if known_ids is not None and line.item_id not in known_ids:
            unknown.append(stored)
        found.setdefault((line.provider, line.model), []).append(stored)
    if unknown:
        more = f" (and {len(unknown) - 1} more like it)" if len(unknown) > 1 else ""
        raise DataError(
            f"{unknown[0].place}: no item has the id {unknown[0].line.item_id!r}{more}; "
            "replay against the data set that the file was made from"
        )
    return found


def _read_file(path: Path) -> Iterator[StoredReply]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _stored(line, f"{path}:{number}")
    except OSError as error:
        raise UserError(f"raw outputs cannot be read from {str(path)!r}: {error.strerror or error}") from error


def _stored(text: bytes, place: str) -> StoredReply:
    text = text.removeprefix(codecs.BOM_UTF8)
    content = read_object(text, place, expected="one JSON object on the line", constant=str)
    missing = [key for key in RAW_KEYS if key not in content]
    if missing:
        raise DataError(f"{place}: expected the keys {', '.join(RAW_KEYS)}; missing: {', '.join(missing)}")
    given = {key: value for key, value in content.items() if value is not None or key in RAW_KEYS}
    try:
        line = convert(given, RawLine)
        if line.drawing is not None:
            check_drawing(given["drawing"])
        reply = _reply(line)
    except ValueError as error:
        raise DataError(f"{place}: {error}") from error
    answer = line.parsed_json and {key: json_safe(value) for key, value in line.parsed_json.items()}
    return StoredReply(line=line, reply=reply, stored_answer=answer, place=place)


def _reply(line: RawLine) -> Response:
    error = " ".join((line.error or "").split())[:_ERROR_CHARS] or None
    if line.raw_text is None and error is None:
        raise ValueError("raw_text must be text, got None")
    for name, amount in parts(line.usage).items():
        if amount is not None and not 0 <= amount <= sys.float_info.max:
            raise ValueError(f"usage.{name} must be a number from 0, got {amount!r:.80}")
    status = line.status or ("failed" if error else "answered")
    if (status == "failed") != (error is not None):
        raise ValueError(f"a failed line, and no other, has an error; got {status!r} and {error!r}")
    return Response(
        status=cast("Status", status) if status in get_args(Status) else line.reply_status,
        text=line.raw_text or "",
        served_model=line.served_model or None,
        finish_reason=line.finish_reason or None,
        usage=line.usage,
        latency_s=line.latency_s,
        attempts=line.attempts or 1,
        request_id=line.request_id or None,
        failure=line.failure or ("server" if error else None),
        error=error,
    )


class Replayed:
    """One model's stored outputs; cases that it has none for are skipped."""

    def __init__(self, provider: str, name: str, stored: Sequence[StoredReply]) -> None:
        self.provider = provider
        self.name = name
        self._stored: dict[Asked, dict[int, StoredReply]] = {}
        for reply in stored:
            self._stored.setdefault((reply.line.item_id, reply.line.task), {})[reply.line.repeat] = reply
        self.about = f"{len(stored)} stored outputs, scored again"
        self.has_drawings = any(reply.line.drawing is not None for reply in stored)

    def answers(self, asked: Asked) -> bool:
        """Whether there is a stored output."""
        return asked in self._stored

    def repeats(self, asked: Asked, wanted: Iterable[int]) -> Iterable[int]:  # noqa: ARG002
        """Return the repeats that are stored: the run that is replayed decides."""
        return sorted(self._stored[asked])

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:  # noqa: ARG002
        """Return the stored reply."""
        return self._stored[asked][repeat].reply

    def stored_answer(self, asked: Asked, repeat: int) -> Mapping[str, object] | None:
        """Return the answer parsed earlier."""
        return self._stored[asked][repeat].stored_answer

    def drawing(self, asked: Asked, repeat: int) -> Drawing | None:
        """Return what came of the first stage, as stored."""
        return self._stored[asked][repeat].line.drawing


def replayed_models(
    paths: Sequence[Path], known_ids: Collection[str], item: Callable[[str, str | None], Item]
) -> list[Replayed]:
    """Read raw files; one model for each provider and name in them, in the files' order.

    Raises:
        UserError: a file cannot be read.
        DataError: a line cannot be used, or was made from another item of the same id.
    """
    found = read_raw(paths, known_ids)
    for stored in (stored for group in found.values() for stored in group):
        line = stored.line
        if line.item_digest is not None and line.item_digest != item(line.item_id, line.task).digest:
            raise DataError(
                f"{stored.place}: {line.item_id!r} was asked with other parameters, truth or prompt than "
                "this run's; use the options that the file was made with (--item-seed, --plotchain-data)"
            )
    return [Replayed(provider, name, stored) for (provider, name), stored in found.items()]
