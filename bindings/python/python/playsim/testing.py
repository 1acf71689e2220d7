"""Strategies of hypothesis: random scenarios that shrink to small ones.

::

    from hypothesis import given
    from playsim.testing import scenarios

    @given(scenarios(features=["ads", "late", "faults"], steps=(0, 6)))
    def test_an_ad_that_completes_has_started(scenario):
        events = scenario.run().events()["event"]
        assert events.count("adComplete") <= events.count("adStart")
"""

from __future__ import annotations

from functools import lru_cache
from typing import Callable, Literal, Sequence

from hypothesis import strategies

from . import _playsim
from .scenarios import Scenario, Source, scenario_of

__all__ = ["DrawnScenario", "broken_law", "scenarios", "shrunk"]


class DrawnScenario(Scenario):
    """A random scenario. It is printed as the code that reads it again, so that a failing one can be
    copied."""

    __slots__ = ()

    def __repr__(self) -> str:
        text = self.to_yaml(inline=True)
        return f"playsim.read({text!r})" if "'''" in text or "\\" in text else f"playsim.read('''\n{text}''')"


def scenarios(
    *,
    features: Sequence[str] | None = None,
    without: Sequence[str] = (),
    profiles: Sequence[str] = (),
    steps: tuple[int, int] | None = None,
    around: Scenario | Source | None = None,
    vary: Literal["steps", "world", "both"] = "both",
) -> strategies.SearchStrategy[DrawnScenario]:
    """Random scenarios, each of which can be played. The smallest has a page, a film and little else.

    Args:
        features: only these occur, such as ``ads``, ``late`` or ``faults``; an unknown one raises an error
            that names all of them. Default: all.
        without: features that never occur.
        profiles: profiles of players that occur, such as ``ima``.
        steps: the least and the greatest number of steps that are drawn.
        around: a scenario of yours that each of them varies.
        vary: which part of it: its ``steps``, its ``world``, or ``both``.

    Raises:
        InputError: there is no such feature, profile or part.
    """
    base = None if around is None else scenario_of(around)._inner
    options = _playsim.Draw(
        None if features is None else list(features), list(without), list(profiles), steps, base, vary
    )
    return strategies.composite(
        lambda draw: DrawnScenario(options.asking(lambda bound: draw(_below(bound))))
    )()


@lru_cache(maxsize=None)
def _below(bound: int) -> strategies.SearchStrategy[int]:
    return strategies.integers(0, bound - 1)


def shrunk(scenario: Scenario, fails: Callable[[Scenario], object]) -> DrawnScenario:
    """The smallest scenario that still fails: what hypothesis has found, or one of yours, without everything
    that does not matter for it.

    Args:
        scenario: a scenario that fails.
        fails: whether a scenario fails; an exception is passed on.
    """
    return DrawnScenario(_playsim.Draw.shrunk(scenario._inner, lambda inner: fails(DrawnScenario(inner))))


def broken_law(scenario: Scenario) -> str | None:
    """Plays a scenario and checks what holds for every one: the same trace again, in pieces, and after
    saving; the invariants; its own expectations. Returns what is broken, or ``None``."""
    return _playsim.Draw.broken(scenario._inner)
