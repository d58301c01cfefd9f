"""Scores batch by batch as they come: fed by the calling thread, answers read by another.

So nobody else reads what the batches come from, and when the caller stops, everything stops.
"""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import pyarrow as pa

from ._kept import MODEL_SCHEMA
from ._worker import KEY, Worker, checked, worker

#: Models that the worker of a process keeps for streams.
MOST_KEPT = 4
_recent: OrderedDict[str, None] = OrderedDict()


def score_batches(
    batches: Iterable[pa.RecordBatch], key: str, model: bytes, columns: list[str] | None
) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
    """Each batch with its answer: `score` and `label`. Empty batches are passed over.

    `key` names the model, the same for the same bytes. `columns` are those to score; all where it is None.
    """
    filled = (batch for batch in batches if batch.num_rows > 0)
    first = next(filled, None)
    if first is None:
        return
    child = worker()
    with child._lock:
        _load(child, key, model)
        is_done = False
        try:
            yield from _exchange(child, key, first, filled, columns)
            is_done = True
        finally:
            if not is_done:
                child.kill()  # its answer would be out of step


def _load(child: Worker, key: str, model: bytes) -> None:
    if not child.keeps(key):
        batch = pa.RecordBatch.from_arrays([pa.array([model], pa.large_binary())], schema=MODEL_SCHEMA)
        child.call({"call": "load", "key": key}, MODEL_SCHEMA, [batch])
        child.keep(key)
    _recent[key] = None
    _recent.move_to_end(key)
    while len(_recent) > MOST_KEPT:
        child.drop(_recent.popitem(last=False)[0])


def _exchange(
    child: Worker, key: str, first: pa.RecordBatch, others: Iterator[pa.RecordBatch], columns: list[str] | None
) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
    process = child._started()
    answers: SimpleQueue[Any] = SimpleQueue()

    def read() -> None:
        try:
            for answer in pa.ipc.open_stream(pa.PythonFile(process.stdout, mode="r")):
                answers.put(answer)
            answers.put(None)
        except BaseException as error:  # noqa: BLE001: it is raised on the feeding thread
            answers.put(error)

    reader = Thread(target=read, name="curvad-reader", daemon=True)
    waiting: deque[pa.RecordBatch] = deque()

    def take(answer: Any) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
        if isinstance(answer, BaseException):
            raise _death(child, answer) from answer
        if answer is not None:
            scores = checked(pa.Table.from_batches([answer]))
            yield waiting.popleft(), scores.combine_chunks().to_batches()[0]

    def chosen(batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch if columns is None else batch.select(columns)

    schema = chosen(first).schema.with_metadata({KEY: json.dumps({"call": "score", "key": key}).encode()})
    try:
        with pa.ipc.new_stream(pa.PythonFile(process.stdin, mode="w"), schema) as stream:
            reader.start()
            for batch in _chain(first, others):
                waiting.append(batch)
                stream.write_batch(chosen(batch).cast(schema))
                process.stdin.flush()  # type: ignore[union-attr]
                while True:
                    try:
                        yield from take(answers.get_nowait())
                    except Empty:
                        break
        process.stdin.flush()  # type: ignore[union-attr]
    except (BrokenPipeError, pa.ArrowInvalid) as error:
        if process.poll() is None:
            raise
        raise _death(child, error) from error
    while (answer := answers.get()) is not None:
        yield from take(answer)
    reader.join()


def _chain(first: pa.RecordBatch, others: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from others


def _death(child: Worker, error: BaseException) -> BaseException:
    return child.death(error) if isinstance(error, (OSError, pa.ArrowInvalid)) else error

