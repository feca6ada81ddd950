"""Compares a body with what a generated type makes of it. A generated type may write an instant in another notation, add
defaults and leave out nulls; it must not lose or change anything else."""

from datetime import datetime
from typing import Any


def difference(sent: Any, read: Any, path: str = "") -> str | None:
    if isinstance(sent, dict) and isinstance(read, dict):
        for name, value in sent.items():
            if value is None and read.get(name) is None:
                continue
            if name not in read:
                return f"{path}/{name} is lost"
            found = difference(value, read[name], f"{path}/{name}")
            if found:
                return found
        return None
    if isinstance(sent, list) and isinstance(read, list):
        if len(sent) != len(read):
            return f"{path} has {len(read)} instead of {len(sent)} entries"
        return next((d for i, (a, b) in enumerate(zip(sent, read)) if (d := difference(a, b, f"{path}/{i}"))), None)
    if sent == read or (isinstance(sent, str) and isinstance(read, str) and _instant(sent) == _instant(read) is not None):
        return None
    return f"{path} is {read!r} instead of {sent!r}"


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
