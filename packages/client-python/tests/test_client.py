"""Options, errors, pages, jobs, logs."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import loopback, refusal, reply, success

import lotline
from lotline import AsyncLotline, Lotline, LotlineError, errors

KEY = "lot_secret_0123456789"
JOB: dict[str, Any] = {"id": "j1", "type": "search", "completed_at": None, "error": None}


def page(rows: list[Any], offset: int, more: bool) -> Any:
    return success(rows, count=len(rows), offset=offset, has_more=more)


def test_a_key_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOTLINE_API_KEY", raising=False)
    with pytest.raises(LotlineError) as raised:
        Lotline()
    assert raised.value.code == "missing_api_key"


@pytest.mark.parametrize("options", [{"base_url": "ftp://x"}, {"timeout": 0}, {"max_retries": -1}, {"max_credits": -1}])
def test_options_out_of_bounds_are_refused(options: Any) -> None:
    with pytest.raises(ValueError):
        Lotline(KEY, **options)


def test_a_call_has_key_caps_and_headers(waits: list[float]) -> None:
    with loopback(success()) as server, Lotline(KEY, base_url=server.url + "/", max_credits=9) as client:
        client.properties.get("48749425", fields=["price", "address.city"])
        client.properties.get("1/../2", max_credits=3, headers={"x-trace": "t"})
        (_, path, headers, _), (_, odd, capped, _) = server.requests
    assert urlsplit(path).path == "/v1/properties/48749425"
    assert parse_qs(urlsplit(path).query) == {"fields": ["price,address.city"]}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["x-max-credits"] == "9"
    assert odd == "/v1/properties/1%2F..%2F2"
    assert (capped["x-max-credits"], capped["x-trace"]) == ("3", "t")


def test_what_is_not_given_is_not_sent() -> None:
    accepted = reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "r"}, {"idempotent-replayed": "true"})
    with loopback(accepted) as server, Lotline(KEY, base_url=server.url) as client:
        started = client.properties.batch(urls=["u"], max_items=2, idempotency_key="mine")
        _, _, headers, body = server.requests[0]
    assert json.loads(body) == {"urls": ["u"], "maxItems": 2}
    assert headers["idempotency-key"] == "mine"
    assert (started.job.id, started.replayed) == ("j1", True)


def test_an_error_has_its_facts() -> None:
    details = {"balance": 3, "held": 2, "required": 5}
    with loopback(refusal(402, "out_of_credits", details=details)) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.OutOfCreditsError) as raised:
            client.properties.get("1")
        error = raised.value
        assert (error.balance, error.held, error.required) == (3, 2, 5)
        assert (error.status, error.request_id, error.doc_url) == (402, "req_1", server.url + "/docs/errors#out_of_credits")
        assert error.credits is not None and error.credits.remaining == 41


def test_what_is_not_from_the_service_is_said_so() -> None:
    with loopback(reply(200, b"<html>")) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(LotlineError) as raised:
            client.account.me()
        assert raised.value.code == "unexpected_answer"


def test_neither_logs_nor_representations_show_the_key(caplog: pytest.LogCaptureFixture) -> None:
    text = io.StringIO()
    logger = logging.getLogger("shown")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(logging.StreamHandler(text))
    with loopback(success()) as server, Lotline(KEY, base_url=server.url, logger=logger) as client:
        result = client.properties.get("1")
        shown = f"{client!r} {client._core.settings!r} {result!r} {vars(client).keys()} {text.getvalue()} {caplog.text}"
    assert "GET /v1/properties/1: 200" in text.getvalue()
    assert KEY not in shown


def test_iterating_a_page_reads_all_pages_and_no_row_twice() -> None:
    first = page([{"id": "a"}, {"id": "b"}], 0, True)
    second = page([{"id": "b"}, {"id": "c"}], 2, False)
    with loopback(first, second) as server, Lotline(KEY, base_url=server.url) as client:
        assert [job["id"] for job in client.jobs.list(limit=2)] == ["a", "b", "c"]
        assert "offset=2" in server.requests[1][1]


def test_usage_ends_with_a_page_that_is_not_full() -> None:
    full = success([{"id": at} for at in range(100)])
    with loopback(full, success([{"id": 100}])) as server, Lotline(KEY, base_url=server.url) as client:
        assert len(list(client.account.usage())) == 101


def test_a_search_that_runs_as_a_job_is_iterated_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lotline._sync.jobs.time.sleep", lambda _: None)
    responses = [
        reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "r"}),
        success({**JOB, "status": "running"}),
        success({**JOB, "status": "succeeded", "completed_at": "2026-01-01T00:00:00Z"}),
        page([{"zpid": "1"}], 0, True),
        page([{"zpid": "2"}], 1, False),
    ]
    with loopback(*responses) as server, Lotline(KEY, base_url=server.url) as client:
        found = client.search.run(filters={"zips": ["98109"]}, max_items=800)
        assert found.job is not None and found.data is None
        assert [row["zpid"] for row in found] == ["1", "2"]


@pytest.mark.parametrize("status", ["failed", "aborted", "timed_out", "a_later_status"])
def test_a_job_that_ends_without_a_result_raises(status: str) -> None:
    job = {**JOB, "status": status, "completed_at": "2026-01-01T00:00:00Z", "error": {"code": "x", "message": "Why."}}
    with loopback(success(job)) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.JobFailedError) as raised:
            client.jobs.wait("j1")
        assert raised.value.code == f"job_{status}"
        assert "Why." in str(raised.value)


def test_waiting_ends_in_time_and_reports_progress() -> None:
    seen: list[str] = []
    with loopback(success({**JOB, "status": "running"})) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.WaitTimeoutError):
            client.jobs.wait("j1", wait_timeout=0.1, on_progress=lambda job: seen.append(job["status"]))
    assert seen == ["running"]


def test_csv_of_several_pages_has_one_header() -> None:
    link = {"link": '</v1/jobs/j1/results?offset=1000>; rel="next"', "content-type": "text/csv"}
    responses = [reply(200, b'zpid,"a\nb"\n1,x\n', link), reply(200, b'zpid,"a\nb"\n2,y\n', {"content-type": "text/csv"})]
    with loopback(*responses) as server, Lotline(KEY, base_url=server.url) as client:
        assert b"".join(client.jobs.text("j1", "csv")) == b'zpid,"a\nb"\n1,x\n2,y\n'


def test_many_calls_at_once_share_a_client() -> None:
    async def run(url: str) -> list[Any]:
        async with AsyncLotline(KEY, base_url=url) as client:
            return list(await asyncio.gather(*(client.properties.get(str(at)) for at in range(40))))

    with loopback(success({"zpid": "1"})) as server:
        assert len(asyncio.run(run(server.url))) == 40


def test_areas_are_closed_geojson() -> None:
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    closed = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    assert lotline.area.polygon(corners) == {"type": "Polygon", "coordinates": [closed]}
    assert lotline.area.multi_polygon([corners]) == {"type": "MultiPolygon", "coordinates": [[closed]]}
    assert lotline.area.place("zip", "98109") == {"type": "place", "kind": "zip", "id": "98109"}
    assert lotline.area.place("county", name="King County, WA") == {
        "type": "place",
        "kind": "county",
        "name": "King County, WA",
    }
    with pytest.raises(ValueError, match="either"):
        lotline.area.place("zip")
    assert lotline.area.circle((0, 1), 5) == {"type": "circle", "center": [0, 1], "radius_m": 5}
