"""A sweep on Spark: spark-submit with_spark.py SHARDS playsim sweep case.yaml --vary ... --runs N

Each shard is a partition whose rows playsim writes; Spark sums those that are alike. With plain python, or without
--master, it runs on this machine. In the end the whole sweep is played by one process, and its table must be the sum.
Needs: pip install pyspark, and Java
"""

import subprocess
import sys

from pyspark.sql import SparkSession, functions

TYPES = {"int64": "BIGINT", "string": "STRING"}


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def play(index, of, command):
    return run([*command, "--format", "jsonl", "--threads", "1", "--shard", f"{index}/{of}"])


if __name__ == "__main__":
    of, command = int(sys.argv[1]), sys.argv[2:]
    columns = [line.split()[:2] for line in run([*command, "--columns"])]
    # In backticks, as names such as tag1.fill have a dot.
    schema = ", ".join(f"`{name}` {TYPES[kind.rstrip('?')]}" for name, kind in columns)
    names = [f"`{name}`" for name, _ in columns]
    keys = [name for name in names if name != "`sessions`"]
    # A column for each --vary follows the sessions.
    varied = names[names.index("`sessions`") + 1 : names.index("`run`")]
    spark = SparkSession.builder.appName("sweep").config("spark.sql.shuffle.partitions", of).getOrCreate()

    def total(lines):
        table = spark.read.schema(schema).json(lines)
        return table.groupBy(keys).agg(functions.sum("sessions").alias("sessions"))

    shards = spark.sparkContext.parallelize(range(of), of)
    counted = total(shards.flatMap(lambda index: play(index, of, command))).cache()
    by_tag = counted.groupBy("combination", *varied, "filled_tag").sum("sessions")
    by_tag.orderBy("combination", "filled_tag").show(100, False)
    whole = total(spark.sparkContext.parallelize(play(0, 1, command)))
    if counted.exceptAll(whole).count() + whole.exceptAll(counted).count() > 0:
        sys.exit("the sum of the shards is not the table of the whole sweep")
    sessions = counted.agg(functions.sum("sessions")).first()[0]
    print(f"{of} shards, {sessions} sessions: the same as in one process")
