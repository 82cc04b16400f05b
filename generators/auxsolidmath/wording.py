"""Small pieces of English that several texts share."""

from __future__ import annotations

__all__ = ["listed"]


def listed(parts: list[str]) -> str:
    """Join at least one part: "a", "a and b", "a, b and c"."""
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
