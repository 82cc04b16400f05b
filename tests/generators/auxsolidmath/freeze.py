"""Freeze the standard set into fixtures/auxsolidmath_seed0.json: `python -m tests.generators.auxsolidmath.freeze`.

The file holds every item's digest, and hashes of the decoded pixels of each family's first original and auxiliary
drawing, with the library versions they hold for. Run it only when families or drawings are changed on purpose.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture
from generators.files import write_atomically
from tests.generators.plotchain.freeze import pixel_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generators.items import Item

FIXTURE = Path(__file__).resolve().parents[3] / "fixtures" / "auxsolidmath_seed0.json"
LIBRARIES = ("matplotlib", "pillow")


def frozen_pixels(items: Iterable[Item]) -> dict[str, list[str]]:
    """Pixel hashes of each family's first item: original, auxiliary."""
    first = [item for item in items if item.index == 0]
    return {item.id: [pixel_hash(item.picture.png()), pixel_hash(auxiliary_picture(item).png())] for item in first}


def freeze() -> None:
    items = list(AuxSolidMathSource())
    content = {
        "made_by": "python -m tests.generators.auxsolidmath.freeze",
        "digests": {item.id: item.digest for item in items},
        "pixels": {
            "versions": {name: version(name) for name in LIBRARIES},
            "sha256": frozen_pixels(items),
        },
    }
    write_atomically(FIXTURE, (json.dumps(content, indent=1) + "\n").encode())


if __name__ == "__main__":
    freeze()
