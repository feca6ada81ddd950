"""``scrape_property`` for programs that move from HomeHarvest: the same call, the same columns, and another source.

What maps and what does not is in the README. An argument that has no equivalent is refused, and never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from .. import area
from .._sync.client import Lotline

if TYPE_CHECKING:
    import pandas

    from ..types import ListingStatus

__all__ = ["COLUMNS", "scrape_property"]

METERS_PER_MILE = 1609.344
MAX_ITEMS = 10_000
MAX_WITH_DETAILS = 820
"""Homes that one job can search and look up."""
MAX_BATCH = 500
COST_OF_HOME = 2
COST_OF_CENTER = 3

STATUSES: dict[str, ListingStatus] = {"for_sale": "FOR_SALE", "for_rent": "FOR_RENT", "sold": "RECENTLY_SOLD"}
"""The names of a search, and the listing of a home that is looked up."""
HOME_TYPES: dict[str, list[str]] = {
    "single_family": ["house"],
    "multi_family": ["multi_family"],
    "duplex_triplex": ["multi_family"],
    "condos": ["condo"],
    "condo_townhome": ["condo", "townhouse"],
    "condo_townhome_rowhome_coop": ["condo", "townhouse"],
    "townhomes": ["townhouse"],
    "land": ["lot"],
    "mobile": ["manufactured"],
}
DAYS = (1, 7, 14, 30, 90)
RANGES = {
    "price": "price",
    "beds": "beds",
    "baths": "baths",
    "sqft": "sqft",
    "lot_sqft": "lotSize",
    "year_built": "yearBuilt",
}
"""Arguments end with _min and _max, filters have min and max."""


def _at(path: str) -> Callable[[Any], Any]:
    names = path.split(".")

    def read(record: Any) -> Any:
        for name in names:
            record = record.get(name) if isinstance(record, dict) else None
        return record

    return read


def _date(path: str) -> Callable[[Any], str | None]:
    def read(record: Any) -> str | None:
        value = _at(path)(record)
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(value / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        return value if isinstance(value, str) else None

    return read


def _address(record: Any) -> str | None:
    parts = [_at(f"address.{name}")(record) for name in ("streetAddress", "city", "state", "zipcode")]
    street, city, state, postcode = parts
    return f"{street}, {city}, {state}, {postcode}" if all(parts) else None


def _sold_price(record: Any) -> Any:
    return _at("lastSoldPrice")(record) if _at("homeStatus")(record) in ("SOLD", "RECENTLY_SOLD") else None


def _price_per_sqft(record: Any) -> int | None:
    price, sqft = _at("price")(record), _at("livingArea")(record)
    return round(price / sqft) if price and sqft else None


def _schools(record: Any) -> str | None:
    names = [school.get("name") for school in _at("schools")(record) or [] if isinstance(school, dict)]
    return ", ".join(name for name in names if name) or None


def _phones(path: str) -> Callable[[Any], Any]:
    def read(record: Any) -> Any:
        number = _at(path)(record)
        return [{"number": number}] if number else None

    return read


_COLUMNS: dict[str, Callable[[Any], Any] | None] = {
    "property_url": _at("hdpUrl"),
    "property_id": _at("zpid"),
    "listing_id": _at("providerListingID"),
    "permalink": None,
    "mls": _at("attributionInfo.mlsName"),
    "mls_id": _at("mlsid"),
    "status": _at("homeStatus"),
    "mls_status": _at("attributionInfo.trueStatus"),
    "text": _at("description"),
    "style": _at("homeType"),
    "formatted_address": _address,
    "full_street_line": _at("address.streetAddress"),
    "street": _at("address.streetAddress"),
    "unit": _at("unitNumber"),
    "city": _at("address.city"),
    "state": _at("address.state"),
    "zip_code": _at("address.zipcode"),
    "beds": _at("bedrooms"),
    "full_baths": _at("resoFacts.bathroomsFull"),
    "half_baths": _at("resoFacts.bathroomsHalf"),
    "sqft": _at("livingArea"),
    "year_built": _at("yearBuilt"),
    "days_on_mls": _at("daysOnSite"),
    "list_price": _at("price"),
    "list_price_min": None,
    "list_price_max": None,
    "list_date": _date("datePosted"),
    "pending_date": None,
    "sold_price": _sold_price,
    "last_sold_date": _date("dateSold"),
    "last_sold_price": _at("lastSoldPrice"),
    "last_status_change_date": None,
    "last_update_date": _at("attributionInfo.lastUpdated"),
    "assessed_value": _at("taxAssessedValue"),
    "estimated_value": _at("zestimate"),
    "tax": _at("tax"),
    "tax_history": _at("taxHistory"),
    "new_construction": _at("newConstructionType"),
    "lot_sqft": _at("lotSize"),
    "price_per_sqft": _price_per_sqft,
    "latitude": _at("latitude"),
    "longitude": _at("longitude"),
    "neighborhoods": _at("neighborhood"),
    "county": _at("county"),
    "fips_code": _at("countyFIPS"),
    "stories": _at("stories"),
    "hoa_fee": _at("monthlyHoaFee"),
    "parking_garage": _at("resoFacts.garageParkingCapacity"),
    "agent_id": None,
    "agent_name": _at("attributionInfo.agentName"),
    "agent_email": _at("attributionInfo.agentEmail"),
    "agent_phones": _phones("attributionInfo.agentPhoneNumber"),
    "agent_mls_set": None,
    "agent_nrds_id": None,
    "broker_id": _at("brokerId"),
    "broker_name": _at("attributionInfo.brokerName"),
    "builder_id": None,
    "builder_name": None,
    "office_id": None,
    "office_mls_set": None,
    "office_name": _at("attributionInfo.brokerName"),
    "office_email": None,
    "office_phones": _phones("attributionInfo.brokerPhoneNumber"),
    "nearby_schools": _schools,
    "primary_photo": _at("hiResImageLink"),
    "alt_photos": None,
}

COLUMNS = tuple(_COLUMNS)
"""The columns of the frame, in their order."""


def scrape_property(
    location: str,
    listing_type: str = "for_sale",
    *,
    property_type: Sequence[str] | None = None,
    radius: float | None = None,
    past_days: int | None = None,
    exclude_pending: bool = False,
    limit: int = MAX_ITEMS,
    client: Lotline | None = None,
    max_credits: int | None = None,
    **ranges: float | None,
) -> pandas.DataFrame:
    """Homes of a place with their records, as a frame with the columns that users of HomeHarvest know.

    It costs 2 credits for each home: 1 for the search row and 1 for the record. ``limit`` or ``max_credits`` bounds it. Up to
    820 homes are one job. More homes are a search of every listing of the area, and batches of 500 records.

    Args:
        location: A ZIP code, ``City, ST``, or, with ``radius``, the address of a home.
        listing_type: ``for_sale``, ``for_rent`` or ``sold``.
        property_type: Kinds of homes; all if left out.
        radius: Miles around the home at ``location``. The lookup of the home costs 3 more credits.
        past_days: Listed, or sold, in the last 1, 7, 14, 30 or 90 days.
        exclude_pending: Leaves out homes that are under contract.
        limit: The maximum number of homes.
        max_credits: The most that everything may cost together. It lowers ``limit``.
        client: The client to use. The default takes its key from ``LOTLINE_API_KEY``.
        ranges: ``price_min``, ``price_max``, and the same of beds, baths, sqft, lot_sqft and year_built.

    Raises:
        ValueError: An argument has no equivalent here.
        LotlineError: The service refused a call.
    """
    import pandas as pd

    filters = _filters_of(listing_type, property_type, past_days, exclude_pending, ranges)
    if max_credits is not None:
        limit = min(limit, (max_credits - (COST_OF_CENTER if radius is not None else 0)) // COST_OF_HOME)
    if limit < 1:
        raise ValueError("limit and max_credits must allow at least one home, which costs 2 credits.")
    used = client or Lotline()
    try:
        filters.update(_place_of(used, location, radius))
        records = list(_records_of(used, filters, limit, STATUSES[listing_type]))
    finally:
        if client is None:
            used.close()
    rows = [{name: read(record) if read else None for name, read in _COLUMNS.items()} for record in records]
    frame: pandas.DataFrame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame


def _records_of(client: Lotline, filters: Any, limit: int, status: ListingStatus) -> Iterator[Any]:
    if limit <= MAX_WITH_DETAILS:
        yield from client.search.with_details(filters=filters, max_items=limit, property_status=status)
        return
    found = client.search.run(filters=filters, extraction_method="PAGINATION_WITH_ZOOM_IN", max_items=limit)
    urls = [row["detailUrl"] for row in found]
    for at in range(0, len(urls), MAX_BATCH):
        yield from client.properties.batch(urls=urls[at : at + MAX_BATCH], property_status=status)


def _place_of(client: Lotline, location: str, radius: float | None) -> dict[str, Any]:
    if radius is not None:
        home = client.properties.by_address(location, fields=["latitude", "longitude"]).data
        latitude, longitude = home.get("latitude"), home.get("longitude")
        if latitude is None or longitude is None:
            raise ValueError(f"The position of {location} is unknown, so a radius around it cannot be searched. Search by ZIP code or city.")
        return {"area": area.circle((longitude, latitude), radius * METERS_PER_MILE)}
    if re.fullmatch(r"\d{5}", location.strip()):
        return {"zips": [location.strip()]}
    if re.fullmatch(r"[^,]+,\s*[A-Za-z]{2}", location.strip()):
        return {"cities": [location.strip()]}
    raise ValueError(f"location must be a ZIP code, `City, ST`, or an address with a radius, not {location!r}.")


def _filters_of(
    listing_type: str,
    property_type: Sequence[str] | None,
    past_days: int | None,
    exclude_pending: bool,
    ranges: dict[str, float | None],
) -> dict[str, Any]:
    if listing_type not in STATUSES:
        raise ValueError(f"listing_type must be one of {', '.join(STATUSES)}, not {listing_type!r}.")
    filters: dict[str, Any] = {"status": listing_type}
    if property_type:
        unknown = [kind for kind in property_type if kind.lower() not in HOME_TYPES]
        if unknown:
            raise ValueError(f"property_type must be one of {', '.join(HOME_TYPES)}, not {unknown[0]!r}.")
        filters["homeTypes"] = sorted({home for kind in property_type for home in HOME_TYPES[kind.lower()]})
    if past_days is not None:
        if past_days not in DAYS:
            raise ValueError(f"past_days must be one of {', '.join(map(str, DAYS))}, not {past_days}.")
        filters["daysOnSite"] = str(past_days)
    if exclude_pending:
        filters["pending"] = False
    for name, value in ranges.items():
        stem, _, end = name.rpartition("_")
        if end not in ("min", "max") or stem not in RANGES:
            raise ValueError(f"scrape_property does not support the argument {name}. The README lists its arguments.")
        if value is not None:
            filters.setdefault(RANGES[stem], {})[end] = value
    return filters
