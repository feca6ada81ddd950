# Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.
"""Each operation of the contract as a call of the client. ``x-sdk`` in the contract names the method.

Each call is made with each documented error and each fault, and must have the outcome of the same call of the TypeScript client
(``packages/client/test/every-operation.ts``). A call that costs credits has ``repetition="charges"``, and one that must not be
executed twice ``repetition="acts"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lotline import Lotline

CALLS: dict[str, Callable[[Lotline, Any], Any]] = {
    "getPropertyByUrl": lambda c, options: c.properties.by_url("https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/", **options),
    "getPropertyByAddress": lambda c, options: c.properties.by_address("2114 Bigelow Ave N, Seattle, WA 98109", **options),
    "getProperty": lambda c, options: c.properties.get("48749425", **options),
    "getPropertyPhotos": lambda c, options: c.properties.photos("48749425", **options),
    "getPropertyPriceHistory": lambda c, options: c.properties.price_history("48749425", **options),
    "getPropertyTaxHistory": lambda c, options: c.properties.tax_history("48749425", **options),
    "getPropertySchools": lambda c, options: c.properties.schools("48749425", **options),
    "getPropertyNearby": lambda c, options: c.properties.nearby("48749425", **options),
    "getPropertyAgent": lambda c, options: c.properties.agent("48749425", **options),
    "getPropertyZestimate": lambda c, options: c.properties.zestimate("48749425", **options),
    "getPropertyOpenHouses": lambda c, options: c.properties.open_houses("48749425", **options),
    "getPropertyFacts": lambda c, options: c.properties.facts("48749425", **options),
    "createPropertyBatch": lambda c, options: c.properties.batch(urls=["https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/", "https://www.zillow.com/homedetails/48749512_zpid/"], addresses=["1917 8th Ave W, Seattle, WA 98119"], property_status="FOR_SALE", **options),
    "getBuildingUnits": lambda c, options: c.buildings.units("https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/", **options),
    "searchListings": lambda c, options: c.search.run(filters={"status": "for_sale", "bbox": {"west": -122.375, "south": 47.622, "east": -122.34, "north": 47.65}, "price": {"min": 700000, "max": 1800000}, "beds": {"min": 3}, "homeTypes": ["house", "townhouse"]}, max_items=25, **options),
    "searchWithDetails": lambda c, options: c.search.with_details(filters={"status": "for_sale", "bbox": {"west": -122.375, "south": 47.622, "east": -122.34, "north": 47.65}, "homeTypes": ["condo"]}, max_items=200, property_status="FOR_SALE", **options),
    "listListings": lambda c, options: c.listings.list(bbox="-122.375,47.622,-122.340,47.650", **options),
    "searchForSale": lambda c, options: c.listings.for_sale(filters={"bbox": {"west": -122.375, "south": 47.622, "east": -122.34, "north": 47.65}, "price": {"min": 700000, "max": 1800000}, "beds": {"min": 3}, "homeTypes": ["house", "townhouse"]}, max_items=25, **options),
    "searchForRent": lambda c, options: c.listings.for_rent(filters={"bbox": {"west": -122.375, "south": 47.622, "east": -122.34, "north": 47.65}, "price": {"max": 3500}, "beds": {"min": 1}, "homeTypes": ["apartment", "condo"]}, max_items=40, **options),
    "searchSold": lambda c, options: c.listings.sold(filters={"bbox": {"west": -122.375, "south": 47.622, "east": -122.34, "north": 47.65}, "homeTypes": ["house"], "daysOnSite": "90"}, max_items=50, **options),
    "listJobs": lambda c, options: c.jobs.list(**options),
    "getJob": lambda c, options: c.jobs.get("5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90", **options),
    "abortJob": lambda c, options: c.jobs.abort("5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90", **options),
    "getJobResults": lambda c, options: c.jobs.results("5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90", **options),
    "createWatch": lambda c, options: c.watches.create(name="Queen Anne under 900k", filters={"status": "for_sale", "bbox": {"west": -122.37, "south": 47.62, "east": -122.34, "north": 47.65}, "price": {"max": 900000}}, metadata={"crm_list": "4711"}, **options),
    "listWatches": lambda c, options: c.watches.list(**options),
    "getWatch": lambda c, options: c.watches.get("6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34", **options),
    "updateWatch": lambda c, options: c.watches.update("6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34", {"paused": True}, **options),
    "deleteWatch": lambda c, options: c.watches.remove("6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34", **options),
    "listWatchEvents": lambda c, options: c.watches.events("6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34", **options),
    "createWebhook": lambda c, options: c.webhooks.create(url="https://hooks.example.com/lotline", description="Production", **options),
    "listWebhooks": lambda c, options: c.webhooks.list(**options),
    "getWebhook": lambda c, options: c.webhooks.get("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", **options),
    "updateWebhook": lambda c, options: c.webhooks.update("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", {"active": False}, **options),
    "deleteWebhook": lambda c, options: c.webhooks.delete("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", **options),
    "testWebhook": lambda c, options: c.webhooks.test("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", **options),
    "rotateWebhookSecret": lambda c, options: c.webhooks.rotate_secret("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", **options),
    "listWebhookDeliveries": lambda c, options: c.webhooks.deliveries("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", **options),
    "getWebhookDelivery": lambda c, options: c.webhooks.delivery("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", "90398", **options),
    "redeliverWebhookEvent": lambda c, options: c.webhooks.redeliver("2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47", "90398", **options),
    "createKey": lambda c, options: c.keys.create(name="Production", **options),
    "listKeys": lambda c, options: c.keys.list(**options),
    "getKey": lambda c, options: c.keys.get("8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80", **options),
    "updateKey": lambda c, options: c.keys.update("8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80", {"credit_limit": {"credits": 500, "per": "month"}}, **options),
    "deleteKey": lambda c, options: c.keys.delete("8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80", **options),
    "rotateKey": lambda c, options: c.keys.rotate("8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80", **options),
    "getAccount": lambda c, options: c.account.me(**options),
    "estimateCall": lambda c, options: c.account.estimate(operation="getPropertyByAddress", input={"query": {"address": "2114 Bigelow Ave N, Seattle, WA 98109"}}, **options),
    "listUsage": lambda c, options: c.account.usage(**options),
    "summarizeUsage": lambda c, options: c.account.usage_summary(**options),
}
