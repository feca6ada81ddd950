"""Options, errors, pages, jobs, logs."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import pickle
import traceback
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import loopback, refusal, reply, success

import lotline
from lotline import AsyncLotline, Lotline, LotlineError, MemoryCache, errors, types

KEY = "lot_secret_0123456789"
JOB: dict[str, Any] = {"id": "j1", "type": "search", "completed_at": None, "error": None}


def page(rows: list[Any], offset: int, more: bool) -> Any:
    cursor = {"next_cursor": f"c{offset + len(rows)}"} if more else {}
    return success(rows, count=len(rows), offset=offset, has_more=more, **cursor)


def test_a_key_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOTLINE_API_KEY", raising=False)
    with pytest.raises(LotlineError) as raised:
        Lotline()
    assert raised.value.code == "missing_api_key"


@pytest.mark.parametrize("options", [{"base_url": "ftp://x"}, {"timeout": 0}, {"max_retries": -1}, {"max_credits": -1}])
def test_options_outside_their_bounds_are_refused(options: Any) -> None:
    with pytest.raises(ValueError):
        Lotline(KEY, **options)


def test_a_call_sends_the_key_and_the_spending_limits(waits: list[float]) -> None:
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


def test_fields_that_the_caller_omits_are_not_sent() -> None:
    accepted = reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "r"}, {"idempotent-replayed": "true"})
    with loopback(accepted) as server, Lotline(KEY, base_url=server.url) as client:
        started = client.properties.batch(urls=["u"], max_items=2, idempotency_key="mine")
        _, _, headers, body = server.requests[0]
    assert json.loads(body) == {"urls": ["u"], "maxItems": 2}
    assert headers["idempotency-key"] == "mine"
    assert (started.job.id, started.replayed) == ("j1", True)


def test_an_error_has_the_details_and_the_receipt_of_the_response() -> None:
    details = {"balance": 3, "held": 2, "required": 5}
    with loopback(refusal(402, "out_of_credits", details=details)) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.OutOfCreditsError) as raised:
            client.properties.get("1")
        error = raised.value
        assert (error.balance, error.held, error.required) == (3, 2, 5)
        assert (error.status, error.request_id, error.doc_url) == (402, "req_1", server.url + "/docs/errors#out_of_credits")
        assert error.credits is not None and error.credits.remaining == 41


def test_the_details_of_an_error_have_the_type_of_its_code() -> None:
    error = LotlineError("m", code="invalid_parameter", details={"parameter": "maxItems", "maximum": 820})
    details: types.InvalidParameterDetails | None = error.details_of("invalid_parameter")
    assert details is not None
    # mypy finds a field that the code does not list.
    assert details.get("parameter") == "maxItems" and details["maximum"] == 820
    limit: types.KeyLimitReachedDetails | None = error.details_of("key_limit_reached")
    assert limit is None
    error.details_of("invalid_json")  # type: ignore[call-overload]
    assert LotlineError("m", code="not_found").details_of("not_found") is None


def test_a_response_that_is_not_from_the_service_is_reported_as_unexpected() -> None:
    with loopback(reply(200, b"<html>")) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(LotlineError) as raised:
            client.account.me()
        assert raised.value.code == "unexpected_answer"


def test_an_unknown_option_is_refused() -> None:
    """A misspelled limit would limit nothing."""
    with loopback(success()) as server, Lotline(KEY, base_url=server.url) as client:
        for call in (client.properties.get, client.jobs.get):
            with pytest.raises(TypeError, match="max_credit is not an option"):
                call("1", max_credit=3)  # type: ignore[call-arg,call-overload]
        with pytest.raises(TypeError, match="idempotency_key is not an option"):
            client.account.me(idempotency_key="k")  # type: ignore[call-arg]
        assert server.requests == []


def test_max_credits_none_on_a_call_keeps_the_limit_of_the_client() -> None:
    with loopback(success()) as server, Lotline(KEY, base_url=server.url, max_credits=9) as client:
        client.properties.get("1", max_credits=None)  # type: ignore[call-overload]
        assert server.requests[0][2]["x-max-credits"] == "9"


def test_an_error_can_be_pickled_and_restored() -> None:
    details = {"balance": 3, "held": 2, "required": 5}
    with loopback(refusal(402, "out_of_credits", details=details)) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.OutOfCreditsError) as raised:
            client.properties.get("1")
    restored = pickle.loads(pickle.dumps(raised.value))
    assert (type(restored), str(restored), restored.required) == (errors.OutOfCreditsError, "It was refused.", 5)
    job: Any = {**JOB, "status": "failed", "error": {"code": "x", "message": "Why."}}
    failed = pickle.loads(pickle.dumps(errors.JobFailedError(job, "req_1")))
    assert (failed.job["id"], failed.request_id) == ("j1", "req_1")


def versioned(request: Any) -> None:
    """Data with a version, and a free 304 to its tag."""
    tag = 'W/"1"'
    is_same = request.headers.get("if-none-match") == tag
    content = b"" if is_same else b'{"data":{"price":1},"request_id":"r"}'
    request.send_response(304 if is_same else 200)
    charged = "0" if is_same else "1"
    headers = {"etag": tag, "x-request-id": "r", "x-credits-charged": charged, "x-credits-remaining": "9"}
    for name, value in {**headers, "content-type": "application/json", "content-length": str(len(content))}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(content)


def test_with_a_cache_a_call_for_unchanged_data_is_free() -> None:
    cache = MemoryCache()
    with loopback(versioned) as server, Lotline(KEY, base_url=server.url, cache=cache) as client:
        first, second = client.properties.get("1"), client.properties.get("1")
        client.properties.get("1", fields="price")
        with Lotline("other", base_url=server.url, cache=cache) as other:
            other.properties.get("1")
        sent = [headers.get("if-none-match") for _, _, headers, _ in server.requests]
    assert [one.credits.charged for one in (first, second) if one.credits] == [1, 0]
    assert second.data == first.data == {"price": 1}
    assert sent == [None, 'W/"1"', None, None], "another request or another key does not send the tag"


def test_without_a_cache_no_response_is_stored() -> None:
    async def run(url: str) -> None:
        async with AsyncLotline(KEY, base_url=url) as client:
            await client.properties.get("1")
            await client.properties.get("1")

    with loopback(versioned) as server:
        asyncio.run(run(server.url))
        assert [headers.get("if-none-match") for _, _, headers, _ in server.requests] == [None, None]


def test_a_memory_cache_keeps_the_most_recently_used_responses() -> None:
    cache, kept = MemoryCache(max_entries=2), lotline.KeptResponse("t", b"{}")
    cache.set("a", kept)
    cache.set("b", kept)
    cache.get("a")
    cache.set("c", kept)
    assert [cache.get(key) for key in "abc"] == [kept, None, kept]
    with pytest.raises(ValueError):
        MemoryCache(max_entries=0)


def test_polling_a_job_uses_the_options_of_the_call_that_started_it() -> None:
    started = reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "r"})
    done = success({**JOB, "status": "succeeded", "completed_at": "2026-01-01T00:00:00Z"})
    with loopback(started, done, page([], 0, False)) as server, Lotline(KEY, base_url=server.url) as client:
        batch = client.properties.batch(urls=["u"], headers={"X-Trace": "t"}, max_credits=5, idempotency_key="mine")
        assert list(batch) == []
        assert [headers.get("x-trace") for _, _, headers, _ in server.requests] == ["t", "t", "t"]
        assert [headers.get("x-max-credits") for _, _, headers, _ in server.requests] == ["5", None, None]


def test_csv_and_ndjson_results_read_their_metadata_from_headers() -> None:
    headers = {"content-type": "text/csv", "x-row-count": "2", "x-total-count": "9", "x-truncated-by": "credits"}
    csv = reply(200, b"zpid\r\n1\r\n2\r\n", headers)
    ndjson = reply(200, b'{"zpid":"1"}\n{"zpid":"2"}\n', {**headers, "x-next-cursor": "c"})
    with loopback(csv, ndjson) as server, Lotline(KEY, base_url=server.url) as client:
        text = client.search.run.text("csv", filters={"zips": ["98109"]})
        rows = client.listings.text("ndjson", bbox="1,2,3,4")
        assert "format=csv" in server.requests[0][1] and "format=ndjson" in server.requests[1][1]
        with pytest.raises(ValueError):
            client.search.run.text("csv", filters={"zips": ["98109"]}, max_items=51)
    assert text.meta == {"count": 2, "total": 9, "truncated_by": "credits"}
    assert (text.text(), rows.meta["next_cursor"]) == ("zpid\r\n1\r\n2\r\n", "c")
    assert [row["zpid"] for row in rows.rows()] == ["1", "2"]
    with pytest.raises(ValueError):
        text.rows()


def test_iterating_a_watch_polls_until_the_caller_leaves_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("lotline._sync.notices.time.sleep", waited.append)

    def events(seqs: list[int], more: bool, after: int) -> Any:
        return success([{"seq": seq} for seq in seqs], count=len(seqs), has_more=more, next_after=after)

    pages = [events([1, 2], True, 2), events([3], False, 3), events([], False, 3), events([4], False, 4)]
    with loopback(*pages) as server, Lotline(KEY, base_url=server.url) as client:
        seen = []
        for event in client.watches.events("w", after=0):
            seen.append(event["seq"])
            if event["seq"] == 4:
                break
        asked = [parse_qs(urlsplit(path).query)["after"] for _, path, _, _ in server.requests]
    assert seen == [1, 2, 3, 4]
    assert asked == [["0"], ["2"], ["3"], ["3"]]
    assert len(waited) == 2 and waited[1] > waited[0], "it waits only if there is nothing more, and longer each time"


def test_pages_of_listings_follow_the_cursor_of_the_page_before() -> None:
    first, last = success([{"zpid": "1"}], next_cursor="c"), success([{"zpid": "2"}])
    with loopback(first, last) as server, Lotline(KEY, base_url=server.url) as client:
        pages = list(client.listings.pages(bbox="1,2,3,4", query={"max_items": 1}))
        asked = [parse_qs(urlsplit(path).query) for _, path, _, _ in server.requests]
    assert [row["zpid"] for found in pages for row in found] == ["1", "2"]
    assert (asked[0]["sort"], asked[1]["cursor"], asked[1]["max_items"]) == (["newest"], ["c"], ["1"])


def test_logs_and_reprs_never_show_the_key(caplog: pytest.LogCaptureFixture, waits: list[float]) -> None:
    text = io.StringIO()
    logger = logging.getLogger("shown")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(logging.StreamHandler(text))
    # Also the loggers of httpx and of what is below it.
    caplog.set_level(logging.DEBUG)
    responds = [success(), refusal(503, "busy"), refusal(401, "invalid_api_key")]
    with loopback(*responds) as server, Lotline(KEY, base_url=server.url, logger=logger) as client:
        result = client.properties.get("1")
        with pytest.raises(errors.AuthenticationError) as raised:
            client.properties.by_address("1 A St, Seattle")
        shown = f"{client!r} {client._core.settings!r} {client._core!r} {result!r} {raised.value!r} {raised.value}"
        shown += "".join(traceback.format_exception(raised.value)) + text.getvalue() + caplog.text
    with pytest.raises(LotlineError) as lost:
        Lotline(KEY, base_url="http://127.0.0.1:9", max_retries=0, logger=logger).account.me()
    shown += f"{lost.value!r} {lost.value.__cause__!r}" + "".join(traceback.format_exception(lost.value))
    assert "GET /v1/properties/1: 200" in text.getvalue()
    assert "GET /v1/properties/by-address: busy; next attempt in" in text.getvalue()
    assert "httpx" in caplog.text
    assert KEY not in shown
    assert "Seattle" not in text.getvalue()


def test_iterating_a_page_reads_all_pages_and_repeats_no_row() -> None:
    first = page([{"id": "a"}, {"id": "b"}], 0, True)
    second = page([{"id": "b"}, {"id": "c"}], 2, False)
    with loopback(first, second) as server, Lotline(KEY, base_url=server.url) as client:
        assert [job["id"] for job in client.jobs.list(limit=2)] == ["a", "b", "c"]
        assert "cursor=c2" in server.requests[1][1]


@pytest.mark.parametrize(("resource", "method"), [("jobs", "list"), ("account", "usage")])
def test_lists_with_cursors_are_read_by_cursor(resource: str, method: str) -> None:
    def rows(at: int, more: bool) -> Any:
        cursors = {"next_cursor": f"c{at + 1}"} if more else {}
        return success([{"id": at}], count=1, limit=1, offset=0, has_more=more, **cursors)

    with loopback(rows(1, True), rows(2, True), rows(3, False)) as server, Lotline(KEY, base_url=server.url) as client:
        listed = getattr(getattr(client, resource), method)(cursor="c1", limit=1, since="2026-11-01T00:00:00Z")
        assert [row["id"] for row in listed] == [1, 2, 3]
        asked = [parse_qs(urlsplit(path).query) for _, path, _, _ in server.requests]
    same = {"limit": ["1"], "since": ["2026-11-01T00:00:00Z"]}
    assert asked == [{**same, "cursor": [cursor]} for cursor in ("c1", "c2", "c3")]


def test_key_limit_reached_has_its_own_error_class_and_every_receipt_shows_the_limit() -> None:
    left = {"x-key-credits-remaining": "2"}
    details = {"required": 3, "limit": 500, "per": "month", "remaining": 2, "resets_at": "2026-12-01T00:00:00.000Z"}
    reached = refusal(402, "key_limit_reached", left, details)
    responses = (reply(200, {"data": {}, "request_id": "r"}, left), success(), reached)
    with loopback(*responses) as server, Lotline(KEY, base_url=server.url) as client:
        receipts = [client.properties.get("1").credits for _ in range(2)]
        with pytest.raises(errors.OutOfCreditsError) as raised:
            client.properties.by_address("1 A St, Seattle")
    assert [receipt and receipt.key_remaining for receipt in receipts] == [2, None]
    error = raised.value
    assert isinstance(error, errors.KeyLimitError)
    assert {name: getattr(error, name) for name in details} == details
    assert error.credits and (error.credits.charged, error.credits.key_remaining) == (0, 2)
    assert len(server.requests) == 3


def test_a_reso_response_has_its_rows_and_its_odata_context() -> None:
    answer = {"@reso.context": "urn:x", "value": [{"ListingKey": "1"}], "meta": {"count": 1}, "request_id": "r"}
    with loopback(reply(200, answer)) as server, Lotline(KEY, base_url=server.url) as client:
        results = [
            client.properties.get("1", shape="reso"),
            client.properties.by_address("1 A St, Seattle", shape="reso"),
            client.search.run.reso(max_items=5),
            client.listings.reso(status="sold"),
        ]
        asked = [parse_qs(urlsplit(path).query)["shape"] for _, path, _, _ in server.requests]
        with pytest.raises(ValueError):
            client.search.run.reso(max_items=51)
    assert [(result.context, result.data, result.meta) for result in results] == [("urn:x", answer["value"], {"count": 1})] * 4
    assert asked == [["reso"]] * 4


def test_usage_ends_with_the_page_that_has_no_cursor() -> None:
    full = success([{"id": at} for at in range(100)], next_cursor="c")
    with loopback(full, success([{"id": 100}])) as server, Lotline(KEY, base_url=server.url) as client:
        assert len(list(client.account.usage())) == 101


@pytest.mark.parametrize("name", ["watches.list", "webhooks.list", "webhooks.deliveries", "keys.list", "account.usage_summary"])
def test_each_list_is_read_by_cursor_to_its_last_page(name: str) -> None:
    first, last = success([{"id": 2, "value": "2"}], next_cursor="c"), success([{"id": 1, "value": "1"}])
    resource, method = name.split(".")
    with loopback(first, last) as server, Lotline(KEY, base_url=server.url) as client:
        call = getattr(getattr(client, resource), method)
        rows = call("w", limit=1) if method == "deliveries" else call(limit=1)
        assert [row["value"] for row in rows] == ["2", "1"]
        asked = [parse_qs(urlsplit(path).query) for _, path, _, _ in server.requests]
    assert asked == [{"limit": ["1"]}, {"limit": ["1"], "cursor": ["c"]}]


def test_a_search_that_runs_as_a_job_is_iterated_like_a_synchronous_one(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_waiting_for_a_job_that_did_not_succeed_raises_job_failed_error(status: str) -> None:
    job = {**JOB, "status": status, "completed_at": "2026-01-01T00:00:00Z", "error": {"code": "x", "message": "Why."}}
    with loopback(success(job)) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.JobFailedError) as raised:
            client.jobs.wait("j1")
        assert raised.value.code == f"job_{status}"
        assert "Why." in str(raised.value)


def test_waiting_for_a_job_times_out_and_reports_progress() -> None:
    seen: list[str] = []
    with loopback(success({**JOB, "status": "running"})) as server, Lotline(KEY, base_url=server.url) as client:
        with pytest.raises(errors.WaitTimeoutError):
            client.jobs.wait("j1", wait_timeout=0.1, on_progress=lambda job: seen.append(job["status"]))
    assert seen == ["running"]


def test_a_csv_of_several_pages_has_one_header_row() -> None:
    link = {"link": '</v1/jobs/j1/results?offset=1000>; rel="next"', "content-type": "text/csv"}
    responses = [reply(200, b'zpid,"a\nb"\n1,x\n', link), reply(200, b'zpid,"a\nb"\n2,y\n', {"content-type": "text/csv"})]
    with loopback(*responses) as server, Lotline(KEY, base_url=server.url) as client:
        assert b"".join(client.jobs.text("j1", "csv")) == b'zpid,"a\nb"\n1,x\n2,y\n'


def test_concurrent_calls_share_one_client() -> None:
    async def run(url: str) -> list[Any]:
        async with AsyncLotline(KEY, base_url=url) as client:
            return list(await asyncio.gather(*(client.properties.get(str(at)) for at in range(40))))

    with loopback(success({"zpid": "1"})) as server:
        assert len(asyncio.run(run(server.url))) == 40


def test_area_helpers_return_closed_geojson_rings() -> None:
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
