"""The options of the client and of each call, and the environment variables that replace them."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict, cast

from .errors import LotlineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .cache import ResponseCache

LOCAL_URL = "http://127.0.0.1:8080"
TIMEOUT = 310.0
MAX_RETRIES = 3


class CallOptions(TypedDict, total=False):
    """The options of each call."""

    timeout: float
    """Seconds for one attempt, instead of the client's."""
    max_retries: int
    """Instead of the client's."""
    headers: Mapping[str, str]
    """Headers to add to the request."""
    max_credits: int
    """The most that this call may cost, in credits. The service cuts or refuses the call there (``X-Max-Credits``)."""


class JobOptions(CallOptions, total=False):
    """The options of a call that can start a job."""

    idempotency_key: str
    """Within 24 hours, the same key with the same request does not start a second job. By default each call has its own key,
    so that its retries are safe. Pass a key to be safe beyond the life of this process."""


@dataclass(frozen=True)
class Settings:
    """What a client knows. Its representation never shows the key."""

    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    max_retries: int
    max_credits: int | None
    logger: logging.Logger = field(repr=False)
    cache: ResponseCache | None = field(default=None, repr=False)


def read_settings(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    max_credits: int | None,
    logger: logging.Logger | None,
    cache: ResponseCache | None,
) -> Settings:
    """Raises LotlineError ``missing_api_key``; ValueError for an option out of bounds."""
    key = api_key or os.environ.get("LOTLINE_API_KEY")
    if not key:
        raise LotlineError("The API key is missing. Pass Lotline(api_key=...), or set LOTLINE_API_KEY.", code="missing_api_key")
    url = base_url or os.environ.get("LOTLINE_BASE_URL") or LOCAL_URL
    if not re.fullmatch(r"https?://[^/?#]+[^?#]*", url, re.IGNORECASE):
        raise ValueError(f"base_url must be a URL such as https://api.example.com, not {url}.")
    return Settings(
        key,
        url.rstrip("/"),
        read_timeout(timeout),
        read_max_retries(max_retries),
        read_max_credits(max_credits),
        logger or logging.getLogger("lotline"),
        cache,
    )


def check_options(options: CallOptions, takes_key: bool) -> None:
    """Refuses what is not an option: without this, a misspelled ``max_credits`` would limit nothing.

    Raises TypeError.
    """
    for name in options:
        if name not in CallOptions.__annotations__ and not (takes_key and name == "idempotency_key"):
            raise TypeError(f"{name} is not an option of this call. See its signature for the options.")


def call_options(options: CallOptions) -> CallOptions:
    """The options of the free calls that follow the call which started a job."""
    kept = ("timeout", "max_retries", "headers")
    return cast("CallOptions", {name: value for name, value in options.items() if name in kept})


def read_timeout(timeout: float) -> float:
    if not timeout > 0:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout}.")
    return timeout


def read_max_retries(max_retries: int) -> int:
    if max_retries < 0:
        raise ValueError(f"max_retries must be 0 or more, not {max_retries}.")
    return max_retries


def read_max_credits(max_credits: int | None) -> int | None:
    if max_credits is not None and (isinstance(max_credits, bool) or max_credits < 0):
        raise ValueError(f"max_credits must be a whole number of 0 or more, not {max_credits}.")
    return max_credits
