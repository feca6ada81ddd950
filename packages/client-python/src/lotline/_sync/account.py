# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""The account behind the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .. import frames
from .._answers import Receipt, Result, receipt_of
from .core import Core, repeatable
from .rows import Page, read_by_cursor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types
    from .._settings import CallOptions
    from ..types import Account, UsageRow

    # In a class `list` is a method.
    List = list

LARGEST_PAGE = 1_000


class AccountCalls:
    """The account behind the key. Everything here is free."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def me(self, **options: Unpack[CallOptions]) -> Result[Account, Any]:
        """Plan, rate limit and credits."""
        return (self._core.ask("GET", "/v1/me", options)).result()

    def estimate(
        self, operation: str, input: types.EstimateRequestInput | None = None, **options: Unpack[CallOptions]
    ) -> Result[types.Estimate, Any]:
        """What a call would cost now, without making it. ``operation`` is its ``operationId`` in the contract."""
        body = {"operation": operation, "input": input}
        return (self._core.ask("POST", "/v1/estimate", options, body=body)).result()

    def usage(
        self,
        *,
        since: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Page[UsageRow, Any]:
        """What was spent on what, a row for each call, the latest first: a page. Iterate it for all rows.

        ``cursor``: ``meta["next_cursor"]`` of an earlier page, to go on behind it. It cannot be used together with ``offset``.
        """

        def ask(at: int | None, behind: str | None, most: int | None) -> Page[UsageRow, Any]:
            query = {"since": since, "limit": most, "offset": at, "cursor": behind}
            found = (self._core.ask("GET", "/v1/usage", options, query=query)).result()
            return Page(
                *(found.request_id, found.credits, found.headers, found.data, found.meta),
                *(find_next, usage_id_of, frames.USAGE_ROWS),
            )

        def find_next(page: Page[UsageRow, Any], _: int) -> Page[UsageRow, Any] | None:
            behind = (page.meta or {}).get("next_cursor")
            return None if behind is None else ask(None, behind, limit or LARGEST_PAGE)

        return ask(offset, cursor, limit)

    def usage_summary(
        self,
        *,
        by: Literal["day", "operation", "key", "status"] | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Page[types.UsageSummaryRow, types.UsageSummaryMeta]:
        """The usage in sums by day, operation, key or status: a page. Iterate it for all sums."""

        def ask(behind: str | None) -> Result[List[types.UsageSummaryRow], Any]:
            query = {"by": by, "since": since, "until": until, "limit": limit, "cursor": behind}
            return (self._core.ask("GET", "/v1/usage/summary", options, query=query)).result()

        return read_by_cursor(ask, cursor, value_of)


def usage_id_of(row: UsageRow) -> int:
    """Each page that is read adds a row of its own at the head."""
    return row["id"]


def value_of(row: types.UsageSummaryRow) -> str | None:
    return row["value"]


def key_id_of(key: types.ApiKey) -> str:
    return key["id"]


class Keys:
    """API keys of the account. A key cannot give another key more than it has. All calls are free."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def list(
        self, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]
    ) -> Page[types.ApiKey, Any]:
        """The live keys, and the ones that ended last, the latest first: a page. Iterate it for all of them."""

        def ask(behind: str | None) -> Result[List[types.ApiKey], Any]:
            query = {"limit": limit, "cursor": behind}
            return (self._core.ask("GET", "/v1/keys", options, query=query)).result()

        return read_by_cursor(ask, cursor, key_id_of)

    def create(
        self,
        *,
        name: str,
        allowed_operations: Sequence[str] | None = None,
        credit_limit: types.CreditLimitInput | None = None,
        expires_at: str | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[types.ApiKeyWithSecret, Any]:
        """Creates a key. Only this response has the ``key`` itself.

        With an ``idempotency_key``, a repetition creates no second key and returns the first one.
        """
        body = {
            "name": name,
            "allowed_operations": allowed_operations,
            "credit_limit": credit_limit,
            "expires_at": expires_at,
        }
        answer = self._core.ask(
            *("POST", "/v1/keys", options),
            body=body,
            **repeatable(idempotency_key),
        )
        return answer.result()

    def get(self, id: str, **options: Unpack[CallOptions]) -> Result[types.ApiKey, Any]:
        """A key, without its text."""
        return (self._core.ask("GET", f"/v1/keys/{id}", options)).result()

    def update(
        self, id: str, changes: types.ApiKeyPatch, **options: Unpack[CallOptions]
    ) -> Result[types.ApiKey, Any]:
        """Changes the fields that you send, and returns the key. None removes a limit."""
        return (self._core.ask("PATCH", f"/v1/keys/{id}", options, body=changes, exact=True)).result()

    def rotate(
        self, id: str, *, grace_minutes: int | None = None, idempotency_key: str | None = None, **options: Unpack[CallOptions]
    ) -> Result[types.ApiKeyRotation, Any]:
        """Replaces a key. The old one works for ``grace_minutes`` more (60 by default). Only this response has the new ``key``."""
        query = {"grace_minutes": grace_minutes}
        return (self._core.ask("POST", f"/v1/keys/{id}/rotate", options, query=query, **repeatable(idempotency_key))).result()

    def delete(self, id: str, **options: Unpack[CallOptions]) -> Receipt:
        """Revokes a key for good. Revoking it again does no harm."""
        return receipt_of((self._core.ask("DELETE", f"/v1/keys/{id}", options)).headers)
