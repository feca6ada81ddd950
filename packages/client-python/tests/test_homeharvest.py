"""The call and the columns that users of HomeHarvest have."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import loopback, reply, success

from lotline import Lotline
from lotline.compat import homeharvest

JOB: dict[str, Any] = {"id": "j1", "status": "succeeded", "completed_at": "2026-01-01T00:00:00Z", "error": None}
ACCEPTED = reply(202, {"data": {"job_id": "j1", "status": "queued"}, "request_id": "r"})
HOME: dict[str, Any] = {
    "zpid": "1",
    "address": {"streetAddress": "1 A St", "city": "Seattle", "state": "WA", "zipcode": "98109"},
    "price": 500_000,
    "livingArea": 1000,
    "homeStatus": "SOLD",
    "lastSoldPrice": 480_000,
    "dateSold": 1_700_000_000_000,
    "schools": [{"name": "A"}, {"name": "B"}],
}


def test_scrape_property_returns_the_columns_of_homeharvest() -> None:
    pytest.importorskip("pandas")
    rows = success([HOME], count=1, offset=0, has_more=False)
    with loopback(ACCEPTED, success(JOB), rows) as server, Lotline("k", base_url=server.url) as client:
        frame = homeharvest.scrape_property(
            "98109", "sold", property_type=["condo_townhome"], past_days=30, price_max=900_000, limit=800, client=client
        )
        body = json.loads(server.requests[0][3])
    assert body == {
        "filters": {
            "status": "sold",
            "homeTypes": ["condo", "townhouse"],
            "daysOnSite": "30",
            "price": {"max": 900_000},
            "zips": ["98109"],
        },
        "maxItems": 800,
        "propertyStatus": "RECENTLY_SOLD",
    }
    assert list(frame.columns) == list(homeharvest.COLUMNS)
    home = frame.iloc[0]
    assert (home["formatted_address"], home["price_per_sqft"]) == ("1 A St, Seattle, WA, 98109", 500)
    assert (home["sold_price"], home["last_sold_date"]) == (480_000, "2023-11-14 22:13:20")
    assert home["nearby_schools"] == "A, B"


def test_a_request_above_the_job_limit_runs_a_search_and_batches() -> None:
    pytest.importorskip("pandas")
    found = success([{"zpid": str(at), "detailUrl": f"https://x/{at}_zpid/"} for at in range(700)], offset=0, has_more=False)
    rows = success([HOME], count=1, offset=0, has_more=False)
    responds = [ACCEPTED, success(JOB), found, ACCEPTED, success(JOB), rows, ACCEPTED, success(JOB), rows]
    with loopback(*responds) as server, Lotline("k", base_url=server.url) as client:
        frame = homeharvest.scrape_property("98109", client=client)
        bodies = [json.loads(body) for method, _, _, body in server.requests if method == "POST"]
    assert len(frame) == 2
    assert (bodies[0]["maxItems"], bodies[0]["extractionMethod"]) == (10_000, "PAGINATION_WITH_ZOOM_IN")
    assert [len(body["urls"]) for body in bodies[1:]] == [500, 200]
    assert bodies[1]["propertyStatus"] == "FOR_SALE"


def test_max_credits_limits_the_search_and_the_batches_together() -> None:
    pytest.importorskip("pandas")
    home = success({"latitude": 47.6, "longitude": -122.3})
    rows = success([], count=0, offset=0, has_more=False)
    with loopback(home, ACCEPTED, success(JOB), rows) as server, Lotline("k", base_url=server.url) as client:
        homeharvest.scrape_property("1 A St, Seattle, WA 98109", radius=2, max_credits=104, client=client)
        assert json.loads(server.requests[1][3])["maxItems"] == 50
    with Lotline("k", base_url="http://127.0.0.1:9") as client, pytest.raises(ValueError):
        homeharvest.scrape_property("98109", max_credits=1, client=client)


def test_an_empty_result_is_a_frame_with_the_same_columns() -> None:
    pytest.importorskip("pandas")
    rows = success([], count=0, offset=0, has_more=False)
    with loopback(ACCEPTED, success(JOB), rows) as server, Lotline("k", base_url=server.url) as client:
        frame = homeharvest.scrape_property("Seattle, WA", limit=100, client=client)
    assert list(frame.columns) == list(homeharvest.COLUMNS)


def test_a_radius_searches_a_circle_around_the_home() -> None:
    pytest.importorskip("pandas")
    home = success({"latitude": 47.6, "longitude": -122.3})
    rows = success([], count=0, offset=0, has_more=False)
    with loopback(home, ACCEPTED, success(JOB), rows) as server, Lotline("k", base_url=server.url) as client:
        homeharvest.scrape_property("1 A St, Seattle, WA 98109", radius=2, limit=100, client=client)
        body = json.loads(server.requests[1][3])
    assert body["filters"]["area"] == {"type": "circle", "center": [-122.3, 47.6], "radius_m": 3218.688}


def test_the_readme_table_lists_every_column_that_is_always_empty() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    row = next(line for line in readme.splitlines() if line.startswith("| columns without a source here"))
    empty = [name for name, read in homeharvest._COLUMNS.items() if read is None]
    assert re.findall(r"`(\w+)`", row) == empty


def test_the_readme_table_lists_every_refused_argument() -> None:
    """The arguments of HomeHarvest 0.8.18 that are not parameters here."""
    pytest.importorskip("pandas")
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    row = next(line for line in readme.splitlines() if line.endswith("none: they are refused |"))
    taken = inspect.signature(homeharvest.scrape_property).parameters
    for name in re.findall(r"`(\w+)`", row):
        assert name not in taken
        refused: dict[str, Any] = {name: 1}
        with Lotline("k", base_url="http://127.0.0.1:9") as client, pytest.raises(ValueError):
            homeharvest.scrape_property("98109", client=client, **refused)


@pytest.mark.parametrize(
    "arguments",
    [
        {"listing_type": "off_market"},
        {"property_type": ["farm"]},
        {"past_days": 5},
        {"mls_only": True},
        {"location": "somewhere"},
    ],
)
def test_arguments_without_an_equivalent_are_refused(arguments: Any) -> None:
    pytest.importorskip("pandas")
    with Lotline("k", base_url="http://127.0.0.1:9") as client, pytest.raises(ValueError):
        homeharvest.scrape_property(**{"location": "98109", "client": client, **arguments})
