"""Which parts of a line are hidden behind the bodies: they are drawn dashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.bodies import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generators.auxsolidmath.bodies import Body, Stroke
    from generators.auxsolidmath.space import Vec

__all__ = ["Piece", "hidden_at", "split"]

_EPSILON = 1e-5
_STEPS = {"segment": 48, "curve": 180}
_HALVINGS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The part of a stroke between two shares of it, all hidden or all visible."""

    start: float
    end: float
    hidden: bool


def hidden_at(point: Vec, bodies: Sequence[Body], towards_viewer: Vec) -> bool:
    """Tell whether the ray from a point to the viewer runs through a body."""
    return any(body.chord(point, towards_viewer) > _EPSILON for body in bodies)


def split(stroke: Stroke, bodies: Sequence[Body], towards_viewer: Vec) -> list[Piece]:
    """Cut a stroke where it passes out of sight or comes into view, found by halving to 1e-4 of a step."""

    def hidden(share: float) -> bool:
        return hidden_at(stroke.at(share), bodies, towards_viewer)

    steps = _STEPS["segment" if isinstance(stroke, Segment) else "curve"]
    middles = [(step + 0.5) / steps for step in range(steps)]
    states = [hidden(share) for share in middles]
    cuts = [0.0]
    kinds = [states[0]]
    for at in range(1, steps):
        if states[at] != states[at - 1]:
            cuts.append(_change(hidden, middles[at - 1], middles[at]))
            kinds.append(states[at])
    return [
        Piece(start=start, end=end, hidden=kind)
        for start, end, kind in zip(cuts, [*cuts[1:], 1.0], kinds, strict=True)
    ]


def _change(hidden: Callable[[float], bool], low: float, high: float) -> float:
    """Return where `hidden` changes between two shares at which it differs."""
    before = hidden(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if hidden(middle) == before:
            low = middle
        else:
            high = middle
    return (low + high) / 2
