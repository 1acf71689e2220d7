"""A sweep on Spark: spark-submit with_spark.py SHARDS RUNS case.yaml tag2.after=800ms,3s tag2.fill=60%

Each shard is a partition; Spark sums the rows that are alike. With plain python, or without --master, it runs on this
machine. In the end the whole sweep is played by one process, and its table must be the sum.
Needs, here and on the workers: pip install playsim; here also pyspark, and Java. The Python of the workers is the one in
PYSPARK_PYTHON.
"""

import sys

import playsim
from pyspark.sql import SparkSession, functions

TYPES = {"int64": "BIGINT", "string": "STRING"}


def play(index, of, runs, scenario, vary):
    return playsim.sweep(scenario, *vary, runs=runs, shard=(index, of), threads=1)


if __name__ == "__main__":
    of, runs, scenario, vary = int(sys.argv[1]), int(sys.argv[2]), playsim.read(sys.argv[3]), sys.argv[4:]
    whole = play(0, 1, runs, scenario, vary)
    # In backticks, as names such as tag1.fill have a dot.
    schema = ", ".join(f"`{name}` {TYPES[kind]}" for name, kind in whole.types.items())
    keys = [f"`{name}`" for name in whole if name != "sessions"]
    settings = ["`" + text.split("=")[0] + "`" for text in vary]
    spark = SparkSession.builder.appName("sweep").config("spark.sql.shuffle.partitions", of).getOrCreate()

    def total(rows):
        table = spark.createDataFrame(rows, schema)
        return table.groupBy(keys).agg(functions.sum("sessions").alias("sessions"))

    shards = spark.sparkContext.parallelize(range(of), of)
    counted = total(shards.flatMap(lambda index: zip(*play(index, of, runs, scenario, vary).values()))).cache()
    by_tag = counted.groupBy("combination", *settings, "filled_tag").sum("sessions")
    by_tag.orderBy("combination", "filled_tag").show(100, False)
    expected = total(list(zip(*whole.values())))
    if counted.exceptAll(expected).count() + expected.exceptAll(counted).count() > 0:
        sys.exit("the sum of the shards is not the table of the whole sweep")
    sessions = counted.agg(functions.sum("sessions")).first()[0]
    print(f"{of} shards, {sessions} sessions: the same as in one process")
