"""Frames have the same columns and types for any rows, and for none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import loopback, success

from lotline import Lotline, frames

ROWS: list[Any] = [
    {"zpid": "1", "latLong": {"latitude": 47.6, "longitude": -122.3}, "unformattedPrice": 500_000, "beds": 2, "x": 1},
    {"zpid": "2", "latLong": {}, "unformattedPrice": None, "beds": 2.5, "statusType": "SOLD"},
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
def test_every_column_is_a_field_of_the_contract(schema: str, columns: frames.Columns) -> None:
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


def test_pandas_has_fixed_types() -> None:
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


def test_times_are_utc() -> None:
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


def test_polars_has_fixed_types() -> None:
    pl = pytest.importorskip("polars")
    for columns in ALL_COLUMNS:
        assert frames.to_polars([], columns).schema == frames.to_polars(ROWS, columns).schema
    assert frames.to_polars(ROWS, frames.SEARCH_ROWS).schema["price"] == pl.Int64


def test_arrow_has_fixed_types() -> None:
    pytest.importorskip("pyarrow")
    for columns in ALL_COLUMNS:
        assert frames.to_arrow([], columns).schema == frames.to_arrow(ROWS, columns).schema


def test_rows_of_a_search_become_a_frame() -> None:
    pytest.importorskip("pandas")
    with loopback(success(ROWS)) as server, Lotline("k", base_url=server.url) as client:
        frame = client.search.run(filters={"zips": ["98109"]}).to_pandas()
    assert frame["zpid"].tolist() == ["1", "2", "3"]


def test_a_parquet_file_that_is_not_finished_is_removed(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "homes.parquet"
    with pytest.raises(RuntimeError), frames.ParquetFile(path, frames.SEARCH_ROWS):
        raise RuntimeError
    assert not path.exists()


MILLION = """
import re, sys

class WithoutPandas:
    "Arrow imports pandas where it is installed. Here, only `lotline[arrow]` is."
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise ImportError(name)

sys.meta_path.insert(0, WithoutPandas())
from lotline import frames
from lotline._sync.frames import Frames
import pyarrow.parquet as pq

class Rows(Frames):
    _columns = frames.SEARCH_ROWS
    def __iter__(self):
        for at in range(int(sys.argv[2])):
            yield {"zpid": str(at), "unformattedPrice": at, "latLong": {"latitude": 47.6, "longitude": -122.3}, "statusType": "FOR_SALE"}

assert Rows().to_parquet(sys.argv[1]) == int(sys.argv[2])
# Not getrusage, whose maximum a child takes over from its parent.
megabytes = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024
print(megabytes, pq.ParquetFile(sys.argv[1]).metadata.num_rows)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_many_rows_stay_below_150_mb(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    count = 1_000_000 if os.environ.get("LOTLINE_FULL") else 200_000
    done = subprocess.run(
        [sys.executable, "-c", MILLION, str(tmp_path / "rows.parquet"), str(count)],
        capture_output=True,
        text=True,
        check=True,
    )
    megabytes, rows = (int(part) for part in done.stdout.split())
    assert rows == count
    assert megabytes < 150
