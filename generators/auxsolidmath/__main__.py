"""Command line: `python -m generators.auxsolidmath --out_dir D --seed 0`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generators.auxsolidmath.registry import DIFFICULTIES, EASY, HARD
from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture, blind_answer
from generators.errors import PictureError
from generators.files import write_atomically
from generators.picture_release import (
    STOPPING,
    PictureJob,
    at_least,
    draw_pictures,
    exit_status,
    pictures_to_draw,
    tell_pictures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generators.items import Item, JsonValue

__all__ = ["BlindShares", "SetReport", "blind_shares", "main", "write_set"]

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a set and return the exit status: 0, 1 for a failure, 130 when interrupted."""
    options = _parser().parse_args(arguments)
    source = AuxSolidMathSource(seed=options.seed, language=options.language, easy=options.easy, hard=options.hard)
    try:
        report = write_set(source, options.out_dir, processes=options.jobs, tell=tell_pictures)
    except STOPPING as error:
        return exit_status(error, program="generators.auxsolidmath", folder=options.out_dir)
    return _print_report(report, options.out_dir)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m generators.auxsolidmath",
        description="Write solid-geometry problems: records, diagrams, auxiliary drawings. Run again to resume.",
    )
    parser.add_argument("--out_dir", "--out-dir", type=Path, required=True, help="folder to write")
    parser.add_argument(
        "--seed", type=int, default=0, help="0 is the standard set (default), any other a fresh one"
    )
    parser.add_argument("--easy", type=at_least(0), default=EASY, help=f"easy problems (default {EASY})")
    parser.add_argument("--hard", type=at_least(0), default=HARD, help=f"hard problems (default {HARD})")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of `question`")
    parser.add_argument("--jobs", type=at_least(1), default=os.cpu_count() or 1, help="drawing processes")
    return parser


def _print_report(report: SetReport, folder: Path) -> int:
    blind = report.blind_shares
    print(f"{report.items} items in {folder}: {report.drawn} pictures drawn, {report.kept} kept")
    if blind.answer is not None:
        print(
            f"without looking: of the items with an answer to calculate, the commonest answer {blind.answer} "
            f"is right for {blind.share:.1%}, the commonest of each family for {blind.family_share:.1%}"
        )
    for line in report.failed:
        print(f"generators.auxsolidmath: {line}", file=sys.stderr)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
