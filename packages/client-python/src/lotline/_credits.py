"""The price of a call, which results and errors have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Credits:
    """The price of one call."""

    charged: int
    """What this call cost. It is 0 for a call that failed, for a free one, and for one that started a job."""
    remaining: int
    """The available credits of the account: its balance minus the credits that running jobs hold."""
    key_remaining: int | None = None
    """What the credit limit of the key leaves. None if the key has no limit."""
