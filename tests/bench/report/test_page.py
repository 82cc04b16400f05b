"""The report as a file: what it says, that nothing in it is taken for markup, that equal runs give equal bytes."""

from __future__ import annotations

import base64
import errno
import hashlib
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.models.types import Drawing, Response
from bench.report import gallery, page
from bench.report.contents import Contents, Picture, Section, labels_of
from bench.report.error_units import in_tolerances
from bench.report.image_store import FOLDER, ImageStore, write_picture
from bench.report.links import case_name, gallery_link
from bench.report.markup import Html, data_block, element, joined, shown
from bench.report.pass_rates import pass_rate
from bench.report.words import amount_usd, duration, percent
from generators.pictures import PictureCache, copy_key
from scorers.json_values import without_lone_surrogates
from scorers.score import FieldScore, Score, Unscored
from tests.bench.report.pages import HOSTILE, MANIFEST, Page, a_run, colour, page_of, tiny_picture
from tests.bench.tables.records import answer, failed, make_record, published_records, records

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from bench.results.record import Record


def hostile_record(text: str, place: int) -> Record:
    """A record that says the text wherever a record can say something."""
    reply = Response(status="answered", text=text + '{"cutoff_hz": 1}', served_model=text, finish_reason=text)
    record = make_record(
        reply,
        item_id=f"{text}{place}", case_id=text, family=text, difficulty=text, model=text, prompt=text,
    )  # fmt: skip
    row = replace(record.score.fields[0], field=text, why=text)
    return replace(record, score=Score(fields=(row,), parsed=True, answer=None, rule=text))


def test_what_the_page_says(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert page_of(tmp_path, a_run()).texts == snapshot


def test_what_the_gallery_is_given(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert page_of(tmp_path, a_run(), picture=tiny_picture).data == snapshot


def test_several_models_and_repeats(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    run = [
        replace(record, model=model, repeat=repeat)
        for record in a_run()
        for model in ("gpt-x", "gpt-y")
        for repeat in range(2)
    ]
    found = page_of(tmp_path, run)
    assert found.texts == snapshot
    assert found.data["models"] == ["gpt-x", "gpt-y"]
    assert [len(case["replies"]) for case in found.data["cases"]] == [4] * 10


def test_the_published_run(published_plotchain: Path, tmp_path: Path) -> None:
    found = page_of(tmp_path, published_records(published_plotchain, "gpt4o_plotread_20260104_temp0"))
    assert "32.4 %" in found.texts["results"]
    assert "28.3 to 36.9 %" in found.texts["results"]
    assert "146 of 450 cases" in found.texts["results"]


def test_equal_runs_give_equal_bytes_whatever_their_order(tmp_path: Path) -> None:
    first = page_of(tmp_path, a_run(), picture=tiny_picture).source
    assert page_of(tmp_path, reversed(a_run()), picture=tiny_picture).source == first


def test_only_the_pages_own_script_style_and_pictures_may_be_used(tmp_path: Path) -> None:
    found = page_of(tmp_path, a_run())
    policy = found.policy
    assert policy["default-src"] == "'none'"
    for source, name in (("script-src", "script"), ("style-src", "style")):
        digest = hashlib.sha256(found.scripts[name].encode()).digest()
        assert policy[source] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert policy["img-src"] == "data:"
    assert (policy["base-uri"], policy["form-action"]) == ("'none'", "'none'")


def test_nothing_is_fetched_from_anywhere(tmp_path: Path) -> None:
    found = page_of(tmp_path, a_run(), picture=tiny_picture)
    for tag, attributes in found.tags:
        assert not {"src", "srcset", "style", "action", "onclick", "onerror", "onload"} & attributes.keys()
        assert tag not in {"iframe", "object", "embed", "link", "base", "form-action"}
        assert (attributes.get("href") or "#").startswith("#")
    assert "http://" not in found.source.replace("http://www.w3.org", "")
    assert "https://" not in found.source


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text(tmp_path: Path, text: str) -> None:
    plain = page_of(tmp_path, [hostile_record("plain", 0), hostile_record("plain", 1)])
    found = page_of(tmp_path, [hostile_record(text, 0), hostile_record(text, 1)])
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in plain.tags]
    assert found.data["cases"][0]["prompt"] == 0
    assert found.data["prompts"] == [without_lone_surrogates(text)]
    assert " ".join(shown(text).split()) in " ".join(found.texts["results"].split())


@given(run=st.lists(records(), max_size=4))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=40,
    deadline=None,
)
def test_any_run_gives_a_page_of_the_same_form(tmp_path: Path, run: list[Record]) -> None:
    found = page_of(tmp_path, run)
    headings = [tag for tag, _ in found.tags if tag in {"html", "head", "body", "main", "script", "style"}]
    assert headings == ["html", "head", "style", "body", "main", "script", "script"]
    assert len(found.data["cases"]) == len({(one.suite, one.item_id, one.task) for one in run})


@given(st.text())
def test_escaped_markup_reads_back_as_the_text(text: str) -> None:
    read = Page(element("p", text, title=text))
    assert read.tags[0][0] == "p"
    assert len(read.tags) == 1
    assert (read.tags[0][1]["title"] or "") == shown(text).replace("\r", "\n")


@given(st.text(), st.text())
def test_no_text_closes_a_data_block(name: str, text: str) -> None:
    block = data_block("data", {name: text})
    assert not re.search(
        r"[<>&\u2028\u2029]", block.removeprefix('<script type="application/json" id="data">')[:-9]
    )


def test_invisible_characters_are_spelt_out() -> None:
    assert shown("a\u202eb\x00\ufeff\tc\n") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+FEFF⟩\tc\n"
    assert joined("<", Html("<b>"), None, 3) == "&lt;<b>3"


def test_the_script_spells_out_the_same_characters(tmp_path: Path) -> None:
    from bench.report.markup import INVISIBLE  # noqa: PLC0415 - for this comparison alone

    assert f"/[{INVISIBLE}]/g" in page_of(tmp_path, []).scripts["script"]


def test_pictures_stand_in_the_page_once_each(tmp_path: Path) -> None:
    found = page_of(tmp_path, a_run(), picture=tiny_picture)
    names = {case["picture"] for case in found.data["cases"]}
    assert len(names) == 9  # one item of ten is asked two tasks
    for name in names:
        assert base64.b64decode(found.scripts[f"p-{name}"]).startswith(b"\x89PNG")


def test_many_pictures_go_into_a_folder_beside_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = page_of(tmp_path, a_run()).source
    monkeypatch.setattr(page, "MOST_BYTES", len(small.encode()) + 100)
    found = page_of(tmp_path, a_run(), picture=tiny_picture)
    assert found.data["folder"] == FOLDER
    assert found.policy["img-src"] == "data: 'self' file:"
    names = {f"{case['picture']}.png" for case in found.data["cases"]}
    assert {path.name for path in (tmp_path / FOLDER).iterdir()} == names

    (tmp_path / FOLDER / "mine.txt").write_text("kept")
    assert page_of(tmp_path, a_run()).data["folder"] is None
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["mine.txt"]
    (tmp_path / FOLDER / "mine.txt").unlink()
    page_of(tmp_path, a_run())
    assert not (tmp_path / FOLDER).exists()


def drawn() -> Contents:
    """A run in which every item has a picture."""
    return Contents(manifest=MANIFEST, records=a_run(), cost_usd=lambda _: None, picture=tiny_picture)


def test_small_copies_are_kept_for_the_next_report(tmp_path: Path) -> None:
    copies = PictureCache(tmp_path / "copies")
    asked: list[str] = []

    def picture(record: Record) -> Picture:
        def png() -> bytes:
            asked.append(record.item_id)
            return colour(3)

        return Picture(key=record.item_id, png=png)

    contents = Contents(manifest=MANIFEST, records=a_run(), cost_usd=lambda _: None, picture=picture)
    page.write_report(tmp_path / "a.html", contents, ImageStore(copies))
    page.write_report(tmp_path / "b.html", contents, ImageStore(copies))
    assert len(asked) == len(set(asked)) == 9
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_copies_that_were_read_ahead_are_not_read_again_and_only_shown_ones_are_in_the_page(
    tmp_path: Path,
) -> None:
    copies = PictureCache(tmp_path / "copies")
    contents = drawn()
    as_before = page.write_report(tmp_path / "a.html", contents, ImageStore(copies)).read_bytes()
    ahead = ImageStore(copies)
    copies.write(copy_key("not shown"), colour(9))
    for key in ("not shown", "without a copy", *(tiny_picture(record).key for record in contents.records)):
        ahead.read_ahead(key)
    assert ahead.ahead == 1 + len({record.item_id for record in contents.records})
    for file in copies.folder.iterdir():
        file.unlink()
    assert page.write_report(tmp_path / "b.html", contents, ahead).read_bytes() == as_before


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def let_the_disk_fill(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the fourth file of a folder be cut short, for want of room."""

    def write(path: Path, png: bytes) -> None:
        full = folder.exists() and len(list(folder.iterdir())) >= 3
        write_picture(path, png[:10] if full else png)
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("bench.report.image_store.write_picture", write)


def shelf_with_copies(folder: Path, contents: Contents) -> ImageStore:
    """A shelf that has read all pictures of the contents ahead, and one that no page shows."""
    copies = PictureCache(folder / "copies")
    page.write_report(folder / "first" / "report.html", contents, ImageStore(copies))
    copies.write(copy_key("not shown"), colour(9))
    (folder / "second").mkdir()  # a run's folder is there before anything is asked
    shelf = ImageStore(copies)
    for key in ("not shown", *(tiny_picture(record).key for record in contents.records)):
        shelf.read_ahead(key)
    return shelf


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that hold no picture: all lie beside them."""
    monkeypatch.setattr(page, "MOST_BYTES", 0)


@pytest.mark.usefixtures("beside")
def test_pictures_that_were_written_ahead_are_those_of_the_page(tmp_path: Path) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path, folder = tmp_path / "second" / "report.html", tmp_path / "second" / FOLDER
    shelf.write_ahead(path)
    assert len(list(folder.iterdir())) == 1 + len(list((tmp_path / "first" / FOLDER).iterdir()))
    written = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    lost = min(file.name for file in (tmp_path / "first" / FOLDER).iterdir())
    (folder / lost).unlink()

    page.write_report(path, contents, shelf)
    assert path.read_bytes() == (tmp_path / "first" / "report.html").read_bytes()
    found = files_in(folder)
    assert found == files_in(tmp_path / "first" / FOLDER)
    assert all((folder / name).stat().st_mtime_ns == written[name] for name in found if name != lost)


def test_pictures_that_were_written_ahead_are_removed_where_the_page_holds_all(tmp_path: Path) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path = tmp_path / "second" / "report.html"
    shelf.write_ahead(path)
    assert (path.parent / FOLDER).exists()
    page.write_report(path, contents, shelf)
    assert not (path.parent / FOLDER).exists()
    assert path.read_bytes() == (tmp_path / "first" / "report.html").read_bytes()


def test_a_disk_that_is_nearly_full_is_left_to_replies_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    monkeypatch.setattr("bench.report.image_store.SPARED_BYTES", 1 << 62)
    shelf.write_ahead(tmp_path / "second" / "report.html")
    assert list((tmp_path / "second").iterdir()) == []


@pytest.mark.usefixtures("beside")
def test_no_picture_stays_where_one_cannot_be_written_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path, folder = tmp_path / "second" / "report.html", tmp_path / "second" / FOLDER

    with monkeypatch.context() as full:
        let_the_disk_fill(full, folder)
        shelf.write_ahead(path)
    assert list(folder.iterdir()) == []
    shelf.write_ahead(path)
    assert list(folder.iterdir()) == []
    page.write_report(path, contents, shelf)
    assert files_in(folder) == files_in(tmp_path / "first" / FOLDER)


@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("what", ["short", "edited", "read-only", "a link", "one file in two folders"])
def test_a_picture_that_lies_there_already_is_made_anew_and_nothing_is_written_through_it(
    tmp_path: Path, what: str, *, early: bool
) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path, precious = tmp_path / "first" / "report.html", tmp_path / "precious"
    for file in (path.parent / FOLDER).iterdir():
        if what in {"a link", "one file in two folders"}:
            file.unlink()
            precious.write_bytes(b"precious")
            (file.symlink_to if what == "a link" else file.hardlink_to)(precious)
        else:
            file.write_bytes(b"" if what == "short" else b"x" * file.stat().st_size)
            file.chmod(0o400 if what == "read-only" else 0o600)
    if early:
        shelf.write_ahead(path)
    page.write_report(path, contents, shelf)
    for file in (path.parent / FOLDER).iterdir():
        assert not file.is_symlink()
        assert hashlib.sha256(file.read_bytes()).hexdigest()[:20] == file.stem
    assert not precious.exists() or precious.read_bytes() == b"precious"


@pytest.mark.parametrize("what", ["a link", "a file", "nothing"])
def test_what_comes_into_the_folder_while_pictures_are_written_ahead_is_not_written_through(
    tmp_path: Path, what: str
) -> None:
    copies = PictureCache(tmp_path / "copies")
    for key in ("first", "second"):
        copies.write(copy_key(key), colour(len(key)))
    path, precious = tmp_path / "report.html", tmp_path / "precious"
    second = path.parent / FOLDER / f"{hashlib.sha256(colour(len('second'))).hexdigest()[:20]}.png"
    shelf = ImageStore(copies)
    shelf.read_ahead("first")
    shelf.write_ahead(path)
    precious.write_bytes(b"precious")
    if what == "a link":
        second.symlink_to(precious)
    elif what == "a file":
        second.write_bytes(b"")
    shelf.read_ahead("second")
    shelf.write_ahead(path)
    assert precious.read_bytes() == b"precious"
    assert not second.is_symlink()
    assert second.read_bytes() == colour(len("second"))
    assert len(list(second.parent.iterdir())) == 2


@pytest.mark.usefixtures("beside")
def test_a_picture_that_was_cut_short_since_it_was_written_ahead_is_written_again(tmp_path: Path) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path = tmp_path / "second" / "report.html"
    shelf.write_ahead(path)
    for file in (path.parent / FOLDER).iterdir():
        file.write_bytes(b"")
    page.write_report(path, contents, shelf)
    for file in (path.parent / FOLDER).iterdir():
        assert hashlib.sha256(file.read_bytes()).hexdigest()[:20] == file.stem


@pytest.mark.usefixtures("beside")
def test_pictures_that_do_not_fit_leave_the_room_to_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path, folder = tmp_path / "second" / "report.html", tmp_path / "second" / FOLDER

    let_the_disk_fill(monkeypatch, folder)
    with pytest.raises(OSError, match="No space left"):
        page.write_report(path, contents, shelf)
    assert list(folder.iterdir()) == []


def test_a_run_folder_that_was_removed_is_not_made_again_for_pictures(tmp_path: Path) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    (tmp_path / "second").rmdir()
    shelf.write_ahead(tmp_path / "second" / "report.html")
    assert not (tmp_path / "second").exists()


def test_a_folder_of_pictures_that_is_a_link_stays(tmp_path: Path) -> None:
    contents = drawn()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / FOLDER).symlink_to(tmp_path / "elsewhere")
    page.write_report(tmp_path / "report.html", contents, ImageStore())
    assert (tmp_path / FOLDER).is_symlink()


@pytest.mark.usefixtures("beside")
def test_pictures_that_cannot_be_written_ahead_are_told_with_the_page(tmp_path: Path) -> None:
    contents = drawn()
    shelf = shelf_with_copies(tmp_path, contents)
    path = tmp_path / "second" / "report.html"
    (path.parent / FOLDER).write_text("a file in the way")
    shelf.write_ahead(path)
    with pytest.raises(OSError, match=FOLDER):
        page.write_report(path, contents, shelf)
    (path.parent / FOLDER).unlink()
    page.write_report(path, contents, shelf)
    assert len(list((path.parent / FOLDER).iterdir())) == len(list((tmp_path / "first" / FOLDER).iterdir()))


@pytest.mark.usefixtures("beside")
def test_an_edited_picture_beside_a_page_changes_no_other_page(tmp_path: Path) -> None:
    copies = PictureCache(tmp_path / "copies")
    contents = drawn()
    first, second = tmp_path / "first", tmp_path / "second"
    page.write_report(first / "report.html", contents, ImageStore(copies))
    for file in (first / FOLDER).iterdir():
        file.write_bytes(colour(7))
        file.chmod(0o400)
    page.write_report(second / "report.html", contents, ImageStore(copies))
    for file in (second / FOLDER).iterdir():
        assert hashlib.sha256(file.read_bytes()).hexdigest()[:20] == file.stem
        assert file.stat().st_mode & 0o200


@pytest.mark.parametrize("png", [None, b"", b"no picture"])
def test_a_picture_that_cannot_be_had_is_left_out(tmp_path: Path, png: bytes | None) -> None:
    found = page_of(tmp_path, a_run(), picture=lambda _: Picture(key="k", png=lambda: png))
    assert {case["picture"] for case in found.data["cases"]} == {None}


def test_long_replies_are_cut_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = make_record(Response(status="answered", text="x" * 30_000))
    (reply,) = page_of(tmp_path, [long]).data["cases"][0]["replies"]
    assert (len(reply["text"]), reply["cut"]) == (20_000, 10_000)
    monkeypatch.setattr(gallery, "MOST_TEXT", 2_500)
    (reply,) = page_of(tmp_path, [long]).data["cases"][0]["replies"]
    assert (len(reply["text"]), reply["cut"]) == (2_000, 28_000)
    monkeypatch.setattr(gallery, "MOST_TEXT", 0)
    (reply,) = page_of(tmp_path, [long]).data["cases"][0]["replies"]
    assert len(reply["text"]) == 200


def test_of_too_many_cases_those_that_failed_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "MOST_CASES", 4)
    run = [make_record(item_id=f"x_{place}") for place in range(5)]
    run += [make_record(failed(), item_id=f"y_{place}") for place in range(3)]
    data = page_of(tmp_path, run).data
    assert [case["id"] for case in data["cases"]] == ["x_0", "y_0", "y_1", "y_2"]
    assert data["total"] == 8


def test_an_incomplete_run_says_what_is_missing(tmp_path: Path) -> None:
    manifest = {**MANIFEST, "complete": False, "cases_selected": 450}
    run = [make_record(failed()), make_record(case_id="other", item_id="other")]
    found = page_of(tmp_path, run, manifest=manifest).texts["results"]
    assert "This run is not complete." in found
    assert "2 of 450 selected cases have replies; 1 reply failed at the server" in found


def test_unscored_replies_are_in_no_rate(tmp_path: Path) -> None:
    unscored = Score(
        fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause="design", why="a proof, no judge")
    )
    run = [make_record(), make_record(item_id="z", score=unscored)]
    found = page_of(tmp_path, run)
    assert "1 of 1 case" in found.texts["results"]
    assert "unscored" in found.texts["failures"]
    reply = found.data["cases"][1]["replies"][0]
    assert (reply["outcome"], reply["unscored"]) == ("unscored", "a proof, no judge")


def test_a_run_in_which_nothing_is_scored_has_a_page(tmp_path: Path) -> None:
    unscored = Score(fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause="judge", why="none"))
    found = page_of(tmp_path, [make_record(score=unscored)])
    assert "0 of 0 cases" in found.texts["results"]


def test_drawings_and_judges_are_shown(tmp_path: Path) -> None:
    drawing = Drawing(status="no_image", source="openai:draw", note="text came", path=None)
    judge = Response(status="answered", text='{"conclusion_correct": true}')
    (case,) = page_of(tmp_path, [make_record(drawing=drawing, judge_reply=judge)]).data["cases"]
    assert case["replies"][0]["drawn"] == "Drawing by openai:draw: no_image: text came"
    assert case["replies"][0]["judge"] == '{"conclusion_correct": true}'


def test_further_sections_follow_the_results(tmp_path: Path) -> None:
    section = Section(id="gate", heading="Gate", body=element("p", "upgrade"))
    found = page_of(tmp_path, a_run(), sections=[section])
    sections = [attributes["id"] for tag, attributes in found.tags if tag == "section"]
    assert sections[:2] == ["results", "gate"]
    assert found.texts["gate"] == "Gate upgrade"


def test_models_are_named_apart() -> None:
    run = [make_record(provider="a", model="m"), make_record(provider="b", model="m"), make_record(model="n")]
    assert list(labels_of(run).values()) == ["a:m", "b:m", "n"]


def test_cases_cluster_by_item_where_items_have_several_tasks() -> None:
    run = [make_record(item_id="i", task=task) for task in ("COUNT", "SIZE")]
    run += [make_record(failed(), item_id="j", task=task) for task in ("COUNT", "SIZE")]
    found = pass_rate(run)
    assert (found.passed, found.n) == (2, 4)
    assert (found.interval.high or 0) - (found.interval.low or 0) > 0.9  # two items, not four


def field_score(**changes: object) -> FieldScore:
    row = FieldScore(
        field="f", scope="final", prediction=1.0, truth=1.0, abs_err=0.0, rel_err=0.0, abs_tol=0.1, rel_tol=0.0,
        passed=True, why="",
    )  # fmt: skip
    return replace(row, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "units"),
    [
        (field_score(), 0.0),
        (field_score(abs_err=0.05, rel_err=0.05), 0.5),
        (field_score(abs_err=0.25, rel_err=0.25, passed=False), 2.5),
        (field_score(prediction=None, abs_err=None, rel_err=None, passed=False), None),
        (field_score(abs_tol=0.0, abs_err=1.0, passed=False), math.inf),
        (field_score(abs_tol=0.0), 0.0),
        (field_score(abs_err=None, rel_err=None, passed=False), math.inf),
        (field_score(abs_err=0.1 + 1e-17, abs_tol=0.1, passed=True), 1.0),
        (field_score(abs_err=0.1, abs_tol=0.1, passed=False), math.nextafter(1.0, 2.0)),
    ],
)
def test_errors_in_tolerances_agree_with_the_verdict(row: FieldScore, units: float | None) -> None:
    assert in_tolerances(row) == units


def test_words() -> None:
    assert [percent(share) for share in (None, 0.0, 1.0, 0.9999, 1e-9, 0.5)] == [
        "–", "0 %", "100 %", "99.9 %", "0.1 %", "50.0 %",
    ]  # fmt: skip
    assert [amount_usd(amount) for amount in (None, 0.0, 0.00123, 12.345)] == ["unknown", "0", "0.0012", "12.35"]
    assert [duration(time) for time in (None, 1.234, 75.0, 7300.0)] == ["–", "1.23 s", "1 min 15 s", "2 h 1 min"]


def test_links_hold_any_text() -> None:
    assert gallery_link(model="a/b c&d=e", suite=None) == "#gallery?model=a%2Fb%20c%26d%3De"
    assert gallery_link(model="\ud800") == "#gallery?model=%EF%BF%BD"


def test_a_task_that_the_item_is_named_after_is_not_said_twice() -> None:
    named = [("i", None), ("d", "COUNT"), ("easy-G02-000", "easy"), ("easy-G02-000", "easy_cot")]
    assert [case_name(*one) for one in named] == ["i", "d-COUNT", "easy-G02-000", "easy-G02-000-easy_cot"]


def test_answers_beyond_all_numbers_are_shown(tmp_path: Path) -> None:
    (case,) = page_of(tmp_path, [make_record(answer(cutoff_hz=1e308))]).data["cases"]
    assert case["replies"][0]["fields"][0][2] == 1e308


def test_an_error_beyond_the_doubles_is_shown_whatever_its_sign(tmp_path: Path) -> None:
    for abs_err, units in ((-4580.0, 0.0), (4580.0, 1.0)):
        row = field_score(abs_err=abs_err, rel_err=None, abs_tol=2.5e-305)
        record = make_record(score=Score(fields=(row,), parsed=True, answer=None, rule=""))
        (case,) = page_of(tmp_path, [record]).data["cases"]
        assert case["replies"][0]["fields"][0][-1] == units
