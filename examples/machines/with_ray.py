"""A sweep on a Ray cluster: python with_ray.py SHARDS RUNS case.yaml tag2.after=800ms,3s tag2.fill=60%

Each shard is a task; rows that are alike are summed. Without RAY_ADDRESS a cluster on this machine is started. In the
end the whole sweep is played by one process, and its table must be the sum.
Needs, here and on the workers: pip install playsim ray
"""

import collections
import sys

import playsim
import ray


def play(index, of, runs, scenario, vary):
    counts = collections.Counter()
    for row in playsim.sweep(scenario, *vary, runs=runs, shard=(index, of), threads=1).rows():
        sessions = row.pop("sessions")
        counts[tuple(row.items())] += sessions
    return counts


@ray.remote
def total(*counts):
    return sum(counts, collections.Counter())


if __name__ == "__main__":
    of, runs, scenario, vary = int(sys.argv[1]), int(sys.argv[2]), playsim.read(sys.argv[3]), sys.argv[4:]
    ray.init()
    shards = [ray.remote(play).remote(index, of, runs, scenario, vary) for index in range(of)]
    counted = ray.get(total.remote(*shards))
    filled = collections.Counter()
    for row, sessions in counted.items():
        row = dict(row)
        settings = " ".join(f"{name}={row[name]}" for name in (text.split("=")[0] for text in vary))
        filled[settings, str(row["filled_tag"] or "none")] += sessions
    for (settings, tag), sessions in sorted(filled.items()):
        print(f"{settings}  tag {tag}  {sessions}")
    if counted != play(0, 1, runs, scenario, vary):
        sys.exit("the sum of the shards is not the table of the whole sweep")
    print(f"{of} shards, {sum(counted.values())} sessions: the same as in one process")
