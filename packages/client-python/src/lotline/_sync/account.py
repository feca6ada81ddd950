# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""The account behind the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .. import frames
from .._answers import Result
from .core import Core
from .rows import Page

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types
    from .._settings import CallOptions
    from ..types import Account, UsageRow

USUAL_PAGE = 100
"""The rows of a page without a limit."""
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
        offset: int = 0,
        **options: Unpack[CallOptions],
    ) -> Page[UsageRow, Any]:
        """What was spent on what, a row for each call, the latest first: a page. Iterate it for all rows."""

        def ask(at: int, most: int) -> Page[UsageRow, Any]:
            query = {"since": since, "limit": most, "offset": at}
            found = (self._core.ask("GET", "/v1/usage", options, query=query)).result()
            return Page(
                *(found.request_id, found.credits, found.headers, found.data, found.meta),
                *(find_next, usage_id_of, frames.USAGE_ROWS),
            )

        def find_next(page: Page[UsageRow, Any], read: int) -> Page[UsageRow, Any] | None:
            wanted = limit or (USUAL_PAGE if read == len(page.data) else LARGEST_PAGE)
            return None if len(page.data) < wanted else ask(offset + read, limit or LARGEST_PAGE)

        return ask(offset, limit or USUAL_PAGE)

    def usage_summary(
        self,
        *,
        by: Literal["day", "operation", "key", "status"] | None = None,
        since: str | None = None,
        until: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[list[types.UsageSummaryRow], types.UsageSummaryMeta]:
        """The usage in sums by day, operation, key or status."""
        query = {"by": by, "since": since, "until": until}
        return (self._core.ask("GET", "/v1/usage/summary", options, query=query)).result()


def usage_id_of(row: UsageRow) -> int:
    """Each page that is read adds a row of its own at the head."""
    return row["id"]
