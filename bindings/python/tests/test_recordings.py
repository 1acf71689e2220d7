"""Recordings: verdicts, comparisons, tables over many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT

import playsim

BY_HAND = ROOT / "fixtures" / "recordings" / "by_hand"


def test_a_recording_is_judged_and_played() -> None:
    recording = playsim.waterfall(BY_HAND / "late.har")
    verdict = recording.verdict
    assert verdict.as_documented and verdict.simulated and verdict.differences == 0
    assert "ad.timeout is 2.000 s" in verdict.notes[0].text and verdict.notes[0].certainty == "inferred"
    assert recording.report["verdict"] and str(recording) == recording.text()
    trace = recording.scenario().run()
    assert "adStart" in trace.events()["event"]
    # A whole page has the style that all pages share.
    for page in (recording.html(), recording.what_if("ad.timeout=1s,2s").page):
        assert page.startswith("<!doctype html>") and "--panel:" in page.split("<body>")[0]
    assert "<iframe" in recording._repr_html_()


def test_another_time_out_is_tried() -> None:
    what_if = playsim.waterfall(str(BY_HAND / "late.har")).what_if("ad.timeout=500ms..3s/500ms")
    assert what_if.answer[0].startswith("You can lower the timeout from 2 s to 0.5 s")
    assert str(what_if) == "\n".join(what_if.answer) and what_if.table["rows"]
    with pytest.raises(playsim.InputError, match="tag7"):
        playsim.waterfall(BY_HAND / "late.har").what_if("tag7.after=1s,2s")


def test_other_settings_change_the_comparison() -> None:
    as_sdk = playsim.waterfall(BY_HAND / "late.har", profile="ima", knobs={"ad.timeout": "9s"})
    assert json.dumps(as_sdk.report) != json.dumps(playsim.waterfall(BY_HAND / "late.har").report)
    with pytest.raises(playsim.InputError, match="ima"):
        playsim.waterfall(BY_HAND / "late.har", profile="imaa")


def test_a_page_is_held_against_the_player_that_was_learnt(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("{ profile: mine, about: 'some, fitted to 9 recordings', knobs: { ad.timeout: 9s } }", encoding="utf-8")
    recording = playsim.waterfall(BY_HAND / "late.har", profile=mine)
    basis = "mine (some, fitted to 9 recordings)"
    assert recording.verdict.rules_of == recording.report["simulation"]["report"]["basis"] == basis
    what_if = recording.what_if("tag1.after=1s,2s")
    assert what_if.table["basis"] == basis
    for text in (recording.text(), recording.html(), what_if.page):
        assert basis in text
    assert playsim.waterfall(BY_HAND / "late.har").verdict.rules_of is None
    mine.write_text("profile: mine\nknobs: { ad.timeot: 9s }\n", encoding="utf-8")
    with pytest.raises(playsim.InputError, match="mine.yaml:2"):
        playsim.waterfall(BY_HAND / "late.har", profile=mine)


def test_a_recording_without_bodies_shows_no_ad_nor_that_there_was_none() -> None:
    with pytest.raises(playsim.InputError, match="nor that there was none"):
        playsim.waterfall(BY_HAND / "no_bodies.har")


def test_bodies_beside_a_recording_are_found() -> None:
    folder = ROOT / "fixtures" / "recordings" / "three_tags_playwright_attach"
    [har] = folder.glob("*.har")
    assert playsim.waterfall(har).verdict.simulated


def test_many_recordings_are_a_table(tmp_path: Path) -> None:
    (tmp_path / "broken.har").write_text("{}", encoding="utf-8")
    paths = [*sorted(BY_HAND.glob("l*.har")), tmp_path / "broken.har", tmp_path / "none.har"]
    table = playsim.waterfall(paths)
    assert table.report["set"]["recordings"] == len(paths) - 2
    left_out = json.dumps(table.report["set"]["left_out"])
    assert "broken.har" in left_out and "none.har" in left_out
    tags = table.tags()
    assert tags.height > 1 and "asked" in tags and tags.types["asked"] == "int64"
    assert str(table) == table.text() and table.html().startswith("<!doctype html>")
    assert "<iframe" in table._repr_html_()
    two = playsim.waterfall(sorted(BY_HAND.glob("l*.har")), against=sorted(BY_HAND.glob("o*.har")))
    assert set(two.tags()["set"]) == {"now", "before"} and two.report["before"]["recordings"] > 0


def test_what_is_no_recording_is_an_exception(tmp_path: Path) -> None:
    (tmp_path / "broken.har").write_text('{"log": {"entries": []}}', encoding="utf-8")
    with pytest.raises(playsim.InputError, match="broken.har"):
        playsim.waterfall(tmp_path / "broken.har")
    with pytest.raises(FileNotFoundError):
        playsim.waterfall(tmp_path / "none.har")
    with pytest.raises(playsim.InputError, match="no recordings"):
        playsim.waterfall([])
    with pytest.raises(playsim.InputError, match="give a list"):
        playsim.waterfall(BY_HAND / "late.har", against=[BY_HAND / "late.har"])  # type: ignore[call-overload]
