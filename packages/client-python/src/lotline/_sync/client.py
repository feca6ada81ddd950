# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""``Lotline``."""

from __future__ import annotations

import logging
from types import TracebackType

import httpx

from .._settings import MAX_RETRIES, TIMEOUT, read_settings
from ..cache import ResponseCache
from .account import AccountCalls, Keys
from .core import Core
from .jobs import Jobs
from .notices import Watches, Webhooks
from .properties import Buildings, Properties
from .search import Listings, Search


class Lotline:
    """A client of the Lotline API. One serves a whole program; use it in a ``with`` block, or close it."""

    properties: Properties
    buildings: Buildings
    search: Search
    listings: Listings
    jobs: Jobs
    watches: Watches
    webhooks: Webhooks
    keys: Keys
    account: AccountCalls

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
        http_client: httpx.Client | None = None,
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
        self._core = Core(settings, http_client)
        self.jobs = Jobs(self._core)
        self.properties = Properties(self._core, self.jobs)
        self.buildings = Buildings(self._core, self.jobs)
        self.search = Search(self._core, self.jobs)
        self.listings = Listings(self._core, self.jobs)
        self.watches = Watches(self._core)
        self.webhooks = Webhooks(self._core)
        self.keys = Keys(self._core)
        self.account = AccountCalls(self._core)

    def close(self) -> None:
        """Closes the connections."""
        self._core.close()

    def __enter__(self) -> Lotline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Lotline(base_url={self._core.settings.base_url!r})"
