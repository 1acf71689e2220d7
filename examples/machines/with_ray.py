"""A sweep on a Ray cluster: python with_ray.py SHARDS playsim sweep case.yaml --vary ... --runs N

Each shard is a task that runs playsim and returns its table; rows that are alike are summed. Without RAY_ADDRESS a
cluster on this machine is started. In the end the whole sweep is played by one process, and its table must be the sum.
Needs: pip install ray
"""

import collections
import csv
import io
import subprocess
import sys

import ray


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def play(index, of, command):
    table = run([*command, "--threads", "1", "--shard", f"{index}/{of}"])
    counts = collections.Counter()
    for row in csv.DictReader(io.StringIO(table)):
        sessions = int(row.pop("sessions"))
        counts[tuple(row.items())] += sessions
    return counts


@ray.remote
def total(*counts):
    return sum(counts, collections.Counter())


if __name__ == "__main__":
    of, command = int(sys.argv[1]), sys.argv[2:]
    ray.init()
    shards = [ray.remote(play).remote(index, of, command) for index in range(of)]
    counted = ray.get(total.remote(*shards))
    names = [line.split()[0] for line in run([*command, "--columns"]).splitlines()]
    # A column for each --vary follows the sessions.
    varied = names[names.index("sessions") + 1 : names.index("run")]
    filled = collections.Counter()
    for row, sessions in counted.items():
        row = dict(row)
        settings = " ".join(f"{name}={row[name]}" for name in varied)
        filled[settings, row["filled_tag"] or "none"] += sessions
    for (settings, tag), sessions in sorted(filled.items()):
        print(f"{settings}  tag {tag}  {sessions}")
    if counted != play(0, 1, command):
        sys.exit("the sum of the shards is not the table of the whole sweep")
    print(f"{of} shards, {counted.total()} sessions: the same as in one process")
