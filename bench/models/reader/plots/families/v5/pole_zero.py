"""Pole-zero plot with grey lines through zero under its marks."""

from __future__ import annotations

from bench.models.reader.plots.families.pole_zero import PoleZero

__all__ = ["FAMILY"]

FAMILY = PoleZero(darkest=90)
