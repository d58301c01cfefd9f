"""A Spark cluster of its own for the tests: a master and two workers as processes on the loopback device."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Cluster:
    def __init__(self, directory: Path, workers: int = 2, memory: str = "1g") -> None:
        self.directory = directory
        self.url = f"spark://127.0.0.1:{free_port()}"
        self._processes: list[subprocess.Popen[bytes]] = []
        home = Path(pyspark.__file__).parent
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(directory),
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
        }
        deploy = "org.apache.spark.deploy"
        port = self.url.rsplit(":", 1)[1]
        web = ("--webui-port", "0")
        self._start(f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", port, *web)
        self._await_port(int(port))
        for _ in range(workers):
            options = ("--host", "127.0.0.1", "--cores", "1", "--memory", memory, *web)
            self._start(f"{deploy}.worker.Worker", *options, self.url)

    def _start(self, *arguments: str) -> None:
        program = Path(self.environment["SPARK_HOME"]) / "bin" / "spark-class"
        log = (self.directory / f"{len(self._processes)}.log").open("wb")
        self._processes.append(
            subprocess.Popen(
                ["bash", str(program), *arguments],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        )

    def _await_port(self, port: int) -> None:
        for _ in range(240):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.25)
        raise TimeoutError((self.directory / "0.log").read_text())

    def stop(self) -> None:
        for process in reversed(self._processes):
            os.killpg(process.pid, signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
