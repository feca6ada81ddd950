"""Searches: rows in the response, or a job, depending on the size."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from .. import frames
from .._answers import Receipt, ResoResult, Text, TextFormat, text_of
from .core import AsyncCore, given, idempotency_key_of
from .frames import AsyncFrames
from .jobs import AsyncJobHandle, AsyncJobs, AsyncStartedJob, started_job_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._settings import CallOptions, JobOptions
    from ..types import (
        BoundingBox,
        ExtractionMethod,
        ExtractUnits,
        HomeType,
        ListingStatus,
        RecordRow,
        SearchFilters,
        SearchMeta,
        SearchRow,
        SearchStatus,
        SearchUrl,
    )

MAX_SYNC_ITEMS = 50


@dataclass(frozen=True)
class AsyncFound(Receipt, AsyncFrames["SearchRow"]):
    """The result of a search. Iterate it for the rows: those of the response, or those of the job when it has succeeded."""

    data: list[SearchRow] | None
    """The rows; None if the search runs as a job."""
    meta: SearchMeta | None
    job: AsyncJobHandle[SearchRow] | None
    """The job of a search that is larger than its response may be."""
    _columns: frames.Columns | None = field(default=frames.SEARCH_ROWS, repr=False)

    async def __aiter__(self) -> AsyncIterator[SearchRow]:
        if self.job:
            async for row in self.job:
                yield row
        else:
            for row in self.data or []:
                yield row


class AsyncSearchCall:
    """One of the searches that take the same input."""

    def __init__(self, core: AsyncCore, jobs: AsyncJobs, path: str) -> None:
        self._core = core
        self._jobs = jobs
        self._path = path

    async def __call__(
        self,
        *,
        filters: SearchFilters | None = None,
        search_urls: Sequence[SearchUrl] | None = None,
        extraction_method: ExtractionMethod | None = None,
        max_items: int | None = None,
        sort: str | None = None,
        cursor: str | None = None,
        as_job: bool | None = None,
        **options: Unpack[JobOptions],
    ) -> AsyncFound:
        """Searches by filters or search URLs. 1 credit for each row, at least 1.

        A search for up to 50 rows returns them. A larger one, or one with ``as_job=True``, runs as a job, and the result has
        ``job``. Iterate the result to get the rows in both cases.
        """
        body = {
            "filters": filters,
            "searchUrls": search_urls,
            "extractionMethod": extraction_method,
            "maxItems": max_items,
            "sort": sort,
            "cursor": cursor,
            "async": as_job,
        }
        is_job = _is_job(extraction_method, max_items, as_job)
        answer = await self._core.ask(
            "POST",
            self._path,
            options,
            body=body,
            # The key protects jobs only: a repeated search that returns its rows is charged again.
            idempotency_key=idempotency_key_of(options) if is_job else options.get("idempotency_key"),
            repetition="safe" if is_job else "charges",
        )
        found = answer.result()
        if answer.status == 202:
            job = started_job_of(answer, self._jobs, frames.SEARCH_ROWS, options).job
            return AsyncFound(found.request_id, found.credits, found.headers, None, None, job)
        return AsyncFound(found.request_id, found.credits, found.headers, found.data, found.meta, None)

    async def text(
        self,
        format: TextFormat,
        *,
        filters: SearchFilters | None = None,
        search_urls: Sequence[SearchUrl] | None = None,
        max_items: int | None = None,
        sort: str | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Text:
        """The rows of a search for up to 50 rows as CSV or NDJSON. For more rows, start a job and read its ``text``.

        Raises ValueError for more than 50 rows.
        """
        if (max_items or 0) > MAX_SYNC_ITEMS:
            raise ValueError(f"A search returns at most {MAX_SYNC_ITEMS} rows as text. For more rows, start a job and read its results as text.")
        body = {
            "filters": filters,
            "searchUrls": search_urls,
            "maxItems": max_items,
            "sort": sort,
            "cursor": cursor,
        }
        answer = await self._core.ask(
            "POST", self._path, options, body=body, query={"format": format}, repetition="charges", as_text=True
        )
        return text_of(format, answer.headers, answer.content)

    async def reso(
        self,
        *,
        filters: SearchFilters | None = None,
        search_urls: Sequence[SearchUrl] | None = None,
        max_items: int | None = None,
        sort: str | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> ResoResult:
        """The rows of a search for up to 50 rows under the names of the RESO Data Dictionary. Jobs do not have these names.

        Raises ValueError for more than 50 rows.
        """
        if (max_items or 0) > MAX_SYNC_ITEMS:
            raise ValueError(f"A search with RESO names returns at most {MAX_SYNC_ITEMS} rows. Set max_items to {MAX_SYNC_ITEMS} or less.")
        body = {
            "filters": filters,
            "searchUrls": search_urls,
            "maxItems": max_items,
            "sort": sort,
            "cursor": cursor,
        }
        answer = await self._core.ask(
            "POST", self._path, options, body=body, query={"shape": "reso"}, repetition="charges"
        )
        return cast("ResoResult", answer.result())


class AsyncSearch:
    """Searches of an area."""

    run: AsyncSearchCall
    """POST /v1/search."""

    def __init__(self, core: AsyncCore, jobs: AsyncJobs) -> None:
        self._core = core
        self._jobs = jobs
        self.run = AsyncSearchCall(core, jobs, "/v1/search")

    async def pages(
        self,
        *,
        filters: SearchFilters | None = None,
        search_urls: Sequence[SearchUrl] | None = None,
        sort: str = "newest",
        max_items: int = MAX_SYNC_ITEMS,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[AsyncFound]:
        """The rows of a search, page by page, in the order of ``sort``.

        Each page is a call of its own and costs 1 credit for each row, at least 1: stop iterating when you have enough.
        """
        while True:
            page = await self.run(
                filters=filters, search_urls=search_urls, sort=sort, max_items=max_items, cursor=cursor, **options
            )
            yield page
            cursor = page.meta.get("next_cursor") if page.meta else None
            if cursor is None:
                return

    async def with_details(
        self,
        *,
        filters: SearchFilters | None = None,
        search_urls: Sequence[SearchUrl] | None = None,
        extraction_method: ExtractionMethod | None = None,
        max_items: int | None = None,
        property_status: ListingStatus | None = None,
        extract_building_units: ExtractUnits | None = None,
        **options: Unpack[JobOptions],
    ) -> AsyncStartedJob[RecordRow]:
        """Searches and looks up each home found, in a job. 1 credit for each row and 1 for each record."""
        body = {
            "filters": filters,
            "searchUrls": search_urls,
            "extractionMethod": extraction_method,
            "maxItems": max_items,
            "propertyStatus": property_status,
            "extractBuildingUnits": extract_building_units,
        }
        answer = await self._core.ask(
            "POST", "/v1/search/with-details", options, body=body, idempotency_key=idempotency_key_of(options)
        )
        return started_job_of(answer, self._jobs, frames.RECORDS, options)


class AsyncListings:
    """Listings by status: three searches that fix it, and one small search by GET."""

    for_sale: AsyncSearchCall
    """``search.run`` for what is on the market."""
    for_rent: AsyncSearchCall
    """``search.run`` for what is offered to rent."""
    sold: AsyncSearchCall
    """``search.run`` for what was sold."""

    def __init__(self, core: AsyncCore, jobs: AsyncJobs) -> None:
        self._core = core
        self.for_sale = AsyncSearchCall(core, jobs, "/v1/listings/for-sale")
        self.for_rent = AsyncSearchCall(core, jobs, "/v1/listings/for-rent")
        self.sold = AsyncSearchCall(core, jobs, "/v1/listings/sold")

    async def list(
        self,
        *,
        status: SearchStatus | None = None,
        bbox: str | BoundingBox | None = None,
        home_types: str | Sequence[HomeType] | None = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncFound:
        """Up to 50 listings of a place on the map, a ZIP code or a city. 1 credit for each row, at least 1.

        ``query``: every other parameter of GET /v1/listings, such as ``{"price_max": 900_000, "zip": "98109"}``.
        """
        asked = _listings_query(status, bbox, home_types, query)
        found = (await self._core.ask("GET", "/v1/listings", options, query=asked, repetition="charges")).result()
        return AsyncFound(found.request_id, found.credits, found.headers, found.data, found.meta, None)

    async def pages(
        self,
        *,
        status: SearchStatus | None = None,
        bbox: str | BoundingBox | None = None,
        home_types: str | Sequence[HomeType] | None = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[AsyncFound]:
        """The rows of ``list``, page by page, in the order of ``query["sort"]``, or the newest first.

        Each page is a call of its own and costs 1 credit for each row, at least 1: stop iterating when you have enough.
        """
        asked = {"sort": "newest", **(query or {})}
        while True:
            page = await self.list(status=status, bbox=bbox, home_types=home_types, query=asked, **options)
            yield page
            cursor = page.meta.get("next_cursor") if page.meta else None
            if cursor is None:
                return
            asked["cursor"] = cursor

    async def text(
        self,
        format: TextFormat,
        *,
        status: SearchStatus | None = None,
        bbox: str | BoundingBox | None = None,
        home_types: str | Sequence[HomeType] | None = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> Text:
        """The rows of ``list`` as CSV or NDJSON."""
        asked = {**_listings_query(status, bbox, home_types, query), "format": format}
        answer = await self._core.ask(
            "GET", "/v1/listings", options, query=asked, repetition="charges", as_text=True
        )
        return text_of(format, answer.headers, answer.content)

    async def reso(
        self,
        *,
        status: SearchStatus | None = None,
        bbox: str | BoundingBox | None = None,
        home_types: str | Sequence[HomeType] | None = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> ResoResult:
        """The rows of ``list`` under the names of the RESO Data Dictionary."""
        asked = {**_listings_query(status, bbox, home_types, query), "shape": "reso"}
        answer = await self._core.ask("GET", "/v1/listings", options, query=asked, repetition="charges")
        return cast("ResoResult", answer.result())


def _is_job(method: str | None, max_items: int | None, as_job: bool | None) -> bool:
    return bool(as_job) or method == "PAGINATION_WITH_ZOOM_IN" or (max_items or 0) > MAX_SYNC_ITEMS


def _listings_query(
    status: SearchStatus | None,
    bbox: str | BoundingBox | None,
    home_types: str | Sequence[HomeType] | None,
    query: dict[str, Any] | None,
) -> dict[str, Any]:
    named = {
        "status": status,
        "bbox": bbox if bbox is None or isinstance(bbox, str) else _box_of(bbox),
        "home_types": home_types if home_types is None or isinstance(home_types, str) else ",".join(home_types),
    }
    return {**(query or {}), **given(named)}


def _box_of(box: BoundingBox) -> str:
    return f"{box['west']},{box['south']},{box['east']},{box['north']}"
