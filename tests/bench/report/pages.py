"""Report pages for tests: runs made by hand, written to a file, and read back as a browser would."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from bench.models.types import Response, Usage
from bench.report.contents import Contents, PagePicture
from bench.report.image_store import ImageStore
from bench.report.page import write_report
from tests.bench.tables.records import answer, failed, make_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from bench.results.record import Record

__all__ = ["HOSTILE", "MANIFEST", "Opened", "Page", "a_run", "colour", "page_of", "tiny_picture"]

HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<!-- <script> \u2028 ]]> --!>",
    "<img src=x onerror=\"document.title='owned'\">",
    "=cmd|'/C calc'!A0",
    "abc\u202egnp.exe \u2066 \u200b",
    "\x00\x07\x1b[31mred\x85",
    "half \ud83d of a pair",
    "&lt;b&gt; &amp; 'quotes' \"quotes\" `${document.title}`",
    "javascript:document.title='owned'",
    "مرحبا بالعالم, then English",
)
"""Texts that a model, a server or a file may put anywhere."""

MANIFEST: dict[str, Any] = {
    "complete": True,
    "started": "2026-01-02T03:04:05+00:00",
    "finished": "2026-01-02T03:05:45+00:00",
    "cases_selected": 9,
    "options": {"edition": "v4", "policy": "plotread", "fresh": False, "models": ["gpt-x"], "limit": None},
    "models": [{"provider": "openai", "name": "gpt-x", "about": "asked", "served_as": ["gpt-x-1"]}],
    "items": {"plotchain": {"n": 9, "sha256": "ab" * 32}},
    "scorers_sha256": "cd" * 32,
    "versions": {"python": "3.11.0"},
}


def a_run() -> list[Record]:
    """A run of one model in which everything occurs once."""
    usage = Usage(input_tokens=1200, output_tokens=40, reasoning_tokens=30)
    return [
        make_record(Response(status="answered", text=answer().text, usage=usage, latency_s=1.5)),
        make_record(answer(cp_mag_at_fc_db=0.0), item_id="bode_magnitude_001", difficulty="edge"),
        make_record(answer(cutoff_hz=None), item_id="bode_magnitude_002", difficulty="moderate"),
        make_record(answer(cutoff_hz=9e9), item_id="bode_magnitude_003"),
        make_record(failed(), item_id="bode_phase_000", family="bode_phase"),
        make_record(Response(status="refused", text="I cannot"), item_id="bode_phase_001", family="bode_phase"),
        make_record(Response(status="truncated", text='{"cut'), item_id="bode_phase_002", family="bode_phase"),
        make_record(Response(status="answered"), item_id="bode_phase_003", family="bode_phase"),
        make_record(suite="geometry", family="HSDN", item_id="d", task="COUNT", difficulty="hsdn"),
        make_record(
            answer(cutoff_hz=1.0), suite="geometry", family="HSDN", item_id="d", task="LOCATE", difficulty="hsdn"
        ),
    ]


def colour(shade: int) -> bytes:
    """A PNG of one colour."""
    from PIL import Image  # noqa: PLC0415 - only where pictures are tested

    out = io.BytesIO()
    Image.new("RGBA", (64, 48), (shade % 256, 90, 160, 255)).save(out, "PNG")
    return out.getvalue()


def tiny_picture(record: Record) -> PagePicture:
    """A picture for each item."""
    shade = sum(map(ord, record.item_id))
    return PagePicture(key=f"shade-{shade}", png=lambda: colour(shade))


def page_of(folder: Path, records: Iterable[Record], **parts: Any) -> Page:
    """Write a report and read it."""
    contents = Contents(
        **{"manifest": MANIFEST, "records": list(records), "cost_usd": lambda _: 0.002, **parts},
    )
    return Page(write_report(folder / "report.html", contents, ImageStore()).read_text("utf-8"))


class Page(HTMLParser):
    """A page's elements: tags with attributes in order, text by section, scripts by id."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.scripts: dict[str, str] = {}
        self._section = ""
        self._script: str | None = None
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag == "section":
            self._section = given["id"] or ""
        if tag in {"script", "style"}:
            self._script = given.get("id") or tag

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
        else:
            self.texts[self._section] = f"{self.texts.get(self._section, '')} {data.strip()}".strip()

    @property
    def data(self) -> dict[str, Any]:
        """What the gallery shows."""
        content: dict[str, Any] = json.loads(self.scripts["data"])
        return content

    @property
    def policy(self) -> dict[str, str]:
        """The content security policy."""
        (content,) = [
            attributes["content"] or ""
            for tag, attributes in self.tags
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return dict(part.strip().split(" ", 1) for part in content.split(";"))


class Opened:
    """A page in a browser window; `complaints` collects errors, pop-ups and requests to anywhere else."""

    def __init__(self, context: Any, path: Path, link: str = "") -> None:
        self.complaints: list[str] = []
        self._context = context
        self.path = path.resolve()
        self._folder = self.path.parent.as_uri()
        context.set_default_timeout(15_000)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"pop-up: {dialog.message}"))
        self.page.on("request", self._see_request)
        self.go_to(link)

    def _see_request(self, request: Any) -> None:
        if not request.url.startswith((self._folder, "data:")):
            self.complaints.append(f"request: {request.url}")

    def go_to(self, link: str) -> None:
        """Open the page by a link of its own; without one as if for the first time."""
        self.page.goto(self.path.as_uri() + link)
        self.wait()

    def wait(self) -> None:
        """Wait until the script has run."""
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def close(self) -> None:
        """Close the window."""
        self._context.close()

    @property
    def shown(self) -> list[str]:
        """The ids of the cases that are drawn."""
        ids: list[str] = self.page.eval_on_selector_all(".case", "nodes => nodes.map((node) => node.dataset.case)")
        return ids

    def expect(self, read: Callable[[], object], wanted: object) -> None:
        """Fail unless this is read, at once or soon: the page follows its address and unfoldings with a delay."""
        patience = 200
        while patience and read() != wanted:
            self.page.wait_for_timeout(50)
            patience -= 1
        assert read() == wanted

    def expect_shown(self, ids: list[str]) -> None:
        """Fail unless these cases are drawn, at once or soon."""
        self.expect(lambda: self.shown, ids)

    def expect_count(self, count: int) -> None:
        """Fail unless so many cases are drawn, at once or soon."""
        self.expect(lambda: len(self.shown), count)

    def expect_found(self, text: str) -> None:
        """Fail unless the gallery says this of how many cases it found, at once or soon."""
        self.expect(lambda: self.page.inner_text("#found"), text)

    def unfold(self, summaries: Any) -> None:
        """Click these and wait until what was unfolded is filled."""
        summaries.evaluate_all("nodes => nodes.forEach((node) => node.click())")
        self.expect(lambda: self.page.locator("details[open] > summary:only-child").count(), 0)

    def field(self, name: str) -> Any:
        """Find a filter."""
        return self.page.locator(f"#filters [name={name}]")

    def choose(self, name: str, value: str) -> None:
        """Set a filter."""
        self.field(name).select_option(value)

    def wait_for_picture(self, width_px: int) -> None:
        """Wait until the first case's picture is there; one that is not in sight is never fetched."""
        image = self.page.locator(".case img").first
        image.scroll_into_view_if_needed()
        for _ in range(100):  # the page's policy forbids Playwright's own way to wait for a condition
            if image.evaluate("image => image.naturalWidth") == width_px:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"no picture of {width_px} px came")

    def sideways(self, width_px: int) -> int:
        """By how many pixels the page is wider than a window of this width."""
        self.page.set_viewport_size({"width": width_px, "height": 800})
        wider: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return wider
