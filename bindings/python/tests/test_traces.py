"""Traces: columns, texts, reports, findings; documents and codes."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import DATA, ROOT

import playsim


def test_events_are_columns(preroll: playsim.Scenario) -> None:
    events = preroll.run().events()
    assert list(events) == ["at_us", "line", "player", "event", "data"]
    assert events["event"][:5] == ["ready", "requestAd", "loadedmetadata", "adError", "requestAd"]
    assert events["data"][3] == {"code": 303, "message": "no ad in the response"}
    assert (events["at_us"][3], events["data"][0], events["player"][0]) == (120_000, None, "player")
    assert events.height == len(events["line"]) and [row["line"] for row in events.rows()] == events["line"]


def test_records_are_the_lines_of_the_canonical_form(preroll: playsim.Scenario) -> None:
    trace = preroll.run()
    lines = [json.loads(line) for line in trace.jsonl().splitlines()]
    keys = {"at_us": "t", "line": "seq"}
    assert list(trace.records().rows()) == [
        {name: line.get(keys.get(name, name)) for name in trace.records()} for line in lines
    ]
    assert trace.digest in trace.jsonl() and trace.outcome == "idle"


def test_texts_have_views(preroll: playsim.Scenario) -> None:
    trace = preroll.run()
    assert str(trace) == trace.text() and trace.text("page") != trace.text("all")
    assert "PRE-1" in trace.text(why=True) and "PRE-1" not in trace.text()
    with pytest.raises(playsim.InputError, match="there are review, page and all"):
        trace.text("everything")  # type: ignore[arg-type]


def test_a_notebook_shows_the_report(preroll: playsim.Scenario) -> None:
    class Frames(HTMLParser):
        page = ""

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag == "iframe"
            self.page = dict(attrs)["srcdoc"] or ""

    frames = Frames()
    frames.feed(preroll.run()._repr_html_())
    assert frames.page == preroll.run().html()
    assert frames.page.startswith("<!doctype html>") and "https://ads.test/second" in frames.page


def test_the_report_says_which_tag_fills(preroll: playsim.Scenario) -> None:
    report = preroll.run().report()
    assert "https://ads.test/second" in json.dumps(report)


def test_frames_take_columns(preroll: playsim.Scenario) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    events = preroll.run().events()
    assert pandas.DataFrame(events)["event"].tolist() == events["event"]
    assert str(events.to_pandas().dtypes["at_us"]) == "Int64"
    assert (
        polars.DataFrame({key: events[key] for key in ("event", "at_us")})["at_us"].to_list()
        == events["at_us"]
    )
    assert events.to_polars()["event"].to_list() == events["event"]
    records = preroll.run().records().to_polars()
    assert json.loads(records.filter(polars.col("name") == "adError")["data"][0])["code"] == 303


def test_the_arrow_interface_is_there_with_pyarrow(preroll: playsim.Scenario) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(preroll.run().events())
    assert table.column("event").to_pylist() == preroll.run().events()["event"]
    assert table.schema.field("at_us").type == pyarrow.int64()


def test_traces_from_anywhere_are_judged(preroll: playsim.Scenario, tmp_path: Path) -> None:
    trace = preroll.run()
    assert playsim.check(trace) == [] and playsim.check(trace.jsonl()) == []
    (tmp_path / "trace.jsonl").write_text(trace.jsonl(), encoding="utf-8")
    assert playsim.check(tmp_path / "trace.jsonl") == []
    broken = playsim.check(ROOT / "fixtures" / "check" / "trk_1_broken.jsonl")
    assert broken and broken[0].rule == "TRK-1" and broken[0].line > 0 and "TRK-1" in str(broken[0])
    with pytest.raises(playsim.InputError, match="1"):
        playsim.check("{nonsense")


def test_documents_are_read(tmp_path: Path) -> None:
    document = playsim.vast(DATA / "ad.xml")
    assert document.is_usable and document.data["ads"][0]["creatives"][0]["duration_us"] == 4_000_000
    assert "spot" in str(document)
    broken = playsim.vast("<VAST version='4.2'><Ad>")
    assert not broken.is_usable and broken.faults > 0
    assert not playsim.vast("{}\n").is_usable
    with pytest.raises(FileNotFoundError):
        playsim.vast(tmp_path / "none.xml")


def test_documents_are_decoded_as_they_say(tmp_path: Path) -> None:
    text = (DATA / "ad.xml").read_text(encoding="utf-8").replace("A spot of four", "Ein Spot \u00fcber vier")
    (tmp_path / "utf16.xml").write_bytes(text.encode("utf-16"))
    latin = text.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    (tmp_path / "ad.xml").write_bytes(latin.encode("iso-8859-1"))
    for name in ("utf16.xml", "ad.xml"):
        assert "\u00fcber" in playsim.vast(tmp_path / name).text
    scenario = (DATA / "preroll.yaml").read_text(encoding="utf-8")
    (tmp_path / "preroll.yaml").write_text(scenario, encoding="utf-8")
    assert "\u00fcber" in playsim.read(tmp_path / "preroll.yaml").files["ad.xml"]
    (tmp_path / "ad.xml").write_bytes(b"<VAST>\xff\xfe</VAST>")
    with pytest.raises(playsim.ScenarioError, match="not valid UTF-8"):
        playsim.read(tmp_path / "preroll.yaml")


def test_codes_are_explained() -> None:
    code = playsim.code(303)
    assert (code.code, code.family, code.title) == (303, "vast", "no ad in the response")
    assert code.causes and code.remedies and "What helps:" in str(code)
    assert playsim.code(1005, "vmap").family == "vmap"
    assert playsim.code("VAST_LOAD_TIMEOUT").data["sdk_name"] == "VAST_LOAD_TIMEOUT"
    with pytest.raises(playsim.InputError, match="304|303|nearest"):
        playsim.code(9999)
