"""The recipes for clusters, each of which checks its sum against a single run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest
from conftest import DATA, ROOT

import playsim

ARGS = ["4", "2000", "preroll.yaml", "tag2.after=800ms,3s", "tag2.fill=60%"]


def test_the_sum_of_the_shards_is_the_whole(preroll: playsim.Scenario) -> None:
    """What all recipes rely on, without a cluster."""

    def counted(tables: list[playsim.Table]) -> dict[tuple[object, ...], int]:
        sums: dict[tuple[object, ...], int] = {}
        for row in (row for table in tables for row in table.rows()):
            sessions = row.pop("sessions")
            sums[tuple(row.values())] = sums.get(tuple(row.values()), 0) + sessions
        return sums

    shards = [playsim.sweep(preroll, *ARGS[3:], runs=2_000, shard=(index, 4)) for index in range(4)]
    assert counted(shards) == counted([playsim.sweep(preroll, *ARGS[3:], runs=2_000)])


@pytest.mark.parametrize(
    ("library", "recipe"), [("dask.distributed", "dask"), ("ray", "ray"), ("pyspark", "spark")]
)
def test_a_recipe_runs(library: str, recipe: str) -> None:
    # A folder of this name, such as one that Ray leaves behind, is not the library.
    found = importlib.util.find_spec(library.split(".")[0])
    if found is None or found.origin is None:
        pytest.skip(f"{library} is not installed")
    if recipe == "spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    if recipe == "dask":
        pytest.importorskip("distributed")
        pytest.importorskip("pandas")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    script = ROOT / "examples" / "machines" / f"with_{recipe}.py"
    run = subprocess.run(
        [sys.executable, str(script), *ARGS],
        cwd=DATA,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "4 shards, 4000 sessions: the same as in one process"
