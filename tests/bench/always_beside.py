"""A pytest plugin for runs of tests: pictures go beside the report also of a short run; it says how many early."""

from pathlib import Path

from bench.report import page as report_page
from bench.report import run_pictures
from bench.report.image_store import ImageStore

for module in (report_page, run_pictures):
    vars(module).update(MOST_BYTES=0)
_write_beside = ImageStore.write_beside


def _and_say_how_many(self: ImageStore, page: Path) -> None:
    early = sum(picture.exists() for picture in self._written)
    _write_beside(self, page)
    (page.parent / "written_early").write_text(str(early))


ImageStore.write_beside = _and_say_how_many  # type: ignore[method-assign]
