"""The scenario with the client of openapi-python-client."""

import os
import time

import httpx

from lotline_client import AuthenticatedClient
from lotline_client.api.account import get_account
from lotline_client.api.buildings import get_building_units
from lotline_client.api.jobs import get_job, get_job_results
from lotline_client.api.listings import search_for_rent, search_for_sale, search_sold
from lotline_client.api.properties import create_property_batch, get_property, get_property_by_address
from lotline_client.api.search import search_listings
from lotline_client.api.watches import create_watch, delete_watch
from lotline_client.api.webhooks import create_webhook
from lotline_client.models import (
    AcceptedJobAnswer,
    BatchRequest,
    Error,
    GetBuildingUnitsResponse200,
    SearchFilters,
    SearchRequest,
    SearchResult,
    JobEvent,
    WatchInput,
    WebhookInput,
)


def connect(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["LOTLINE_BASE_URL"], token=os.environ[key])


lotline = connect("LOTLINE_API_KEY")

got = get_property.sync(client=lotline, zpid="48749425")
assert got is not None and not isinstance(got, Error), got
assert got.data.zpid == "48749425"
print("ok get")

found = get_property_by_address.sync(client=lotline, address="2114 Bigelow Ave N, Seattle, WA 98109")
assert found is not None and not isinstance(found, Error), found
assert found.data.zpid == "48749425"
print("ok by-address")

filters = SearchFilters.from_dict(
    {
        "status": "for_sale",
        "homeTypes": ["house"],
        "beds": {"min": 2},
        "price": {"max": 2_000_000},
        "bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65},
    }
)
searched = search_listings.sync(client=lotline, body=SearchRequest(filters=filters, max_items=5))
assert isinstance(searched, SearchResult), searched
assert searched.data
for row in searched.data:
    assert isinstance(row.beds, (int, float)) and row.beds >= 2, row.beds
    assert isinstance(row.unformatted_price, (int, float)) and row.unformatted_price <= 2_000_000
print("ok search")

in_seattle = {"bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65}}
rows = SearchRequest.from_dict({"filters": in_seattle, "maxItems": 1})
job_of_rows = SearchRequest.from_dict({"filters": in_seattle, "maxItems": 1, "async": True})
for operation in (search_listings, search_for_sale, search_for_rent, search_sold):
    assert isinstance(operation.sync(client=lotline, body=rows), SearchResult), operation
    accepted = operation.sync(client=lotline, body=job_of_rows)
    assert isinstance(accepted, AcceptedJobAnswer) and accepted.data.job_id, operation
building = "https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/"
units = get_building_units.sync(client=lotline, url_query=building)
assert isinstance(units, GetBuildingUnitsResponse200) and units.data.units, units
accepted = get_building_units.sync(client=lotline, url_query=building, sync=False)
assert isinstance(accepted, AcceptedJobAnswer) and accepted.data.job_id, accepted
print("ok rows-or-job")

watch = create_watch.sync(client=lotline, body=WatchInput(name="Scenario", zpids=["48749425"]))
assert watch is not None and not isinstance(watch, Error), watch
assert delete_watch.sync_detailed(client=lotline, id=watch.data.id).status_code == 204
print("ok watch")

receiver = os.environ["LOTLINE_RECEIVER_URL"]
registered = create_webhook.sync(client=lotline, body=WebhookInput(url=receiver))
assert registered is not None and not isinstance(registered, Error), registered
assert registered.data.secret.startswith("whsec_")

batch = BatchRequest(urls=["https://www.zillow.com/homedetails/48749425_zpid/"])
started = create_property_batch.sync(client=lotline, body=batch)
assert started is not None and not isinstance(started, Error), started
for _ in range(120):
    job = get_job.sync(client=lotline, id=started.data.job_id)
    assert job is not None and not isinstance(job, Error), job
    if job.data.status == "succeeded":
        break
    time.sleep(0.25)
assert job is not None and not isinstance(job, Error) and job.data.status == "succeeded", job
results = get_job_results.sync(client=lotline, id=started.data.job_id)
assert results is not None and not isinstance(results, Error), results
assert [row.to_dict()["zpid"] for row in results.data] == ["48749425"]
print("ok batch")

for _ in range(120):
    response = httpx.get(receiver)
    if response.status_code == 200:
        break
    time.sleep(0.25)
event = JobEvent.from_dict(response.json())
assert event.type_ == "job.succeeded", event.type_
assert event.data.job.id == started.data.job_id
print("ok webhook")

refused = get_account.sync_detailed(client=connect("LOTLINE_EMPTY_KEY"))
assert refused.status_code == 402 and isinstance(refused.parsed, Error)
assert refused.parsed.error.code == "out_of_credits"
print("ok out-of-credits")

absent = get_property.sync_detailed(client=lotline, zpid="99999999999")
assert absent.status_code == 404 and isinstance(absent.parsed, Error)
assert absent.parsed.error.code == "not_found"
print("ok not-found")

limited = connect("LOTLINE_LIMITED_KEY")
last = [get_account.sync_detailed(client=limited) for _ in range(3)][-1]
assert last.status_code == 429 and isinstance(last.parsed, Error)
assert last.parsed.error.code == "rate_limited"
assert int(last.headers["retry-after"]) > 0
print("ok rate-limited")
