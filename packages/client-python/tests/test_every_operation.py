"""Every operation and every documented error of the contract, against the mock. LOTLINE_MOCK_URL is where it runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_operation import CALLS

from lotline import Lotline, LotlineError, errors

MOCK = os.environ.get("LOTLINE_MOCK_URL", "")
CONTRACT = Path(__file__).parents[2] / "contract/src/generated/openapi.json"
OPERATIONS: dict[str, Any] = {
    operation["operationId"]: operation
    for path in json.loads(CONTRACT.read_text())["paths"].values()
    for method, operation in path.items()
    if method in ("get", "post", "patch", "delete")
}
CLASSES = {
    401: errors.AuthenticationError,
    402: errors.OutOfCreditsError,
    403: errors.ForbiddenError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    429: errors.RateLimitedError,
}
DOCUMENTED = [
    (operation_id, int(status), code)
    for operation_id, operation in OPERATIONS.items()
    for status, response in operation["responses"].items()
    if int(status) >= 400
    for code in response.get("content", {}).get("application/json", {}).get("examples", {})
]

needs_mock = pytest.mark.skipif(not MOCK, reason="LOTLINE_MOCK_URL is not set")


@pytest.fixture(scope="module")
def client() -> Iterator[Lotline]:
    with Lotline(os.environ.get("LOTLINE_MOCK_KEY", "lot_x"), base_url=MOCK, max_retries=0) as made:
        yield made


def test_the_client_has_every_operation() -> None:
    assert CALLS.keys() == OPERATIONS.keys()


@needs_mock
@pytest.mark.parametrize("operation_id", CALLS)
def test_a_success_has_a_receipt(client: Lotline, operation_id: str) -> None:
    result = CALLS[operation_id](client, {})
    assert result.request_id.startswith("req_")
    assert result.credits.charged >= 0 and result.credits.remaining >= 0


@needs_mock
@pytest.mark.parametrize(("operation_id", "status", "code"), DOCUMENTED)
def test_an_error_is_raised_as_what_it_is(client: Lotline, operation_id: str, status: int, code: str) -> None:
    with pytest.raises(LotlineError) as raised:
        CALLS[operation_id](client, {"headers": {"Prefer": f"code={status}, example={code}"}})
    error = raised.value
    assert isinstance(error, CLASSES.get(status, errors.ServerError if status >= 500 else errors.InvalidRequestError))
    assert (error.code, error.status) == (code, status)
    assert error.request_id is not None and error.request_id.startswith("req_")
    assert error.doc_url is None or error.doc_url.startswith(MOCK)
