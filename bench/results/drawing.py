"""The first stage of a two-stage case: what came of asking for a drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from bench.models.parts import parts
from bench.models.reply_json import reply_from_json, reply_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.protocol import Reply

__all__ = ["DRAWING_STATUSES", "Drawing", "DrawingStatus", "drawing_from_json", "drawing_to_json"]

DrawingStatus = Literal["ok", "refused", "failed", "no_image", "not_an_image", "identical", "blank"]
DRAWING_STATUSES: tuple[DrawingStatus, ...] = get_args(DrawingStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One drawing, or why there is none; the pixels lie in a file.

    `source` is the image model as "provider:name", or "control gold" and the like. `note` says in one clause why
    it is not usable. `path` is relative to the run's folder. `reply` is the image model's, without its pictures;
    None where no model was asked. `diagnostics` maps measures of the drawing to shares from 0 to 1.
    """

    status: DrawingStatus
    source: str
    note: str = ""
    sha256: str | None = None
    path: str | None = None
    reply: Reply | None = None
    diagnostics: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in DRAWING_STATUSES:
            raise ValueError(f"a drawing's status is one of {', '.join(DRAWING_STATUSES)}, got {self.status!r}")

    @property
    def usable(self) -> bool:
        """Whether the second stage was asked with it."""
        return self.status == "ok"


def drawing_to_json(drawing: Drawing) -> dict[str, Any]:
    """Return JSON-safe content."""
    reply = None if drawing.reply is None else reply_to_json(drawing.reply)
    return {**parts(drawing), "diagnostics": dict(drawing.diagnostics), "reply": reply}


def drawing_from_json(content: Mapping[str, Any]) -> Drawing:
    """Rebuild what `drawing_to_json` wrote.

    Raises:
        KeyError: a part of the reply is missing.
        TypeError: a part is missing, unknown or of another type.
        ValueError: an unknown status, or parts of the reply contradict each other.
    """
    reply = content.get("reply")
    return Drawing(**{**content, "reply": None if reply is None else reply_from_json(reply)})
