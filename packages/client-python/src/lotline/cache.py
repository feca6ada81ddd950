"""Responses that are kept with their tags (ETag), so that a repeated call is free while its data is the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

__all__ = ["KeptResponse", "MemoryCache", "ResponseCache"]


@dataclass(frozen=True)
class KeptResponse:
    """A response that was kept."""

    tag: str
    """The header ``ETag``."""
    body: bytes
    """The JSON of the body."""


class ResponseCache(Protocol):
    """Where responses are kept. The keys hold no API key. ``AsyncLotline`` calls the methods in its event loop, so they must
    return immediately."""

    def get(self, key: str) -> KeptResponse | None: ...

    def set(self, key: str, response: KeptResponse) -> None: ...


class MemoryCache:
    """Keeps the responses that were used last in the memory of this process. Clients and threads can share one."""

    def __init__(self, *, max_entries: int = 1_000) -> None:
        """``max_entries``: responses to keep at most. A record has about 20 kB.

        Raises ValueError if it is below 1.
        """
        if max_entries < 1:
            raise ValueError(f"max_entries must be a whole number above 0, not {max_entries}.")
        self._max_entries = max_entries
        self._kept: OrderedDict[str, KeptResponse] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> KeptResponse | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def set(self, key: str, response: KeptResponse) -> None:
        with self._lock:
            self._kept[key] = response
            self._kept.move_to_end(key)
            while len(self._kept) > self._max_entries:
                self._kept.popitem(last=False)
