"""The Lotline client for Python. Start with ``Lotline`` or ``AsyncLotline``; ``webhooks.verify`` is for those who receive
webhooks, ``area`` makes areas for searches, ``frames`` has the columns of data frames, and ``types`` the types of the
contract."""

from . import area, frames, types, webhooks
from ._answers import Receipt, ResoResult, Result, Text
from ._async.client import AsyncLotline
from ._async.jobs import AsyncJobHandle, AsyncStartedJob
from ._async.rows import AsyncPage
from ._async.search import AsyncFound
from ._credits import Credits
from ._sync.client import Lotline
from ._sync.jobs import JobHandle, StartedJob
from ._sync.rows import Page
from ._sync.search import Found
from ._version import __version__
from .cache import KeptResponse, MemoryCache, ResponseCache
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    InvalidRequestError,
    JobFailedError,
    JobLimitError,
    JobNotReadyError,
    KeyLimitError,
    LookupBudgetError,
    LotlineError,
    NotFoundError,
    OutOfCreditsError,
    RateLimitedError,
    ServerError,
    SpendingLimitError,
    TimeoutError,
    WaitTimeoutError,
    WebhookVerificationError,
)

__all__ = [
    "AsyncFound",
    "AsyncJobHandle",
    "AsyncLotline",
    "AsyncPage",
    "AsyncStartedJob",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "Credits",
    "ForbiddenError",
    "Found",
    "InvalidRequestError",
    "JobFailedError",
    "JobHandle",
    "JobLimitError",
    "JobNotReadyError",
    "KeptResponse",
    "KeyLimitError",
    "LookupBudgetError",
    "Lotline",
    "LotlineError",
    "MemoryCache",
    "NotFoundError",
    "OutOfCreditsError",
    "Page",
    "RateLimitedError",
    "Receipt",
    "ResoResult",
    "ResponseCache",
    "Result",
    "ServerError",
    "SpendingLimitError",
    "StartedJob",
    "Text",
    "TimeoutError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "__version__",
    "area",
    "frames",
    "types",
    "webhooks",
]
