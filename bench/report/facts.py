"""What was run, when, with which options; and whether it is complete."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from bench.report.markup import Html, element, joined
from bench.report.tables import table
from bench.report.words import count, duration, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bench.report.contents import Contents

__all__ = ["about_run", "incomplete", "options_and_versions"]


def about_run(contents: Contents) -> Html:
    """Return one line: models, cases, replies, when and how long."""
    cases = {(record.suite, record.item_id, record.task) for record in contents.records}
    manifest = contents.manifest
    parts = [
        plural(len(contents.labels), "model", "models"),
        plural(len(cases), "case", "cases"),
        plural(len(contents.records), "reply", "replies"),
        *_when(manifest),
    ]
    return element("p", " · ".join(parts))


def _when(manifest: Mapping[str, Any]) -> Iterator[str]:
    try:
        started = datetime.fromisoformat(str(manifest["started"]))
        finished = datetime.fromisoformat(str(manifest["finished"]))
    except (KeyError, ValueError):
        return
    yield f"{started:%Y-%m-%d %H:%M} UTC"
    yield f"took {duration((finished - started).total_seconds())}"


def incomplete(contents: Contents) -> Html | None:
    """Return a warning when cases are missing or failed."""
    if contents.manifest.get("complete", True):
        return None
    selected = contents.manifest.get("cases_selected")
    cases = len({record.case_id for record in contents.records})
    failed = sum(record.status == "failed" for record in contents.records)
    said = [f"{count(cases)} of {count(selected)} selected cases have replies" if selected else ""]
    if failed:
        said.append(f"{plural(failed, 'reply', 'replies')} failed at the server")
    return element(
        "p", element("strong", "This run is not complete. "), "; ".join(filter(None, said)), ".", class_="warning"
    )


def options_and_versions(contents: Contents) -> Html:
    """Return tables of run.json's options, models and versions, folded away."""
    manifest = contents.manifest
    models = [
        [
            element("bdi", f"{model.get('provider')}:{model.get('name')}"),
            element("bdi", str(model.get("about", ""))),
            element("bdi", ", ".join(map(str, model.get("served_as", [])))),
        ]
        for model in manifest.get("models", [])
    ]
    pairs = [
        *((name, value) for name, value in manifest.get("options", {}).items()),
        *((f"{name} (version)", value) for name, value in manifest.get("versions", {}).items()),
        *(
            (f"{suite}: SHA-256 of items", about.get("sha256"))
            for suite, about in manifest.get("items", {}).items()
        ),
        ("SHA-256 of scorers", manifest.get("scorers_sha256")),
    ]
    rows = [[name, element("bdi", _said(value))] for name, value in pairs]
    return joined(
        table(("model", "asked how", "served as"), models, numbers_from=3),
        element("details", element("summary", "All options"), table(("option", "value"), rows, numbers_from=2)),
    )


def _said(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
