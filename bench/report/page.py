"""The page as a whole: head with its security policy, facts of the run, sections, gallery, data."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bench.report.contents import Contents
from bench.report.gallery import gallery_data
from bench.report.gate_section import gate_section
from bench.report.image_store import FOLDER, ImageStore
from bench.report.pass_rates import difficulty_section, families_section, results_section
from bench.report.rendering import asset, data_json, duration, plural, section, stream
from bench.report.replies import cost_section, errors_section, failures_section
from bench.report.run_pictures import RunPictures
from bench.report.validity_section import validity_section
from bench.results.files import write_atomically
from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.gate.result import GateResult
    from bench.report.rendering import Section
    from bench.results.record import Record
    from bench.validity.report import ValidityReport
    from generators.items import Item
    from generators.pictures import PictureCache

__all__ = ["MOST_BYTES", "REPORT", "write_report", "write_run_report"]

REPORT = "report.html"

MOST_BYTES = 14_000_000
"""Pictures stand in the page as long as the whole stays below this; else in a folder beside it."""


def write_run_report(
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    records: Sequence[Record],
    cost_usd: Callable[[Record], float | None],
    find_item: Callable[[Record], Item],
    png: Callable[[Item], bytes | None],
    copies: PictureCache,
    gate: GateResult | None,
    validity: ValidityReport | None = None,
    out: Path | None = None,
) -> Path:
    """Write the report of a run into its folder, or as `out`; return its path.

    `find_item` and `png` are those of `RunPictures`; `copies` keeps the page's small pictures from run to run.

    Raises:
        OSError: it cannot be written.
    """
    pictures = RunPictures(folder, find_item=find_item, png=png)
    contents = Contents(
        manifest=manifest,
        records=records,
        cost_usd=cost_usd,
        picture=pictures.picture,
        overlay=pictures.overlay,
        drawing=pictures.drawing,
        sections=(
            *([] if gate is None else [gate_section(gate)]),
            *([] if validity is None else [validity_section(validity)]),
        ),
    )
    return write_report(out or folder / REPORT, contents, ImageStore(copies))


def write_report(path: Path, contents: Contents, images: ImageStore) -> Path:
    """Write the page, and the folder of its pictures where they are too many for one file; return its path.

    Equal contents give equal bytes.

    Raises:
        OSError: a file cannot be written; no half-written file is left.
    """
    data = gallery_data(contents, images)
    sections = _sections(contents)
    parts: list[bytes] = []
    if images.size_embedded < MOST_BYTES:
        parts = _page(contents, sections, data, images.embedded(), folder=None)
    if not parts or sum(map(len, parts)) > MOST_BYTES:
        images.write_beside(path)
        parts = _page(contents, sections, data, (), folder=FOLDER)
    else:
        images.clear_beside(path)
    write_atomically(path, b"".join(parts))
    return path


def _page(
    contents: Contents,
    sections: Sequence[Section],
    data: Mapping[str, Any],
    pictures: Iterable[tuple[str, str]],
    *,
    folder: str | None,
) -> list[bytes]:
    """Return the page's parts in their order; megabytes of data and pictures are not copied into a text."""
    style, script = asset("report.css"), asset("report.js")
    pieces = stream(
        "page.html.j2",
        models=list(contents.labels.values()),
        about=list(_about_run(contents)),
        policy=_policy(style, script, beside=folder is not None),
        style=style,
        sections=sections,
        data=data_json({**data, "folder": folder}),
        pictures=pictures,
        script=script,
    )
    return [without_lone_surrogates(piece).encode() for piece in pieces]


def _sections(contents: Contents) -> list[Section]:
    return [
        results_section(contents),
        *contents.sections,
        families_section(contents),
        difficulty_section(contents),
        errors_section(contents),
        failures_section(contents),
        cost_section(contents),
        section("gallery", "Cases"),
        _run_section(contents.manifest),
    ]


def _policy(style: str, script: str, *, beside: bool) -> str:
    """Forbid every connection: only this page's own style and script, and its own pictures."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{digest(script)}'",
            f"style-src 'sha256-{digest(style)}'",
            "img-src data: 'self' file:" if beside else "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _about_run(contents: Contents) -> Iterator[str]:
    """Say how many models, cases and replies there are, when the run started and how long it took."""
    cases = {(record.suite, record.item_id, record.task) for record in contents.records}
    yield plural(len(contents.labels), "model", "models")
    yield plural(len(cases), "case", "cases")
    yield plural(len(contents.records), "reply", "replies")
    try:
        started = datetime.fromisoformat(str(contents.manifest["started"]))
        finished = datetime.fromisoformat(str(contents.manifest["finished"]))
    except (KeyError, ValueError):
        return
    yield f"{started:%Y-%m-%d %H:%M} UTC"
    yield f"took {duration((finished - started).total_seconds())}"


def _run_section(manifest: Mapping[str, Any]) -> Section:
    """Return tables of run.json's models and, folded away, its options and versions."""
    models = [
        {
            "name": f"{model.get('provider')}:{model.get('name')}",
            "about": model.get("about", ""),
            "served_as": _option_text(model.get("served_as", [])),
        }
        for model in manifest.get("models", [])
    ]
    options = [
        *manifest.get("options", {}).items(),
        *((f"{name} (version)", value) for name, value in manifest.get("versions", {}).items()),
        *((f"{name}: SHA-256 of items", about.get("sha256")) for name, about in manifest.get("items", {}).items()),
        ("SHA-256 of scorers", manifest.get("scorers_sha256")),
    ]
    rows = [(name, _option_text(value)) for name, value in options]
    return section("run", "Options and versions", models=models, options=rows)


def _option_text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
