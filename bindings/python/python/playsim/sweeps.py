"""Sweeps: one scenario played many times with other settings, as a table."""

from __future__ import annotations

import sys
from typing import Any, Callable, Literal, Sequence, Union

from . import _playsim
from .errors import InputError
from .scenarios import Scenario, Source, scenario_of
from .tables import Table

__all__ = ["Progress", "Rows", "sweep"]

Rows = Literal["alike", "each", "breaks"]
"""What a row stands for: all sessions that are alike, one session, or all breaks that are alike."""

Progress = Union[bool, None, Callable[[int, int], object]]
"""Whether to show progress, or what is called with the sessions that are done and all."""


def sweep(
    scenario: Scenario | Source,
    *vary: str,
    compare: Sequence[str] = (),
    runs: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    rows: Rows = "alike",
    shard: tuple[int, int] | str | None = None,
    progress: Progress = None,
) -> Table:
    """Plays a scenario many times: all combinations of the values of all settings, or with random latencies.

    ::

        playsim.sweep(s, "tag3.after=lognormal(1s, 0.5)", "ad.timeout=1s,2s,4s", runs=100_000).to_pandas()

    Other Python threads run meanwhile, and Ctrl-C ends it. The table is the same whatever ``threads`` is.

    Args:
        scenario: a scenario, or what `read` takes.
        vary: settings with their values, as ``--vary`` takes them: ``ad.timeout=250ms..5s/250ms``,
            ``tag1.fill=60%``, ``profile=default,ima``.
        compare: configurations beside each other: ``base``, a profile, or settings with ``+`` in between.
        runs: how often each combination is played, if something is random. Default: 10,000.
        seed: of the random values. Default: that of the scenario.
        threads: how many play. Default: all cores.
        rows: what a row stands for. Sum ``sessions`` to count.
        shard: only one of several equal parts of the sessions, ``(0, 8)`` for the first of eight.
        progress: shows it with tqdm, by default if that is installed and standard error is a terminal.

    Returns:
        A table whose ``meanings`` say what its columns are; times are in microseconds.

    Raises:
        InputError: a setting is wrong; the message says what to write instead.
        ScenarioError: the scenario cannot be read or played.
    """
    for name, number in (("runs", runs), ("seed", seed), ("threads", threads)):
        if number is not None and (type(number) is not int or not 0 <= number < 2**63):
            raise InputError(f"{name} is {number!r}; it must be a whole number from 0 to {2**63 - 1}")
    if isinstance(shard, tuple) and len(shard) != 2:
        raise InputError(
            f"shard is {shard!r}; write the index and the number of parts: (0, 8) is the first of eight"
        )
    part = shard if shard is None or isinstance(shard, str) else f"{shard[0]}/{shard[1]}"
    with _Shown(progress) as tell:
        columns = _playsim.sweep(
            scenario_of(scenario)._inner, list(vary), list(compare), runs, seed, threads, rows, part, tell
        )
    return Table(
        {name: values for name, _, _, _, values in columns},
        {name: kind for name, kind, _, _, _ in columns},
        {name: says for name, _, _, says, _ in columns},
    )


class _Shown:
    """Progress, on a bar of tqdm if that is wanted."""

    def __init__(self, progress: Progress) -> None:
        self._call: Callable[[int, int], object] | None = progress if callable(progress) else None
        self._bar: Any = None
        wants = progress is True or (progress is None and sys.stderr is not None and sys.stderr.isatty())
        self._tqdm: Any = _tqdm(progress is True) if wants else None

    def __enter__(self) -> Callable[[int, int], object] | None:
        return self._call or (self._draw if self._tqdm else None)

    def _draw(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=total, unit=" sessions", unit_scale=True, leave=False)
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _tqdm(must: bool) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if must:
            raise
        return None
    return tqdm
