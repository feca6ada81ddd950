"""Reads each example into the model of its body, and writes it again: nothing may be lost on the way."""

import json
import re
import sys
from typing import Any

from pydantic import BaseModel

import lotline_models
from same import difference

MODELS = {
    name: model
    for name, model in vars(lotline_models).items()
    if isinstance(model, type) and issubclass(model, BaseModel)
}


def models_for(example: dict[str, Any]) -> list[type[BaseModel]]:
    """The model of a component has its name. That of another body is named after the operation, with a number when the
    operation has several."""
    if "schema" in example:
        return [MODELS[example["schema"]]]
    operation = example["operationId"]
    name = re.compile(operation[0].upper() + operation[1:] + r"(Response|Request)\d*")
    return [model for known, model in MODELS.items() if name.fullmatch(known)]


def problem_of(example: dict[str, Any], model: type[BaseModel]) -> str | None:
    try:
        read = model.model_validate_json(json.dumps(example["value"]))
        return difference(example["value"], read.model_dump(mode="json", by_alias=True, exclude_unset=True))
    except ValueError as error:
        return f"{model.__name__}: {error}"


examples = json.load(open(sys.argv[1]))
failures = 0
for example in examples:
    place = " ".join(str(example.get(key, "")) for key in ("operationId", "kind", "status", "name"))
    problems = [problem_of(example, model) for model in models_for(example)]
    if all(problems):
        failures += 1
        print(f"{place}: {problems}")
print(f"read {len(examples) - failures}")
sys.exit(1 if failures else 0)
