"""Scenarios: read, changed, played, broken."""

from __future__ import annotations

import json
import pickle
import re
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import DATA, ROOT

import playsim

TAG = "https://ads.test/second"


def test_a_scenario_is_read_from_text_path_and_dict(preroll: playsim.Scenario) -> None:
    text = (DATA / "preroll.yaml").read_text(encoding="utf-8")
    files = {"ad.xml": (DATA / "ad.xml").read_text(encoding="utf-8")}
    assert playsim.read(text, files=files) == preroll
    assert playsim.read(text, folder=DATA) == preroll
    assert playsim.read(str(DATA / "preroll.yaml")) == preroll
    assert playsim.read(preroll.to_dict(), files=preroll.files) == preroll
    assert playsim.read(preroll.to_yaml(inline=True) + "\n").run() != preroll.with_("seed", 1).run()
    assert pickle.loads(pickle.dumps(preroll)) == preroll


def test_a_saved_scenario_plays_to_the_same_trace(preroll: playsim.Scenario, tmp_path: Path) -> None:
    preroll.save(tmp_path / "saved.yaml")
    assert playsim.read(tmp_path / "saved.yaml").run() == preroll.run()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"network.{TAG}.after", "3s"),
        (f'network["{TAG}"].after', timedelta(seconds=3)),
        (("network", TAG, "after"), "3000ms"),
    ],
)
def test_one_value_is_changed(preroll: playsim.Scenario, path: str, value: object) -> None:
    changed = preroll.with_(path, value)
    assert (preroll.get(path), changed.get(path)) == ("0.19s", "3s")
    start = dict(zip(changed.run().events()["event"], changed.run().events()["at_us"]))["adStart"]
    assert start == 3_120_000


def test_keys_that_are_new_or_have_dots_are_found_by_the_schema(preroll: playsim.Scenario) -> None:
    changed = preroll.with_("knobs.ad.timeout", "100ms").with_("network.https://b.test/x.y.after", "1s")
    assert changed.to_dict()["knobs"] == {"ad.timeout": "0.1s"}
    assert changed.get(("network", "https://b.test/x.y", "after")) == "1s"
    assert preroll.with_("media.film.mp4.duration", "5s").get("media.film.mp4.duration") == "5s"
    assert preroll.with_("player.ads[0].mobile[2]", TAG).get("player.ads.0.mobile") == [
        "https://ads.test/first",
        TAG,
        TAG,
    ]
    assert preroll.with_("seed", 4).without("seed") == preroll


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("netwrok.x", 1, '"netwrok.x" is no place in the scenario; did you mean "network"?'),
        ("player.adz", 1, '"player.adz" is no place in the scenario; did you mean "ads"?'),
        ("player.ads[7].pod", 1, '"player.ads[7].pod": 7 must be an index from 0 to 1; 1 adds to the end'),
        (
            f"network.{TAG}.after",
            "3 parsecs",
            f'network.{TAG}.after: "after" is "3 parsecs"; it must be a length',
        ),
        ("knobs.ad.timeuot", "1s", 'did you mean "ad.timeout"?'),
        ("network.https://ads.test/secnd.aftr", "3s", 'did you mean "https://ads.test/second"?'),
        ("seed", {1, 2}, "{1, 2} cannot be in a scenario"),
    ],
)
def test_a_wrong_change_says_what_is_wrong(
    preroll: playsim.Scenario, path: str, value: object, says: str
) -> None:
    with pytest.raises(playsim.InputError, match=re.escape(says)):
        preroll.with_(path, value)


def test_a_mistake_has_its_place_and_a_proposal() -> None:
    with pytest.raises(playsim.ScenarioError) as raised:
        playsim.read("vidoes: []\nnetwork: { https://a.test: { after: 1 } }\n", name="case.yaml")
    error = raised.value
    assert (error.line, error.column, error.help) == (1, 1, "videos")
    assert str(error).startswith("case.yaml:1:1: ") and "1 more" in str(error)
    assert [it.line for it in error.mistakes] == [1, 2]
    assert isinstance(error, playsim.Error) and isinstance(error, ValueError)


def test_what_cannot_be_read_is_an_exception(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        playsim.read(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(playsim.InputError, match="not valid UTF-8"):
        playsim.read(tmp_path / "bytes.yaml")
    with pytest.raises(playsim.ScenarioError, match="nothing to play"):
        playsim.read("seed: 1\n")
    with pytest.raises(playsim.ScenarioError, match="ad.xml"):
        playsim.read((DATA / "preroll.yaml").read_text(encoding="utf-8"))
    with pytest.raises(playsim.InputError, match="half a character"):
        playsim.read("name: \ud800\n")
    assert not playsim.vast("<VAST \ud800").is_usable
    with pytest.raises(playsim.InputError, match="not int"):
        playsim.read(3)  # type: ignore[arg-type]


def test_every_fixture_plays_to_its_snapshot() -> None:
    """The same bytes as the Rust library, whose snapshots these are."""
    compared = 0
    for file in sorted((ROOT / "fixtures" / "scenarios").rglob("*.yaml")):
        snapshot = file.with_suffix(".snap")
        if snapshot.exists():
            expected = snapshot.read_text(encoding="utf-8").split("---\n", 2)[2]
            assert playsim.read(file).run().text().strip("\n") == expected.strip("\n"), file
            compared += 1
    assert compared > 1_000


def test_every_fixture_is_written_and_read_again() -> None:
    """As JSON and as YAML: what `with_` and `save` rely on."""
    for file in sorted((ROOT / "fixtures" / "scenarios").rglob("*.yaml"))[::10]:
        scenario = playsim.read(file)
        again = playsim.read(
            json.loads(json.dumps(scenario.to_dict())), files=scenario.files, name=scenario.name
        )
        assert again == scenario and pickle.loads(pickle.dumps(scenario)) == scenario, file
