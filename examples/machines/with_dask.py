"""A sweep on a Dask cluster: python with_dask.py SHARDS playsim sweep case.yaml --vary ... --runs N

Each shard is a task that runs playsim on a worker and returns its table; rows that are alike are summed. Without
DASK_SCHEDULER_ADDRESS a cluster of processes on this machine is started. In the end the whole sweep is played by one
process, and its table must be the sum. Needs: pip install dask distributed pandas
"""

import io
import subprocess
import sys

import pandas
from dask.distributed import Client


TYPES = {"int64": "Int64", "string": "string"}


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def columns(command):
    """The type of each column, also of one without any value."""
    listed = [line.split()[:2] for line in run([*command, "--columns"]).splitlines()]
    return {name: TYPES[kind.rstrip("?")] for name, kind in listed}


def play(index, of, command, types):
    table = run([*command, "--threads", "1", "--shard", f"{index}/{of}"])
    return pandas.read_csv(io.StringIO(table), dtype=types, keep_default_na=False, na_values=[""])


def total(tables):
    table = pandas.concat(tables)
    keys = [name for name in table.columns if name != "sessions"]
    return table.groupby(keys, dropna=False)["sessions"].sum()


if __name__ == "__main__":
    of, command = int(sys.argv[1]), sys.argv[2:]
    types = columns(command)
    names = list(types)
    # A column for each --vary follows the sessions.
    varied = names[names.index("sessions") + 1 : names.index("run")]
    with Client() as client:
        shards = client.map(play, range(of), of=of, command=command, types=types, pure=False)
        counted = client.submit(total, shards).result()
    print(counted.groupby(["combination", *varied, "filled_tag"], dropna=False).sum().to_string())
    if not counted.equals(total([play(0, 1, command, types)])):
        sys.exit("the sum of the shards is not the table of the whole sweep")
    print(f"{of} shards, {counted.sum()} sessions: the same as in one process")
