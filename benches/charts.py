"""Draws the charts of the README from the tables of measurements in this folder: python benches/charts.py [--check]

What no table has is not drawn. With --check nothing is written, and charts that differ are an error.
"""

from __future__ import annotations

import math
import re
import statistics
import sys
from pathlib import Path

BENCHES = Path(__file__).parent
CHARTS = BENCHES.parent / "docs" / "charts"

Table = dict[str, dict[str, str]]
# A title, and for each name its figure.
Group = tuple[str, list[tuple[str, float]]]

# A library that reads fewer of the cases of the field, in per cent, is in the table only.
# The rows of the README's comparison.
COMPARED = ("llmjson", "llmjson, no guesses", "BAML, knows the type", "json_repair", "typia", "fast-json-repair", "jsonrepair")
SHOWN = 30
WIDTH, NAMES, RIGHT, ROW, TOP = 640, 190, 70, 19, 46
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1c1e21; }
.title { font-size: 14px; font-weight: 600; }
.soft { fill: #55595f; }
.paper { fill: #fff; stroke: #d4d7dc; }
.grid { stroke: #e3e5e8; }
.bar { fill: #9aa3ad; }
.ours { fill: #1f56b8; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8eaed; }
  .soft { fill: #a3a9b1; }
  .paper { fill: #16181c; stroke: #34383f; }
  .grid { stroke: #2b2f35; }
  .bar { fill: #6f7883; }
  .ours { fill: #8ab4f8; }
}
"""


def tables(page: Path) -> list[Table]:
    """Returns the tables of a page: figures by row and column, and the first cell of the head as the row ''."""
    found: list[Table] = []
    head: list[str] | None = None
    for line in page.read_text().splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if head is None:
            head = cells
            found.append({"": {"": cells[0]}})
        elif not re.fullmatch(r"[-:|\s]+", line):
            found[-1][cells[0]] = dict(zip(head[1:], cells[1:], strict=False))
    return found


def number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return None


def over(table: Table, base: str, kilobytes: float, columns: list[str]) -> list[tuple[str, float]]:
    """Returns microseconds for each kilobyte, medians over the columns, of a table of speeds over that of a base."""
    figures = []
    for name, row in table.items():
        # `llmjson.loads` is what `llmjson.parse` is beside it.
        if name in ("", f"{base}, µs", "llmjson.loads"):
            continue
        times = [
            micros / ratio / kilobytes
            for column in columns
            if (ratio := number(row[column])) and (micros := number(table[f"{base}, µs"][column]))
        ]
        if times:
            figures.append((name, statistics.median(times)))
    return figures


def speed() -> str:
    python = tables(BENCHES / "python" / "README.md")
    valid = next(table for table in python if "orjson.loads" in table)
    # Of 500 bytes, of 5 KB and of 50 KB.
    damaged = [table for table in python if "trailing commas" in table.get("llmjson.loads", {})][1]
    kinds = list(damaged["llmjson.loads"])
    texts = tables(BENCHES / "README.md")
    javascript = next(table for table in texts if any("JSON.parse" in row for row in table.values()))
    groups: list[Group] = [
        ("Python, valid JSON of 5 KB", over(valid, "json.loads", 5, ["5 KB"])),
        ("Python, damaged JSON of 5 KB, the median of the kinds it reads", over(damaged, "json_repair.loads", 5, kinds)),
    ]
    for word in ("clean", "damaged"):
        size, row = next(
            (float(name.split()[1].replace(",", "")), row)
            for name, row in javascript.items()
            if re.fullmatch(rf"{word} 1[12],\d+", name)
        )
        figures = [
            (name, micros / size * 1_000)
            for name, cell in row.items()
            if (micros := number(cell)) is not None
        ]
        word = {"clean": "valid"}.get(word, word)
        groups.append((f"JavaScript, {word} JSON of {size / 1_000:.0f} KB", figures))
    return chart(
        "Time to read: microseconds for each kilobyte, on a scale of powers of ten",
        "From the tables in benches/. Less is better; what gives another value or an error is left out.",
        groups,
        is_log=True,
    )


def field() -> Table:
    """Returns the results for the cases of the field, by library."""
    found = tables(BENCHES / "conformance" / "README.md")
    return next(table for table in found if table[""][""].endswith("of the field"))


def readme(text: str) -> str:
    """Returns the README with its comparison, which repeats cells of the conformance table."""
    table = field()
    columns = ("right, %", "wrong in silence, %", "refused, %", "µs/KB", "installed")
    row = "| {} | " + " | ".join(["{}"] * len(columns)) + " |"
    lines = [row.format("", *columns).replace("  ", " "), "|---|" + "--:|" * len(columns)]
    lines += [row.format(name, *(table[name][column] for column in columns)) for name in COMPARED]
    return re.sub(r"(?m)^\| \| right, %.*\n(\|.*\n)+", "\n".join(lines) + "\n", text)


def recovery() -> str:
    table = field()
    count = table.pop("")[""].split()[0]
    titles = [("right, %", "Read as the right value, in per cent"), ("wrong in silence, %", "Read as a wrong value, in silence")]
    # The specification's toy reader isn't a library.
    shown = {name: row for name, row in table.items() if "/" not in name and float(row["right, %"]) >= SHOWN}
    groups = [
        (title, [(name, share) for name, row in shown.items() if (share := number(row[column])) is not None])
        for column, title in titles
    ]
    return chart(
        "Damaged JSON of language models",
        f"The {count} cases of the field in the conformance suite; libraries below {SHOWN} % are in the table.",
        groups,
        is_log=False,
    )


def chart(title: str, about: str, groups: list[Group], *, is_log: bool) -> str:
    """Returns a chart as SVG: a dot for each figure on a scale of powers of ten, else a bar."""
    figures = [figure for _, group in groups for _, figure in group]
    room = WIDTH - NAMES - RIGHT
    if is_log:
        least, most = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
        ticks = [10.0**power for power in range(least, most + 1)]
    else:
        ticks = [0, 25, 50, 75, 100]

    def place(figure: float) -> float:
        if is_log:
            return NAMES + room * (math.log10(figure) - least) / (most - least)
        return NAMES + room * figure / 100

    parts: list[str] = []
    y = TOP
    for name, group in groups:
        if name:
            parts.append(f'<text x="12" y="{y + 14}" class="soft">{name}</text>')
            y += ROW
        for row, figure in sorted(group, key=lambda one: one[1] if is_log else -one[1]):
            x, kind = place(figure), "ours" if row.startswith("llmjson") else "bar"
            parts.append(f'<text x="{NAMES - 8}" y="{y + 13}" text-anchor="end">{row}</text>')
            if is_log:
                parts.append(f'<circle cx="{x:.1f}" cy="{y + 9}" r="5" class="{kind}"/>')
            else:
                parts.append(
                    f'<rect x="{NAMES}" y="{y + 3}" width="{x - NAMES:.1f}" height="12" rx="2" class="{kind}"/>'
                )
            shown = f"{figure:.1f}" if figure < 100 else f"{figure:,.0f}"
            parts.append(f'<text x="{x + 9:.1f}" y="{y + 13}">{shown}</text>')
            y += ROW
        y += 6
    lines = [
        f'<line x1="{place(tick):.1f}" y1="{TOP}" x2="{place(tick):.1f}" y2="{y}" class="grid"/>'
        f'<text x="{place(tick):.1f}" y="{y + 14}" text-anchor="middle" class="soft">{tick:,g}</text>'
        for tick in ticks
    ]
    height = y + 24
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">',
        f"<style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="paper"/>',
        f'<text x="12" y="20" class="title">{title}</text>',
        f'<text x="12" y="37" class="soft">{about}</text>',
    ]
    return "\n".join([*head, *lines, *parts, "</svg>"]) + "\n"


def main() -> None:
    CHARTS.mkdir(exist_ok=True)
    page = BENCHES.parent / "README.md"
    drawings = [(CHARTS / "speed.svg", speed()), (CHARTS / "recovery.svg", recovery()), (page, readme(page.read_text()))]
    for path, drawn in drawings:
        if "--check" not in sys.argv[1:]:
            path.write_text(drawn)
        elif not path.exists() or path.read_text() != drawn:
            sys.exit(f"{path} is not that of the tables: python benches/charts.py draws it anew")


if __name__ == "__main__":
    main()
