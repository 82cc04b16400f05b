"""What a report costs to write and to open: `pytest tests/performance/test_report_speed.py -s`."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bench.report.contents import Contents, PagePicture
from bench.report.image_store import ImageStore
from bench.report.page import write_report
from generators.pictures import PictureCache
from generators.plotchain import PlotChainSource
from tests.bench.report.conftest import chromium, open_page
from tests.bench.report.pages import MANIFEST
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.results.record import Record
    from tests.bench.report.pages import Opened

__all__ = ["chromium", "open_page"]

pytestmark = pytest.mark.performance

PROMPT = "Read the plot and answer with one JSON object. " * 30
REPLY = "\nThe curve rises to the peak, so I read the axis there." * 20
MEGABYTE = 1_000_000
PICTURES = 560  # of 1,200 cases: 450 plots, and dot images and solids that several tasks share


@pytest.fixture(scope="module")
def drawn() -> list[bytes]:
    """One picture of each family; a real run has 450, no two alike."""
    source = PlotChainSource(items_per_family=1)
    return [source.item(ref).picture.png() for ref in source.cases]


def marked(png: bytes, place: int) -> bytes:
    """Return the picture with one pixel of another colour, so that no two are alike."""
    from PIL import Image  # noqa: PLC0415 - only where a picture is marked

    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    picture.paste((0, 0, 0), (place, 0, place + 1, 1))
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def a_run(count: int, drawn: list[bytes], folder: Path) -> tuple[Contents, PictureCache]:
    """A run of so many cases, each with a picture, a long prompt and a long reply of its own."""
    first = make_record()
    records = [
        replace(
            first,
            item_id=f"bode_magnitude_{place:04d}",
            family=f"family_{place % 15}",
            prompt=f"{place} {PROMPT}",
            reply=replace(first.reply, text=first.reply.text + REPLY),
        )
        for place in range(count)
    ]
    places = {record.item_id: place for place, record in enumerate(records)}

    def picture(record: Record) -> PagePicture:
        place = places[record.item_id] % PICTURES
        return PagePicture(key=f"{place:04d}", png=lambda: marked(drawn[place % len(drawn)], place))

    contents = Contents(manifest=MANIFEST, records=records, cost_usd=lambda _: 0.001, picture=picture)
    return contents, PictureCache(folder / "copies")


def test_writing_450_cases_of_which_copies_are_kept(tmp_path: Path, drawn: list[bytes]) -> None:
    contents, copies = a_run(450, drawn, tmp_path)
    spent_s = []
    for _ in range(3):
        started_s = time.process_time()
        write_report(tmp_path / "report.html", contents, ImageStore(copies))
        spent_s.append(time.process_time() - started_s)
    first, *later = spent_s
    print(f"\n450 cases: {first:.2f} s of CPU, pictures made and copied; {min(later):.2f} s again (bound 0.8 s)")
    assert min(later) <= 0.8


def test_opening_1_200_cases(tmp_path: Path, drawn: list[bytes], open_page: Callable[..., Opened]) -> None:
    contents, copies = a_run(1_200, drawn, tmp_path)
    path = write_report(tmp_path / "report.html", contents, ImageStore(copies))
    waits_s = []
    for _ in range(3):
        started_s = time.perf_counter()
        opened = open_page(path)
        waits_s.append(time.perf_counter() - started_s)
        opened.expect_found("1200 of 1200 cases.")
    size = path.stat().st_size / MEGABYTE
    print(f"\n1,200 cases: {size:.1f} MB, open after {min(waits_s):.2f} s (bound 2 s)")
    assert size < 15
    assert min(waits_s) < 2.0
