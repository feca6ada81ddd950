"""Each operation of the contract as a call of the client. A test holds the list complete.

For a new operation, add a method to a class in ``src/lotline/_async``, run ``pnpm generate``, and add a line to ``CALLS``: the
``operationId``, and the call with values that are in the contract's examples. Pass ``**options`` on. Two things follow from the
line without more code: the call is made with each documented error and each fault, and must have the outcome of the line in
``packages/client/test/every-operation.ts``. A call that costs credits has ``repetition="charges"``, and one that must not be
executed twice ``repetition="acts"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lotline import Lotline

ZPID = "48749425"
HOME = f"https://www.zillow.com/homedetails/{ZPID}_zpid/"
BUILDING = "https://www.zillow.com/b/the-ashford-seattle-wa-5XkR7n/"
ADDRESS = "2114 Bigelow Ave N, Seattle, WA 98109"
ID = "2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47"
BBOX: Any = {"west": -122.36, "south": 47.63, "east": -122.34, "north": 47.645}
FILTERS: Any = {"bbox": BBOX}

CALLS: dict[str, Callable[[Lotline, Any], Any]] = {
    "getPropertyByUrl": lambda c, options: c.properties.by_url(HOME, **options),
    "getPropertyByAddress": lambda c, options: c.properties.by_address(ADDRESS, **options),
    "getProperty": lambda c, options: c.properties.get(ZPID, **options),
    "getPropertyPhotos": lambda c, options: c.properties.photos(ZPID, **options),
    "getPropertyPriceHistory": lambda c, options: c.properties.price_history(ZPID, **options),
    "getPropertyTaxHistory": lambda c, options: c.properties.tax_history(ZPID, **options),
    "getPropertySchools": lambda c, options: c.properties.schools(ZPID, **options),
    "getPropertyNearby": lambda c, options: c.properties.nearby(ZPID, **options),
    "getPropertyAgent": lambda c, options: c.properties.agent(ZPID, **options),
    "getPropertyZestimate": lambda c, options: c.properties.zestimate(ZPID, **options),
    "getPropertyOpenHouses": lambda c, options: c.properties.open_houses(ZPID, **options),
    "getPropertyFacts": lambda c, options: c.properties.facts(ZPID, **options),
    "createPropertyBatch": lambda c, options: c.properties.batch(urls=[HOME], **options),
    "getBuildingUnits": lambda c, options: c.buildings.units(BUILDING, **options),
    "searchListings": lambda c, options: c.search.run(filters=FILTERS, max_items=10, **options),
    "searchWithDetails": lambda c, options: c.search.with_details(filters=FILTERS, **options),
    "listListings": lambda c, options: c.listings.list(bbox=BBOX, **options),
    "searchForSale": lambda c, options: c.listings.for_sale(filters=FILTERS, max_items=10, **options),
    "searchForRent": lambda c, options: c.listings.for_rent(filters=FILTERS, max_items=10, **options),
    "searchSold": lambda c, options: c.listings.sold(filters=FILTERS, max_items=10, **options),
    "listJobs": lambda c, options: c.jobs.list(**options),
    "getJob": lambda c, options: c.jobs.get(ID, **options),
    "abortJob": lambda c, options: c.jobs.abort(ID, **options),
    "getJobResults": lambda c, options: c.jobs.results(ID, **options),
    "createWatch": lambda c, options: c.watches.create(name="Favorites", zpids=[ZPID], **options),
    "listWatches": lambda c, options: c.watches.list(**options),
    "getWatch": lambda c, options: c.watches.get(ID, **options),
    "updateWatch": lambda c, options: c.watches.update(ID, {"paused": True}, **options),
    "deleteWatch": lambda c, options: c.watches.remove(ID, **options),
    "listWatchEvents": lambda c, options: c.watches.events(ID, **options),
    "createWebhook": lambda c, options: c.webhooks.create(url="https://example.com/hook", **options),
    "listWebhooks": lambda c, options: c.webhooks.list(**options),
    "getWebhook": lambda c, options: c.webhooks.get(ID, **options),
    "updateWebhook": lambda c, options: c.webhooks.update(ID, {"active": False}, **options),
    "testWebhook": lambda c, options: c.webhooks.test(ID, **options),
    "rotateWebhookSecret": lambda c, options: c.webhooks.rotate_secret(ID, **options),
    "getWebhookDelivery": lambda c, options: c.webhooks.delivery(ID, 90398, **options),
    "redeliverWebhookEvent": lambda c, options: c.webhooks.redeliver(ID, 90398, **options),
    "deleteWebhook": lambda c, options: c.webhooks.delete(ID, **options),
    "listWebhookDeliveries": lambda c, options: c.webhooks.deliveries(ID, **options),
    "estimateCall": lambda c, options: c.account.estimate("listUsage", **options),
    "listKeys": lambda c, options: c.keys.list(**options),
    "createKey": lambda c, options: c.keys.create(name="Production", **options),
    "getKey": lambda c, options: c.keys.get(ID, **options),
    "updateKey": lambda c, options: c.keys.update(ID, {"name": "Production"}, **options),
    "rotateKey": lambda c, options: c.keys.rotate(ID, **options),
    "deleteKey": lambda c, options: c.keys.delete(ID, **options),
    "getAccount": lambda c, options: c.account.me(**options),
    "summarizeUsage": lambda c, options: c.account.usage_summary(by="key", **options),
    "listUsage": lambda c, options: c.account.usage(**options),
}
