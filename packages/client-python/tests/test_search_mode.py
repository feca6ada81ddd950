"""The client and the service agree on which searches are jobs: the contract's test reads the same table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lotline._async import search as _async
from lotline._sync import search as _sync

TABLE = json.loads((Path(__file__).parents[2] / "contract/test-cases/search-mode.json").read_text("utf-8"))


@pytest.mark.parametrize("search", [_async, _sync])
def test_max_sync_items_is_the_bound_of_the_contract(search: Any) -> None:
    assert TABLE["maxSyncItems"] == search.MAX_SYNC_ITEMS


@pytest.mark.parametrize("search", [_async, _sync])
@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: str(case["size"]))
def test_the_client_expects_a_job_exactly_when_the_service_starts_one(search: Any, case: dict[str, Any]) -> None:
    size = case["size"]
    is_job = search._is_job(size.get("extractionMethod"), size.get("maxItems"), size.get("async"))
    assert is_job is case["isJob"]
