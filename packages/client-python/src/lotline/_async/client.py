"""``AsyncLotline``."""

from __future__ import annotations

import logging
from types import TracebackType

import httpx

from .._settings import MAX_RETRIES, TIMEOUT, read_settings
from ..cache import ResponseCache
from .account import AsyncAccountCalls, AsyncKeys
from .core import AsyncCore
from .jobs import AsyncJobs
from .notices import AsyncWatches, AsyncWebhooks
from .properties import AsyncBuildings, AsyncProperties
from .search import AsyncListings, AsyncSearch


class AsyncLotline:
    """A client of the Lotline API. One serves a whole program; use it in a ``with`` block, or close it."""

    properties: AsyncProperties
    buildings: AsyncBuildings
    search: AsyncSearch
    listings: AsyncListings
    jobs: AsyncJobs
    watches: AsyncWatches
    webhooks: AsyncWebhooks
    keys: AsyncKeys
    account: AsyncAccountCalls

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        max_credits: int | None = None,
        logger: logging.Logger | None = None,
        cache: ResponseCache | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        Args:
            api_key: Your API key, ``lot_...``. The default is the environment variable ``LOTLINE_API_KEY``.
            base_url: The address of the service, without ``/v1``. The default is ``LOTLINE_BASE_URL``, or else
                ``http://127.0.0.1:8080``.
            timeout: Seconds for one attempt, until the last byte of its response. The service ends a call after 5 minutes.
            max_retries: How often a call is retried that is safe to retry. 0 means never.
            max_credits: The most that one call may cost, for all calls.
            logger: Where calls (DEBUG) and retries (INFO) are logged, without keys. The default is the logger ``lotline``.
            cache: Keeps records, parts of records, and pages of results with their tags, for example ``MemoryCache()``. A
                repeated call asks whether its data has changed, and is free if it has not. By default nothing is kept.
            http_client: Replaces the connections, for proxies, certificates and tests. You close it yourself.

        Raises LotlineError ``missing_api_key`` if there is no key; ValueError for an option out of bounds.
        """
        settings = read_settings(api_key, base_url, timeout, max_retries, max_credits, logger, cache)
        self._core = AsyncCore(settings, http_client)
        self.jobs = AsyncJobs(self._core)
        self.properties = AsyncProperties(self._core, self.jobs)
        self.buildings = AsyncBuildings(self._core, self.jobs)
        self.search = AsyncSearch(self._core, self.jobs)
        self.listings = AsyncListings(self._core, self.jobs)
        self.watches = AsyncWatches(self._core)
        self.webhooks = AsyncWebhooks(self._core)
        self.keys = AsyncKeys(self._core)
        self.account = AsyncAccountCalls(self._core)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._core.aclose()

    async def __aenter__(self) -> AsyncLotline:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncLotline(base_url={self._core.settings.base_url!r})"
