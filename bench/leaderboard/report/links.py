"""Links into the gallery: the part after `#` holds its filters, so that they survive a reload."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from scorers.json_values import without_lone_surrogates

__all__ = ["gallery_link"]


def gallery_link(**filters: str | None) -> str:
    """Return the link that opens the gallery with these filters; None leaves one out."""
    given = {name: without_lone_surrogates(value) for name, value in filters.items() if value is not None}
    return f"#gallery?{urlencode(given, quote_via=quote)}"
