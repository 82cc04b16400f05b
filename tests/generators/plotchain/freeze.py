"""Freeze families: `python -m tests.generators.plotchain.freeze [EDITION] [FAMILY ...]`.

Makes what a family lacks: every item's digest and the hashes of decoded pixels of three items, one for each
difficulty, in fixtures/plotchain_EDITION.json; its constants in bench/suites/blind_constants_EDITION.json. What
is there stays, except that of families named: name one only when its drawing or truth is changed on purpose.
Digests of a published edition never change.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from bench.suites.blind_constants import blind_constants_file, fit
from generators.files import write_atomically
from generators.plotchain import PlotChainSource
from generators.plotchain.family import EDITIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generators.items import Item

COMMAND = "python -m tests.generators.plotchain.freeze"
LIBRARIES = ("matplotlib", "numpy")
TRAINING_SEEDS = range(1, 101)  # never seed 0: `blind` knows the distribution, not the published items
ITEMS_PER_FAMILY = 30


def fixture(edition: str) -> Path:
    """Where an edition's frozen digests lie."""
    return Path(__file__).resolve().parents[3] / "fixtures" / f"plotchain_{edition}.json"


def frozen(path: Path) -> dict[str, Any]:
    """The content of a file of frozen values."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def family_of(item_id: str) -> str:
    return item_id.rpartition("_")[0]


def frozen_families(edition: str) -> set[str]:
    """Families of which all that this command makes is there."""
    content, constants = frozen(fixture(edition)), frozen(blind_constants_file(edition))["constants"]
    digests, pictures = content["digests"], content["pixels"]["sha256"]
    return {*map(family_of, digests)} & {*map(family_of, pictures)} & {*constants}


def pixel_hash(png: bytes) -> str:
    """SHA-256 over mode, size and decoded pixels."""
    with Image.open(io.BytesIO(png)) as image:
        head = f"{image.mode} {image.width}x{image.height} ".encode()
        return hashlib.sha256(head + image.tobytes()).hexdigest()


def frozen_pictures(source: PlotChainSource, families: Iterable[str]) -> list[Item]:
    """The first item of each difficulty of these families."""
    first = {(case.family, case.difficulty): case for case in reversed(source.cases) if case.family in families}
    return [source.item(case) for case in sorted(first.values(), key=lambda case: case.id)]


def other_versions(content: dict[str, Any]) -> str:
    """Why picture hashes cannot be compared with pictures drawn here; empty where they can."""
    held = {name: text for name, text in content["pixels"]["versions"].items() if version(name) != text}
    return ", ".join(f"picture hashes hold for {name} {held[name]}, installed is {version(name)}" for name in held)


def freeze_digests(edition: str, families: set[str]) -> None:
    """Replace these families' digests and picture hashes.

    Raises:
        SystemExit: other hashes hold for other versions of the drawing libraries.
    """
    path, source = fixture(edition), PlotChainSource(edition=edition)
    content = frozen(path)
    if reason := other_versions(content):
        raise SystemExit(f"{path.name}: {reason}; install that version, or name all families")
    digests = {case.id: source.item(case).digest for case in source.cases if case.family in families}
    pictures = {item.id: pixel_hash(item.picture.png()) for item in frozen_pictures(source, families)}
    content["digests"] = {case.id: (content["digests"] | digests)[case.id] for case in source.cases}
    content["pixels"]["sha256"] = dict(sorted((content["pixels"]["sha256"] | pictures).items()))
    write_atomically(path, (json.dumps(content, indent=1) + "\n").encode())


def training_items(edition: str, families: set[str]) -> Iterator[Item]:
    for seed in TRAINING_SEEDS:
        source = PlotChainSource(edition=edition, seed=seed, items_per_family=ITEMS_PER_FAMILY)
        yield from (source.item(case) for case in source.cases if case.family in families)


def freeze_constants(edition: str, families: set[str]) -> None:
    """Replace these families' constants of the blind model."""
    path = blind_constants_file(edition)
    content = frozen(path)
    content["constants"] = dict(sorted((content["constants"] | fit(training_items(edition, families))).items()))
    write_atomically(path, (json.dumps(content, indent=1) + "\n").encode())


def main() -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Freeze families of PlotChain.")
    parser.add_argument("edition", nargs="?", choices=sorted(EDITIONS), help="default: all editions")
    parser.add_argument(
        "families", nargs="*", metavar="family", help="made anew; default: those that lack something"
    )
    options = parser.parse_args()
    for edition in [options.edition] if options.edition else EDITIONS:
        families = {*options.families} or {*EDITIONS[edition].families} - frozen_families(edition)
        if families:
            print(f"{edition}: {', '.join(sorted(families))}")
            freeze_digests(edition, families)
            freeze_constants(edition, families)


if __name__ == "__main__":
    main()
