"""What run.json says of the scorers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.results import manifest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def scorers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the scorers', with one source file."""
    monkeypatch.setattr(manifest, "SCORERS", tmp_path)
    (tmp_path / "score.py").write_text("PASS = True\n")
    return tmp_path


def digest() -> str:
    manifest.scorer_digest.cache_clear()
    try:
        return manifest.scorer_digest()
    finally:
        manifest.scorer_digest.cache_clear()


def test_the_scorers_digest_changes_with_their_source_and_with_nothing_else(scorers: Path) -> None:
    before = digest()
    (scorers / ".#score.py").symlink_to("me@host.1")  # what an editor leaves beside a file that it changes
    (scorers / "folder.py").mkdir()
    (scorers / "notes.txt").touch()
    assert digest() == before
    (scorers / "score.py").write_text("PASS = False\n")
    assert digest() != before
