"""The scenario with the Python client of openapi-generator."""

import os
import time
import urllib.request

import lotline_client
from lotline_client import ApiClient, ApiException, BatchRequest, Configuration, SearchRequest, WebhookInput
from lotline_client.models import AcceptedJobAnswer, JobEvent, SearchResult, WatchInput


def connect(key: str) -> ApiClient:
    # Otherwise urllib3 waits for Retry-After and repeats the call by itself.
    return ApiClient(Configuration(host=os.environ["LOTLINE_BASE_URL"], access_token=os.environ[key], retries=False))


lotline = connect("LOTLINE_API_KEY")
properties = lotline_client.PropertiesApi(lotline)
jobs = lotline_client.JobsApi(lotline)

assert properties.get_property("48749425").data.zpid == "48749425"
print("ok get")

found = properties.get_property_by_address("2114 Bigelow Ave N, Seattle, WA 98109")
assert found.data.zpid == "48749425"
print("ok by-address")

search = SearchRequest.from_dict(
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
searched = lotline_client.SearchApi(lotline).search_listings(search)
assert searched.data
for row in searched.data:
    assert row.beds >= 2 and row.unformatted_price <= 2_000_000, row
print("ok search")

in_seattle = {"bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65}}
rows = SearchRequest.from_dict({"filters": in_seattle, "maxItems": 1})
job_of_rows = SearchRequest.from_dict({"filters": in_seattle, "maxItems": 1, "async": True})
listings = lotline_client.ListingsApi(lotline)
searches = lotline_client.SearchApi(lotline)
for operation in (
    searches.search_listings,
    listings.search_for_sale,
    listings.search_for_rent,
    listings.search_sold,
):
    assert isinstance(operation(rows), SearchResult), operation
    accepted = operation(job_of_rows)
    assert isinstance(accepted, AcceptedJobAnswer) and accepted.data.job_id, operation
building = "https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/"
buildings = lotline_client.BuildingsApi(lotline)
assert buildings.get_building_units(building).data.units
accepted = buildings.get_building_units(building, sync=False)
assert isinstance(accepted, AcceptedJobAnswer) and accepted.data.job_id, accepted
print("ok rows-or-job")

watches = lotline_client.WatchesApi(lotline)
watch = watches.create_watch(WatchInput(name="Scenario", zpids=["48749425"]))
watches.delete_watch(watch.data.id)
print("ok watch")

receiver = os.environ["LOTLINE_RECEIVER_URL"]
registered = lotline_client.WebhooksApi(lotline).create_webhook(WebhookInput(url=receiver))
assert registered.data.secret.startswith("whsec_")

batch = BatchRequest(urls=["https://www.zillow.com/homedetails/48749425_zpid/"])
id = properties.create_property_batch(batch).data.job_id
for _ in range(120):
    status = jobs.get_job(id).data.status
    if status == "succeeded":
        break
    time.sleep(0.25)
assert status == "succeeded", status
assert [row["zpid"] for row in jobs.get_job_results(id).data] == ["48749425"]
print("ok batch")

for _ in range(120):
    with urllib.request.urlopen(receiver) as response:
        body = response.read()
    if body:
        break
    time.sleep(0.25)
event = JobEvent.from_json(body.decode())
assert event.type == "job.succeeded" and event.data.job.id == id, event
print("ok webhook")


def refused(client: ApiClient, zpid: str | None = None) -> ApiException:
    try:
        if zpid is None:
            lotline_client.AccountApi(client).get_account()
        else:
            lotline_client.PropertiesApi(client).get_property(zpid)
    except ApiException as refusal:
        return refusal
    raise AssertionError("The call was not refused.")


empty = refused(connect("LOTLINE_EMPTY_KEY"))
assert empty.status == 402 and empty.data.error.code == "out_of_credits"
print("ok out-of-credits")

absent = refused(lotline, "99999999999")
assert absent.status == 404 and absent.data.error.code == "not_found"
print("ok not-found")

limited = connect("LOTLINE_LIMITED_KEY")
for _ in range(2):
    lotline_client.AccountApi(limited).get_account()
last = refused(limited)
assert last.status == 429 and last.data.error.code == "rate_limited"
assert int(last.headers["retry-after"]) > 0
print("ok rate-limited")
