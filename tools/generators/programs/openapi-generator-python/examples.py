"""Reads each example into the model of its body, and writes it again: nothing may be lost on the way."""

import inspect
import json
import re
import sys
from typing import Any

import lotline_client.models
from lotline_client import api
from same import difference

APIS = [getattr(api, name) for name in dir(api) if name.endswith("Api")]


def model_of(example: dict[str, Any]) -> Any:
    """The model of a component has its name. Those of other bodies are in the table of their operation."""
    if "schema" in example:
        name = {"Property": "HomeRecord"}.get(example["schema"], example["schema"])
        return getattr(lotline_client.models, name)
    operation = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", example["operationId"]).lower()
    [method] = [getattr(one, operation) for one in APIS if hasattr(one, operation)]
    return getattr(lotline_client.models, types_of(method)[example["status"]])


def types_of(method: Any) -> dict[str, str]:
    """The types of an operation's responses stand in its method."""
    table = re.search(r"_response_types_map: [^{]*(\{.*?\})", inspect.getsource(method), re.S)
    assert table is not None, method
    return dict(re.findall(r"'(\d+)': \"(\w+)\"", table[1]))


examples = json.load(open(sys.argv[1]))
failures = 0
for example in examples:
    place = " ".join(str(example.get(key, "")) for key in ("operationId", "kind", "status", "name"))
    try:
        read = model_of(example).from_json(json.dumps(example["value"]))
        problem = difference(example["value"], json.loads(json.dumps(read.to_dict(), default=str)))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if problem:
        failures += 1
        print(f"{place}: {problem}")
print(f"read {len(examples) - failures}")
sys.exit(1 if failures else 0)
