"""Areas for ``filters["area"]``, written shorter than GeoJSON. Positions are longitude first, in degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .types import Area

Position = Sequence[float]
"""Longitude and latitude in degrees."""

PlaceKind = Literal["state", "county", "place", "zip", "neighborhood"]
"""States and counties are built in; a service knows the other kinds that its operator has imported."""


def polygon(corners: Sequence[Position], *holes: Sequence[Position]) -> Area:
    """A polygon by its corners, in order; the last is connected with the first. Holes are given in the same way."""
    return {"type": "Polygon", "coordinates": _rings((corners, *holes))}


def multi_polygon(*polygons: Sequence[Sequence[Position]]) -> Area:
    """Several polygons, each with its corners and holes; also for areas across the antimeridian, cut at 180 degrees."""
    return {"type": "MultiPolygon", "coordinates": [list(_rings(rings)) for rings in polygons]}


def circle(center: Position, radius_m: float) -> Area:
    """Homes within ``radius_m`` meters (1 to 100,000) of the center, along a great circle."""
    return {"type": "circle", "center": list(center), "radius_m": radius_m}


def bbox(*, west: float, south: float, east: float, north: float) -> Area:
    """A box; ``west`` greater than ``east`` crosses the antimeridian."""
    return {"type": "bbox", "west": west, "south": south, "east": east, "north": north}


def place(kind: PlaceKind, id: str | None = None, *, name: str | None = None) -> Area:
    """A place by its id, or by its name, which may end with the state: ``place("county", name="King County, WA")``."""
    if (id is None) == (name is None):
        raise ValueError("place() needs either an id or a name")
    if id is not None:
        return {"type": "place", "kind": kind, "id": id}
    return {"type": "place", "kind": kind, "name": name or ""}


def _rings(rings: Sequence[Sequence[Position]]) -> Any:
    """The contract has one type for the coordinates of both kinds, which nests one level deeper for the second."""
    return [_closed(ring) for ring in rings]


def _closed(corners: Sequence[Position]) -> list[list[float]]:
    """GeoJSON repeats the first position at the end."""
    ring = [list(corner) for corner in corners]
    return ring if not ring or ring[0] == ring[-1] else [*ring, ring[0]]
