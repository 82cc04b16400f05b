"""Reading dot images: spots to sub-pixel places, their lattice, answers in the form that each prompt asks for."""

from __future__ import annotations

from bench.models.reader.dots.answering import answer_dots

__all__ = ["answer_dots"]
