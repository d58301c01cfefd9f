"""One `curvad worker` per Python process: a Node.js child that answers Arrow streams.

Calls are fed from a second thread and read on the calling one, as both pipes are of limited size. A child that died is
started again with the next call; interrupting a call ends the child, as its answer would be out of step.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from ._node import node_path, script_path

KEY = b"curvad"
#: Values of a batch: some 8 MB.
BATCH_VALUES = 2**20
#: What a pipe takes before its writer waits: the most that Linux gives everybody.
PIPE_BYTES = 2**20


class CurvadError(ValueError):
    """What curvad refuses: `code` for programs, and where in the data it is, as far as it can be told."""

    def __init__(self, message: str, code: str, batch: int | None = None, row: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.batch = batch
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        return CurvadError, (str(self), self.code, self.batch, self.row)


class WorkerDiedError(RuntimeError):
    """The Node.js child ended in the middle of a call."""


class Worker:
    """A Node.js child that runs `curvad worker`."""

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self.arguments = tuple(arguments)
        self._lock = threading.RLock()
        self._child: subprocess.Popen[bytes] | None = None
        self._errors: BinaryIO | None = None
        #: Models and searches that this child keeps.
        self._kept: set[str] = set()
        #: Those of them that nobody needs any more.
        self._unwanted: deque[str] = deque()

    @property
    def pid(self) -> int | None:
        """The process id of the child, or None where there is none now."""
        return None if self._child is None else self._child.pid

    def call(self, request: Mapping[str, Any], schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
        """Sends a stream and reads the whole answer."""
        with self._lock:
            self._drop_unwanted()
            return checked(self._ask(request, schema, batches))

    def _ask(self, request: Mapping[str, Any], schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
        try:
            schema = schema.with_metadata({KEY: json.dumps(request).encode()})
            table = self.stream(schema, batches).read_all()
            self._feeder.join()
            if self._failure is not None:
                raise self._failure
            return table
        except (pa.ArrowInvalid, OSError) as error:
            death = self._death(error)
            self.kill()
            raise death from error
        except BaseException:  # whatever was under way is out of step now
            self.kill()
            raise

    def stream(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.RecordBatchStreamReader:
        """Begins to send a stream from another thread, and gives the answer to be read meanwhile."""
        child = self._started()
        self._failure: BaseException | None = None

        def feed() -> None:
            try:
                with pa.ipc.new_stream(pa.PythonFile(child.stdin, mode="w"), schema) as stream:
                    for batch in batches:
                        stream.write_batch(batch)
                child.stdin.flush()  # type: ignore[union-attr]
            except BaseException as error:  # noqa: BLE001: it is raised on the reading thread
                self._failure = error
                child.kill()  # the reader would wait for ever

        self._feeder = threading.Thread(target=feed, name="curvad-feeder", daemon=True)
        self._feeder.start()
        return pa.ipc.open_stream(pa.PythonFile(child.stdout, mode="r"))

    def _death(self, error: BaseException) -> BaseException:
        """What ended a call: the failure of what feeds it, or the end of the child."""
        if self._child is not None:
            self._child.kill()
            self._feeder.join()
        if self._failure is not None and not isinstance(self._failure, (BrokenPipeError, pa.ArrowInvalid)):
            return self._failure
        return self.death(error)

    def death(self, error: BaseException) -> BaseException:
        """The end of the child, as an error."""
        child = self._child
        if child is None:
            return error
        child.kill()
        code = child.wait()
        text = ""
        if self._errors is not None:
            self._errors.seek(0)
            text = self._errors.read()[-2000:].decode(errors="replace").strip()
        return WorkerDiedError(f"the Node.js process of curvad ended with code {code}: {text or 'it said nothing'}")

    def call_kept(
        self,
        key: str,
        load: pa.RecordBatch | None,
        request: Mapping[str, Any],
        schema: pa.Schema,
        batches: Sequence[pa.RecordBatch],
    ) -> pa.Table:
        """A call about what is kept under a key; `load` brings it back where this child does not have it."""
        with self._lock:
            for is_last in (False, True):
                try:
                    if load is not None and (self._child is None or self._child.poll() is not None or key not in self._kept):
                        self.call({"call": "load", "key": key}, load.schema, [load])
                        self.keep(key)
                    return self.call({**request, "key": key}, schema, batches)
                except WorkerDiedError:
                    if is_last or load is None:
                        raise
        raise AssertionError

    def keep(self, key: str) -> None:
        self._kept.add(key)

    def keeps(self, key: str) -> bool:
        """Whether the child that runs now keeps something under this key."""
        return self._child is not None and self._child.poll() is None and key in self._kept

    def drop(self, key: str) -> None:
        """Has the child let go of what is kept, with the next call: this may run in the middle of one."""
        self._unwanted.append(key)

    def _drop_unwanted(self) -> None:
        while self._unwanted:
            key = self._unwanted.popleft()
            if self.keeps(key):
                self._kept.discard(key)
                self._ask({"call": "drop", "key": key}, pa.schema([]), [])

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self.kill()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115: it lives as long as the child
        self._child = subprocess.Popen(
            [node_path(), script_path(), "worker", *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for Python, which then ends the child
        )
        for pipe in (self._child.stdin, self._child.stdout):
            _widen(pipe)
        return self._child

    def kill(self) -> None:
        """Ends the child at once."""
        self._end(0.0)

    def close(self) -> None:
        """Ends the child: it leaves when its input ends."""
        self._end(2.0)

    def _end(self, patience: float) -> None:
        child, self._child = self._child, None
        self._kept.clear()
        if child is not None:
            if patience == 0:
                child.kill()
            for pipe in (child.stdin, child.stdout):
                try:
                    if pipe is not None:
                        pipe.close()
                except OSError:
                    pass
            try:
                child.wait(patience or 10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _abandon(self) -> None:
        """After a fork: the child belongs to the other process."""
        child, self._child = self._child, None
        self._lock = threading.RLock()
        self._kept = set()
        if child is not None:
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    os.close(pipe.fileno())
            child.returncode = 0  # nothing to wait for here
            _abandoned.append(child)  # its pipes must not be closed twice


def _widen(pipe: Any) -> None:
    """Makes room for more bytes on their way, where the system has it: 64 KB are many turns to take for a matrix."""
    try:
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass


def checked(table: pa.Table) -> pa.Table:
    """An answer without the column of errors; raises what stands there."""
    errors = table.column("error")
    if errors.null_count < len(errors):
        found = json.loads(errors[len(errors) - 1].as_py())
        raise CurvadError(found["message"], found["code"], found.get("batch"), found.get("row"))
    return table.drop_columns(["error"])


_abandoned: list[Any] = []
_worker: Worker | None = None


def worker() -> Worker:
    """The worker of this process."""
    global _worker
    if _worker is None:
        _worker = Worker()
    return _worker


def stop_worker() -> None:
    """Ends the Node.js child of this process; the next call starts another."""
    if _worker is not None:
        _worker.close()


def _after_fork() -> None:
    if _worker is not None:
        _worker._abandon()


atexit.register(stop_worker)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
