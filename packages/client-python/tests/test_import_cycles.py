"""No module of the package imports itself through others. Imports for type checkers count as well: they mean that two modules
cannot be read one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def imports_of_package(source: Path) -> dict[str, set[str]]:
    """The modules of the packages below ``source`` that each of their modules imports, by their dotted names."""
    files = {name_of(source, path): path for path in source.rglob("*.py")}
    return {name: set(imports_of(name, path, files)) - {name} for name, path in files.items()}


def name_of(source: Path, path: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(name: str, path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            # `from . import errors` has one dot for the package itself, and one more for each package above it.
            above = package[: len(package) - node.level + 1] if node.level > 0 else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                member = f"{base}.{alias.name}"
                if member in files:
                    yield member
                elif base in files:
                    yield base


def find_cycle(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules of a cycle in its order, the first one again at its end. Empty: there is none."""
    finished: set[str] = set()

    def visit(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in finished:
            return []
        for imported in sorted(imports[name]):
            if cycle := visit(imported, [*trail, name]):
                return cycle
        finished.add(name)
        return []

    for name in sorted(imports):
        if cycle := visit(name, []):
            return cycle
    return []


def test_the_package_has_no_import_cycle() -> None:
    imports = imports_of_package(SOURCE)
    assert "lotline._credits" in imports["lotline.errors"]
    assert find_cycle(imports) == []


def test_find_cycle_detects_a_cycle_of_type_checking_imports(tmp_path: Path) -> None:
    package = tmp_path / "planted"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("from . import results\n")
    (package / "results.py").write_text("from .inner import base\n")
    (package / "inner" / "__init__.py").write_text("")
    typing = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from ..results import Result\n"
    (package / "inner" / "base.py").write_text(typing)
    assert find_cycle(imports_of_package(tmp_path)) == ["planted.results", "planted.inner.base", "planted.results"]
