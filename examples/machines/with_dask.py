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


def play(index, of, command):
    shard = [*command, "--threads", "1", "--shard", f"{index}/{of}"]
    table = subprocess.run(shard, check=True, stdout=subprocess.PIPE, text=True).stdout
    # As text, so that nothing is rounded and an empty value stays one.
    return pandas.read_csv(io.StringIO(table), dtype=str, keep_default_na=False).astype({"sessions": "int64"})


def total(tables):
    table = pandas.concat(tables)
    return table.groupby([name for name in table.columns if name != "sessions"])["sessions"].sum()


if __name__ == "__main__":
    of, command = int(sys.argv[1]), sys.argv[2:]
    with Client() as client:
        shards = client.map(play, range(of), of=of, command=command, pure=False)
        counted = client.submit(total, shards).result()
    print(counted.groupby(["combination", "settings", "filled_tag"]).sum().to_string())
    if not counted.equals(total([play(0, 1, command)])):
        sys.exit("the sum of the shards is not the table of the whole sweep")
    print(f"{of} shards, {counted.sum()} sessions: the same as in one process")
