"""The report in a real browser: filters, search and links work, hostile text is text, in any width and light."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.types import Response
from bench.report import page as report_page
from bench.report.rendering import shown
from tests.bench.report.pages import HOSTILE, Opened, a_run, page_of, tiny_picture
from tests.bench.report.test_page import hostile_record
from tests.bench.tables.records import make_record
from tests.conftest import sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.results.record import Record

    OpenPage = Callable[..., Opened]


def write(folder: Path, run: list[Record]) -> Path:
    page_of(folder, run, picture=tiny_picture)
    return folder / "report.html"


@pytest.fixture(scope="module")
def window(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A window in which the page of a run is open, shared by the tests."""
    path = write(tmp_path_factory.mktemp("page"), a_run())
    one = Opened(chromium.new_context(), path)
    yield one
    one.close()


@pytest.fixture
def opened(window: Opened) -> Iterator[Opened]:
    """The page of a run, as it opens; in the end nothing may have been logged, asked for or popped up."""
    window.go_to("")
    yield window
    assert window.complaints == []


def many(count: int) -> list[Record]:
    return [make_record(item_id=f"bode_magnitude_{place:03d}") for place in range(count)]


def test_filters_choose_cases(opened: Opened) -> None:
    opened.expect_found("10 of 10 cases.")
    opened.choose("family", "bode_phase")
    opened.expect_shown([f"bode_phase_00{place}" for place in range(4)])
    opened.choose("outcome", "refused")
    opened.expect_shown(["bode_phase_001"])
    opened.page.get_by_role("button", name="Clear").click()
    opened.expect_found("10 of 10 cases.")
    opened.choose("task", "LOCATE")
    opened.expect_shown(["d-LOCATE"])
    opened.choose("task", "")
    opened.choose("outcome", "not-passed")
    opened.expect_count(7)
    opened.choose("suite", "geometry")
    opened.expect_shown(["d-LOCATE"])


def test_search_finds_ids_and_words_of_replies(opened: Opened) -> None:
    search = opened.field("q")
    search.fill("phase_003")
    opened.expect_shown(["bode_phase_003"])
    search.fill("CANNOT")
    opened.expect_shown(["bode_phase_001"])
    search.fill("no connection")
    opened.expect_shown(["bode_phase_000"])
    search.fill("nothing that anybody said")
    opened.expect_found("0 of 10 cases.")


def test_links_survive_a_reload(opened: Opened) -> None:
    opened.choose("family", "bode_phase")
    opened.choose("outcome", "failed")
    opened.field("q").fill("phase")
    opened.page.reload()
    opened.wait()
    opened.expect_shown(["bode_phase_000"])
    assert opened.field("family").input_value() == "bode_phase"
    assert opened.field("q").input_value() == "phase"


def test_a_case_has_a_link_of_its_own(opened: Opened, open_page: OpenPage) -> None:
    opened.page.get_by_role("link", name="bode_magnitude_002", exact=True).click()
    opened.expect_shown(["bode_magnitude_002"])
    again = open_page(opened.path, opened.page.evaluate("location.hash"))
    again.expect_shown(["bode_magnitude_002"])
    again.page.get_by_role("link", name="Show all").click()
    again.expect_found("10 of 10 cases.")


def test_a_cell_of_the_map_leads_to_its_cases(opened: Opened) -> None:
    opened.page.locator("#families tr", has_text="bode_magnitude").locator("td a").nth(1).click()
    opened.expect_shown(["bode_magnitude_000", "bode_magnitude_003"])  # the clean ones
    opened.page.locator("#failures").get_by_role("link", name="3", exact=True).first.click()
    opened.expect_count(3)
    opened.page.go_back()
    opened.expect_shown(["bode_magnitude_000", "bode_magnitude_003"])


def test_the_largest_error_can_stand_first(opened: Opened) -> None:
    opened.choose("sort", "worst")
    opened.expect(lambda: opened.shown[0], "bode_magnitude_003")
    opened.choose("sort", "slow")
    opened.expect(lambda: opened.shown[0] != "bode_phase_000", True)


def test_a_case_shows_picture_prompt_reply_and_fields(opened: Opened) -> None:
    opened.go_to("#gallery?case=bode_magnitude_001")
    case = opened.page.locator(".case")
    opened.wait_for_picture(width_px=64)
    opened.unfold(case.get_by_text("Prompt"))
    assert case.locator("pre").first.inner_text() == "Read the plot: −3 dB?"
    assert '"cp_mag_at_fc_db": 0' in case.locator(".reply pre").inner_text()
    row = case.locator("tr", has_text="cp_mag_at_fc_db").locator("td").all_inner_texts()
    assert row == ["cp_mag_at_fc_db", "0", "17", "17 (20 tol.)", "± 0.8 or 5 %", "|error| 17 > 0.85"]


def test_replies_of_several_models_stand_side_by_side(tmp_path: Path, open_page: OpenPage) -> None:
    wrong = replace(make_record(Response(status="answered", text='{"cutoff_hz": 7}')), model="gpt-y")
    opened = open_page(write(tmp_path, [make_record(), wrong, make_record(repeat=1)]))
    table = opened.page.locator(".replies > .scroll table")
    assert table.locator("th").all_inner_texts() == ["field", "truth", "gpt-x #1", "gpt-x #2", "gpt-y"]
    assert table.locator("tr", has_text="cutoff_hz").locator("td").all_inner_texts() == [
        "cutoff_hz", "100", "100", "100", "7",
    ]  # fmt: skip
    opened.unfold(opened.page.locator("summary", has_text="gpt-y"))
    assert '{"cutoff_hz": 7}' in opened.page.locator("details[open] pre").all_inner_texts()
    opened.choose("outcome", "mixed")
    opened.expect_count(1)


def test_cases_are_drawn_as_they_come_into_sight(tmp_path: Path, open_page: OpenPage) -> None:
    opened = open_page(write(tmp_path, many(90)))
    opened.expect_count(20)

    def after_scrolling() -> int:
        opened.page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        return len(opened.shown)

    opened.expect(after_scrolling, 90)


def test_a_pictures_place_is_kept_free_before_it_is_there(tmp_path: Path, open_page: OpenPage) -> None:
    opened = open_page(write(tmp_path, many(20)))
    last = opened.page.locator(".case img").last  # far below the window, where nothing is fetched
    assert last.evaluate("image => image.naturalWidth") == 0
    place = last.bounding_box()
    assert place["width"] > 100
    assert place["height"] == pytest.approx(place["width"] * 48 / 64, rel=0.02)


def test_hostile_text_is_shown_as_text(tmp_path: Path, open_page: OpenPage) -> None:
    run = [hostile_record(text, place) for place, text in enumerate(HOSTILE)]
    opened = open_page(write(tmp_path, run))
    opened.unfold(opened.page.locator("summary"))
    assert opened.page.title().startswith("eyechart: ")
    seen = opened.page.eval_on_selector_all("pre", "nodes => nodes.map((node) => node.textContent)")
    for text in HOSTILE:
        assert shown(text) + '{"cutoff_hz": 1}' in seen
    assert opened.page.locator("#gallery script, #results script, #gallery img[src='x']").count() == 0


@pytest.mark.parametrize("links", [slice(3), pytest.param(slice(3, None), marks=pytest.mark.sweep)], ids=str)
def test_hostile_names_can_be_filtered_by_and_linked_to(tmp_path: Path, open_page: OpenPage, links: slice) -> None:
    run = [*(hostile_record(text, place) for place, text in enumerate(HOSTILE)), make_record()]
    opened = open_page(write(tmp_path, run))
    seen = set()
    cells = opened.page.locator("#families td a")
    places = range(cells.count())[links]
    for place in places:
        cells.nth(place).click()
        opened.page.reload()
        opened.wait()
        opened.expect_count(1)
        seen.update(opened.shown)
    assert len(seen) == min(len(places), len(run))


def test_the_page_never_scrolls_sideways(tmp_path: Path, open_page: OpenPage) -> None:
    long = "an-extremely-long-model-name-without-any-space-" * 5
    run = [*a_run(), *(replace(record, model=long) for record in a_run()), hostile_record("x" * 300, 0)]
    opened = open_page(write(tmp_path, run))

    def widths_that_scroll() -> list[int]:
        return [width for width in (320, 390, 1200) if opened.sideways(width) != 0]

    assert widths_that_scroll() == []
    opened.unfold(opened.page.locator("summary"))
    assert widths_that_scroll() == []


@pytest.mark.parametrize("scheme", sampled(["dark", "light"]))
def test_text_stands_out_in_light_and_dark(opened: Opened, scheme: str) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    background = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 3 * 128) == (scheme == "dark")
    weak = opened.page.evaluate(CONTRASTS)
    assert weak == [], weak


CONTRASTS = """
() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = parts(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const weak = [];
  const texts = "h1,h2,h3,p,td,th,a,small,summary,label,.outcome,figcaption,.legend span";
  for (const node of document.querySelectorAll(texts)) {
    if (!node.textContent.trim() || !node.offsetParent) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) weak.push([node.tagName, node.className, node.textContent.slice(0, 20), contrast]);
  }
  return weak;
}
"""


def test_pictures_beside_the_page_are_shown(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_page, "MOST_BYTES", 0)
    opened = open_page(write(tmp_path, a_run()))
    opened.wait_for_picture(width_px=64)
    assert opened.page.locator(".case img").first.get_attribute("src").startswith("report_pictures/")


def test_without_pictures_the_page_says_how_to_get_them(tmp_path: Path, open_page: OpenPage) -> None:
    page_of(tmp_path, a_run())
    opened = open_page(tmp_path / "report.html")
    assert "python -m bench.leaderboard.report RUN --draw" in opened.page.locator(".absent").first.inner_text()


def test_a_run_without_records_opens(tmp_path: Path, open_page: OpenPage) -> None:
    open_page(write(tmp_path, [])).expect_found("0 of 0 cases.")
