"""What all tests share: where the reference data lie, and warnings as errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make warnings errors here, and only here: a user's benchmark run is not stopped by one."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests"):
            item.add_marker(pytest.mark.filterwarnings("error"), append=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of reference data that users do not have; tests that need it skip without it."""
    folder = Path(os.environ.get("EYECHART_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found: no folder {folder.name!r} beside the repository")
    return folder


@pytest.fixture(scope="session")
def published_plotchain(shared: Path) -> Path:
    """The published PlotChain release: plotchain.jsonl, pictures and two models' results."""
    folder = shared / "data" / "plotchain"
    if not folder.is_dir():
        pytest.skip("reference data hold no data/plotchain")
    return folder
