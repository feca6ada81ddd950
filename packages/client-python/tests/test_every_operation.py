"""Every operation of the contract, against the mock at LOTLINE_MOCK_URL. ``test/python.test.ts`` makes each of them with each
documented error and each fault, beside the TypeScript client."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_operation import CALLS

from lotline import Lotline

MOCK = os.environ.get("LOTLINE_MOCK_URL", "")
CONTRACT = Path(__file__).parents[2] / "contract/src/generated/openapi.json"
OPERATIONS: dict[str, Any] = {
    operation["operationId"]: operation
    for path in json.loads(CONTRACT.read_text())["paths"].values()
    for method, operation in path.items()
    if method in ("get", "post", "patch", "delete")
}
needs_mock = pytest.mark.skipif(not MOCK, reason="LOTLINE_MOCK_URL is not set")


@pytest.fixture(scope="module")
def client() -> Iterator[Lotline]:
    with Lotline(os.environ.get("LOTLINE_MOCK_KEY", "lot_x"), base_url=MOCK, max_retries=0) as made:
        yield made


def test_the_client_has_a_method_for_every_operation() -> None:
    assert CALLS.keys() == OPERATIONS.keys()


@needs_mock
@pytest.mark.parametrize("operation_id", CALLS)
def test_each_successful_call_has_a_receipt(client: Lotline, operation_id: str) -> None:
    result = CALLS[operation_id](client, {})
    assert result.request_id.startswith("req_")
    assert result.credits.charged >= 0 and result.credits.remaining >= 0
