"""What a call returns, and the error that a response of 400 or above becomes."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar
from urllib.parse import urljoin

from . import errors
from ._credits import Credits

if TYPE_CHECKING:
    from . import types

Data = TypeVar("Data")
Meta = TypeVar("Meta")

SHORTEST_WAIT = 2.0
"""The least time between a 429 and the next attempt. Seconds."""


@dataclass(frozen=True)
class Receipt:
    """What comes with every response."""

    request_id: str
    """The id of the request. ``account.usage()`` lists the call under it; support needs it."""
    credits: Credits | None
    """None if the response does not say it."""
    headers: Mapping[str, str]
    """The headers of the response, including ``RateLimit``."""


@dataclass(frozen=True)
class Result(Receipt, Generic[Data, Meta]):
    """The body of a response with its cost, request id and headers."""

    data: Data
    meta: Meta


@dataclass(frozen=True)
class ResoResult(Result["list[types.ResoProperty]", "types.SearchMeta"]):
    """Homes under the names of the RESO Data Dictionary, of a call with ``shape="reso"``. A lookup has one."""

    context: str
    """The dictionary and resource of the names: ``@reso.context`` of the response."""


TextFormat = Literal["csv", "ndjson"]


@dataclass(frozen=True)
class Text(Receipt):
    """Rows as CSV or NDJSON."""

    format: TextFormat
    meta: Mapping[str, Any]
    """``count`` and ``total`` rows, and, if the service sends them, ``next_cursor`` and ``truncated_by``."""
    content: bytes
    """UTF-8. CSV has a header line; both are empty without rows."""

    def text(self) -> str:
        return self.content.decode()

    def rows(self) -> list[Any]:
        """The rows of NDJSON. Raises ValueError for CSV: read that with the ``csv`` module or a data frame library."""
        if self.format == "csv":
            raise ValueError("Only an NDJSON result can be read as rows. Request the format ndjson.")
        return [json.loads(line) for line in self.content.splitlines() if line]


def text_of(format: TextFormat, headers: Mapping[str, str], content: bytes) -> Text:
    receipt = receipt_of(headers)
    meta: dict[str, Any] = {}
    for name, header in (("count", "x-row-count"), ("total", "x-total-count")):
        if header in headers:
            meta[name] = int(headers[header])
    for name, header in (("next_cursor", "x-next-cursor"), ("truncated_by", "x-truncated-by")):
        if header in headers:
            meta[name] = headers[header]
    return Text(receipt.request_id, receipt.credits, headers, format, meta, content)


def receipt_of(headers: Mapping[str, str]) -> Receipt:
    return Receipt(headers.get("x-request-id", ""), credits_of(headers), headers)


def credits_of(headers: Mapping[str, str]) -> Credits | None:
    """None: the service did not know the key, or the response is not from the service."""
    charged, remaining = headers.get("x-credits-charged"), headers.get("x-credits-remaining")
    if charged is None or remaining is None:
        return None
    of_key = headers.get("x-key-credits-remaining")
    return Credits(int(charged), int(remaining), None if of_key is None else int(of_key))


def result_of(status: int, headers: Mapping[str, str], content: bytes) -> Result[Any, Any]:
    """The result of a JSON response.

    Raises LotlineError ``unexpected_answer`` if the body is not one of Lotline.
    """
    try:
        body = json.loads(content)
    except ValueError as cause:
        raise _unexpected(status, headers) from cause
    receipt = receipt_of(headers)
    if isinstance(body, dict) and "@reso.context" in body and "value" in body:
        meta: Any = body.get("meta")
        return ResoResult(receipt.request_id, receipt.credits, headers, body["value"], meta, body["@reso.context"])
    if not isinstance(body, dict) or "data" not in body:
        raise _unexpected(status, headers)
    return Result(receipt.request_id, receipt.credits, headers, body["data"], body.get("meta"))


def _unexpected(status: int, headers: Mapping[str, str]) -> errors.LotlineError:
    kind = headers.get("content-type", "no media type")
    return errors.LotlineError(
        f"The answer ({status}, {kind}) is not from Lotline. Check that base_url is the URL of the service.",
        code="unexpected_answer",
        status=status,
        request_id=headers.get("x-request-id"),
    )


_BY_STATUS: Mapping[int, type[errors.LotlineError]] = {
    401: errors.AuthenticationError,
    402: errors.OutOfCreditsError,
    403: errors.ForbiddenError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    429: errors.RateLimitedError,
}
_BY_CODE: Mapping[str, type[errors.LotlineError]] = {
    "job_not_ready": errors.JobNotReadyError,
    "job_limit": errors.JobLimitError,
    "max_credits_exceeded": errors.SpendingLimitError,
    "key_limit_reached": errors.KeyLimitError,
    "lookup_budget_exceeded": errors.LookupBudgetError,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes, url: str) -> errors.LotlineError:
    """The error of a response of 400 or above. ``url`` is where the call went: links in the response are relative to it."""
    stated = _find_error(content)
    code = stated.get("code", "unexpected_answer")
    retry_after = _find_retry_after(headers)
    if retry_after is None and status == 429:
        retry_after = SHORTEST_WAIT
    doc_url = stated.get("doc_url")
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status)
    return (kind or (errors.ServerError if status >= 500 else errors.InvalidRequestError))(
        stated.get("message") or f"The response was {status}, but it was not made by Lotline.",
        code=code,
        status=status,
        request_id=stated.get("request_id") or headers.get("x-request-id"),
        doc_url=urljoin(url, doc_url) if isinstance(doc_url, str) else None,
        details=stated.get("details"),
        credits=credits_of(headers),
        retry_after=retry_after,
    )


def _find_error(content: bytes) -> dict[str, Any]:
    try:
        error = json.loads(content)["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    is_stated = isinstance(error, dict) and isinstance(error.get("code"), str) and isinstance(error.get("message"), str)
    return error if is_stated else {}


def _find_retry_after(headers: Mapping[str, str]) -> float | None:
    """``Retry-After`` is in seconds, or, from a proxy, a date."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    date = email.utils.parsedate_tz(value)
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
