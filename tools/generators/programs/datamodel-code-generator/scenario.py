"""The scenario with the models of datamodel-code-generator, sent with httpx."""

import os
import time
from typing import Any

import httpx

from lotline_models import (
    AcceptedJobAnswer,
    BatchRequest,
    CreateWatchResponse,
    CreateWebhookResponse,
    Error,
    GetBuildingUnitsResponse,
    GetJobResponse,
    GetJobResultsResponse,
    GetPropertyByAddressResponse,
    GetPropertyResponse,
    SearchRequest,
    SearchResult,
    JobEvent,
    WatchInput,
    WebhookInput,
)


def connect(key: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {os.environ[key]}"}
    return httpx.Client(base_url=os.environ["LOTLINE_BASE_URL"], headers=headers, timeout=60)


lotline = connect("LOTLINE_API_KEY")


def post(path: str, body: Any) -> httpx.Response:
    return lotline.post(path, json=body.model_dump(mode="json", by_alias=True, exclude_unset=True))


got = GetPropertyResponse.model_validate_json(lotline.get("/v1/properties/48749425").content)
assert got.data.zpid == "48749425"
print("ok get")

query = {"address": "2114 Bigelow Ave N, Seattle, WA 98109"}
found = GetPropertyByAddressResponse.model_validate_json(
    lotline.get("/v1/properties/by-address", params=query).content
)
assert found.data.zpid == "48749425"
print("ok by-address")

search = SearchRequest.model_validate(
    {
        "filters": {
            "status": "for_sale",
            "homeTypes": ["house"],
            "beds": {"min": 2},
            "price": {"max": 2_000_000},
            "bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65},
        },
        "maxItems": 5,
    }
)
searched = SearchResult.model_validate_json(post("/v1/search", search).content)
assert searched.data
for row in searched.data:
    assert row.beds is not None and row.beds >= 2
    assert row.unformattedPrice is not None and row.unformattedPrice <= 2_000_000
print("ok search")

in_seattle = {"bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65}}
rows = SearchRequest.model_validate({"filters": in_seattle, "maxItems": 1})
job_of_rows = SearchRequest.model_validate({"filters": in_seattle, "maxItems": 1, "async": True})
for path in ("/v1/search", "/v1/listings/for-sale", "/v1/listings/for-rent", "/v1/listings/sold"):
    answered = post(path, rows)
    assert answered.status_code == 200 and SearchResult.model_validate_json(answered.content)
    answered = post(path, job_of_rows)
    assert answered.status_code == 202 and AcceptedJobAnswer.model_validate_json(answered.content).data.job_id
building = {"url": "https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/"}
answered = lotline.get("/v1/buildings/by-url", params=building)
assert answered.status_code == 200 and GetBuildingUnitsResponse.model_validate_json(answered.content).data.units
answered = lotline.get("/v1/buildings/by-url", params={**building, "sync": "false"})
assert answered.status_code == 202 and AcceptedJobAnswer.model_validate_json(answered.content).data.job_id
print("ok rows-or-job")

watch_input = WatchInput.model_validate({"name": "Scenario", "zpids": ["48749425"]})
watch = CreateWatchResponse.model_validate_json(post("/v1/watches", watch_input).content)
assert lotline.delete(f"/v1/watches/{watch.data.id}").status_code == 204
print("ok watch")

receiver = os.environ["LOTLINE_RECEIVER_URL"]
webhook = WebhookInput.model_validate({"url": receiver, "events": ["job.succeeded"]})
registered = CreateWebhookResponse.model_validate_json(post("/v1/webhooks", webhook).content)
assert registered.data.secret.startswith("whsec_")

batch = BatchRequest.model_validate({"urls": ["https://www.zillow.com/homedetails/48749425_zpid/"]})
started = AcceptedJobAnswer.model_validate_json(post("/v1/properties/batch", batch).content)
for _ in range(120):
    job = GetJobResponse.model_validate_json(lotline.get(f"/v1/jobs/{started.data.job_id}").content)
    if job.data.status == "succeeded":
        break
    time.sleep(0.25)
assert job.data.status == "succeeded", job.data.status
results = GetJobResultsResponse.model_validate_json(
    lotline.get(f"/v1/jobs/{started.data.job_id}/results").content
)
assert [row.model_dump(by_alias=True)["zpid"] for row in results.data] == ["48749425"]
print("ok batch")

for _ in range(120):
    response = httpx.get(receiver)
    if response.status_code == 200:
        break
    time.sleep(0.25)
event = JobEvent.model_validate_json(response.content)
assert event.type == "job.succeeded"
assert event.data.job.id == started.data.job_id
print("ok webhook")


def expect(response: httpx.Response, status: int, code: str) -> None:
    assert response.status_code == status, response.status_code
    error = Error.model_validate_json(response.content).error
    assert error.code == code


expect(connect("LOTLINE_EMPTY_KEY").get("/v1/me"), 402, "out_of_credits")
print("ok out-of-credits")

expect(lotline.get("/v1/properties/99999999999"), 404, "not_found")
print("ok not-found")

limited = connect("LOTLINE_LIMITED_KEY")
last = [limited.get("/v1/me") for _ in range(3)][-1]
expect(last, 429, "rate_limited")
assert int(last.headers["retry-after"]) > 0
print("ok rate-limited")
