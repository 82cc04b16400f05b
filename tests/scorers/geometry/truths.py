"""Truths that tests score against."""

from __future__ import annotations

from typing import Any

__all__ = ["dots_truth", "full_truth"]


def dots_truth(
    *dots: tuple[float, float], diameter_um: float = 3.0, lattice_spacing_um: float | None = None
) -> dict[str, Any]:
    """A truth with dots at these places in micrometres, in the standard frame."""
    return {
        "count": len(dots),
        "dots": [{"x_um": x, "y_um": y, "diameter_um": diameter_um, "role": "spot"} for x, y in dots],
        "lattice_spacing_um": lattice_spacing_um,
        "width_px": 700,
        "height_px": 510,
        "um_per_px": 0.14,
    }


def full_truth(**changes: Any) -> dict[str, Any]:
    """A truth that every task can be asked of."""
    return {
        **dots_truth((10.0, 10.0), (50.0, 35.0)),
        "pattern": "HEXAGONAL",
        "diameter_um": 3.0,
        "spacing_um": 12.0,
        "regularity": "REGULAR",
        "has_defects": True,
        "missing_count": 3,
        "extra_count": 2,
        **changes,
    }
