"""Runs the scenario of both clients against a service and prints an outcome for each step as JSON.

Usage: run_scenario.py SCENARIO URL KEY
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from lotline import Lotline, LotlineError


def main(scenario: str, url: str, key: str) -> None:
    with open(scenario, encoding="utf-8") as file, Lotline(key, base_url=url) as client:
        print(json.dumps([outcome_of(client, step) for step in json.load(file)["steps"]]))


def outcome_of(client: Lotline, step: dict[str, Any]) -> dict[str, Any]:
    resource, method = (snake(name) for name in step["call"].split("."))
    call = getattr(getattr(client, resource), method)
    named = {snake(name): value for name, value in {**step.get("body", {}), **step.get("options", {})}.items()}
    try:
        result = call(*step.get("args", []), **named)
        outcome = {"charged": result.credits.charged}
        if step.get("rows"):
            return {**outcome, "rows": [row["zpid"] for row in result]}
        return {**outcome, "data": digest(result.data), "meta": digest(result.meta)}
    except LotlineError as error:
        return {"code": error.code, "status": error.status, "error": type(error).__name__, "details": digest(error.details)}


def digest(value: Any) -> Any:
    """What two runs have in common: the shape, the counts, and the zpids."""
    if isinstance(value, list):
        return [len(value), digest(value[0]) if value else None]
    if isinstance(value, dict):
        return {"keys": sorted(value), **({"zpid": value["zpid"]} if "zpid" in value else {})}
    return value


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), name)


if __name__ == "__main__":
    main(*sys.argv[1:])
