"""The receiver's side: what is genuine, and everything that is not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import pytest

from lotline import WebhookVerificationError, webhooks

KEY = b"0123456789abcdef0123456789abcdef"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = json.dumps({"id": "evt_1", "type": "webhook.ping", "data": {}}).encode()


def headers_of(body: bytes = BODY, key: bytes = KEY, at: float | None = None) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    signature = base64.b64encode(
        hmac.new(key, b"evt_1." + timestamp.encode() + b"." + body, hashlib.sha256).digest()
    ).decode()
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": f"v1,{signature}"}


def test_verify_returns_the_event_of_a_genuine_delivery() -> None:
    assert webhooks.verify(BODY, headers_of(), SECRET)["id"] == "evt_1"
    assert webhooks.verify(BODY.decode(), headers_of(), [SECRET])["type"] == "webhook.ping"


def test_the_old_and_the_new_secret_are_accepted_during_a_rotation() -> None:
    other = "whsec_" + base64.b64encode(b"x" * 32).decode()
    assert webhooks.verify(BODY, headers_of(), [other, SECRET])["id"] == "evt_1"
    several = {**headers_of(), "Webhook-Signature": "v2,abc v1,@ " + headers_of()["Webhook-Signature"]}
    assert webhooks.verify(BODY, several, SECRET)["id"] == "evt_1"


@pytest.mark.parametrize(
    ("payload", "headers"),
    [
        (BODY + b" ", headers_of()),
        (BODY, headers_of(key=b"y" * 32)),
        (BODY, headers_of(at=time.time() - 3_600)),
        (BODY, headers_of(at=time.time() + 3_600)),
        (BODY, {**headers_of(), "Webhook-Id": "evt_2"}),
        (BODY, {**headers_of(), "Webhook-Timestamp": "\u0661\u0662"}),
        (BODY, {**headers_of(), "Webhook-Signature": ""}),
        (BODY, {}),
        (b"no json", headers_of(b"no json")),
    ],
)
def test_a_delivery_that_is_not_genuine_is_refused(payload: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError):
        webhooks.verify(payload, headers, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_@@", []])
def test_a_malformed_secret_raises_value_error(secret: Any) -> None:
    with pytest.raises(ValueError):
        webhooks.verify(BODY, headers_of(), secret)
