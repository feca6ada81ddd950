# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""Rows that come in several responses."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .._answers import Result
from ..frames import Columns
from .frames import Frames

Row = TypeVar("Row")
Meta = TypeVar("Meta")


@dataclass(frozen=True)
class Page(Result["list[Row]", Meta], Frames[Row], Generic[Row, Meta]):
    """A page of a list. Iterate it for the rows of this page and of all later ones, or iterate ``pages()``."""

    _find_next: Callable[[Page[Row, Meta], int], Page[Row, Meta] | None] = field(repr=False)
    """Gets the next page; None after the last one. The number is that of the rows so far."""
    _id_of: Callable[[Row], Hashable] | None = field(default=None, repr=False)
    """Identifies a row, because new rows at the head of a list move others to a later page meanwhile."""
    _columns: Columns | None = field(default=None, repr=False)

    def pages(self) -> Iterator[Page[Row, Meta]]:
        """All pages, this one first."""
        page = self
        read = len(page.data)
        yield page
        while (asked := self._find_next(page, read)) is not None:
            page = asked
            read += len(page.data)
            yield page

    def __iter__(self) -> Iterator[Row]:
        seen: set[Any] = set()
        for page in self.pages():
            for row in page.data:
                if self._id_of:
                    row_id = self._id_of(row)
                    if row_id in seen:
                        continue
                    seen.add(row_id)
                yield row


def read_by_cursor(
    ask: Callable[[str | None], Result[list[Row], Any]],
    cursor: str | None,
    id_of: Callable[[Row], Hashable],
    columns: Columns | None = None,
) -> Page[Row, Any]:
    """The page behind ``cursor`` of a list that is read by cursor alone. ``ask`` gets the page behind a cursor."""

    def get(behind: str | None) -> Page[Row, Any]:
        found = ask(behind)
        return Page(
            *(found.request_id, found.credits, found.headers, found.data, found.meta),
            *(find_next, id_of, columns),
        )

    def find_next(page: Page[Row, Any], _: int) -> Page[Row, Any] | None:
        behind = (page.meta or {}).get("next_cursor")
        return None if behind is None else get(behind)

    return get(cursor)
