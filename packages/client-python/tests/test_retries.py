"""What is repeated, and what never is. The table is that of the TypeScript client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Respond, break_off, hang_up, loopback, refusal, reply, success

from lotline import AsyncLotline, Lotline, LotlineError, errors

FREE = {"x-credits-charged": "0"}
NO_RECEIPT: dict[str, str] = {"x-credits-charged": ""}
SEARCH: dict[str, Any] = {"filters": {"zips": ["98109"]}}
ACCEPTED = reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "req_1"})
FOUND = reply(200, {"data": [], "meta": {}, "request_id": "req_1"})

CASES: list[tuple[str, Any, list[Respond], int, str | None]] = [
    ("a GET after a 429", lambda c: c.properties.get("1"), [refusal(429, "rate_limited"), success()], 2, None),
    ("a GET after a 503", lambda c: c.properties.get("1"), [refusal(503, "busy"), success()], 2, None),
    ("a free GET after a lost connection", lambda c: c.account.me(), [hang_up, success()], 2, None),
    ("a free GET whose response breaks off", lambda c: c.account.me(), [break_off, success()], 2, None),
    ("no lookup after a lost connection", lambda c: c.properties.get("1"), [hang_up], 1, "connection_lost"),
    ("no lookup whose response breaks off", lambda c: c.properties.photos("1"), [break_off], 1, "connection_lost"),
    ("no listings after a lost connection", lambda c: c.listings.list(bbox="1,2,3,4"), [hang_up], 1, "connection_lost"),
    ("no building after a lost connection", lambda c: c.buildings.units("u"), [hang_up], 1, "connection_lost"),
    ("a GET only as often as allowed", lambda c: c.properties.get("1"), [refusal(503, "busy")], 4, "busy"),
    ("no GET after a 404", lambda c: c.properties.get("1"), [refusal(404, "not_found")], 1, "not_found"),
    ("no GET after a 402", lambda c: c.properties.get("1"), [refusal(402, "out_of_credits")], 1, "out_of_credits"),
    ("a job after a lost connection", lambda c: c.properties.batch(urls=["u"]), [hang_up, ACCEPTED], 2, None),
    (
        "a search as a job after a 502",
        lambda c: c.search.run(**SEARCH, max_items=51),
        [refusal(502, "x"), ACCEPTED],
        2,
        None,
    ),
    ("a search after a 503 that was free", lambda c: c.search.run(**SEARCH), [refusal(503, "busy"), FOUND], 2, None),
    ("no search after a lost connection", lambda c: c.search.run(**SEARCH), [hang_up], 1, "connection_lost"),
    ("no search whose response breaks off", lambda c: c.search.run(**SEARCH), [break_off], 1, "connection_lost"),
    (
        "a new webhook after a 429",
        lambda c: c.webhooks.create(url="https://x"),
        [refusal(429, "rate_limited"), success()],
        2,
        None,
    ),
    ("no new webhook after a 503", lambda c: c.webhooks.create(url="https://x"), [refusal(503, "busy")], 1, "busy"),
    (
        "no new watch after a lost connection",
        lambda c: c.watches.create(name="n", zpids=["1"]),
        [hang_up],
        1,
        "connection_lost",
    ),
    (
        "a building as a job after a 429",
        lambda c: c.buildings.units("u", as_job=True),
        [refusal(429, "rate_limited"), ACCEPTED],
        2,
        None,
    ),
    ("no building as a job after a 503", lambda c: c.buildings.units("u", as_job=True), [refusal(503, "busy")], 1, "busy"),
]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(("call", "responds", "requests", "code"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_call_that_cannot_be_charged_twice_is_retried(
    call: Any, responds: list[Respond], requests: int, code: str | None, asynchronous: bool, waits: list[float]
) -> None:
    async def run_async(url: str) -> None:
        async with AsyncLotline("lot_x", base_url=url) as client:
            await call(client)

    def run(url: str) -> None:
        if asynchronous:
            asyncio.run(run_async(url))
        else:
            with Lotline("lot_x", base_url=url) as client:
                call(client)

    with loopback(*responds) as server:
        if code is None:
            run(server.url)
        else:
            with pytest.raises(LotlineError) as raised:
                run(server.url)
            assert raised.value.code == code
        assert len(server.requests) == requests
        keys = {headers.get("idempotency-key") for _, _, headers, _ in server.requests}
        assert len(keys) == 1, "all attempts have the same idempotency key"
    assert all(wait >= 2 for wait in waits)


def test_retry_after_is_the_minimum_wait_and_the_random_part_doubles(waits: list[float]) -> None:
    with loopback(refusal(429, "rate_limited", {"retry-after": "7"})) as server, Lotline("k", base_url=server.url) as client:
        with pytest.raises(errors.RateLimitedError) as raised:
            client.account.me()
    assert waits == [7 + 1, 7 + 2, 7 + 4]
    assert raised.value.retry_after == 7


def test_a_call_fails_at_once_if_retry_after_exceeds_two_minutes(waits: list[float]) -> None:
    with (
        loopback(refusal(429, "rate_limited", {"retry-after": "121"})) as server,
        Lotline("k", base_url=server.url) as client,
    ):
        with pytest.raises(errors.RateLimitedError):
            client.account.me()
    assert waits == []


def test_a_search_that_may_have_been_charged_is_not_retried(waits: list[float]) -> None:
    unknown = refusal(500, "internal_error", {"x-credits-charged": "3"})
    with loopback(unknown) as server, Lotline("k", base_url=server.url) as client:
        with pytest.raises(errors.ServerError):
            client.search.run(filters={"zips": ["98109"]})
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda c: c.properties.get("1"),
        lambda c: c.search.run(**SEARCH),
        lambda c: c.webhooks.create(url="https://x"),
    ],
)
def test_every_call_is_retried_if_no_connection_was_made(call: Any, waits: list[float]) -> None:
    with Lotline("k", base_url="http://127.0.0.1:9", max_retries=2) as client, pytest.raises(errors.ConnectionError) as raised:
        call(client)
    assert raised.value.unsent
    assert len(waits) == 2


def test_a_call_that_timed_out_is_not_retried(waits: list[float]) -> None:
    import time

    def late(request: Any) -> None:
        time.sleep(1.0)

    with loopback(late) as server, Lotline("k", base_url=server.url, timeout=0.2) as client:
        with pytest.raises(errors.TimeoutError) as raised:
            client.properties.get("1")
        assert raised.value.code == "call_timeout"
        assert len(server.requests) == 1


def test_the_timeout_ends_a_response_that_arrives_too_slowly(waits: list[float]) -> None:
    import time

    def drip(request: Any) -> None:
        request.send_response(200)
        request.send_header("content-length", "1000")
        request.end_headers()
        for _ in range(40):
            request.wfile.write(b" ")
            request.wfile.flush()
            time.sleep(0.05)

    with loopback(drip) as server, Lotline("k", base_url=server.url, timeout=0.3) as client:
        with pytest.raises(errors.TimeoutError):
            client.properties.get("1")
