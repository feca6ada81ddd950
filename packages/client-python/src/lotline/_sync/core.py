# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""The one way from a resource to the service and back, with all attempts of a call."""

from __future__ import annotations

import time
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import random
from typing import TYPE_CHECKING, Any

import httpx

from .. import errors
from .._answers import Result, error_of, result_of
from .._retry import find_wait
from .._settings import read_max_credits, read_max_retries, read_timeout

if TYPE_CHECKING:
    from .._retry import Repetition
    from .._settings import CallOptions, Settings

USER_AGENT = "lotline-python/1.0.0"


@dataclass(frozen=True)
class Answer:
    """A success as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def result(self) -> Result[Any, Any]:
        return result_of(self.status, self.headers, self.content)


class Core:
    def __init__(self, settings: Settings, http: httpx.Client | None) -> None:
        self.settings = settings
        self._http = http or httpx.Client()
        self._owns_http = http is None

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def ask(
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
    ) -> Answer:
        """Sends a call until it succeeds or must not be repeated. An ``exact`` body keeps its fields that are None.

        Raises LotlineError.
        """
        settings = self.settings
        max_retries = read_max_retries(options.get("max_retries", settings.max_retries))
        timeout = read_timeout(options.get("timeout", settings.timeout))
        request = self._request(
            method, path, options, query, body if exact or body is None else given(body), idempotency_key
        )
        repeated = 0
        while True:
            try:
                return self._attempt(request, timeout)
            except errors.LotlineError as error:
                wait = find_wait(error, repetition, repeated, random()) if repeated < max_retries else None
                if wait is None:
                    raise
                settings.logger.info("%s %s: %s; next attempt in %.1f s", method, path, error.code, wait)
            time.sleep(wait)
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
        max_credits = read_max_credits(options.get("max_credits", settings.max_credits))
        headers = {"user-agent": USER_AGENT}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if max_credits is not None:
            headers["x-max-credits"] = str(max_credits)
        headers.update(options.get("headers", {}))
        headers["authorization"] = f"Bearer {settings.api_key}"
        return self._http.build_request(
            method,
            settings.base_url + path,
            params=given(query or {}),
            json=body,
            headers=headers,
        )

    def _attempt(self, request: httpx.Request, timeout: float) -> Answer:
        """One attempt, until the last byte of its response."""
        started = time.monotonic()
        with self._sent(request, timeout) as response:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                # The timeout of a read starts anew with each one.
                if time.monotonic() - started > timeout:
                    raise _timeout_error(timeout)
        self.settings.logger.debug(
            "%s %s: %d in %.0f ms, %s",
            request.method,
            request.url.path,
            response.status_code,
            (time.monotonic() - started) * 1000,
            response.headers.get("x-request-id", "no request id"),
        )
        if response.status_code >= 400:
            raise error_of(response.status_code, response.headers, bytes(content), str(request.url))
        return Answer(response.status_code, response.headers, bytes(content))

    @contextmanager
    def _sent(self, request: httpx.Request, timeout: float) -> Iterator[httpx.Response]:
        request.extensions = {**request.extensions, "timeout": httpx.Timeout(timeout).as_dict()}
        try:
            response = self._http.send(request, stream=True)
            try:
                yield response
            finally:
                response.close()
        except httpx.TimeoutException as cause:
            raise _timeout_error(timeout) from cause
        except httpx.TransportError as cause:
            raise errors.ConnectionError(
                f"The service could not be reached, or the connection broke: {cause or type(cause).__name__}.",
                code="connection_lost",
            ) from cause


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was not given."""
    return {name: value for name, value in values.items() if value is not None}


def idempotency_key_of(options: CallOptions) -> str:
    """The caller's key, or a new one."""
    key = options.get("idempotency_key")
    return key if isinstance(key, str) else secrets.token_hex(16)


def _timeout_error(timeout: float) -> errors.TimeoutError:
    return errors.TimeoutError(
        f"There was no complete response within {timeout:g} s. Give a longer timeout, or start a job for long work.",
        code="call_timeout",
    )
