"""Executes notebooks against the service at LOTLINE_BASE_URL and prints their outputs as JSON, in the form in which they are
stored. With --write, stores them in the notebooks.

Usage: run_notebooks.py [--write] NOTEBOOK...
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
from nbclient import NotebookClient

nbformat: Any = untyped_nbformat

KEPT = ("text/plain", "image/svg+xml")
"""The HTML of a frame says the same as its text."""

# A picture has the same bytes each time: ids without a random part, no date, and text as text.
SETTINGS = Path(__file__).parent / "matplotlibrc"
os.environ.update(MATPLOTLIBRC=str(SETTINGS), SOURCE_DATE_EPOCH="0", PYTHONHASHSEED="0")


async def execute(path: str, write: bool) -> list[list[Any]]:
    notebook = nbformat.read(path, as_version=4)
    await NotebookClient(notebook, timeout=300, kernel_name="python3").async_execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.execution_count = None
            # On a new machine, matplotlib reports there that it makes its list of fonts.
            cell.outputs = [stored(output) for output in cell.outputs if output.get("name") != "stderr"]
    if write:
        notebook.metadata = {"language_info": {"name": "python"}}
        nbformat.write(notebook, path)
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def stored(output: Any) -> Any:
    if "execution_count" in output:
        output.execution_count = None
    if "data" in output:
        if "image/svg+xml" in output.data:
            # The text is the address of the figure in memory.
            output.data = {"image/svg+xml": clean(output.data["image/svg+xml"])}
        output.data = {kind: output.data[kind] for kind in KEPT if kind in output.data}
        output.metadata = {}
    return output


def clean(svg: str) -> str:
    """Without the spaces at the ends of lines that matplotlib writes."""
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


async def main(paths: list[str], write: bool) -> None:
    print(json.dumps(await asyncio.gather(*(execute(path, write) for path in paths))))


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    asyncio.run(main(arguments, "--write" in sys.argv))
