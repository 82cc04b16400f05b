"""From a figure in space to its picture: projection, lettering, pixels."""

from __future__ import annotations
