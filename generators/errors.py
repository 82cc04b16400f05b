"""Errors of item sources."""

from __future__ import annotations

__all__ = ["ItemDataError", "PictureError"]


class ItemDataError(ValueError):
    """A data set file cannot be used; the message names file, line, what was expected and what came."""


class PictureError(OSError):
    """A picture cannot be drawn or read; the message names the item, the file and the reason."""
