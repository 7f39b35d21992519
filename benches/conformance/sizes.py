"""Prints the version and the installed bytes of each peer, with the packages that it needs: python sizes.py FOLDER"""

from __future__ import annotations

import importlib.metadata as metadata
import json
import re
import sys
from pathlib import Path
from typing import Any

PEERS = json.loads((Path(__file__).parent / "peers.json").read_text("utf-8"))


def python(name: str, seen: set[str]) -> int:
    """Returns the bytes of a distribution and its requirements, without optional requirements."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return 0
    seen.add(key)
    try:
        one = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return 0
    files = [Path(str(file.locate())) for file in one.files or []]
    own = sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")
    needed = [re.split(r"[ ;<>=!~\[(]", line)[0] for line in one.requires or [] if "extra ==" not in line]
    return own + sum(python(other, seen) for other in needed)


def javascript(modules: Path, name: str, seen: set[str]) -> int:
    folder = modules / name
    if name in seen or not folder.is_dir():
        return 0
    seen.add(name)
    own = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    needed = json.loads((folder / "package.json").read_text("utf-8")).get("dependencies", {})
    return own + sum(javascript(modules, other, seen) for other in needed)


def rust(name: str, registry: Path) -> dict[str, Any]:
    """Returns the version of a crate in the lock file of the benches, and the bytes of its source."""
    lock = (Path(__file__).parent.parent / "Cargo.lock").read_text("utf-8")
    version = re.search(rf'name = "{re.escape(name)}"\nversion = "([^"]+)"', lock)
    folders = [*registry.glob(f"*/{name}-{version[1]}")] if version else []
    files = [file for folder in folders[:1] for file in folder.rglob("*") if file.is_file()]
    return {"version": version[1] if version else "–", "bytes": sum(file.stat().st_size for file in files)}


def ours(crates: list[str]) -> int:
    folders = [Path(__file__).parents[2] / "crates" / name / "src" for name in crates]
    return sum(file.stat().st_size for folder in folders for file in folder.rglob("*.rs"))


def main() -> None:
    modules = Path(sys.argv[1]) / "js" / "node_modules"
    registry = Path.home() / ".cargo" / "registry" / "src"
    found: dict[str, Any] = {}
    for peer, facts in PEERS.items():
        name = facts.get("package")
        if name is None:
            continue
        if facts["language"] == "Python":
            found[peer] = {"version": metadata.version(name), "bytes": python(name, set())}
        elif facts["language"] == "JavaScript":
            version = json.loads((modules / name / "package.json").read_text("utf-8"))["version"]
            found[peer] = {"version": version, "bytes": javascript(modules, name, set())}
        else:
            found[peer] = rust(name, registry)
            if "crates" in facts:
                found[peer]["bytes"] = ours(facts["crates"])
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
