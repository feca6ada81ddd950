"""Everything that the client raises. A class is a kind of failure that a program handles in one way; ``code`` tells the
failures of a class apart, and is stable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._details import DetailsByCode

if TYPE_CHECKING:
    from ._credits import Credits
    from .types import Job


class LotlineError(DetailsByCode, Exception):
    """The base of every error of the client."""

    code: str
    """The stable name of the error. Compare this, never the message."""
    status: int | None
    """The HTTP status; None if there was no response."""
    request_id: str | None
    """The id of the request. ``account.usage()`` lists the call under it; support needs it."""
    doc_url: str | None
    """The page of the manual that explains the code."""
    details: Any
    """Facts for programs. Only some codes have them. ``details_of`` has their types."""
    credits: Credits | None
    """The cost of the call, which is 0, and the available credits; None if the service did not know the key."""
    retry_after: float | None
    """The time to wait before the call is repeated, in seconds, as the service asks for."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        doc_url: str | None = None,
        details: Any = None,
        credits: Credits | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.doc_url = doc_url
        self.details = details
        self.credits = credits
        self.retry_after = retry_after

    def __reduce__(self) -> Any:
        # Exceptions are restored by calling their class with `args`, which lack what is given by name.
        return (_restore, (type(self), self.args, self.__dict__))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(code={self.code!r}, status={self.status}, request_id={self.request_id!r})"

    def _number(self, name: str) -> int | None:
        value = self.details.get(name) if isinstance(self.details, dict) else None
        return value if isinstance(value, int) else None

    def _text(self, name: str) -> str | None:
        value = self.details.get(name) if isinstance(self.details, dict) else None
        return value if isinstance(value, str) else None


def _restore(kind: type[LotlineError], args: tuple[Any, ...], facts: dict[str, Any]) -> LotlineError:
    """An error that comes from another process (``multiprocessing``, ``joblib``)."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class InvalidRequestError(LotlineError):
    """400, 405, 408, 413, 414, 415, 431: the call is wrong. Repeating it does not help."""


class AuthenticationError(LotlineError):
    """401: there is no key, or it is malformed, unknown or revoked."""


class OutOfCreditsError(LotlineError):
    """402: fewer credits are available than the least that the call can cost."""

    @property
    def balance(self) -> int | None:
        """The balance of the account, in credits."""
        return self._number("balance")

    @property
    def held(self) -> int | None:
        """The credits that running jobs hold."""
        return self._number("held")

    @property
    def required(self) -> int | None:
        """The minimum number of credits that the call needs."""
        return self._number("required")


class SpendingLimitError(OutOfCreditsError):
    """402 ``max_credits_exceeded``: the call costs more than the limit that was set for it. Nothing was done."""

    @property
    def max_credits(self) -> int | None:
        """The limit, in credits."""
        return self._number("max_credits")


class KeyLimitError(OutOfCreditsError):
    """402 ``key_limit_reached``: the call costs more than the credit limit of its key leaves. Nothing was done."""

    @property
    def limit(self) -> int | None:
        """The limit, in credits."""
        return self._number("limit")

    @property
    def per(self) -> str | None:
        """The period of the limit: ``total``, ``day``, ``week`` or ``month``."""
        return self._text("per")

    @property
    def remaining(self) -> int | None:
        """What the limit leaves, in credits."""
        return self._number("remaining")

    @property
    def resets_at(self) -> str | None:
        """When the next period begins, as an ISO 8601 time; None for a ``total`` limit, which is never reset."""
        return self._text("resets_at")


class ForbiddenError(LotlineError):
    """403: the account is suspended, or its plan does not include the operation."""


class NotFoundError(LotlineError):
    """404: there is no such home, building, job, watch or webhook."""


class ConflictError(LotlineError):
    """409: the call conflicts with the current state."""


class JobNotReadyError(ConflictError):
    """409 ``job_not_ready``: the job has not succeeded, so it has no results."""


class JobLimitError(ConflictError):
    """409 ``job_limit``: the account has as many open jobs, stored rows or stored bytes as its plan allows."""

    @property
    def bound(self) -> str | None:
        """The limit that is reached: ``open_jobs``, ``stored_rows`` or ``stored_bytes``."""
        return self._text("bound")

    @property
    def value(self) -> int | None:
        """What the account uses of it."""
        return self._number("value")

    @property
    def limit(self) -> int | None:
        """What the plan allows."""
        return self._number("limit")


class RateLimitedError(LotlineError):
    """429: the key has used up its requests of the last 60 seconds. ``retry_after`` is always set."""


class LookupBudgetError(RateLimitedError):
    """429 ``lookup_budget_exceeded``: too many lookups of the account found nothing in the last minute or day."""

    @property
    def window(self) -> str | None:
        """Which budget is used up: that of the ``minute`` or of the ``day``."""
        return self._text("window")

    @property
    def limit(self) -> int | None:
        """Failed lookups that the plan allows in the window."""
        return self._number("limit")


class ServerError(LotlineError):
    """5xx: the service or its data source failed or was too slow. The call was free, unless ``details["charge"]`` is
    ``unknown``."""


class ConnectionError(LotlineError):
    """There was no response, or it was incomplete. The service may have executed the call, unless it is ``unsent``."""

    unsent: bool = False
    """Whether no connection was made, so that the service has not received the call."""


class TimeoutError(LotlineError):
    """There was no complete response within ``timeout``. The service may have executed the call."""


class WaitTimeoutError(LotlineError):
    """The job did not end within the time that ``wait`` was given. It runs on; wait for it again."""


class JobFailedError(LotlineError):
    """The job ended without a result. It was free."""

    job: Job
    """The job as it ended."""

    def __init__(self, job: Job, request_id: str | None) -> None:
        error = job["error"]
        reason = error["message"] if error else ""
        message = f"The job {job['id']} has ended as {job['status']}. {reason}".strip()
        super().__init__(message, code=f"job_{job['status']}", request_id=request_id, details=error)
        self.job = job


class WebhookVerificationError(LotlineError):
    """The delivery is not from the service, not for this webhook, or too old. Respond with 400."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="webhook_not_genuine")
