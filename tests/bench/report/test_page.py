"""The report as a file: what it says, that nothing in it is taken for markup, that equal runs give equal bytes."""

from __future__ import annotations

import base64
import hashlib
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from bench.models.types import Drawing, Response
from bench.report import gallery, page
from bench.report.contents import labels_of
from bench.report.image_store import FOLDER
from bench.report.pass_rates import pass_rate
from bench.report.rendering import Section, shown
from bench.report.replies import in_tolerances
from scorers.json_values import without_lone_surrogates
from scorers.score import FieldScore, Score, Unscored
from tests.bench.report.pages import HOSTILE, MANIFEST, a_run, page_of, tiny_picture
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
    max_examples=12,
    deadline=None,
)
def test_any_run_gives_a_page_of_the_same_form(tmp_path: Path, run: list[Record]) -> None:
    found = page_of(tmp_path, run)
    headings = [tag for tag, _ in found.tags if tag in {"html", "head", "body", "main", "script", "style"}]
    assert headings == ["html", "head", "style", "body", "main", "script", "script"]
    assert len(found.data["cases"]) == len({(one.suite, one.item_id, one.task) for one in run})


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
    section = Section(id="gate", heading="Gate", body=Markup("<p>upgrade</p>"))
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


def test_answers_beyond_all_numbers_are_shown(tmp_path: Path) -> None:
    (case,) = page_of(tmp_path, [make_record(answer(cutoff_hz=1e308))]).data["cases"]
    assert case["replies"][0]["fields"][0][2] == 1e308


def test_an_error_beyond_the_doubles_is_shown_whatever_its_sign(tmp_path: Path) -> None:
    for abs_err, units in ((-4580.0, 0.0), (4580.0, 1.0)):
        row = field_score(abs_err=abs_err, rel_err=None, abs_tol=2.5e-305)
        record = make_record(score=Score(fields=(row,), parsed=True, answer=None, rule=""))
        (case,) = page_of(tmp_path, [record]).data["cases"]
        assert case["replies"][0]["fields"][0][-1] == units
