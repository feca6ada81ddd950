"""The programs of the README run as they are, against the mock."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

PROGRAMS = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(), re.DOTALL)


@pytest.mark.skipif(not os.environ.get("LOTLINE_MOCK_URL"), reason="LOTLINE_MOCK_URL is not set")
@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_each_program_in_the_readme_runs(program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    monkeypatch.setenv("LOTLINE_BASE_URL", os.environ["LOTLINE_MOCK_URL"])
    monkeypatch.setenv("LOTLINE_API_KEY", os.environ["LOTLINE_MOCK_KEY"])
    exec(compile(program, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out or "def receive" in program
