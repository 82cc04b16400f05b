"""A set of problems written to a folder in the data set's layout, and what answers without looking would get."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.family import DIFFICULTIES
from generators.auxsolidmath.source import auxiliary_picture, blind_answer
from generators.errors import PictureError
from generators.files import write_atomically
from generators.picture_release import PictureJob, draw_pictures, pictures_to_draw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from generators.auxsolidmath.source import AuxSolidMathSource
    from generators.items import Item, JsonValue

__all__ = ["BlindShares", "SetReport", "blind_shares", "write_set"]

_LEDGER = "pictures.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindShares:
    """How far a constant answer gets: the commonest of all items, and each family's commonest.

    Shares are of the items with an answer to calculate, 0 to 1; `answer` is None when there are none.
    """

    answer: str | None
    share: float
    family_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReport:
    """What a call wrote: items, pictures drawn now and kept, and one line for each picture that failed."""

    items: int
    drawn: int
    kept: int
    failed: tuple[str, ...]
    blind_shares: BlindShares


def write_set(
    source: AuxSolidMathSource, folder: Path, *, processes: int, tell: Callable[[int, int], None]
) -> SetReport:
    """Write `test_easy.jsonl`, `test_hard.jsonl`, `images/` and the ledger of pictures.

    Every file appears whole or not at all; what the ledger says is drawn already is kept. A picture that cannot be
    drawn is reported and stops no other.

    Args:
        source: the problems.
        folder: where to write; made when missing.
        processes: how many draw, at least 1.
        tell: called with pictures done and to do as they get done.

    Raises:
        OSError: a file cannot be written.
    """
    items = list(source)
    for difficulty in DIFFICULTIES:
        lines = [_line(item) for item in items if item.difficulty == difficulty]
        write_atomically(folder / f"test_{difficulty}.jsonl", "".join(lines).encode())
    pictures = [job for item in items for job in _jobs(item, folder)]
    missing = pictures_to_draw(pictures, folder / _LEDGER)
    failed = _draw(missing, folder / _LEDGER, processes, tell)
    return SetReport(
        items=len(items),
        drawn=len(missing) - len(failed),
        kept=len(pictures) - len(missing),
        failed=failed,
        blind_shares=blind_shares(items),
    )


def blind_shares(items: Sequence[Item]) -> BlindShares:
    """Return how many items the commonest answer, and each family's commonest, would get right."""
    asked = [item for item in items if item.truth["kind"] == "CALCULATION"]
    answers = Counter(str(item.truth["answer"]) for item in asked)
    if not answers:
        return BlindShares(answer=None, share=0.0, family_share=0.0)
    answer = min(answers, key=lambda text: (-answers[text], text))
    guessed = sum(item.truth["answer"] == blind_answer(item) for item in asked)
    return BlindShares(answer=answer, share=answers[answer] / len(asked), family_share=guessed / len(asked))


def _jobs(item: Item, folder: Path) -> tuple[PictureJob, PictureJob]:
    original, auxiliary = (folder / path for path in _paths(item))
    return (
        PictureJob(path=original, name=item.id, picture=item.picture),
        PictureJob(path=auxiliary, name=f"{item.id} auxiliary", picture=auxiliary_picture(item)),
    )


def _paths(item: Item) -> tuple[str, str]:
    return f"images/{item.id}.png", f"images/{item.id}-auxiliary.png"


def _draw(
    missing: Sequence[PictureJob], ledger: Path, processes: int, tell: Callable[[int, int], None]
) -> tuple[str, ...]:
    """Draw pictures on several cores; when one fails, the rest one by one, so that it stops no other."""
    try:
        for done in draw_pictures(missing, ledger, processes=processes):
            tell(done, len(missing))
    except PictureError:
        return _draw_singly(pictures_to_draw(missing, ledger), ledger)
    return ()


def _draw_singly(missing: Sequence[PictureJob], ledger: Path) -> tuple[str, ...]:
    failed = []
    for job in missing:
        try:
            list(draw_pictures([job], ledger, processes=1))
        except PictureError as error:
            failed.append(str(error))
    return tuple(failed)


def _line(item: Item) -> str:
    original, auxiliary = _paths(item)
    shown: dict[str, JsonValue] = {
        "id": item.id,
        "family": item.family,
        "difficulty": item.difficulty,
        "original_image": original,
        "auxiliary_line_image": auxiliary,
        **item.truth,
        **item.extra,
        "params": dict(item.params),
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"
