"""Webhooks, and watches with their events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import random
from typing import TYPE_CHECKING, Any

import anyio

from .._answers import Receipt, Result, receipt_of
from .core import AsyncCore, repeatable
from .rows import AsyncPage, read_by_cursor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types
    from .._settings import CallOptions

    # In these classes `list` is a method.
    List = list


FIRST_INTERVAL = 2.0
"""The first interval between two polls for events, in seconds. Each interval is 1.5 times the one before."""
MAX_INTERVAL = 30.0


class AsyncWatches:
    """Searches and homes whose changes are events. An event costs 1 credit when it is written; all calls are free."""

    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def create(
        self,
        *,
        name: str,
        filters: types.SearchFilters | None = None,
        zpids: Sequence[str] | None = None,
        events: Sequence[types.WatchListingEvent] | None = None,
        every: str | None = None,
        min_change: types.WatchMinChangeInput | types.WatchMinChange | None = None,
        metadata: Mapping[str, str] | None = None,
        paused: bool | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[types.Watch, Any]:
        """Watches ``filters`` or ``zpids``. What matches now is the baseline; every later change is an event."""
        body = {
            "name": name,
            "filters": filters,
            "zpids": zpids,
            "events": events,
            "every": every,
            "min_change": min_change,
            "metadata": metadata,
            "paused": paused,
        }
        return (await self._core.ask("POST", "/v1/watches", options, body=body, **repeatable(idempotency_key))).result()

    async def list(
        self, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPage[types.ListedWatch, Any]:
        """The watches of the account without their homes, the latest first: a page. Iterate it for all of them."""

        async def ask(behind: str | None) -> Result[List[types.ListedWatch], Any]:
            query = {"limit": limit, "cursor": behind}
            return (await self._core.ask("GET", "/v1/watches", options, query=query)).result()

        return await read_by_cursor(ask, cursor, id_of)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> Result[types.Watch, Any]:
        """The current state of a watch."""
        return (await self._core.ask("GET", f"/v1/watches/{id}", options)).result()

    async def update(self, id: str, changes: types.WatchPatch, **options: Unpack[CallOptions]) -> Result[types.Watch, Any]:
        """Changes the fields that you send, and returns the watch. New ``filters`` give it a new baseline."""
        return (await self._core.ask("PATCH", f"/v1/watches/{id}", options, body=changes, exact=True)).result()

    async def remove(self, id: str, **options: Unpack[CallOptions]) -> Receipt:
        """Deletes a watch with its events."""
        return receipt_of((await self._core.ask("DELETE", f"/v1/watches/{id}", options)).headers)

    async def events(
        self,
        id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncWatchEvents:
        """The events after the ``seq`` ``after``, in their order: a page. Iterate it to follow the watch.

        To resume, pass the ``seq`` of the last event that you have handled as ``after``. ``cursor``: ``meta["next_cursor"]`` of
        an earlier page, to go on behind it.
        """

        async def ask(
            at: int | None, behind: str | None = None
        ) -> Result[List[types.WatchEvent], types.ListWatchEventsMeta]:
            query = {"after": at, "limit": limit, "cursor": behind}
            return (await self._core.ask("GET", f"/v1/watches/{id}/events", options, query=query)).result()

        page = await ask(after, cursor)
        return AsyncWatchEvents(page.request_id, page.credits, page.headers, page.data, page.meta, ask)


@dataclass(frozen=True)
class AsyncWatchEvents(Receipt):
    """A page of events. Iterate it to follow the watch: it yields each event once and then polls for new ones, at intervals
    that grow from 2 to 30 seconds while there are none, until you leave the loop or a call fails."""

    data: list[types.WatchEvent]
    meta: types.ListWatchEventsMeta
    _ask: Callable[[int | None], Awaitable[Result[List[types.WatchEvent], types.ListWatchEventsMeta]]] = field(repr=False)

    async def __aiter__(self) -> AsyncIterator[types.WatchEvent]:
        data, meta = self.data, self.meta
        interval = FIRST_INTERVAL
        while True:
            for event in data:
                yield event
            if not meta["has_more"]:
                interval = FIRST_INTERVAL if data else min(interval * 1.5, MAX_INTERVAL)
                # Up to a tenth less, so that programs that were started together do not poll together.
                await anyio.sleep(interval * (1 - random() / 10))
            page = await self._ask(meta["next_after"])
            data, meta = page.data, page.meta


class AsyncWebhooks:
    """Webhook endpoints for events of jobs and watches. All calls are free. ``lotline.webhooks.verify`` is for the receiver."""

    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def create(
        self,
        *,
        url: str,
        events: Sequence[types.SubscribableEvent] | None = None,
        description: str | None = None,
        credits_threshold: int | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Result[types.WebhookWithSecret, Any]:
        """Registers an address; without ``events`` for all of them. Only this response has the signing ``secret``."""
        body = {"url": url, "events": events, "description": description, "credits_threshold": credits_threshold}
        return (await self._core.ask("POST", "/v1/webhooks", options, body=body, **repeatable(idempotency_key))).result()

    async def list(
        self, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPage[types.Webhook, Any]:
        """The webhooks of the account, the latest first, revoked ones included: a page. Iterate it for all of them."""

        async def ask(behind: str | None) -> Result[List[types.Webhook], Any]:
            query = {"limit": limit, "cursor": behind}
            return (await self._core.ask("GET", "/v1/webhooks", options, query=query)).result()

        return await read_by_cursor(ask, cursor, id_of)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> Result[types.Webhook, Any]:
        """A webhook, without its secret."""
        return (await self._core.ask("GET", f"/v1/webhooks/{id}", options)).result()

    async def update(
        self, id: str, changes: types.WebhookPatch, **options: Unpack[CallOptions]
    ) -> Result[types.Webhook, Any]:
        """Changes the fields that you send, and returns the webhook. ``"active": False`` pauses it."""
        return (await self._core.ask("PATCH", f"/v1/webhooks/{id}", options, body=changes, exact=True)).result()

    async def test(self, id: str, **options: Unpack[CallOptions]) -> Result[types.WebhookTest, Any]:
        """Sends a test delivery now and returns what the receiver answered."""
        return (await self._core.ask("POST", f"/v1/webhooks/{id}/test", options, repetition="acts")).result()

    async def rotate_secret(
        self, id: str, *, overlap_hours: int | None = None, idempotency_key: str | None = None, **options: Unpack[CallOptions]
    ) -> Result[types.WebhookRotation, Any]:
        """Gives a webhook a new signing ``secret``, which only this response has.

        The earlier one signs for ``overlap_hours`` more (24 by default); with 0, it stops signing immediately.
        """
        path = f"/v1/webhooks/{id}/rotate-secret"
        query = {"overlap_hours": overlap_hours}
        return (await self._core.ask("POST", path, options, query=query, **repeatable(idempotency_key))).result()

    async def delivery(
        self, id: str, delivery_id: int | str, **options: Unpack[CallOptions]
    ) -> Result[types.WebhookDelivery, Any]:
        """One attempt to deliver to a webhook."""
        return (await self._core.ask("GET", f"/v1/webhooks/{id}/deliveries/{delivery_id}", options)).result()

    async def redeliver(
        self, id: str, delivery_id: int | str, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]
    ) -> Result[types.Redelivery, Any]:
        """Sends the event of an attempt once more. The call makes one attempt; read its result with ``deliveries``.

        ``delivery_id``: the ``id`` of any attempt of the event.
        """
        path = f"/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver"
        return (await self._core.ask("POST", path, options, **repeatable(idempotency_key))).result()

    async def delete(self, id: str, **options: Unpack[CallOptions]) -> Receipt:
        """Revokes a webhook for good. Revoking it again does no harm."""
        return receipt_of((await self._core.ask("DELETE", f"/v1/webhooks/{id}", options)).headers)

    async def deliveries(
        self, id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPage[types.WebhookDelivery, Any]:
        """The attempts to deliver to a webhook, the latest first: a page. Iterate it for all of them."""

        async def ask(behind: str | None) -> Result[List[types.WebhookDelivery], Any]:
            query = {"limit": limit, "cursor": behind}
            return (await self._core.ask("GET", f"/v1/webhooks/{id}/deliveries", options, query=query)).result()

        return await read_by_cursor(ask, cursor, id_of)


def id_of(row: Mapping[str, Any]) -> Any:
    return row["id"]
