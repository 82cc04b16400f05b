"""Freeze edition v4: `python -m tests.generators.plotchain.freeze` writes fixtures/plotchain_v4.json.

The file holds every item's digest, and hashes of decoded pixels of three items a family, one for each
difficulty, with the library versions they hold for. Run it only when an edition is added or a drawing is
changed on purpose; digests of v4 never change.
"""

from __future__ import annotations

import hashlib
import io
import json
from importlib.metadata import version
from pathlib import Path

from PIL import Image

from generators.pictures import write_atomically
from generators.plotchain import PlotChainSource

FIXTURE = Path(__file__).resolve().parents[3] / "fixtures" / "plotchain_v4.json"
LIBRARIES = ("matplotlib", "numpy")


def pixel_hash(png: bytes) -> str:
    """SHA-256 over mode, size and decoded pixels."""
    with Image.open(io.BytesIO(png)) as image:
        head = f"{image.mode} {image.width}x{image.height} ".encode()
        return hashlib.sha256(head + image.tobytes()).hexdigest()


def frozen_pictures(source: PlotChainSource) -> list[str]:
    """The first item of each family and difficulty."""
    first = {(case.family, case.difficulty): case.id for case in reversed(source.cases)}
    return sorted(first.values())


def freeze() -> None:
    source = PlotChainSource()
    content = {
        "made_by": "python -m tests.generators.plotchain.freeze",
        "digests": {item.id: item.digest for item in source},
        "pixels": {
            "versions": {name: version(name) for name in LIBRARIES},
            "sha256": {
                item_id: pixel_hash(source.item(source.case(item_id)).picture.png())
                for item_id in frozen_pictures(source)
            },
        },
    }
    write_atomically(FIXTURE, (json.dumps(content, indent=1) + "\n").encode())


if __name__ == "__main__":
    freeze()
