"""Step response of a damped second-order system with one zero, in natural time (radians), from 0 to 1.

y(t) = 1 - exp(-z t) (cos w t + b sin w t), w = sqrt(1 - z^2): b = z / w is the system without a zero; the
smaller b, the farther the response overshoots. Extremes lie pi / w apart and shrink by exp(-z pi / w) each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["BAND", "Ringing", "with_overshoot"]

BAND = 0.1
_HALVINGS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Ringing:
    """Damping ratio z in (0, 1) and sine share b at most z / w.

    Raises:
        ValueError: damping or sine share outside these.
    """

    damping: float
    sine_share: float

    def __post_init__(self) -> None:
        if not 0.0 < self.damping < 1.0 or not self.sine_share <= self.damping / self.frequency + 1e-9:
            raise ValueError(f"expected a damped response that rises at once, got {self!r}")

    @property
    def frequency(self) -> float:
        """The ringing's frequency w."""
        return math.sqrt(1.0 - self.damping**2)

    @property
    def overshoot(self) -> float:
        """How far the first extreme lies above 1."""
        return self.deviation(self.extreme(0))

    @property
    def decay(self) -> float:
        """Size of each extreme as a share of the one before."""
        return math.exp(-self.damping * math.pi / self.frequency)

    def deviation(self, time: float) -> float:
        """Return y - 1."""
        turn = self.frequency * time
        return -math.exp(-self.damping * time) * (math.cos(turn) + self.sine_share * math.sin(turn))

    def slope(self, time: float) -> float:
        """Return dy/dt."""
        z, w, b = self.damping, self.frequency, self.sine_share
        return math.exp(-z * time) * ((z - w * b) * math.cos(w * time) + (z * b + w) * math.sin(w * time))

    def envelope(self, time: float) -> float:
        """Return the bound on what the deviation can still become."""
        return math.exp(-self.damping * time) * math.hypot(1.0, self.sine_share)

    def extreme(self, rank: int) -> float:
        """Return the time of an extreme: the first overshoot has rank 0, the trough after it rank 1."""
        z, w, b = self.damping, self.frequency, self.sine_share
        return (math.atan2(z * b + w, max(0.0, z - w * b)) + math.pi * (rank + 0.5)) / w

    def last_outside(self) -> int:
        """Return the rank of the last extreme outside 1 +- BAND; -1, the start, where none is."""
        rank = -1
        size = self.overshoot
        while size > BAND:
            rank += 1
            size *= self.decay
        return rank

    def settling(self) -> float:
        """Return when the response enters 1 +- BAND for good."""
        rank = self.last_outside()
        outside, inside = (self.extreme(rank) if rank >= 0 else 0.0), self.extreme(rank + 1)
        for _ in range(_HALVINGS):
            middle = 0.5 * (outside + inside)
            if abs(self.deviation(middle)) > BAND:
                outside = middle
            else:
                inside = middle
        return 0.5 * (outside + inside)


def with_overshoot(damping: float, overshoot: float) -> Ringing | None:
    """Return the response of that damping and overshoot; None where it overshoots more without any zero."""
    highest = damping / math.sqrt(1.0 - damping**2)
    if Ringing(damping=damping, sine_share=highest).overshoot > overshoot:
        return None
    reach = 1.0
    while Ringing(damping=damping, sine_share=highest - reach).overshoot < overshoot:
        reach *= 2.0
    low, high = highest - reach, highest
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if Ringing(damping=damping, sine_share=middle).overshoot > overshoot:
            low = middle
        else:
            high = middle
    return Ringing(damping=damping, sine_share=0.5 * (low + high))
