"""The solid-geometry problems of a run: from the generator, or from a local copy of the real data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, Protocol

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.options import Settings
    from generators.auxsolidmath.source import AuxSolidMathSource
    from generators.items import Item, Picture

__all__ = ["GeneratedProblems", "ImportedProblems", "ProblemRef", "ProblemSource", "blind_text", "open_problems"]

KEPT_ITEMS = 1024


class ProblemRef(Protocol):
    """What is known of a problem before it is made; `kind` is CALCULATION or PROVING."""

    @property
    def id(self) -> str:
        """Such as "auxsolidmath_easy-G05-003"."""
        ...

    @property
    def family(self) -> str:
        """Problem family."""
        ...

    @property
    def difficulty(self) -> str:
        """Easy or hard."""
        ...

    @property
    def kind(self) -> str:
        """What is asked for."""
        ...


class ProblemSource(Protocol):
    """The problems of a run.

    An item's `extra` holds `question` and `auxiliary_line_description` in the language in which it is asked.
    """

    @property
    def about(self) -> str:
        """One clause: which problems."""
        ...

    @property
    def refs(self) -> Sequence[ProblemRef]:
        """The problems in their order, without making them."""
        ...

    def item(self, item_id: str) -> Item:
        """Make one problem."""
        ...

    def reference_drawing(self, item: Item) -> Picture | None:
        """Return the diagram with the reference's auxiliary lines, or None where there is none."""
        ...


class GeneratedProblems:
    """Problems of the generator: any seed is a set of its own."""

    def __init__(self, *, seed: int, language: Literal["en", "zh"]) -> None:
        self._seed = seed
        self._language = language
        self.item = lru_cache(KEPT_ITEMS)(self._make)

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        return f"seed {self._seed}, problems in {'Chinese' if self._language == 'zh' else 'English'}"

    @cached_property
    def refs(self) -> Sequence[ProblemRef]:
        """The problems in their order."""
        from generators.auxsolidmath.listing import list_problems  # noqa: PLC0415 - only where it runs

        return list_problems()

    def reference_drawing(self, item: Item) -> Picture:
        """Return the diagram with the constructions in red."""
        from generators.auxsolidmath.source import auxiliary_picture  # noqa: PLC0415 - only where it runs

        return auxiliary_picture(item)

    @cached_property
    def _source(self) -> AuxSolidMathSource:
        from generators.auxsolidmath.source import AuxSolidMathSource  # noqa: PLC0415

        return AuxSolidMathSource(seed=self._seed, language=self._language)

    def _make(self, item_id: str) -> Item:
        item = self._source.item(self._source.case(item_id))
        if self._language == "en":
            return item
        description = item.extra["auxiliary_line_description_zh"]
        return replace(item, extra={**item.extra, "auxiliary_line_description": description})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRef:
    """What is known of a row of the data set."""

    id: str
    family: str
    difficulty: str
    kind: str


class ImportedProblems:
    """Problems of a local copy of the real data set, read at once so that a fault is met before anything is asked.

    Raises:
        ItemDataError: the data set cannot be used; the message names file and row.
    """

    def __init__(self, path: Path) -> None:
        from generators.auxsolidmath.loader import load_problems  # noqa: PLC0415 - only where it is used

        self._items = {item.id: item for item in load_problems(path)}
        self.about = f"{len(self._items)} problems from {path}"
        self.refs: Sequence[ProblemRef] = [
            ImportedRef(id=item.id, family=item.family, difficulty=item.difficulty, kind=str(item.truth["kind"]))
            for item in self._items.values()
        ]

    def item(self, item_id: str) -> Item:
        """Return one problem."""
        return self._items[item_id]

    def reference_drawing(self, item: Item) -> Picture | None:
        """Return the row's picture with auxiliary lines, where it has one."""
        from generators.auxsolidmath.loader import imported_auxiliary_picture  # noqa: PLC0415

        return imported_auxiliary_picture(item)


def blind_text(item: Item) -> str:
    """Return what is said without looking: the commonest answer of the family, or of the data set."""
    if "blind_answer" in item.extra:
        return str(item.extra["blind_answer"])
    from generators.auxsolidmath.source import blind_answer  # noqa: PLC0415

    return blind_answer(item)


def open_problems(settings: Settings) -> ProblemSource:
    """Return the problems that the options describe.

    Raises:
        UserError: a language is chosen and the problems are the data set's.
        ItemDataError: the data set cannot be used; the message names file and row.
    """
    if settings.auxsolidmath_data is not None:
        if settings.question_language != "en":
            raise UserError("--question-language is for generated problems: --auxsolidmath-data has its own texts")
        return ImportedProblems(settings.auxsolidmath_data)
    return GeneratedProblems(seed=settings.item_seed, language=settings.question_language)
