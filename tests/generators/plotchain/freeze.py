"""Freeze an edition: `python -m tests.generators.plotchain.freeze v5` writes fixtures/plotchain_v5.json.

The file holds every item's digest, and hashes of decoded pixels of three items a family, one for each
difficulty, with the library versions they hold for. Run it only when an edition is added or a drawing is
changed on purpose; digests of a frozen edition never change.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from importlib.metadata import version
from pathlib import Path

from PIL import Image

from generators.files import write_atomically
from generators.plotchain import PlotChainSource

LIBRARIES = ("matplotlib", "numpy")


def fixture(edition: str) -> Path:
    """Where an edition's frozen digests lie."""
    return Path(__file__).resolve().parents[3] / "fixtures" / f"plotchain_{edition}.json"


def pixel_hash(png: bytes) -> str:
    """SHA-256 over mode, size and decoded pixels."""
    with Image.open(io.BytesIO(png)) as image:
        head = f"{image.mode} {image.width}x{image.height} ".encode()
        return hashlib.sha256(head + image.tobytes()).hexdigest()


def frozen_pictures(source: PlotChainSource) -> list[str]:
    """The first item of each family and difficulty."""
    first = {(case.family, case.difficulty): case.id for case in reversed(source.cases)}
    return sorted(first.values())


def freeze(edition: str) -> None:
    source = PlotChainSource(edition=edition)
    content = {
        "made_by": f"python -m tests.generators.plotchain.freeze {edition}",
        "digests": {item.id: item.digest for item in source},
        "pixels": {
            "versions": {name: version(name) for name in LIBRARIES},
            "sha256": {
                item_id: pixel_hash(source.item(source.case(item_id)).picture.png())
                for item_id in frozen_pictures(source)
            },
        },
    }
    write_atomically(fixture(edition), (json.dumps(content, indent=1) + "\n").encode())


if __name__ == "__main__":
    freeze(sys.argv[1])
