"""The one way from a resource to the service and back, with all attempts of a call."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import random
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import anyio
import httpx

from .. import errors
from .._answers import Result, error_of, result_of
from .._retry import find_wait
from .._settings import check_options, read_max_credits, read_max_retries, read_timeout
from .._version import __version__
from ..cache import KeptResponse

if TYPE_CHECKING:
    from .._retry import Repetition
    from .._settings import CallOptions, Settings

Value = TypeVar("Value")

USER_AGENT = f"lotline-python/{__version__}"
CONNECT_TIMEOUT = 10.0
"""The most that a connection may take. Seconds. Nothing is sent before it is there, so the call can be repeated."""


@dataclass(frozen=True)
class Answer:
    """A success as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def result(self) -> Result[Any, Any]:
        return result_of(self.status, self.headers, self.content)


class AsyncCore:
    def __init__(self, settings: Settings, http: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self._http = http or httpx.AsyncClient()
        self._owns_http = http is None

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def ask(
        self,
        method: str,
        path: str,
        options: CallOptions,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        exact: bool = False,
        repetition: Repetition = "safe",
        idempotency_key: str | None = None,
        as_text: bool = False,
    ) -> Answer:
        """Sends a call until it succeeds or must not be repeated. An ``exact`` body keeps its fields that are None. Neither the
        cache nor its tags are used ``as_text``.

        Raises LotlineError; TypeError for an unknown option.
        """
        settings = self.settings
        check_options(options, takes_key=idempotency_key is not None)
        max_retries = read_max_retries(_either(options.get("max_retries"), settings.max_retries))
        timeout = read_timeout(_either(options.get("timeout"), settings.timeout))
        request = self._request(
            method, path, options, query, body if exact or body is None else given(body), idempotency_key
        )
        cache = settings.cache if method == "GET" and not as_text else None
        key = _cache_key(settings.api_key, request) if cache else ""
        kept = cache.get(key) if cache else None
        if kept:
            request.headers["if-none-match"] = kept.tag
        answer = await self._answer(request, timeout, max_retries, repetition)
        if kept and answer.status == 304:
            return Answer(200, answer.headers, kept.body)
        if cache and answer.status == 200 and "etag" in answer.headers:
            cache.set(key, KeptResponse(answer.headers["etag"], answer.content))
        return answer

    async def _answer(self, request: httpx.Request, timeout: float, max_retries: int, repetition: Repetition) -> Answer:
        """All attempts of a call."""
        repeated = 0
        while True:
            try:
                return await self._attempt(request, timeout)
            except errors.LotlineError as error:
                wait = find_wait(error, repetition, repeated, random()) if repeated < max_retries else None
                if wait is None:
                    raise
                self.settings.logger.info(
                    "%s %s: %s; next attempt in %.1f s", request.method, request.url.path, error.code, wait
                )
            await anyio.sleep(wait)
            repeated += 1

    def _request(
        self,
        method: str,
        path: str,
        options: CallOptions,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        idempotency_key: str | None,
    ) -> httpx.Request:
        settings = self.settings
        max_credits = read_max_credits(_either(options.get("max_credits"), settings.max_credits))
        headers = {"user-agent": USER_AGENT}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if max_credits is not None:
            headers["x-max-credits"] = str(max_credits)
        headers.update({name.lower(): value for name, value in (options.get("headers") or {}).items()})
        headers["authorization"] = f"Bearer {settings.api_key}"
        return self._http.build_request(
            method,
            settings.base_url + path,
            params=given(query or {}),
            json=body,
            headers=headers,
        )

    async def _attempt(self, request: httpx.Request, timeout: float) -> Answer:
        """One attempt, until the last byte of its response."""
        started = time.monotonic()
        content = bytearray()
        try:
            async with self._sent(request, timeout) as response:
                async for chunk in response.aiter_bytes():
                    content += chunk
                    # The timeout of a read starts anew with each one.
                    if time.monotonic() - started > timeout:
                        raise _timeout_error(timeout)
        except errors.LotlineError as error:
            self._log(request, error.code, started)
            raise
        self._log(request, str(response.status_code), started, response.headers.get("x-request-id"))
        if response.status_code >= 400:
            raise error_of(response.status_code, response.headers, bytes(content), str(request.url))
        return Answer(response.status_code, response.headers, bytes(content))

    def _log(self, request: httpx.Request, outcome: str, started: float, request_id: str | None = None) -> None:
        """Not the query, which can hold an address, and no header, because one is the key."""
        ms = (time.monotonic() - started) * 1000
        self.settings.logger.debug(
            "%s %s: %s in %.0f ms, %s", request.method, request.url.path, outcome, ms, request_id or "no request id"
        )

    @asynccontextmanager
    async def _sent(self, request: httpx.Request, timeout: float) -> AsyncIterator[httpx.Response]:
        limits = httpx.Timeout(timeout, connect=min(timeout, CONNECT_TIMEOUT))
        request.extensions = {**request.extensions, "timeout": limits.as_dict()}
        try:
            response = await self._http.send(request, stream=True)
            try:
                yield response
            finally:
                await response.aclose()
        except httpx.RequestError as cause:
            unsent = isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout))
            if isinstance(cause, httpx.TimeoutException) and not (unsent and timeout > CONNECT_TIMEOUT):
                raise _timeout_error(timeout) from cause
            error = errors.ConnectionError(
                f"The request failed because the service is unreachable or the connection was lost: {str(cause) or type(cause).__name__}. Check base_url and the network.",
                code="connection_lost",
            )
            error.unsent = unsent
            raise error from cause


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was not given."""
    return {name: value for name, value in values.items() if value is not None}


def _either(of_call: Value | None, of_client: Value) -> Value:
    """An option that is None counts as left out. A limit of None must not remove that of the client."""
    return of_client if of_call is None else of_call


def _cache_key(api_key: str, request: httpx.Request) -> str:
    """The same for the same request of the same key, without the key itself."""
    text = f"{api_key} {request.headers.get('accept', '')} {request.url}"
    return hashlib.sha256(text.encode()).hexdigest()


def idempotency_key_of(options: CallOptions) -> str:
    """The caller's key, or a new one."""
    key = options.get("idempotency_key")
    return key if isinstance(key, str) else secrets.token_hex(16)


def _timeout_error(timeout: float) -> errors.TimeoutError:
    return errors.TimeoutError(
        f"The service did not respond completely within {timeout:g} s. Set a longer timeout, or start a job for long-running work.",
        code="call_timeout",
    )


class Repeatable(TypedDict):
    repetition: Repetition
    idempotency_key: str | None


def repeatable(idempotency_key: str | None) -> Repeatable:
    """Without a key, a call that may have been carried out is not repeated."""
    return {"repetition": "acts" if idempotency_key is None else "safe", "idempotency_key": idempotency_key}
