"""Normal and Student's t distributions, without a numerical library: every run's tables need two functions."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

__all__ = ["cdf", "normal_quantile", "quantile", "t_cdf", "t_quantile"]

_EXACT_DEGREES = 1000
_PRECISION = 1e-12
_STANDARD = NormalDist()


def quantile(probability: float, degrees: int | None) -> float:
    """Return the quantile of Student's t, or of the normal distribution where `degrees` is None."""
    return normal_quantile(probability) if degrees is None else t_quantile(probability, degrees)


def cdf(value: float, degrees: int | None) -> float:
    """Return P(X <= value) of Student's t, or of the normal distribution where `degrees` is None."""
    return _STANDARD.cdf(value) if degrees is None else t_cdf(value, degrees)


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile; `probability` lies between 0 and 1, both excluded."""
    return _STANDARD.inv_cdf(probability)


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: int) -> float:
    """Return the quantile of Student's t with a whole number of degrees of freedom, from 1.

    Bisection on the exact distribution up to 1,000 degrees, then the expansion in 1 / degrees of
    Abramowitz and Stegun (1964), 26.7.5, good to 1e-8 there.
    """
    if degrees > _EXACT_DEGREES:
        z = normal_quantile(probability)
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / degrees + second / degrees**2
    low, high = -1.0, 1.0
    while t_cdf(low, degrees) > probability:
        low *= 2
    while t_cdf(high, degrees) < probability:
        high *= 2
    while high - low > _PRECISION * max(1.0, abs(low)):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def t_cdf(t: float, degrees: int) -> float:
    """Return P(T <= t): the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2 == 1
    term = cosine if odd else 1.0
    series = 0.0
    for power in range(2 + degrees % 2, degrees + 1, 2):
        series += term
        term *= (power - 1) / power * cosine**2
    within = 2 / math.pi * (angle + sine * series) if odd else sine * series
    return (1 + within) / 2
