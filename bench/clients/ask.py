"""Asks a server of curvad as its users would: with the clients of the protocols. Arguments: the URL, and rows with their
right scores and labels as JSON. Prints a line for each client."""

import asyncio
import json
import sys
from importlib.metadata import version

import kserve
import numpy as np
import pandas as pd
import tritonclient.http as triton
from mlflow.pyfunc.scoring_server.client import ScoringServerClient

url, expected = sys.argv[1], json.loads(sys.argv[2])
host = url.removeprefix("http://")
columns, rows = expected["columns"], np.asarray(expected["rows"])
scores, labels = expected["scores"], expected["labels"]


def check(what, got_scores, got_labels):
    assert list(map(float, got_scores)) == scores, f"{what}: {got_scores}, not {scores}"
    assert list(map(int, got_labels)) == labels, f"{what}: {got_labels}, not {labels}"


def ask_triton():
    client = triton.InferenceServerClient(host)
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("odd")
    assert client.get_model_metadata("odd")["inputs"][0]["shape"] == [-1, len(columns)]
    for is_binary in (False, True):
        tensor = triton.InferInput("rows", rows.shape, "FP64")
        tensor.set_data_from_numpy(rows, binary_data=is_binary)
        wanted = [triton.InferRequestedOutput(name, binary_data=not is_binary) for name in ("score", "label")]
        for outputs in (None, wanted):
            for packing in (None, "gzip", "deflate"):
                answer = client.infer("odd", [tensor], outputs=outputs, request_compression_algorithm=packing)
                check("tritonclient", answer.as_numpy("score"), answer.as_numpy("label"))
    by_column = []
    for name, values in zip(columns, rows.T):
        tensor = triton.InferInput(name, [len(rows)], "FP64")
        tensor.set_data_from_numpy(np.ascontiguousarray(values))
        by_column.append(tensor)
    answer = client.infer("odd", by_column, model_version="1")
    check("tritonclient, by column", answer.as_numpy("score"), answer.as_numpy("label"))
    try:
        client.infer("none", by_column)
        raise AssertionError("tritonclient got an answer of a model that is not there")
    except triton.InferenceServerException as refusal:
        assert refusal.status() == "404" and "no model" in refusal.message()
    return "13 inferences, as JSON and as binary data, plain and packed"


async def ask_kserve():
    client = kserve.InferenceRESTClient(kserve.RESTConfig(protocol="v2"))
    assert await client.is_server_live(url) and await client.is_server_ready(url)
    assert await client.is_model_ready(url, "odd")
    for is_binary in (False, True):
        tensor = kserve.InferInput("rows", list(rows.shape), "FP64")
        tensor.set_data_from_numpy(rows, binary_data=is_binary)
        request = kserve.InferRequest(model_name="odd", infer_inputs=[tensor])
        answer = await client.infer(url, request, model_name="odd")
        by_name = {output.name: output.as_numpy() for output in answer.outputs}
        check("kserve", by_name["score"], by_name["label"])
    await client.close()
    return "2 inferences, as JSON and as binary data"


def ask_mlflow():
    client = ScoringServerClient(*host.split(":"))
    client.wait_server_ready()
    assert client.get_version()
    frame = pd.DataFrame(rows, columns=columns)
    for what, data in (("a frame", frame), ("its columns in another order", frame[columns[::-1]]), ("an array", rows)):
        answer = client.invoke(data).get_predictions()
        check(f"mlflow, {what}", answer["score"], answer["label"])
    return "3 invocations, with frames and an array"


for package, answer in (
    ("tritonclient", ask_triton()),
    ("kserve", asyncio.run(ask_kserve())),
    ("mlflow-skinny", ask_mlflow()),
):
    print(f"{package} {version(package)}: {answer}")
