"""One ask on its way to a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.adaptation import Adaptation, adapted

if TYPE_CHECKING:
    from bench.models.protocol import Ask
    from bench.models.wire import Wire

__all__ = ["Letter"]


class Letter:
    """Its bytes, encoded once for each set of adaptations, how often it was sent, and whether it may have cost."""

    __slots__ = ("_wire", "adaptations", "ask", "content", "content_type", "may_cost", "sent")

    def __init__(self, wire: Wire, ask: Ask) -> None:
        self._wire = wire
        self.ask = ask
        self.adaptations: tuple[Adaptation, ...] | None = None
        self.content = b""
        self.content_type = ""
        self.sent = 0
        self.may_cost = False

    def write(self, adaptations: tuple[Adaptation, ...]) -> None:
        """Encode the body, unless it is encoded with these adaptations already."""
        if adaptations != self.adaptations:
            body = adapted(self._wire.body(self.ask), adaptations)
            self.content, self.content_type = self._wire.encode(body)
            self.adaptations = adaptations
