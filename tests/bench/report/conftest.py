"""A real browser for the report: Debian's Chromium, driven by Playwright; nothing is downloaded."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.bench.report.pages import Opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")  # its event loop runs as long as it is open: no other module may meet it
def chromium() -> Iterator[Any]:
    """The browser; tests that need it skip where there is none."""
    found = os.environ.get("EYECHART_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium: install Debian's `chromium`, or name one in EYECHART_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install -e '.[browser]'")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file in a window of its own; in the end nothing may have been logged, asked for or popped up."""
    opened: list[Opened] = []

    def open_it(path: Path, link: str = "", **context: Any) -> Opened:
        opened.append(Opened(chromium.new_context(**context), path, link))
        return opened[-1]

    yield open_it
    for one in opened:
        one.close()
    assert [one.complaints for one in opened] == [[]] * len(opened)
