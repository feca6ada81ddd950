"""Runs the scenario of both clients and prints the outcomes as JSON. ``test/run-scenario.ts`` is the same in TypeScript.

Usage: run_scenario.py RUNS.json

The file is a list of runs, each with ``asynchronous``, ``url``, ``keys``, ``steps``, ``errors``, ``faults`` and ``values``.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import anyio
from every_operation import CALLS

from lotline import AsyncLotline, Lotline, LotlineError, Text

MAX_WAIT = 0.01
"""The most that a retry of a test waits. Seconds."""
MAX_UNTIL = 20.0
"""How long a step with `until` is repeated. Seconds."""
LONG = 20_000
"""The length of `${long}`."""
PAGED_LISTS = ("jobs.list", "jobs.results", "account.usage")
sleep, sleep_async = time.sleep, anyio.sleep


async def main() -> None:
    def short(seconds: Any) -> None:
        sleep(min(seconds, MAX_WAIT))

    async def short_async(delay: float) -> None:
        await sleep_async(min(delay, MAX_WAIT))

    time.sleep, anyio.sleep = short, short_async
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = json.load(file)
    print(json.dumps([await run(**one) for one in runs]))


async def run(
    asynchronous: bool,
    url: str,
    keys: dict[str, str],
    steps: list[Any],
    errors: list[Any],
    faults: list[Any],
    values: dict[str, str] | None = None,
) -> dict[str, Any]:
    made: Any = AsyncLotline if asynchronous else Lotline
    clients = {name: made(key, base_url=url) for name, key in keys.items()}
    client = clients["main"]
    saved = {"long": "x" * LONG, **(values or {})}
    outcomes: dict[str, list[Any]] = {"steps": [], "errors": [], "faults": []}
    for step in steps:
        filled = json.loads(re.sub(r"\$\{(\w+)\}", lambda found: saved.get(found[1], found[0]), json.dumps(step)))
        name = filled.get("key", "main")
        if name not in clients:
            clients[name] = made(name, base_url=url)
        owner = clients[name]
        outcome = await outcome_of(partial(run_step, owner, filled, saved))
        late = time.monotonic() + MAX_UNTIL
        while "until" in step and outcome.get("code") != step["until"] and time.monotonic() < late:
            await sleep_async(0.05)
            outcome = await outcome_of(partial(run_step, owner, filled, saved))
        outcomes["steps"].append(outcome)
    for operation, status, code in errors:
        options = {"headers": {"Prefer": f"code={status}, example={code}"}, "max_retries": 0}
        outcomes["errors"].append(await outcome_of(partial(CALLS[operation], client, options)))
    for operation, fault in faults:
        options = {"headers": {"x-fault-plan": f"{operation} {fault};{fault}"}}

        async def one(operation: str = operation, options: Any = options) -> str:
            await awaited(CALLS[operation](client, options))
            return "ok"

        outcomes["faults"].append(await outcome_of(one))
    for each in clients.values():
        await awaited(each.aclose() if asynchronous else each.close())
    return outcomes


async def run_step(client: Any, step: dict[str, Any], saved: dict[str, str]) -> Any:
    call, args, named = adapted(client, step)
    for _ in range(step.get("repeat", 1) - 1):
        await awaited(call(*args, **named))
    result = call(*args, **named)
    if step.get("pages"):
        # Searches give pages; a list gives its first page, which knows the others.
        pages = (await awaited(result)).pages() if step["call"] in PAGED_LISTS else result
        return {"pages": await take(pages, step.get("take"), lambda page: len(page.data))}
    result = await awaited(result)
    for name, path in step.get("save", {}).items():
        saved[name] = str(at(result, path))
    charged = result.credits.charged
    if step.get("rows"):
        return {"charged": charged, "rows": await take(result, step.get("take"), name_of)}
    if isinstance(result, Text):
        lines = result.text().strip().split("\n")
        return {"charged": charged, "meta": result.meta, "lines": len(lines), "first": lines[0].strip()}
    data, meta = getattr(result, "data", None), getattr(result, "meta", None)
    outcome = {"charged": charged, "keyLeft": result.credits.key_remaining, "data": digest(data), "meta": digest(meta)}
    if "show" in step:
        outcome["shown"] = {name: at(result, path) for name, path in step["show"].items()}
    return outcome


def adapted(client: Any, step: dict[str, Any]) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
    """The call as it is written in Python. What differs: `async` is a keyword, texts have their own methods, PATCH takes its
    changes as they are, searches under RESO names are `reso`, and the rarer parameters of GET /v1/listings are in `query`."""
    resource, method = (snake(name) for name in step["call"].split("."))
    owner = getattr(client, resource)
    call = getattr(owner, method)
    args, body = list(step.get("args", [])), step.get("body", {})
    if step["call"] in ("watches.update", "webhooks.update", "keys.update"):
        args, body = [*args, body], {}
    given = {snake(name): value for name, value in {**body, **step.get("options", {})}.items()}
    if "faults" in step:
        given["headers"] = {"x-fault-plan": f"{step['name']};{','.join(step['faults'])}"}
    if "async" in given:
        given["as_job"] = given.pop("async")
    if "sync" in given:
        given["as_job"] = not given.pop("sync")
    is_reso = resource in ("search", "listings") and given.pop("shape", None) == "reso"
    if resource == "listings" and method in ("list", "pages"):
        rare = [name for name in given if name not in ("bbox", "status", "home_types", "headers", "max_credits", "format")]
        given["query"] = {name: given.pop(name) for name in rare}
    if is_reso:
        call = owner.reso if method == "list" else call.reso
    if "format" in given:
        call = owner.text if resource == "listings" and method == "list" else call.text
        args = [given.pop("format"), *args]
    return call, args, given


async def outcome_of(call: Callable[[], Any]) -> Any:
    try:
        return await awaited(call())
    except LotlineError as error:
        return {
            "code": error.code,
            "status": error.status,
            "error": type(error).__name__,
            "details": digest(error.details),
            "page": None if error.doc_url is None else f"#{urlsplit(error.doc_url).fragment}",
            "saysWhen": error.retry_after is not None,
            "charged": None if error.credits is None else error.credits.charged,
        }


async def awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def take(rows: Any, most: int | None, of: Callable[[Any], Any]) -> list[Any]:
    taken = []
    if hasattr(rows, "__aiter__"):
        async for row in rows:
            taken.append(of(row))
            if len(taken) == most:
                break
    else:
        for row in rows:
            taken.append(of(row))
            if len(taken) == most:
                break
    return taken


def name_of(row: Any) -> Any:
    """What tells a row from the others: homes have a zpid, events a type, units a number."""
    return row.get("zpid") or row.get("type") or row.get("unitNumber") or sorted(row)


def digest(value: Any) -> Any:
    """What two runs have in common: the shape, the counts, and the zpids."""
    if isinstance(value, list):
        return [len(value), digest(value[0]) if value else None]
    if isinstance(value, dict):
        return {"keys": sorted(value), **({"zpid": value["zpid"]} if "zpid" in value else {})}
    return value


def at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else getattr(value, name)
    return value


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), name)


if __name__ == "__main__":
    asyncio.run(main())
