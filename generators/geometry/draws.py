"""Random draws of one picture, and where its seed comes from."""

from __future__ import annotations

from generators.items import item_seed
from generators.repeatable import RepeatableDraws

__all__ = ["Draws", "image_seed"]


def image_seed(master_seed: int, image_class: str, image_id: str) -> int:
    """Derive a picture's own seed: `item_seed` of master seed, "geometry:" + class, and picture id.

    No picture's draws depend on another's: adding a class or a picture changes none.
    """
    return item_seed(master_seed, f"geometry:{image_class}", image_id)


class Draws(RepeatableDraws):
    """Draws for one picture, from its own generator."""

    def ring(self, inner: float, outer: float) -> tuple[float, float]:
        """Return dx and dy uniform over the area of a ring around zero; no trigonometry, hence exact."""
        while True:
            dx, dy = self.uniform(-outer, outer), self.uniform(-outer, outer)
            if inner * inner <= dx * dx + dy * dy <= outer * outer:
                return dx, dy
