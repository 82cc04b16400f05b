"""The page as a whole: head with its security policy, sections, gallery, data."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.report.by_difficulty import by_difficulty
from bench.report.contents import Contents, Section
from bench.report.errors import error_distributions
from bench.report.facts import about_run, incomplete, options_and_versions
from bench.report.failures import failures_by_kind
from bench.report.gallery import gallery_data
from bench.report.headline import headline
from bench.report.heat_map import heat_map
from bench.report.image_store import FOLDER, ImageStore
from bench.report.markup import Html, data_block, element, joined
from bench.report.traffic import cost_and_latency
from bench.results.files import write_atomically
from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["MOST_BYTES", "REPORT", "write_report"]

REPORT = "report.html"

MOST_BYTES = 14_000_000
"""Pictures stand in the page as long as the whole stays below this; else in a folder beside it."""

_DATA_AND_PICTURES = Html("<!-- data and pictures -->")
"""Where they go; no text can hold this mark, because texts are escaped."""


def write_report(path: Path, contents: Contents, shelf: ImageStore) -> Path:
    """Write the page, and the folder of its pictures where they are too many for one file; return its path.

    Equal contents give equal bytes. The shelf may hold some of the pictures already.

    Raises:
        OSError: a file cannot be written; no half-written file is left.
    """
    data = gallery_data(contents, shelf)
    sections = _sections(contents)
    parts: list[bytes] = []
    if shelf.size_embedded < MOST_BYTES:
        parts = _page(contents, sections, data, shelf.embedded(), folder=None)
    if not parts or sum(map(len, parts)) > MOST_BYTES:
        shelf.write_beside(path)
        parts = _page(contents, sections, data, [], folder=FOLDER)
    else:
        shelf.clear_beside(path)
    write_atomically(path, b"".join(parts))
    return path


def _page(
    contents: Contents,
    sections: Sequence[Section],
    data: Mapping[str, Any],
    pictures: Sequence[bytes],
    *,
    folder: str | None,
) -> list[bytes]:
    """Return the page's parts in their order; megabytes of data and pictures are not copied into a text."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(beside=folder is not None)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"eyechart: {', '.join(contents.labels.values())}"),
        element("style", Html(_asset("report.css"))),
    )
    body = element(
        "body",
        element("header", element("h1", "eyechart"), about_run(contents), _menu(sections)),
        element("main", *(_section(section) for section in sections)),
        _DATA_AND_PICTURES,
        element("script", Html(_asset("report.js"))),
    )
    page = joined(Html("<!DOCTYPE html>\n"), element("html", head, body, lang="en"), Html("\n"))
    before, _, after = page.partition(_DATA_AND_PICTURES)
    return [_encoded(before), _encoded(data_block("data", {**data, "folder": folder})), *pictures, _encoded(after)]


def _encoded(markup: str) -> bytes:
    return without_lone_surrogates(markup).encode()


def _sections(contents: Contents) -> list[Section]:
    def section(identity: str, heading: str, body: Html) -> Section:
        return Section(id=identity, heading=heading, body=body)

    return [
        section("results", "Results", joined(incomplete(contents), headline(contents))),
        *contents.sections,
        section("families", "By family", heat_map(contents)),
        section("difficulty", "By difficulty and task", by_difficulty(contents)),
        section("errors", "Errors, in tolerances", error_distributions(contents)),
        section("failures", "Failures by kind", failures_by_kind(contents)),
        section("cost", "Cost and time", cost_and_latency(contents)),
        section("gallery", "Cases", _gallery()),
        section("run", "Options and versions", options_and_versions(contents)),
    ]


def _menu(sections: Sequence[Section]) -> Html:
    links = (element("a", section.heading, href=f"#{section.id}") for section in sections)
    return element("nav", *links, aria_label="Sections")


def _section(section: Section) -> Html:
    return element("section", element("h2", section.heading), section.body, id=section.id)


def _gallery() -> Html:
    return joined(
        element("form", id="filters", role="search"),
        element("p", id="found", class_="note", aria_live="polite"),
        element("div", id="cases"),
        element("div", id="more"),
        element("noscript", element("p", "The cases are shown by a script, which is switched off.")),
    )


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


def _policy(*, beside: bool) -> str:
    """Forbid every connection: only this page's own style and script, and its own pictures."""
    own = {name: base64.b64encode(hashlib.sha256(_asset(name).encode()).digest()).decode() for name in _OWN}
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{own['report.js']}'",
            f"style-src 'sha256-{own['report.css']}'",
            "img-src data: 'self' file:" if beside else "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


_OWN = ("report.css", "report.js")
