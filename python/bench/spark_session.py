"""A cluster of a master and two workers on the loopback device, for measurements."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from cluster import Cluster


@contextmanager
def session(memory: str = "1g") -> Iterator[SparkSession]:
    with tempfile.TemporaryDirectory() as directory:
        cluster = Cluster(Path(directory), memory=memory)
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.environ["PYSPARK_PYTHON"] = sys.executable
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "2g",
            "spark.ui.enabled": "false",
            "spark.executor.memory": memory,
            "spark.executorEnv.PYTHONPATH": cluster.environment["PYTHONPATH"],
        }
        builder = SparkSession.builder.master(cluster.url).appName("curvad-bench")
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        try:
            yield spark
        finally:
            spark.stop()
            cluster.stop()
