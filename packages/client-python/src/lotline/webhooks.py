"""The receiver's side of webhooks (Standard Webhooks): ``verify`` returns the event of a genuine delivery."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from .types import JobEvent, PingEvent, WatchChangesEvent, WatchStatusEvent

    WebhookEvent = JobEvent | WatchChangesEvent | WatchStatusEvent | PingEvent

__all__ = ["verify"]

TOLERANCE = 300.0
"""How old a delivery may be, and how far ahead of this clock. Seconds."""


def verify(
    payload: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE,
) -> WebhookEvent:
    """Returns the event if the delivery is genuine.

    A test delivery has the type ``webhook.ping``: answer it with 2xx. Every other event has its job in ``data["job"]`` or its
    watch in ``data["watch"]``. An event can be delivered more than once, with the same ``id``.

    ``payload`` is the body exactly as it came, before any parsing. ``secret`` is the webhook's ``whsec_...``, or several while
    one replaces another. ``tolerance`` is in seconds.

    Raises WebhookVerificationError if it is not genuine; ValueError if a secret is malformed.
    """
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    keys = [_key_of(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("The secret is missing. Pass the secret of the webhook to verify.")
    given = {name.lower(): value for name, value in headers.items()}
    delivery_id, timestamp = _header(given, "webhook-id"), _header(given, "webhook-timestamp")
    signatures = _signatures_of(_header(given, "webhook-signature"))
    signed = b".".join([delivery_id.encode(), timestamp.encode(), body])
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    if not any(hmac.compare_digest(one, signature) for one in expected for signature in signatures):
        raise WebhookVerificationError(
            "No signature matches. Check that the secret belongs to this webhook and that the payload is the unmodified body of the request."
        )
    _check_age(timestamp, tolerance)
    try:
        return cast("WebhookEvent", json.loads(body))
    except ValueError as cause:
        raise WebhookVerificationError("The signature is valid, but the body of the delivery is not JSON.") from cause


def _check_age(timestamp: str, tolerance: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("The header webhook-timestamp must be a time in Unix seconds.")
    age = time.time() - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("The delivery is older than the tolerance and may be a replay of an earlier one. Refuse it.")
    if -age > tolerance:
        raise WebhookVerificationError("The time of the delivery is in the future. Check the clock of this machine.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing in the delivery. Pass all headers of the request.")
    return value


def _signatures_of(header: str) -> list[bytes]:
    found = []
    for part in header.split(" "):
        version, _, signature = part.partition(",")
        if version == "v1":
            try:
                found.append(base64.b64decode(signature, validate=True))
            except (binascii.Error, ValueError):
                continue
    return found


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as cause:
        raise ValueError("The webhook secret is malformed. It must be whsec_ followed by Base64.") from cause
    if not key:
        raise ValueError("The webhook secret is malformed. It must be whsec_ followed by Base64.")
    return key
