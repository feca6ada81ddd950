# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""Rows as data frames."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .. import frames

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Row = TypeVar("Row")


class Frames(Generic[Row]):
    """For what iterates over rows. The columns and their types are always the same, also without rows; ``columns`` replaces
    them."""

    _columns: frames.Columns | None

    def __iter__(self) -> Iterator[Row]:
        raise NotImplementedError

    def to_pandas(self, columns: frames.Columns | None = None) -> pandas.DataFrame:
        """All rows. Needs ``lotline[pandas]``."""
        return frames.to_pandas([row for row in self], self._columns_or(columns))

    def to_polars(self, columns: frames.Columns | None = None) -> polars.DataFrame:
        """All rows. Needs ``lotline[polars]``."""
        return frames.to_polars([row for row in self], self._columns_or(columns))

    def to_arrow(self, columns: frames.Columns | None = None) -> pyarrow.Table:
        """All rows. Needs ``lotline[arrow]``."""
        return frames.to_arrow([row for row in self], self._columns_or(columns))

    def to_parquet(self, path: str | PathLike[str], columns: frames.Columns | None = None) -> int:
        """Writes all rows into a file, some thousand at a time, and returns their number. Needs ``lotline[arrow]``."""
        rows: list[Any] = []
        with frames.ParquetFile(path, self._columns_or(columns)) as file:
            for row in self:
                rows.append(row)
                if len(rows) == frames.BATCH:
                    file.write(rows)
                    rows.clear()
            file.write(rows)
            return file.count

    def _columns_or(self, columns: frames.Columns | None) -> frames.Columns:
        found = columns or self._columns
        if found is None:
            raise ValueError("These rows have no default columns. Pass the argument columns.")
        return found
