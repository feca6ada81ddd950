"""Rows as data frames for pandas, polars and Arrow: fixed columns of fixed types, also for no rows at all.

A list of columns is data. Take one of those here, a part of it, or write your own:

    MY_COLUMNS = [Column("zpid", "text"), Column("price", "integer"), Column("city", "text", "address.city")]
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Kind = Literal["text", "integer", "number", "boolean", "time", "json"]
"""``time`` is UTC, from text or from milliseconds; ``json`` is a nested value as text."""

MAX_INTEGER = 2**63

BATCH = 5_000
"""Rows that ``to_parquet`` holds at a time."""


@dataclass(frozen=True)
class Column:
    """A column of a frame."""

    name: str
    kind: Kind
    path: str = ""
    """Where in the row the value is, with dots; the name if left out."""


Columns = Sequence[Column]

SEARCH_ROWS: Columns = (
    Column("zpid", "text"),
    Column("address", "text"),
    Column("street", "text", "addressStreet"),
    Column("city", "text", "addressCity"),
    Column("state", "text", "addressState"),
    Column("zip", "text", "addressZipcode"),
    Column("latitude", "number", "latLong.latitude"),
    Column("longitude", "number", "latLong.longitude"),
    Column("status", "text", "statusType"),
    Column("price", "integer", "unformattedPrice"),
    Column("beds", "number"),
    Column("baths", "number"),
    Column("area", "number"),
    Column("home_type", "text", "hdpData.homeInfo.homeType"),
    Column("days_on_site", "integer", "hdpData.homeInfo.daysOnSite"),
    Column("estimate", "integer", "hdpData.homeInfo.zestimate"),
    Column("url", "text", "detailUrl"),
)
"""The rows of a search."""

RECORDS: Columns = (
    Column("zpid", "text"),
    Column("street", "text", "address.streetAddress"),
    Column("city", "text", "address.city"),
    Column("state", "text", "address.state"),
    Column("zip", "text", "address.zipcode"),
    Column("latitude", "number"),
    Column("longitude", "number"),
    Column("home_type", "text", "homeType"),
    Column("status", "text", "homeStatus"),
    Column("price", "integer"),
    Column("beds", "number", "bedrooms"),
    Column("baths", "number", "bathrooms"),
    Column("area", "number", "livingArea"),
    Column("lot_size", "number", "lotSize"),
    Column("year_built", "integer", "yearBuilt"),
    Column("estimate", "integer", "zestimate"),
    Column("rent_estimate", "integer", "rentZestimate"),
    Column("hoa_fee", "number", "monthlyHoaFee"),
    Column("property_tax_rate", "number", "propertyTaxRate"),
    Column("date_posted", "text", "datePostedString"),
    Column("date_sold", "time", "dateSold"),
    Column("days_on_site", "integer", "daysOnSite"),
    Column("parcel_id", "text", "parcelId"),
    Column("mls_id", "text", "mlsid"),
    Column("description", "text"),
    Column("price_history", "json", "priceHistory"),
    Column("tax_history", "json", "taxHistory"),
    Column("url", "text", "hdpUrl"),
)
"""Property records."""

UNITS: Columns = (
    Column("zpid", "text"),
    Column("unit", "text", "unitNumber"),
    Column("address", "text", "fullAddress"),
    Column("status", "text", "homeStatus"),
    Column("price", "integer"),
    Column("min_price", "integer", "minPrice"),
    Column("max_price", "integer", "maxPrice"),
    Column("beds", "number"),
    Column("baths", "number"),
    Column("area", "number", "sqft"),
    Column("available_from", "time", "availableFrom"),
    Column("url", "text", "hdpUrl"),
)
"""The units of a building."""

JOBS: Columns = (
    Column("id", "text"),
    Column("type", "text"),
    Column("status", "text"),
    Column("result_count", "integer"),
    Column("credits_charged", "integer"),
    Column("created_at", "time"),
    Column("completed_at", "time"),
    Column("error", "json"),
)
"""The rows of ``jobs.list()``."""

USAGE_ROWS: Columns = (
    Column("id", "integer"),
    Column("created_at", "time"),
    Column("request_id", "text"),
    Column("endpoint", "text"),
    Column("operation", "text"),
    Column("actor", "text"),
    Column("stage", "text"),
    Column("units", "integer"),
    Column("status_code", "integer"),
    Column("credits_charged", "integer"),
)
"""The rows of ``account.usage()``."""

_PANDAS = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean", "json": "string"}


def to_pandas(rows: Iterable[Any], columns: Columns) -> pandas.DataFrame:
    """A frame with nullable types: ``string``, ``Int64``, ``Float64``, ``boolean`` and ``datetime64[ns, UTC]``."""
    import pandas as pd

    values = _columns_of(rows, columns)
    frame: pandas.DataFrame = pd.DataFrame(
        {
            column.name: pd.Series(pd.to_datetime(pd.Series(of, dtype="object"), utc=True)).astype("datetime64[ns, UTC]")
            if column.kind == "time"
            else pd.Series(of, dtype=_PANDAS[column.kind])
            for column, of in zip(columns, values, strict=True)
        }
    )
    return frame


def to_polars(rows: Iterable[Any], columns: Columns) -> polars.DataFrame:
    """A frame of ``String``, ``Int64``, ``Float64``, ``Boolean`` and ``Datetime("us", "UTC")``."""
    import polars as pl

    kinds: dict[str, Any] = {
        "text": pl.String,
        "integer": pl.Int64,
        "number": pl.Float64,
        "boolean": pl.Boolean,
        "time": pl.Datetime("us", "UTC"),
        "json": pl.String,
    }
    values = _columns_of(rows, columns)
    return pl.DataFrame([pl.Series(c.name, of, dtype=kinds[c.kind]) for c, of in zip(columns, values, strict=True)])


def to_arrow(rows: Iterable[Any], columns: Columns) -> pyarrow.Table:
    """A table of ``string``, ``int64``, ``double``, ``bool`` and ``timestamp[us, UTC]``."""
    import pyarrow as pa

    schema = _arrow_schema(columns)
    arrays = [pa.array(of, field.type) for field, of in zip(schema, _columns_of(rows, columns), strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


class ParquetFile:
    """A Parquet file that is written batch by batch. A file that is not finished is removed."""

    def __init__(self, path: str | PathLike[str], columns: Columns) -> None:
        import pyarrow.parquet as pq

        self._columns = columns
        self._path = path
        self._writer = pq.ParquetWriter(path, _arrow_schema(columns))
        self.count = 0

    def write(self, rows: Sequence[Any]) -> None:
        if rows:
            self._writer.write_table(to_arrow(rows, self._columns))
            self.count += len(rows)

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._writer.close()
        if kind is not None:
            import os

            os.unlink(self._path)


def _arrow_schema(columns: Columns) -> pyarrow.Schema:
    import pyarrow as pa

    kinds = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "time": pa.timestamp("us", "UTC"),
        "json": pa.string(),
    }
    return pa.schema([(column.name, kinds[column.kind]) for column in columns])


def _columns_of(rows: Iterable[Any], columns: Columns) -> list[list[Any]]:
    paths = [(column.path or column.name).split(".") for column in columns]
    values: list[list[Any]] = [[] for _ in columns]
    for row in rows:
        for at, column in enumerate(columns):
            values[at].append(_as(column.kind, _value_at(row, paths[at])))
    return values


def _value_at(row: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(row, dict):
            return None
        row = row.get(name)
    return row


def _as(kind: Kind, value: Any) -> Any:
    """A value of a kind; None for one that is not of it, because sources differ and a frame must not fail on one row."""
    if value is None:
        return None
    if kind == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if kind == "text":
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "time":
        return _time_of(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    if kind == "number":
        return float(value)
    return round(value) if abs(value) < MAX_INTEGER else None


def _time_of(value: Any) -> datetime | None:
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(value / 1000, timezone.utc)
        if isinstance(value, str):
            time = datetime.fromisoformat(value.replace("Z", "+00:00"))
            return time.astimezone(timezone.utc) if time.tzinfo else time.replace(tzinfo=timezone.utc)
    except (ValueError, OverflowError, OSError):
        return None
    return None
