"""Homes and buildings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import quote

from .. import frames
from .._answers import Receipt, ResoResult, Result
from .core import AsyncCore, idempotency_key_of
from .frames import AsyncFrames
from .jobs import AsyncJobHandle, AsyncJobs, AsyncStartedJob, started_job_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types
    from .._settings import CallOptions, JobOptions


class AsyncProperties:
    """Records of homes: whole, or one part."""

    def __init__(self, core: AsyncCore, jobs: AsyncJobs) -> None:
        self._core = core
        self._jobs = jobs

    @overload
    async def get(
        self,
        zpid: str,
        *,
        fields: str | Sequence[str] | None = None,
        shape: None = None,
        **options: Unpack[CallOptions],
    ) -> Result[types.Property, types.AnswerMeta | None]:
        """The record of a home by its zpid. 1 credit. ``fields``: dotted paths of the fields to return; all if left out."""

    @overload
    async def get(
        self,
        zpid: str,
        *,
        fields: str | Sequence[str] | None = None,
        shape: Literal["reso"],
        **options: Unpack[CallOptions],
    ) -> ResoResult: ...

    async def get(
        self,
        zpid: str,
        *,
        fields: str | Sequence[str] | None = None,
        shape: Literal["reso"] | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[Any, Any]:
        """The record of a home by its zpid. 1 credit. ``fields``: dotted paths of the fields to return; all if left out."""
        query = {"fields": _listed(fields), "shape": shape}
        return (await self._core.ask("GET", _path(zpid), options, query=query, repetition="charges")).result()

    async def by_url(
        self,
        url: str,
        *,
        status: types.ListingStatus | None = None,
        extract_units: types.ExtractUnits | None = None,
        fields: str | Sequence[str] | None = None,
        shape: Literal["reso"] | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[Any, types.GetPropertyByUrlMeta | None]:
        """The record of a home by its listing URL, or of a building. 1 credit for each record.

        The data is a list of records if ``extract_units`` asks for units and the URL is that of a building, or with ``shape``.
        """
        query = {"url": url, "status": status, "extract_units": extract_units, "fields": _listed(fields), "shape": shape}
        path = "/v1/properties/by-url"
        return (await self._core.ask("GET", path, options, query=query, repetition="charges")).result()

    @overload
    async def by_address(
        self,
        address: str,
        *,
        status: types.ListingStatus | None = None,
        fields: str | Sequence[str] | None = None,
        shape: None = None,
        **options: Unpack[CallOptions],
    ) -> Result[types.Property, types.AnswerMeta | None]:
        """The record of a home by its address: a street, and a city or ZIP code. 3 credits."""

    @overload
    async def by_address(
        self,
        address: str,
        *,
        status: types.ListingStatus | None = None,
        fields: str | Sequence[str] | None = None,
        shape: Literal["reso"],
        **options: Unpack[CallOptions],
    ) -> ResoResult: ...

    async def by_address(
        self,
        address: str,
        *,
        status: types.ListingStatus | None = None,
        fields: str | Sequence[str] | None = None,
        shape: Literal["reso"] | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[Any, Any]:
        """The record of a home by its address: a street, and a city or ZIP code. 3 credits."""
        query = {"address": address, "status": status, "fields": _listed(fields), "shape": shape}
        path = "/v1/properties/by-address"
        return (await self._core.ask("GET", path, options, query=query, repetition="charges")).result()

    async def photos(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.Photo], types.GetPropertyPhotosMeta]:
        """The photos of the listing, in the order of the listing. 1 credit."""
        return await self._part(zpid, "photos", options)

    async def price_history(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.PriceEvent], types.GetPropertyPriceHistoryMeta]:
        """Listings, price changes and sales, the latest first. 1 credit."""
        return await self._part(zpid, "price-history", options)

    async def tax_history(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.TaxEvent], types.GetPropertyTaxHistoryMeta]:
        """Taxes and assessed values, a row for each year, the latest first. 1 credit."""
        return await self._part(zpid, "tax-history", options)

    async def schools(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.School], types.GetPropertySchoolsMeta]:
        """The schools near the home. 1 credit."""
        return await self._part(zpid, "schools", options)

    async def nearby(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.NearbyHome], types.GetPropertyNearbyMeta]:
        """About twelve comparable listings nearby. 1 credit."""
        return await self._part(zpid, "nearby", options)

    async def agent(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[types.Agent, types.GetPropertyAgentMeta | None]:
        """The agent and the broker of the listing. 1 credit."""
        return await self._part(zpid, "agent", options)

    async def zestimate(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[types.Zestimate, types.GetPropertyZestimateMeta | None]:
        """The estimates of the home's value and rent. 1 credit."""
        return await self._part(zpid, "zestimate", options)

    async def open_houses(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[list[types.OpenHouse], types.GetPropertyOpenHousesMeta]:
        """The open houses in the record, past ones included, the earliest first. 1 credit."""
        return await self._part(zpid, "open-houses", options)

    async def facts(
        self, zpid: str, **options: Unpack[CallOptions]
    ) -> Result[types.ResoFacts, types.GetPropertyFactsMeta | None]:
        """The attributes of the home as the MLS has them. 1 credit."""
        return await self._part(zpid, "facts", options)

    async def batch(
        self,
        *,
        urls: Sequence[str] | None = None,
        addresses: Sequence[str] | None = None,
        max_items: int | None = None,
        property_status: types.ListingStatus | None = None,
        extract_building_units: types.ExtractUnits | None = None,
        **options: Unpack[JobOptions],
    ) -> AsyncStartedJob[types.RecordRow]:
        """Looks up as many as 500 homes in one job. 1 credit for each record, charged when the job succeeds."""
        body = {
            "urls": urls,
            "addresses": addresses,
            "maxItems": max_items,
            "propertyStatus": property_status,
            "extractBuildingUnits": extract_building_units,
        }
        answer = await self._core.ask(
            "POST", "/v1/properties/batch", options, body=body, idempotency_key=idempotency_key_of(options)
        )
        return started_job_of(answer, self._jobs, frames.RECORDS, options)

    async def _part(self, zpid: str, part: str, options: CallOptions) -> Result[Any, Any]:
        return (await self._core.ask("GET", f"{_path(zpid)}/{part}", options, repetition="charges")).result()


@dataclass(frozen=True)
class AsyncUnits(Receipt, AsyncFrames["types.BuildingUnit"]):
    """The units of a building. Iterate it for the units: those of the response, or those of the job when it has succeeded."""

    data: types.GetBuildingUnitsData | None
    """The building with its units; None if they are extracted by a job."""
    meta: types.GetBuildingUnitsMeta | None
    job: AsyncJobHandle[types.BuildingUnit] | None = field(default=None)
    _columns: frames.Columns | None = field(default=frames.UNITS, repr=False)

    async def __aiter__(self) -> AsyncIterator[types.BuildingUnit]:
        if self.job:
            async for unit in self.job:
                yield unit
        elif self.data:
            for unit in self.data["units"]:
                yield unit


class AsyncBuildings:
    """The units of multi-unit buildings."""

    def __init__(self, core: AsyncCore, jobs: AsyncJobs) -> None:
        self._core = core
        self._jobs = jobs

    async def units(
        self,
        url: str,
        *,
        include_units: str | None = None,
        as_job: bool = False,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncUnits:
        """The units of a building by its listing URL. 1 credit for each unit, at least 1. ``as_job`` is for large buildings.

        ``cursor`` is ``meta["next_cursor"]`` of a response that was cut, for the units behind its last one.
        """
        query = {"url": url, "include_units": include_units, "sync": "false" if as_job else None, "cursor": cursor}
        answer = await self._core.ask(
            "GET",
            "/v1/buildings/by-url",
            options,
            query=query,
            # A job that starts takes no idempotency key here: a repetition would start another one.
            repetition="acts" if as_job else "charges",
        )
        found = answer.result()
        if answer.status == 202:
            job = started_job_of(answer, self._jobs, frames.UNITS, options).job
            return AsyncUnits(found.request_id, found.credits, found.headers, None, None, job)
        return AsyncUnits(found.request_id, found.credits, found.headers, found.data, found.meta)


def _path(zpid: str) -> str:
    return f"/v1/properties/{quote(zpid, safe='')}"


def _listed(fields: str | Sequence[str] | None) -> str | None:
    return fields if fields is None or isinstance(fields, str) else ",".join(fields)
