"""What is read of a plot: a value for each field with how it was read, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["CannotReadError", "FieldValue", "How", "all_fitted", "convention", "direct", "fitted"]

How = Literal["direct", "fit", "question", "convention"]


class CannotReadError(Exception):
    """Something that an answer needs cannot be seen; the message is one clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """One field: `value` None where it cannot be seen.

    `how`: read off the drawing (direct), taken from a law fitted to the traced curve (fit), given in the prompt
    (question), or true of every such plot (convention). `what` says it in words. `residual_px`: median distance of
    the traced points from the law that the curve should follow.
    """

    value: float | None
    how: How
    what: str
    residual_px: float | None = None

    def as_null(self, why: str) -> FieldValue:
        """Return the field without its value, and the reason."""
        return replace(self, value=None, what=why)


def direct(value: float | None, what: str, residual_px: float | None = None) -> FieldValue:
    """A value that was measured on the drawing; `residual_px` where its curve should follow a law."""
    return FieldValue(value=value, how="direct", what=what, residual_px=residual_px)


def fitted(value: float, what: str, residual_px: float) -> FieldValue:
    """A value of a law that was fitted to the traced curve."""
    return FieldValue(value=value, how="fit", what=what, residual_px=residual_px)


def all_fitted(what: str, residual_px: float, **values: float) -> dict[str, FieldValue]:
    """Values of one law, by the names of their fields."""
    return {field: fitted(value, what, residual_px) for field, value in values.items()}


def convention(value: float, what: str, residual_px: float | None = None) -> FieldValue:
    """A value that follows from the definition of the plot; `residual_px` where its curve should follow a law."""
    return FieldValue(value=value, how="convention", what=what, residual_px=residual_px)
