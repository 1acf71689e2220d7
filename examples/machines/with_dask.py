"""A sweep on a Dask cluster: python with_dask.py SHARDS RUNS case.yaml tag2.after=800ms,3s tag2.fill=60%

Each shard is a task on a worker; rows that are alike are summed. Without DASK_SCHEDULER_ADDRESS a cluster of processes
on this machine is started. In the end the whole sweep is played by one process, and its table must be the sum.
Needs, here and on the workers: pip install playsim dask distributed pandas
"""

import sys

import pandas
import playsim
from dask.distributed import Client


def play(index, of, runs, scenario, vary):
    return playsim.sweep(scenario, *vary, runs=runs, shard=(index, of), threads=1).to_pandas()


def total(tables):
    table = pandas.concat(tables)
    return table.groupby([name for name in table if name != "sessions"], dropna=False)["sessions"].sum()


if __name__ == "__main__":
    of, runs, scenario, vary = int(sys.argv[1]), int(sys.argv[2]), playsim.read(sys.argv[3]), sys.argv[4:]
    with Client() as client:
        shards = client.map(play, range(of), of=of, runs=runs, scenario=scenario, vary=vary, pure=False)
        counted = client.submit(total, shards).result()
    settings = [text.split("=")[0] for text in vary]
    print(counted.groupby(["combination", *settings, "filled_tag"], dropna=False).sum().to_string())
    if not counted.equals(total([play(0, 1, runs, scenario, vary)])):
        sys.exit("the sum of the shards is not the table of the whole sweep")
    print(f"{of} shards, {counted.sum()} sessions: the same as in one process")
