"""Options: what is accepted, the line that says what was expected, and the way to run.json and back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench.errors import UserError
from bench.options import OPTIONS, Settings, read_settings

BY_FLAG = {option.flag: option for option in OPTIONS}


def config(*arguments: str, ini: dict[str, Any] | None = None) -> Any:
    """Return what pytest makes of a command line and ini values."""
    given: dict[str, Any] = dict.fromkeys(option.dest for option in OPTIONS)
    for flag, value in zip(arguments[::2], arguments[1::2], strict=True):
        option = BY_FLAG[flag]
        given[option.dest] = [*(given[option.dest] or []), value] if option.many else value
    return SimpleNamespace(getoption=given.__getitem__, getini=(ini or {}).get, rootpath=Path("/root"))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--api-base", "ftp://x"], "--api-base: expected an http:// or https:// address, got 'ftp://x'"),
        (["--api-base", "ftp://me:secret@x"], "--api-base: expected an http:// or https:// address, got '…@x'"),
        (["--model", "blind", "--model", "blind"], "each model once"),
        (["--model", ""], "--model: expected a value that is not empty, got ''"),
        (["--policy", "lenient"], "--policy: expected one of plotread, strict, got 'lenient'"),
        (["--edition", "v9"], "--edition: expected"),
        (["--items-per-family", "0"], "--items-per-family: expected a whole number from 1"),
        (["--items-per-family", "many"], "got 'many'"),
        (["--item-seed", "-1"], "--item-seed: expected a whole number from 0 to 9223372036854775807, got '-1'"),
        (["--limit", "0"], "--limit: expected"),
        (["--shots", "4"], "--shots: expected one of 0, 3, 5, got '4'"),
        (["--concurrency", "0"], "--concurrency: expected"),
        (["--concurrency", "1e3"], "--concurrency: expected"),
        (["--request-timeout", "nan"], "--request-timeout: expected a number from 0.1 to 86400, got 'nan'"),
        (["--request-timeout", "inf"], "--request-timeout: expected a number"),
        (["--temperature", "3"], "--temperature: expected a number from 0 to 2, or none, got '3'"),
        (["--image-detail", "ultra"], "--image-detail: expected"),
        (["--repeats", "0"], "--repeats: expected"),
        (["--replay", "absent.jsonl"], "--replay: expected an existing file"),
        (["--geometry-suite", __file__], "--geometry-suite: expected an existing folder"),
        (["--out", "~nobody-of-that-name/x"], "is no usable path"),
        (["--gate", "x" * 5000], "is no usable path"),
        (["--gate-margin", "0/8"], "--gate-margin: expected points above 0 and up to 100 as overall/suite"),
        (["--gate-margin", "4/8"], "--gate-margin and --gate-aa belong to a gate"),
        (["--replay", __file__, "--model", "oracle"], "give --replay or --model, not both"),
        (["--replay", __file__, "--repeats", "2"], "it has no meaning with --replay"),
    ],
)
def test_a_wrong_value_is_one_line(arguments: list[str], line: str) -> None:
    with pytest.raises(UserError) as caught:
        read_settings(config(*arguments))
    assert line in str(caught.value)
    assert "secret" not in str(caught.value)


def test_the_command_line_comes_before_the_ini_value_and_that_before_the_default() -> None:
    ini = {"eyechart_limit": "7", "eyechart_fresh": "yes", "eyechart_model": ["blind"], "eyechart_replay": []}
    settings = read_settings(config("--limit", "3", "--temperature", "none", ini=ini))
    assert (settings.limit, settings.fresh, settings.models, settings.replay) == (3, True, ("blind",), ())
    assert (settings.temperature, settings.concurrency) == (None, 8)
    with pytest.raises(UserError, match="ini value eyechart_limit: expected a whole number"):
        read_settings(config(ini={"eyechart_limit": "x"}))


def test_the_default_reply_store_lies_under_pytests_root() -> None:
    assert read_settings(config()).replies == Path("/root/results/replies.sqlite")
    assert read_settings(config("--replies", "mine.sqlite")).replies == Path("mine.sqlite")


def test_settings_come_back_from_json_also_where_their_files_have_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    given = ["--geometry-suite", str(gone), "--gate", str(gone), "--shard", "2/3", "--temperature", "none"]
    settings = read_settings(config(*given))
    gone.rmdir()
    assert Settings.from_json(settings.to_json()) == settings
    assert Settings.from_json({"shard": "1/2"}).models == ("reader",)
    with pytest.raises(UserError, match="a run's option shard: expected k/n such as 2/3"):
        Settings.from_json({"shard": "3/2"})
