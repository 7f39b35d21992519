"""Judges the answers of the peers and writes the tables: python table.py SUITE ANSWERS... [--check]

Writes the tables into README.md, and results.json, from which page.py makes the page of the site.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OURS = ("llmjson", "llmjson, no guesses")
# An answer is right (`r`), wrong (`w`), refused (`x`), or the peer takes no schema (`-`).
RIGHT, WRONG, REFUSED, OUT = "rwx-"


def same(given: Any, value: Any) -> bool:
    """Returns whether two values are equal. JavaScript has one kind of number, so `2` equals `2.0`, but not `True` `1`."""
    if isinstance(value, dict):
        names = isinstance(given, dict) and given.keys() == value.keys()
        return names and all(same(given[name], part) for name, part in value.items())
    if isinstance(value, list):
        long = isinstance(given, list) and len(given) == len(value)
        return long and all(map(same, given, value))
    return isinstance(given, bool) == isinstance(value, bool) and given == value


def mark(case: dict[str, Any], answer: dict[str, Any], takes_schema: bool) -> str:
    if "schema" in case and not takes_schema:
        return OUT
    if "value" not in answer:
        return RIGHT if "expected" not in case else REFUSED
    wanted = [*case.get("accept", []), *([case["expected"]] if "expected" in case else [])]
    return RIGHT if any(same(answer["value"], one) for one in wanted) else WRONG


def main() -> None:
    suite, *answers = [Path(one) for one in sys.argv[1:]]
    cases = {case["id"]: case for case in map(json.loads, suite.read_text("utf-8").splitlines())}
    peers = json.loads((HERE / "peers.json").read_text("utf-8"))
    sizes = json.loads((suite.parent / "sizes.json").read_text("utf-8")) if (suite.parent / "sizes.json").exists() else {}
    marks: dict[str, dict[str, str]] = defaultdict(dict)
    took: dict[str, dict[str, int]] = defaultdict(dict)
    for path in answers:
        for line in path.read_text("utf-8").rstrip("\n").split("\n"):
            answer = json.loads(line)
            peer, name = answer["peer"], answer["id"]
            marks[peer][name] = mark(cases[name], answer, peers[peer].get("schema", False))
            took[peer][name] = answer["ns"]
    names = [name for name in peers if name in marks]
    field = [name for name in cases if name.startswith("field/")]
    rest = [name for name in cases if not name.startswith("field/")]
    text = "\n\n".join([
        summary(names, peers, sizes, marks, took, cases, field, rest),
        "Right in each class of the field, in per cent. **Bold** is better than llmjson.\n\n" + classes(names, marks, cases, field),
        "Wrong in silence in each class of the field, in per cent.\n\n" + classes(names, marks, cases, field, WRONG),
        "Right in each class of the corpus, in per cent. These cases record what llmjson decided, so they favour it.\n\n" + classes(names, marks, cases, rest),
    ])  # fmt: skip
    readme = HERE / "README.md"
    page = re.sub(r"(?s)(<!-- tables -->\n).*", lambda one: one[1] + "\n" + text + "\n", readme.read_text("utf-8"))
    readme.write_text(page)
    rows = [{"id": name, "marks": "".join(marks[peer].get(name, REFUSED) for peer in names)} for name in cases]
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / "results.json").write_text(f'{{"peers": {json.dumps(names)},\n"cases": [\n{body}\n]}}\n')


def share(marks: dict[str, str], names: list[str], kind: str) -> float | None:
    given = [marks.get(name, REFUSED) for name in names]
    given = [one for one in given if one != OUT]
    return 100 * given.count(kind) / len(given) if given else None


def summary(names: list[str], peers: Any, sizes: Any, marks: Any, took: Any, cases: Any, field: list[str], rest: list[str]) -> str:
    lines = [f"| {len(field)} cases of the field | right, % | wrong in silence, % | refused, % | µs/KB | the corpus, right, % | version | first, this release | installed |",
             "|---|--:|--:|--:|--:|--:|---|---|--:|"]  # fmt: skip
    for name in sorted(names, key=lambda one: -(share(marks[one], field, RIGHT) or 0)):
        kilobytes = sum(len(cases[one]["input"].encode()) for one in field) / 1_000
        micros = sum(took[name].get(one, 0) for one in field) / 1_000 / kilobytes
        facts = peers[name]
        cells = [f"{share(marks[name], field, kind):.1f}" for kind in (RIGHT, WRONG, REFUSED)]
        corpus = share(marks[name], rest, RIGHT)
        dates = ", ".join(filter(None, (facts.get("first"), facts.get("released")))) or "–"
        size = sizes.get(name, {}).get("bytes")
        shown = f"{size / 1e3:,.0f} KB" if size else "–"
        lines.append(f"| {name} | {' | '.join(cells)} | {micros:,.0f} | {corpus:.1f} | {sizes.get(name, {}).get('version', '–')} | {dates} | {shown} |")
    return "\n".join(lines)


def classes(names: list[str], marks: Any, cases: Any, chosen: list[str], kind: str = RIGHT) -> str:
    groups: dict[str, list[str]] = defaultdict(list)
    for name in chosen:
        groups[cases[name]["class"]].append(name)
    lines = ["| class | rules | cases | " + " | ".join(names) + " |", "|---|---|--:|" + "--:|" * len(names)]
    for group, members in groups.items():
        rules = sorted({cases[one]["rule"] for one in members}, key=lambda one: int(one[1:]))
        shown = rules[0] if len(rules) == 1 else f"{rules[0]} to {rules[-1]}"
        shares = [share(marks[name], members, kind) for name in names]
        ours = share(marks[OURS[0]], members, kind)
        cells = ["–" if one is None else f"**{one:.0f}**" if kind == RIGHT and one > ours else f"{one:.0f}" for one in shares]
        lines.append(f"| {group} | {shown} | {len(members)} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
