"""Writes the page of the site that shows the results: python page.py OUT"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    results = json.loads((HERE / "results.json").read_text("utf-8"))
    suite = (HERE.parent.parent / "corpus" / "suite.jsonl").read_text("utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, suite)}
    results["cases"] = [cases[one["id"]] | one for one in results["cases"] if one["id"] in cases]
    # A tag in a text must not end the element.
    data = json.dumps(results, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    Path(sys.argv[1]).write_text((HERE / "page.html").read_text("utf-8").replace("DATA", data, 1), "utf-8")


if __name__ == "__main__":
    main()
