"""Random scenarios."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

import playsim
from playsim.testing import broken_law, scenarios, shrunk

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
FEW = settings(max_examples=60, database=None, deadline=None, suppress_health_check=SLOW)


@FEW
@given(scenarios(features=["ads", "late", "faults"], steps=(0, 6)))
def test_an_ad_that_completes_has_started(scenario: playsim.Scenario) -> None:
    events = scenario.run().events()["event"]
    assert events.count("adComplete") <= events.count("adStart")
    assert broken_law(scenario) is None


def test_scenarios_differ_and_reach_ads() -> None:
    digests, events = set(), set()

    @FEW
    @given(scenarios())
    def draw(scenario: playsim.Scenario) -> None:
        digests.add(scenario.digest)
        events.update(scenario.run().events()["event"])

    draw()
    assert len(digests) > 30 and {"ready", "start", "requestAd", "adError"} <= events


def fails(scenario: playsim.Scenario) -> bool:
    return "adError" in scenario.run().events()["event"]


def test_what_fails_becomes_small() -> None:
    found = find(
        scenarios(features=["ads", "late", "faults"], steps=(0, 6)),
        fails,
        settings=settings(max_examples=500, database=None, phases=[Phase.generate]),
        random=Random(1),
    )
    small = shrunk(found, fails)
    assert fails(small) and len(small.to_yaml().splitlines()) <= 16
    again = eval(repr(small), {"playsim": playsim})  # What is printed can be copied.
    assert again.run() == small.run()


def test_hypothesis_shrinks_choices() -> None:
    def has_steps(scenario: playsim.Scenario) -> bool:
        return len(scenario.get("steps")) >= 3

    drawn = scenarios(features=[], steps=(0, 6))
    generate = settings(max_examples=200, database=None, phases=[Phase.generate])
    first = find(drawn, has_steps, settings=generate, random=Random(1))
    small = find(drawn, has_steps, settings=settings(max_examples=200, database=None), random=Random(1))
    assert len(small.get("steps")) == 3 and len(small.to_yaml()) < len(first.to_yaml())


def test_one_of_yours_is_varied(preroll: playsim.Scenario) -> None:
    @FEW
    @given(scenarios(around=preroll, vary="world", features=["ads", "late"]))
    def draw(scenario: playsim.Scenario) -> None:
        assert scenario.get("steps") == preroll.get("steps")

    draw()


def test_wrong_options_say_what_there_is() -> None:
    with pytest.raises(playsim.InputError, match="there are ads"):
        scenarios(features=["adz"])
    with pytest.raises(playsim.InputError, match="did you mean"):
        scenarios(profiles=["imaa"])


def test_exceptions_of_the_measure_go_through(preroll: playsim.Scenario) -> None:
    def broken(_: playsim.Scenario) -> bool:
        raise LookupError("no")

    with pytest.raises(LookupError):
        shrunk(preroll, broken)
