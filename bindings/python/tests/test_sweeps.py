"""Sweeps: the table of the command line as columns, threads, interrupts."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import DATA

import playsim

RANDOM = "tag2.after=lognormal(1s, 0.5)"


def command(*args: str) -> str:
    """The output of the command that the package installs."""
    run = subprocess.run(
        [sys.executable, "-m", "playsim", *args], check=True, stdout=subprocess.PIPE, text=True, cwd=DATA
    )
    return run.stdout


@pytest.mark.parametrize("rows", ["alike", "each", "breaks"])
def test_the_table_is_that_of_the_command(preroll: playsim.Scenario, rows: playsim.sweeps.Rows) -> None:
    table = playsim.sweep(preroll, RANDOM, "ad.timeout=1s,2s", runs=700, rows=rows, threads=2)
    options = ["--vary", RANDOM, "--vary", "ad.timeout=1s,2s", "--runs", "700", "--rows", rows]
    listed = list(csv.reader(io.StringIO(command("sweep", "preroll.yaml", *options))))
    assert listed[0] == list(table)
    assert listed[1:] == [["" if it is None else str(it) for it in row] for row in zip(*table.values())]
    columns = command("sweep", "preroll.yaml", *options, "--columns").splitlines()
    assert [line.split()[1].rstrip("?") for line in columns] == list(table.types.values())
    assert all(table.meanings.values())


def test_nothing_depends_on_threads_or_shards(preroll: playsim.Scenario) -> None:
    whole = playsim.sweep(preroll, RANDOM, runs=3_000, threads=1)
    assert playsim.sweep(preroll, RANDOM, runs=3_000, threads=3) == whole
    shards = [playsim.sweep(preroll, RANDOM, runs=3_000, shard=(index, 4)) for index in range(4)]
    assert sum(sum(shard["sessions"]) for shard in shards) == sum(whole["sessions"]) == 3_000
    assert playsim.sweep(preroll, RANDOM, runs=3_000, seed=9) != whole
    assert playsim.sweep(preroll, compare=["base", "ima"])["configuration"] == ["base", "ima"]


@pytest.mark.parametrize(
    ("vary", "options", "says"),
    [
        ("tag9.after=1s,2s", {}, "tag9"),
        ("tag2.aftr=1s", {}, "after"),
        ("ad.timeout=1s,2s", {"runs": 10}, "nothing here is random"),
        (RANDOM, {"rows": "all"}, "alike, each, breaks"),
        (RANDOM, {"shard": (8, 8)}, "8/8"),
        (RANDOM, {"shard": (8,)}, "write the index and the number of parts"),
        (RANDOM, {"runs": -1}, "runs is -1; it must be a whole number"),
        (RANDOM, {"threads": 2.0}, "threads is 2.0; it must be a whole number"),
        (RANDOM, {"seed": 2**70}, "must be a whole number"),
        (RANDOM, {"runs": 0}, "runs must be at least 1"),
    ],
)
def test_a_wrong_setting_says_what_to_write(
    preroll: playsim.Scenario, vary: str, options: dict[str, object], says: str
) -> None:
    with pytest.raises(playsim.InputError, match=says):
        playsim.sweep(preroll, vary, **options)  # type: ignore[arg-type]


def test_other_threads_run_meanwhile(preroll: playsim.Scenario) -> None:
    count, is_over = 0, threading.Event()

    def counting() -> None:
        nonlocal count
        while not is_over.is_set():
            count += 1
            time.sleep(0.001)

    other = threading.Thread(target=counting)
    other.start()
    playsim.sweep(preroll, RANDOM, runs=100_000, threads=1)
    is_over.set()
    other.join()
    assert count > 20


def test_progress_is_told_and_can_stop_it(preroll: playsim.Scenario) -> None:
    told: list[tuple[int, int]] = []
    playsim.sweep(preroll, RANDOM, runs=200_000, progress=lambda *it: told.append(it))
    assert told[-1] == (200_000, 200_000) and told == sorted(told)

    def stop(done: int, total: int) -> None:
        raise RuntimeError(f"enough after {done} of {total}")

    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough after"):
        playsim.sweep(preroll, RANDOM, runs=100_000_000, progress=stop)
    assert time.monotonic() - begin < 5


@pytest.mark.skipif(os.name == "nt", reason="processes are interrupted in another way")
def test_ctrl_c_ends_a_sweep(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(
        "import playsim, sys\n"
        f"s = playsim.read({str(DATA / 'preroll.yaml')!r})\n"
        "print('begun', flush=True)\n"
        f"try:\n    playsim.sweep(s, {RANDOM!r}, runs=100_000_000)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n    sys.exit(7)\n",
        encoding="utf-8",
    )
    run = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None and run.stdout.readline() == "begun\n"
    time.sleep(0.5)
    begin = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=20)
    assert (out, run.returncode) == ("interrupted\n", 7)
    assert time.monotonic() - begin < 3


def test_a_bar_is_shown_if_it_is_asked_for(
    preroll: playsim.Scenario, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    playsim.sweep(preroll, RANDOM, runs=200_000, progress=True)
    assert "sessions" in capsys.readouterr().err
    playsim.sweep(preroll, RANDOM, runs=1_000)
    assert capsys.readouterr().err == ""


def test_frames_have_types_where_no_row_has_a_value(preroll: playsim.Scenario) -> None:
    pytest.importorskip("pandas")
    table = playsim.sweep(preroll.with_("knobs.ad.timeout", "1ms"), "tag2.fill=50%", runs=100)
    assert set(table["filled_tag"]) == {None}
    assert str(table.to_pandas().dtypes["filled_tag"]) == "Int64"
    pytest.importorskip("polars")
    assert str(table.to_polars().schema["filled_tag"]) == "Int64"
