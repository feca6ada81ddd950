"""Frames have the same columns and types for any rows, and for none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import loopback, reply, success

from lotline import Lotline, frames

ROWS: list[Any] = [
    {"zpid": "1", "latLong": {"latitude": 47.6, "longitude": -122.3}, "unformattedPrice": 500_000, "beds": 2, "x": 1},
    {"zpid": "2", "latLong": None, "unformattedPrice": None, "beds": 2.5, "statusType": "SOLD"},
    {"zpid": "3", "unformattedPrice": "unknown", "hdpData": {"homeInfo": {"daysOnSite": 3}}},
]
CONTRACT = Path(__file__).parents[2] / "contract/src/generated/openapi.json"
ALL_COLUMNS = [frames.SEARCH_ROWS, frames.RECORDS, frames.UNITS, frames.JOBS, frames.USAGE_ROWS]


@pytest.mark.parametrize(
    ("schema", "columns"),
    [
        ("SearchRow", frames.SEARCH_ROWS),
        ("Property", frames.RECORDS),
        ("BuildingUnit", frames.UNITS),
        ("Job", frames.JOBS),
        ("UsageRow", frames.USAGE_ROWS),
    ],
)
def test_every_data_frame_column_is_a_field_of_the_contract(schema: str, columns: frames.Columns) -> None:
    schemas = json.loads(CONTRACT.read_text())["components"]["schemas"]

    def has(of: Any, path: list[str]) -> bool:
        options = [of, *of.get("anyOf", []), *of.get("allOf", [])]
        named = [schemas[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one for one in options]
        for one in named:
            field = one.get("properties", {}).get(path[0])
            if field is not None and (len(path) == 1 or has(field, path[1:])):
                return True
        return False

    missing = [column.name for column in columns if not has(schemas[schema], (column.path or column.name).split("."))]
    assert missing == []


def test_pandas_columns_have_fixed_types() -> None:
    pytest.importorskip("pandas")
    for columns in ALL_COLUMNS:
        empty, full = frames.to_pandas([], columns), frames.to_pandas(ROWS, columns)
        assert list(empty.columns) == [column.name for column in columns]
        assert empty.dtypes.equals(full.dtypes)
        assert len(full) == 3 and len(empty) == 0
    found = frames.to_pandas(ROWS, frames.SEARCH_ROWS)
    assert str(found["zpid"].dtype) == "string"
    assert str(found["price"].dtype) == "Int64"
    assert found["price"].isna().tolist() == [False, True, True]
    assert found["latitude"].tolist()[0] == 47.6


def test_times_in_data_frames_are_utc() -> None:
    pytest.importorskip("pandas")
    rows: list[Any] = [{"dateSold": 1_700_000_000_000}, {"dateSold": "2026-01-01T02:00:00+02:00"}, {"dateSold": "soon"}, {}]
    sold = frames.to_pandas(rows, frames.RECORDS)["date_sold"]
    assert str(sold.dtype) == "datetime64[ns, UTC]"
    assert [None if t is None else str(t) for t in sold.astype(object).where(sold.notna(), None)] == [
        "2023-11-14 22:13:20+00:00",
        "2026-01-01 00:00:00+00:00",
        None,
        None,
    ]


def test_polars_columns_have_fixed_types() -> None:
    pl = pytest.importorskip("polars")
    for columns in ALL_COLUMNS:
        assert frames.to_polars([], columns).schema == frames.to_polars(ROWS, columns).schema
    assert frames.to_polars(ROWS, frames.SEARCH_ROWS).schema["price"] == pl.Int64


def test_arrow_columns_have_fixed_types() -> None:
    pytest.importorskip("pyarrow")
    for columns in ALL_COLUMNS:
        assert frames.to_arrow([], columns).schema == frames.to_arrow(ROWS, columns).schema


def test_the_rows_of_a_search_convert_to_a_data_frame() -> None:
    pytest.importorskip("pandas")
    with loopback(success(ROWS)) as server, Lotline("k", base_url=server.url) as client:
        frame = client.search.run(filters={"zips": ["98109"]}).to_pandas()
    assert frame["zpid"].tolist() == ["1", "2", "3"]


def test_an_unfinished_parquet_file_is_removed(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "homes.parquet"
    with pytest.raises(RuntimeError), frames.ParquetFile(path, frames.SEARCH_ROWS):
        raise RuntimeError
    assert not path.exists()


STREAM = """
import re, sys

class WithoutPandas:
    "Arrow imports pandas where it is installed. Here, only `lotline[arrow]` is."
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise ImportError(name)

sys.meta_path.insert(0, WithoutPandas())
from lotline import Lotline, frames
from lotline._sync.jobs import JobHandle
import pyarrow.parquet as pq

with Lotline("k", base_url=sys.argv[2]) as client:
    JobHandle("j1", client.jobs, frames.SEARCH_ROWS).to_parquet(sys.argv[1])
# Not getrusage, whose maximum a child takes over from its parent.
megabytes = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024
print(megabytes, pq.ParquetFile(sys.argv[1]).metadata.num_rows)
"""
PAGE = 1_000


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_streaming_the_rows_of_a_job_into_a_parquet_file_uses_less_than_150_mb(tmp_path: Path) -> None:
    """A million rows, in the full run."""
    pytest.importorskip("pyarrow")
    pages = 1_000 if os.environ.get("LOTLINE_FULL") else 100
    rows = [{**ROWS[0], "zpid": str(at), "statusType": "FOR_SALE", "detailUrl": f"/{at}_zpid/"} for at in range(PAGE)]
    job = success({"id": "j1", "status": "succeeded", "completed_at": "2026-01-01T00:00:00Z", "error": None})
    text = json.dumps(rows)

    def respond(request: Any) -> None:
        offset = int(parse_qs(urlsplit(request.path).query).get("cursor", ["0"])[0])
        behind = offset + PAGE
        next_cursor = f',"next_cursor":"{behind}"' if behind < pages * PAGE else ""
        more = "true" if next_cursor else "false"
        meta = f'{{"count":{PAGE},"offset":{offset},"has_more":{more}{next_cursor}}}'
        reply(200, f'{{"data":{text},"meta":{meta},"request_id":"r"}}'.encode())(request)

    with loopback(job, respond) as server:
        done = subprocess.run(
            [sys.executable, "-c", STREAM, str(tmp_path / "rows.parquet"), server.url],
            capture_output=True,
            text=True,
            check=True,
        )
    megabytes, count = (int(part) for part in done.stdout.split())
    assert count == pages * PAGE
    assert megabytes < 150, f"{megabytes} MB"
