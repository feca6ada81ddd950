# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""Jobs: their status, their results, and what a call that starts one returns."""

from __future__ import annotations

import time
from collections.abc import Iterator, Callable
from dataclasses import dataclass, field
from random import random
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._answers import Receipt, Result, TextFormat
from .._settings import call_options
from ..errors import JobFailedError, WaitTimeoutError
from ..frames import JOBS, Columns
from .core import Answer, Core
from .frames import Frames
from .rows import Page

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._settings import CallOptions
    from ..types import AcceptedJob, AnswerMeta, GetJobResultsMeta, Job, JobStatus, JobType, ListJobsMeta

FIRST_INTERVAL = 0.5
"""The first interval between two polls, in seconds. Each interval is 1.5 times the one before."""
MAX_INTERVAL = 10.0
LARGEST_RESULTS_PAGE = 1_000
LARGEST_JOBS_PAGE = 500

Row = TypeVar("Row")
OnProgress = Callable[["Job"], "object"]


class Jobs:
    """The status and the results of jobs. All of these calls are free."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def list(
        self,
        *,
        status: JobStatus | None = None,
        type: JobType | None = None,
        since: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Page[Job, ListJobsMeta]:
        """The jobs of the account, latest first: a page. Iterate it for all of them.

        ``cursor``: ``meta["next_cursor"]`` of an earlier page, to go on behind it. It cannot be used together with ``offset``.
        """

        def ask(at: int | None, behind: str | None, most: int | None) -> Page[Job, ListJobsMeta]:
            query = {"status": status, "type": type, "since": since, "limit": most, "offset": at, "cursor": behind}
            found = (self._core.ask("GET", "/v1/jobs", options, query=query)).result()
            return Page(
                *(found.request_id, found.credits, found.headers, found.data, found.meta),
                *(find_next, job_id_of, JOBS),
            )

        def find_next(page: Page[Job, ListJobsMeta], _: int) -> Page[Job, ListJobsMeta] | None:
            behind = page.meta.get("next_cursor")
            return None if behind is None else ask(None, behind, limit or LARGEST_JOBS_PAGE)

        return ask(offset, cursor, limit)

    def get(self, id: str, **options: Unpack[CallOptions]) -> Result[Job, AnswerMeta | None]:
        """The current state of a job."""
        return (self._core.ask("GET", f"/v1/jobs/{id}", options)).result()

    def abort(self, id: str, **options: Unpack[CallOptions]) -> Result[Job, AnswerMeta | None]:
        """Aborts a job that is queued or running. It is free, and its results cannot be read."""
        return (self._core.ask("POST", f"/v1/jobs/{id}/abort", options)).result()

    def wait(
        self,
        id: str,
        *,
        wait_timeout: float | None = None,
        on_progress: OnProgress | None = None,
        **options: Unpack[CallOptions],
    ) -> Job:
        """Returns the job when it has succeeded. It polls at growing intervals, from half a second to 10 seconds.

        ``wait_timeout``: the most seconds to wait; no limit if left out. ``on_progress`` is called with the job after each poll.

        Raises JobFailedError if the job failed, timed out or was aborted; WaitTimeoutError if it did not end in time. It runs on
        then, and you can wait for it again.
        """
        ends = None if wait_timeout is None else time.monotonic() + wait_timeout
        interval = FIRST_INTERVAL
        while True:
            found = self.get(id, **options)
            job = found.data
            if on_progress:
                on_progress(job)
            if job["status"] == "succeeded":
                return job
            # Also for a status that a later version adds: a job has ended when it has a completion time.
            if job["completed_at"] is not None:
                raise JobFailedError(job, found.request_id)
            # Up to a tenth less, so that jobs that were started together are not polled together.
            pause = interval * (1 - random() / 10)
            if ends is not None and time.monotonic() + pause > ends:
                raise WaitTimeoutError(
                    f"The job {id} has not ended within {wait_timeout:g} s and is still running. Wait again, or abort it.", code="wait_timeout"
                )
            time.sleep(pause)
            interval = min(interval * 1.5, MAX_INTERVAL)

    def results(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Page[Any, GetJobResultsMeta]:
        """The rows of a job that has succeeded: a page of ``limit`` rows. Iterate it for all rows from ``offset``.

        ``cursor``: ``meta["next_cursor"]`` of an earlier page, to go on behind it. It cannot be used together with ``offset``.

        Raises JobNotReadyError if the job has not succeeded.
        """
        return self._results(id, limit, offset, cursor, None, options)

    def rows(
        self,
        id: str,
        *,
        wait_timeout: float | None = None,
        on_progress: OnProgress | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[Any]:
        """Waits for a job and streams its rows, a page at a time. ``results`` with an ``offset`` resumes in the middle.

        Raises JobFailedError if the job has failed, timed out or was aborted; WaitTimeoutError if it did not end in time.
        """
        self.wait(id, wait_timeout=wait_timeout, on_progress=on_progress, **options)
        for row in self._results(id, LARGEST_RESULTS_PAGE, None, None, None, options):
            yield row

    def text(
        self,
        id: str,
        format: TextFormat,
        *,
        limit: int | None = None,
        offset: int = 0,
        **options: Unpack[CallOptions],
    ) -> Iterator[bytes]:
        """The rows of a job that has succeeded as CSV or NDJSON, from ``offset``, or ``limit`` of them: chunks of bytes to write
        into a file.

        Raises JobNotReadyError if the job has not succeeded.
        """
        first = True
        while True:
            query = {"limit": limit or LARGEST_RESULTS_PAGE, "offset": offset, "format": format}
            page = self._core.ask("GET", f"/v1/jobs/{id}/results", options, query=query, as_text=True)
            yield page.content if first or format == "ndjson" else _without_header(page.content)
            first = False
            if limit is not None or 'rel="next"' not in page.headers.get("link", ""):
                return
            offset += LARGEST_RESULTS_PAGE

    def _results(
        self,
        id: str,
        limit: int | None,
        offset: int | None,
        cursor: str | None,
        columns: Columns | None,
        options: CallOptions,
    ) -> Page[Any, GetJobResultsMeta]:
        def ask(at: int | None, behind: str | None, most: int | None) -> Page[Any, GetJobResultsMeta]:
            query = {"limit": most, "offset": at, "cursor": behind}
            found = (self._core.ask("GET", f"/v1/jobs/{id}/results", options, query=query)).result()
            return Page(
                *(found.request_id, found.credits, found.headers, found.data, found.meta),
                *(find_next, None, columns),
            )

        def find_next(
            page: Page[Any, GetJobResultsMeta], _: int
        ) -> Page[Any, GetJobResultsMeta] | None:
            behind = page.meta.get("next_cursor")
            return None if behind is None else ask(None, behind, limit or LARGEST_RESULTS_PAGE)

        return ask(offset, cursor, limit)


@dataclass(frozen=True)
class JobHandle(Frames[Row], Generic[Row]):
    """A job that was started. With its id, any process can follow it through ``client.jobs``."""

    id: str
    _jobs: Jobs = field(repr=False)
    _columns: Columns | None = field(default=None, repr=False)
    _options: CallOptions = field(default_factory=lambda: cast("CallOptions", {}), repr=False)
    """Those of the call that started the job, for the iteration."""

    def get(self, **options: Unpack[CallOptions]) -> Result[Job, AnswerMeta | None]:
        """The current state of the job."""
        return self._jobs.get(self.id, **options)

    def wait(
        self,
        *,
        wait_timeout: float | None = None,
        on_progress: OnProgress | None = None,
        **options: Unpack[CallOptions],
    ) -> Job:
        """Returns the job when it has succeeded. See ``jobs.wait``."""
        return self._jobs.wait(self.id, wait_timeout=wait_timeout, on_progress=on_progress, **options)

    def results(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Page[Row, GetJobResultsMeta]:
        """The rows of the job, which must have succeeded. See ``jobs.results``."""
        return self._jobs._results(self.id, limit, offset, cursor, self._columns, options)

    def rows(
        self,
        *,
        wait_timeout: float | None = None,
        on_progress: OnProgress | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[Row]:
        """Waits for the job and streams its rows. See ``jobs.rows``."""
        for row in self._jobs.rows(self.id, wait_timeout=wait_timeout, on_progress=on_progress, **options):
            yield row

    def text(
        self, format: TextFormat, *, limit: int | None = None, offset: int = 0, **options: Unpack[CallOptions]
    ) -> Iterator[bytes]:
        """The rows of the job, which must have succeeded, as CSV or NDJSON. See ``jobs.text``."""
        for chunk in self._jobs.text(self.id, format, limit=limit, offset=offset, **options):
            yield chunk

    def __iter__(self) -> Iterator[Row]:
        """Waits for the job and streams its rows."""
        for row in self._jobs.rows(self.id, **self._options):
            yield row


@dataclass(frozen=True)
class StartedJob(Receipt, Frames[Row], Generic[Row]):
    """The response that accepted a job. Iterate it to wait for the job and stream its rows."""

    data: AcceptedJob
    """The response as the service sent it."""
    job: JobHandle[Row]
    replayed: bool
    """Whether an earlier call with the same idempotency key started the job, so that this call started nothing."""
    _columns: Columns | None = field(default=None, repr=False)

    def __iter__(self) -> Iterator[Row]:
        for row in self.job:
            yield row


def started_job_of(
    answer: Answer, jobs: Jobs, columns: Columns | None, options: CallOptions
) -> StartedJob[Any]:
    """``options``: those of the call that started the job."""
    found = answer.result()
    return StartedJob(
        *(found.request_id, found.credits, found.headers, found.data),
        JobHandle(found.data["job_id"], jobs, columns, call_options(options)),
        answer.headers.get("idempotent-replayed") == "true",
        columns,
    )


def job_id_of(job: Job) -> str:
    return job["id"]


def _without_header(csv: bytes) -> bytes:
    """A CSV text without its header line, which each page repeats. A quoted name can hold line breaks."""
    quoted = False
    for at, byte in enumerate(csv):
        if byte == 0x22:
            quoted = not quoted
        elif byte == 0x0A and not quoted:
            return csv[at + 1 :]
    return b""
