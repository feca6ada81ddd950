"""Reads each example with the parser of its operation, and writes it again: nothing may be lost on the way."""

import importlib
import json
import pkgutil
import re
import sys
from inspect import signature
from typing import Any

import httpx

import lotline_client.api
from lotline_client import Client, models
from same import difference

client = Client(base_url="http://localhost", raise_on_unexpected_status=True)
modules = {
    found.name.rsplit(".", 1)[1]: found.name
    for found in pkgutil.walk_packages(lotline_client.api.__path__, "lotline_client.api.")
    if not found.ispkg
}


def read(example: dict[str, Any]) -> Any:
    if example["kind"] == "event":
        return getattr(models, example["schema"]).from_dict(example["value"])
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", example["operationId"]).lower()
    operation = importlib.import_module(modules[name])
    if example["kind"] == "request":
        return signature(operation._get_kwargs).parameters["body"].annotation.from_dict(example["value"])
    response = httpx.Response(int(example["status"]), json=example["value"])
    parsed = operation._parse_response(client=client, response=response)
    if parsed is None:
        raise ValueError("The operation has no type for this response.")
    return parsed


examples = json.load(open(sys.argv[1]))
failures = 0
for example in examples:
    place = " ".join(str(example.get(key, "")) for key in ("operationId", "kind", "status", "name"))
    try:
        problem = difference(example["value"], read(example).to_dict())
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if problem:
        failures += 1
        print(f"{place}: {problem}")
print(f"read {len(examples) - failures}")
sys.exit(1 if failures else 0)
