"""Fits on rows that no machine holds: exact, bit for bit those of one process."""

from __future__ import annotations

import json
import pickle
import tempfile
import uuid
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from sklearn.base import clone

from .._base import _Detector
from .._detectors import CAD, KNN, LOF, LandmarkCAD
from .._model import Model
from .._worker import worker
from ._blocks import (
    BLOCK,
    ID,
    Arrow,
    Plan,
    ask,
    lists_of,
    read_cells,
    read_table,
    scores_of,
    shapes_of,
    told,
    values_of,
    write_shapes,
)
from ._densities import densities_of, factors_of
from ._score import check_columns
from ._shapes import Shapes, stored
from ._splits import learn_splits

#: Rows that the driver takes for a whole model, and scores for a threshold.
MOST_ROWS = 1_000_000
#: Rows of a model of a sample, where the whole does not fit.
SAMPLE_ROWS = 50_000
#: Rows of the sample that a block is learned from, and other rows that a model of a sample is measured on.
SAMPLE_OF_BLOCK = 50
MEASURED = 20_000
BLOCK_ROWS = 16_384
#: Rows of a cell: what is read of a block at least.
CELL_ROWS = 512
#: What is kept meanwhile.
FOLDERS = ("ids", "rows", "cells", "shapes", "lists", "distances", "densities")
SCORE, LABEL = "score", "label"
SCORES = ID  # in a table of rows


class DistributedFit:
    """What a distributed fit gives."""

    #: `id`, `score`, `label`: the training scores of all rows.
    scores: DataFrame
    threshold: float
    #: To score other rows with: of all rows, or of a sample of them.
    model: Model
    #: None for a model of all rows. Otherwise how its scores of other rows agree with theirs here: `rows` of the model,
    #: `measured` rows, `correlation` of ranks, and the share of `labels` that are the same.
    agreement: dict[str, float] | None
    #: What each task did: rows, blocks `visited` and `skipped`, `cells_read` and `cells_skipped`, bytes read, seconds.
    tasks: pd.DataFrame

    @property
    def skipped(self) -> float:
        """The share of what other blocks hold that a task need not read, as boxes excluded it."""
        cells = int((self.tasks["cells_read"] + self.tasks["cells_skipped"]).sum())
        return float(self.tasks["cells_skipped"].sum() / cells) if cells > 0 else 0.0

    def __repr__(self) -> str:
        rows = int(self.tasks["rows"].sum())
        return f"<DistributedFit: {rows} rows in {len(self.tasks)} blocks, {self.skipped:.0%} of others skipped>"


def fit_distributed(
    df: DataFrame,
    detector: _Detector | None = None,
    *,
    id: str,  # noqa: A002: the name of the option everywhere
    columns: Sequence[str] | None = None,
    directory: str | Path | None = None,
    block_rows: int = BLOCK_ROWS,
    max_rows: int = MOST_ROWS,
    sample_rows: int = SAMPLE_ROWS,
    seed: int = 0,
) -> DistributedFit:
    """Fits a `LandmarkCAD` (the default), `CAD`, `KNN` or `LOF` on all rows, in tasks that each keep one block in memory.

    The scores are those of a fit in one process on the rows in the order of `id`, to the last bit: whole numbers below
    2^53, no two the same. `directory` is where rows and scores are kept meanwhile: a folder, or the address of one, that the
    driver and all executors see. The scores stay there. By default it is a temporary folder, for a cluster on one machine.

    `block_rows`: about how many rows a task keeps. Up to `max_rows` rows the model is that of all of them; of more it is
    one of `sample_rows` drawn with `seed`, and the result tells how well it agrees. `approximate=…` of CAD, KNN and LOF
    visits fewer blocks, within its bound.
    """
    chosen = LandmarkCAD() if detector is None else detector
    if not isinstance(chosen, (LandmarkCAD, CAD, KNN, LOF)):
        kind = type(chosen).__name__
        raise TypeError(f"a distributed fit is for LandmarkCAD, CAD, KNN and LOF, got {kind}: fit a sample of the rows")
    names = [name for name in df.columns if name != id] if columns is None else list(columns)
    check_columns(df, [*names, id])
    taken = {ID, BLOCK} & set(names)
    if taken or id in (SCORE, LABEL):
        raise ValueError(f"the name {taken.pop() if taken else id!r} is taken: rename this column")
    if block_rows < 2:
        raise ValueError(f"block_rows must be at least 2, got {block_rows}")
    return _Fit(df, chosen, names, id, _address(directory)).run(block_rows, max_rows, sample_rows, seed)


class _Fit:
    def __init__(self, df: DataFrame, detector: LandmarkCAD | CAD | KNN | LOF, names: list[str], key: str, directory: str) -> None:
        self.spark: SparkSession = df.sparkSession
        self.detector = detector
        self.names = names
        self.key = key
        self.directory = directory
        columns = [F.col(f"`{name}`").cast("double").alias(name) for name in names]
        self.rows = df.select(F.col(f"`{key}`").cast("long").alias(ID), *columns)

    def run(self, block_rows: int, max_rows: int, sample_rows: int, seed: int) -> DistributedFit:
        self.max_rows, self.sample_rows, self.seed = max_rows, sample_rows, seed
        statistics = self._statistics()
        count = int(statistics["rows"])
        self.request = {**self.detector._described(count), "count": count}
        for folder in FOLDERS:
            self._delete(folder)
        try:
            landmarks = self._landmarks()
            scaling = told(ask({"call": "scaling", **self.request, "statistics": statistics}), "scaling")
            plan = self._place(scaling, -(-count // block_rows), count, seed)
            plan.landmarks = landmarks
            return self._finish(plan, self._scores(plan), count)
        finally:
            for folder in FOLDERS:
                self._delete(folder)

    def _delete(self, name: str) -> None:
        files, path = pa.fs.FileSystem.from_uri(f"{self.directory}/{name}")
        kind = files.get_file_info(path).type
        if kind == pa.fs.FileType.Directory:
            files.delete_dir(path)
        elif kind == pa.fs.FileType.File:
            files.delete_file(path)

    def _statistics(self) -> Any:
        found = self.rows.mapInArrow(_statistics_of, "statistics string").toPandas()
        if len(found) == 0:
            raise ValueError("there are no rows")
        return told(ask({"call": "merge"}, pa.table({"statistics": list(found["statistics"])})), "statistics")

    def _landmarks(self) -> pa.Table | None:
        """The rows that are landmarks, named by their places in the order of ids, where the detector has some."""
        self.rows.select(ID).sort(ID).write.mode("overwrite").parquet(f"{self.directory}/ids")
        wanted = ask({"call": "landmarks", **self.request}).column("row").to_numpy()
        ids = self._ids_at(wanted.astype(np.int64))
        if len(ids) == 0:
            return None
        rows = self.rows.where(F.col(ID).isin([int(i) for i in ids])).toPandas().sort_values(ID)
        return pa.Table.from_pandas(rows, preserve_index=False)

    def _ids_at(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The ids at some places in their order; refuses ids that come twice, or are none."""
        found, first, last = [np.empty(0, np.int64)], 0, -1
        for batch in self._read("ids", [ID]):
            column = batch.column(0)
            if column.null_count > 0:
                raise ValueError("there is a row without an id")
            ids = column.to_numpy()
            if len(ids) == 0:
                continue
            if ids[0] < 0 or ids[-1] >= 2**53:
                raise ValueError(f"ids must be whole numbers from 0 to 2^53 − 1, got {ids[0] if ids[0] < 0 else ids[-1]}")
            twice = np.flatnonzero(np.diff(ids, prepend=last) == 0)
            if len(twice) > 0:
                raise ValueError(f"ids must be unique: {ids[twice[0]]} comes twice")
            here = places[(places >= first) & (places < first + len(ids))] - first
            found.append(ids[here])
            first, last = first + len(ids), ids[-1]
        return np.concatenate(found)

    def _read(self, folder: str, columns: list[str]) -> Any:
        """Batches of what Spark wrote, in the order of its files."""
        files, path = pa.fs.FileSystem.from_uri(f"{self.directory}/{folder}")
        found = files.get_file_info(pa.fs.FileSelector(path))
        parts = sorted(info.path for info in found if info.base_name.startswith("part-"))
        return pa.dataset.dataset(parts, filesystem=files, format="parquet").to_batches(columns=columns)

    def _place(self, scaling: Any, wanted: int, count: int, seed: int) -> Plan:
        """Puts rows into blocks, and these into cells, in files."""
        names = self.names
        share = min(1.0, 1.2 * SAMPLE_OF_BLOCK * wanted / count)
        sample = self.rows.sample(fraction=share, seed=seed).toPandas()[names].to_numpy()
        splits = learn_splits(stored(sample, scaling), wanted)

        def place(batches: Any) -> Any:
            for batch in batches:
                blocks = pa.array(splits.block_of(stored(values_of(batch, names), scaling)))
                yield pa.RecordBatch.from_arrays([blocks, *batch.columns], names=[BLOCK, ID, *names])

        schema = ", ".join([f"{BLOCK} int", f"{ID} long", *(f"`{name}` double" for name in names)])
        placed = self.rows.mapInArrow(place, schema).repartition(splits.blocks, BLOCK).sortWithinPartitions(BLOCK, ID)
        placed.write.mode("overwrite").partitionBy(BLOCK).parquet(f"{self.directory}/rows")
        plan = Plan(self.directory, names, self.request, scaling, self._blocks_written())
        found = self._in_tasks(plan, shapes_of(plan, CELL_ROWS), "shapes binary").toPandas()["shapes"]
        write_shapes(self.directory, Shapes.joined([pickle.loads(bytes(data)) for data in found]))  # noqa: S301: our own
        self._delete("rows")
        return plan

    def _blocks_written(self) -> list[int]:
        files, path = pa.fs.FileSystem.from_uri(f"{self.directory}/rows")
        found = [info.base_name for info in files.get_file_info(pa.fs.FileSelector(path))]
        return sorted(int(name.split("=")[1]) for name in found if name.startswith(f"{BLOCK}="))

    def _scores(self, plan: Plan) -> DataFrame:
        schema = f"id long, {SCORE} double, facts string"
        found = self._in_tasks(plan, self._last_pass(plan), schema)
        found.write.mode("overwrite").parquet(f"{self.directory}/scores")
        return self.spark.read.schema(schema).parquet(f"{self.directory}/scores")

    def _last_pass(self, plan: Plan) -> Arrow:
        """What gives the scores: LOF needs to know the neighbours of all rows first, and then their densities."""
        if not isinstance(self.detector, LOF):
            return scores_of(plan)
        told_by = [json.loads(text) for text in self._in_tasks(plan, lists_of(plan), "facts string").toPandas()["facts"]]
        facts = {fact["block"]: fact for fact in told_by}
        seen = {block: fact["seen"] for block, fact in facts.items()}
        self._in_tasks(plan, densities_of(plan, seen), "block int").count()
        return factors_of(plan, seen, facts)

    def _in_tasks(self, plan: Plan, run: Arrow, schema: str) -> DataFrame:
        """One task for each block."""
        blocks = len(plan.blocks)
        return self.spark.range(0, blocks, 1, blocks).mapInArrow(run, schema)

    def _finish(self, plan: Plan, found: DataFrame, count: int) -> DistributedFit:
        result = DistributedFit()
        facts = found.where("facts is not null").select("facts").toPandas()["facts"]
        result.tasks = pd.DataFrame([json.loads(fact) for fact in facts]).sort_values("block", ignore_index=True)
        result.tasks = result.tasks.drop(columns="seen")
        known = pa.Table.from_batches(self._read("scores", ["id", SCORE]))
        threshold = told(ask({"call": "threshold", **self.request, "columns": [SCORE]}, known))["threshold"]
        result.threshold = np.inf if threshold is None else threshold
        label = F.lit(0) if threshold is None else (F.col(SCORE) > F.lit(threshold)).cast("int")
        result.scores = found.select(F.col("id").alias(self.key), SCORE, label.cast("byte").alias(LABEL))
        if count <= self.max_rows:
            result.model, result.agreement = self._whole_model(plan, known), None
        else:
            result.model, result.agreement = self._model_of_sample(result, count)
        return result

    def _whole_model(self, plan: Plan, scores: pa.Table) -> Model:
        rows = pa.concat_tables([read_cells(self.directory, block) for block in plan.blocks]).sort_by(ID)
        known = scores.sort_by("id").column(SCORE)
        table = rows.rename_columns([SCORES, *self.names]).set_column(0, SCORES, known)
        besides = [f"{ID}_{folder}" for folder in ("distances", "densities")] if isinstance(self.detector, LOF) else []
        for name in besides:
            parts = [read_table(self.directory, name.rsplit("_", 1)[1], block) for block in plan.blocks]
            table = table.append_column(name, pa.concat_tables(parts).sort_by(ID).column("value"))
        key = uuid.uuid4().hex
        ask({"call": "assemble", "key": key, "scores": SCORES, "besides": besides, **self.request}, table)
        worker().keep(key)
        data = ask({"call": "model", "key": key}).column("model")[0].as_py()
        worker().drop(key)
        return Model(data)

    def _model_of_sample(self, result: DistributedFit, count: int) -> tuple[Model, dict[str, float]]:
        sample_rows, seed = self.sample_rows, self.seed
        drawn = self.rows.sample(fraction=min(1.0, (sample_rows + MEASURED) / count), seed=seed).toPandas()
        drawn = drawn.sample(frac=1, random_state=seed)
        most = min(sample_rows, len(drawn) - min(MEASURED, len(drawn) // 2))
        inside, others = drawn[:most].sort_values(ID), drawn[most:]
        model = Model(clone(self.detector).fit(inside[self.names]).model_)
        exact = result.scores.where(F.col(f"`{self.key}`").isin([int(i) for i in others[ID]])).toPandas().set_index(self.key)
        known = exact.loc[others[ID]]
        found = model.score(others[self.names])
        ranks = [pd.Series(values).rank().to_numpy() for values in (found, known[SCORE].to_numpy())]
        return model, {
            "rows": len(inside),
            "measured": len(others),
            "correlation": float(np.corrcoef(*ranks)[0, 1]),
            "labels": float(((found > model.threshold) == (known[LABEL].to_numpy() == 1)).mean()),
        }


def _statistics_of(batches: Any) -> Any:
    """What columns of a part of the rows are like."""
    filled = (batch for batch in batches if batch.num_rows > 0)
    first = next(filled, None)
    if first is not None:
        answer = worker().call({"call": "statistics", "id": ID}, first.schema, chain([first], filled))
        yield pa.RecordBatch.from_arrays([answer.column("statistics").chunk(0)], names=["statistics"])


def _address(directory: str | Path | None) -> str:
    """A folder as an address that Spark and Arrow both know."""
    if directory is None:
        directory = tempfile.mkdtemp(prefix="curvad-")
    text = str(directory)
    return text.rstrip("/") if len(urlparse(text).scheme) > 1 else Path(text).resolve().as_uri()
