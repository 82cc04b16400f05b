"""Links into the gallery: the part after `#` holds its filters, so that they survive a reload."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from scorers.json_values import without_lone_surrogates

__all__ = ["case_name", "gallery_link"]


def case_name(item_id: str, task: str | None) -> str:
    """Return the name under which the gallery shows a case: the item's, and the task's where it does not tell."""
    return item_id if task is None or item_id.startswith(f"{task}-") else f"{item_id}-{task}"


def gallery_link(**filters: str | None) -> str:
    """Return the link that opens the gallery with these filters; None leaves one out."""
    given = {name: without_lone_surrogates(value) for name, value in filters.items() if value is not None}
    return f"#gallery?{urlencode(given, quote_via=quote)}"
