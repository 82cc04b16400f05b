"""A merged run's folder: the same files as a run of its own leaves."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from bench.leaderboard.tables import write_tables
from bench.results.folder import RunFolder
from bench.results.pricing import cost_by_price, prices_from_json
from bench.results.stored_run import write_records, write_truths

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bench.results.stored_run import StoredRun

__all__ = ["write_merged"]

PICTURES = ("geometry/annotated", "auxsolidmath/images")


def write_merged(merged: StoredRun, parts: Iterable[Path]) -> Path:
    """Write the merged run into its folder, with the pictures of its parts; return the folder.

    Raises:
        UserError: the folder holds something else than an earlier merger of the same models.
        OSError: it cannot be written.
    """
    models = [(model["provider"], model["name"]) for model in merged.manifest["models"]]
    folder = RunFolder.create(merged.path, models)
    folder.make_room(merged.manifest["cases_selected"])
    write_records(folder.path, merged.records)
    write_truths(folder.path, merged.truths)
    write_tables(
        merged.records,
        folder.path,
        truths=merged.truths,
        options=merged.manifest["options"],
        elapsed_s=merged.manifest["elapsed_s"],
        cost_usd=cost_by_price(prices_from_json(merged.manifest["prices"])),
    )
    for part in parts:
        for name in PICTURES:
            if (part / name).is_dir():
                shutil.copytree(part / name, folder.path / name, dirs_exist_ok=True)
    folder.write_manifest(merged.manifest)
    return folder.path
