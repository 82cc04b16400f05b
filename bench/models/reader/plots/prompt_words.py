"""What a prompt says in words about the drawing."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Said", "said_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a prompt says.

    `log_x`: the x axis is logarithmic; `blue`: the curve is; `own_units`: answers are in units of the prompt,
    whatever the axes show.
    """

    log_x: bool = False
    blue: bool = False
    own_units: bool = False


def said_in(prompt: str) -> Said:
    """Return what the prompt says."""
    return Said(
        log_x="over a logarithmic frequency axis" in prompt,
        blue="curve A (solid blue" in prompt,
        own_units="in the units named here whatever the axes show" in prompt,
    )
