"""Which calls are repeated, and after how long. A call that could cost or do something twice is not repeated."""

from __future__ import annotations

from typing import Literal

from ._answers import SHORTEST_WAIT
from .errors import ConnectionError, LotlineError, RateLimitedError, ServerError

Repetition = Literal["safe", "charges", "acts"]
"""What a repetition of a call could do.

- ``safe``: nothing that matters (free GETs, DELETE, and what has an idempotency key).
- ``charges``: cost a second time, if the first was executed. Only if the service reports that it charged nothing.
- ``acts``: do a second time what the first did. Only after a 429, because nothing was done then.

Each of them is repeated if no connection was made, because the service has not received the call.
"""

MAX_WAIT = 120.0
"""A longer wait is left to the caller. Seconds."""
MAX_JITTER = 30.0
"""The bound of the random part, after many attempts. Seconds."""


def find_wait(error: LotlineError, repetition: Repetition, repeated: int, random: float) -> float | None:
    """Seconds to wait before the next attempt; None if there is none.

    It is what the service asks for, or 2 s, and a random time on top whose bound doubles with each attempt ("full jitter").
    ``repeated``: how many repetitions there were already. ``random``: at least 0, below 1.
    """
    if not _may_repeat(error, repetition):
        return None
    least = max(SHORTEST_WAIT, error.retry_after or 0.0)
    if least > MAX_WAIT:
        return None
    return least + random * min(MAX_JITTER, 2.0**repeated)


def _may_repeat(error: LotlineError, repetition: Repetition) -> bool:
    if isinstance(error, RateLimitedError) or (isinstance(error, ConnectionError) and error.unsent):
        return True
    if repetition == "acts":
        return False
    if isinstance(error, ServerError):
        return repetition == "safe" or (error.credits is not None and error.credits.charged == 0)
    return repetition == "safe" and isinstance(error, ConnectionError)
