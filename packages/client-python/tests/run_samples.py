"""Runs the Python samples of a Markdown file in order, and compares what each prints with the block of text that follows it.

Usage: run_samples.py FILE
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)


def main(path: str) -> None:
    samples = BLOCK.findall(Path(path).read_text("utf-8"))
    for program, expected in samples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, path, "exec"), {"__name__": "sample"})
        if printed.getvalue() != expected:
            sys.exit(f"This sample:\n{program}\nprinted:\n{printed.getvalue()}\ninstead of:\n{expected}")
    print(f"{len(samples)} samples")


if __name__ == "__main__":
    main(sys.argv[1])
