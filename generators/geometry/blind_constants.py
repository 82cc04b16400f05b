"""The best answers without looking, one constant for each task.

Made by `python -m tests.generators.geometry.fit_blind` from seeds 1 to 5; no picture of the standard suite took
part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.geometry.tasks import Task

__all__ = ["BLIND_CONSTANTS"]

BLIND_CONSTANTS: Mapping[Task, Mapping[str, str]] = {
    "COUNT": {
        "all": ("COUNT: 20"),
    },
    "LOCATE": {
        "all": (
            "35.7, 57.1\n"
            "150.0, 57.1\n"
            "264.3, 57.1\n"
            "378.6, 57.1\n"
            "492.9, 57.1\n"
            "607.1, 57.1\n"
            "92.9, 156.0\n"
            "207.1, 156.0\n"
            "321.4, 156.0\n"
            "435.7, 156.0\n"
            "550.0, 156.0\n"
            "664.3, 156.0\n"
            "35.7, 255.0\n"
            "150.0, 255.0\n"
            "264.3, 255.0\n"
            "378.6, 255.0\n"
            "492.9, 255.0\n"
            "607.1, 255.0\n"
            "92.9, 354.0\n"
            "207.1, 354.0\n"
            "321.4, 354.0\n"
            "435.7, 354.0\n"
            "550.0, 354.0\n"
            "664.3, 354.0\n"
            "35.7, 452.9\n"
            "150.0, 452.9\n"
            "264.3, 452.9\n"
            "378.6, 452.9\n"
            "492.9, 452.9\n"
            "607.1, 452.9"
        ),
    },
    "PATTERN": {
        "all": ("PATTERN: RANDOM"),
    },
    "SIZE": {
        "all": ("DIAMETER: 2.4 µm"),
        "different sizes": ("SMALLEST: 1.7 µm\nLARGEST: 2.5 µm"),
    },
    "DEFECT": {
        "all": ("DEFECTS: NO\nMISSING: 0\nEXTRA: 0"),
    },
    "SPACING": {
        "all": ("SPACING: 13 µm"),
    },
    "REGULARITY": {
        "all": ("REGULARITY: PERTURBED"),
    },
}
