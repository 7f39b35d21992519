"""Writes corpus/field: cases in the shares in which the replies of large models are damaged. python3 corpus/field.py

A value is made up and printed, and the text is damaged or cut while it is printed, so the value is right by
construction. The same program always writes the same files.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "field"

# A value that is not there: the text ends before it begins, or inside a part that the reader may omit.
GONE = object()

CODE = [
    ("src/cart.ts", "export function total(items: Item[]) {\n  return items.reduce((sum, { price, count }) => {\n    return sum + price * count;\n  }, 0);\n}\n"),
    ("app.py", "def load(path):\n    with open(path) as file:\n        rows = {row[\"id\"]: row for row in json.load(file)}\n    return [rows[key] for key in sorted(rows)]\n"),
    ("style.css", ".card {\n  display: grid;\n}\n.card > h2 {\n  margin: 0 0 1rem;\n}\n"),
    ("lib.rs", "impl Shape for Circle {\n    fn area(&self) -> f64 {\n        match self { Circle { r } => PI * r * r }\n    }\n}\n"),
    ("query.sql", "SELECT name, COUNT(*) AS n\nFROM orders WHERE state IN ('open', 'paid')\nGROUP BY name HAVING COUNT(*) > 3;\n"),
    ("index.html", "<ul class=\"menu\">\n  <li data-state='{\"open\": true}'><a href=\"/\">Home</a></li>\n</ul>\n"),
    ("deploy.sh", "for host in \"${hosts[@]}\"; do\n  ssh \"$host\" 'docker ps --format \"{{.Names}}\"' | grep -v '^$'\ndone\n"),
    ("hook.jsx", "const [open, setOpen] = useState({ menu: false });\nuseEffect(() => {\n  load().then(({ data }) => setRows(data.map(r => ({ ...r, ok: true }))));\n}, [open]);\n"),
    ("schema.json", "{\n  \"type\": \"object\",\n  \"required\": [\"id\"],\n  \"properties\": {\"id\": {\"type\": \"integer\"}}\n}\n"),
    ("main.go", "func main() {\n\tfor i, v := range []int{1, 2, 3} {\n\t\tfmt.Printf(\"%d: %v\\n\", i, v)\n\t}\n}\n"),
]  # fmt: skip
PROSE = [
    "The lease ends in March; the tenant asked for two more months, which the owner granted in writing.",
    "First rinse the rice until the water runs clear. Then add 300 ml of water, cover it, and wait.",
    "Müller's report (p. 14) lists three causes: heat, moisture, and a loose “B” connector.",
    "She said \"not yet\" twice, then \"maybe\" – and left.\nNobody asked again.",
    "Costs rose by 4 % in Q2 [see table 3], mostly freight {sea and air}.",
    "Der Zug fährt um 7:45 Uhr ab.\n\nBitte seien Sie 10 Minuten früher am Gleis.",
    "Path C:\\data\\in was empty, so the job wrote \"0 rows\" to the log \\o/ and stopped.",
    "Line one\tcolumn two\nLine two\tcolumn two\n",
]
LATEX = [
    "Let $\\alpha = \\frac{a}{b}$ with $b \\neq 0$, so $\\alpha \\in \\mathbb{Q}$.",
    "\\[ \\int_0^1 x^2 \\, dx = \\frac{1}{3} \\] by the power rule.",
    "Since $\\sin^2\\theta + \\cos^2\\theta = 1$, we get $\\tan\\theta = \\frac{3}{4}$.",
    "The matrix $\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$ has $\\det = -2$.",
    "$\\lim_{n \\to \\infty} \\left(1 + \\frac{1}{n}\\right)^n = e$",
    "\\sqrt{x^2 + y^2} \\leq |x| + |y| for all x, y \\in \\mathbb{R}",
    "By Euler, $e^{i\\pi} + 1 = 0$; hence $\\cos\\pi = -1 \\Rightarrow \\sin\\pi = 0$.",
    "$P(A \\cap B) = P(A) \\cdot P(B)$ \\text{ if they are independent}",
    "\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2} \\quad \\text{(Gauss)}",
    "The angle is $\\angle ABC = 60^\\circ$ and $\\overline{AB} \\perp \\overline{CD}$.",
]
REGEX = [
    "^\\d{4}-\\d{2}$", "\\w+@\\w+\\.\\w+", "(\\S+)\\s*=\\s*(\\S+)", "[^\\s\\d]+", "\\$\\d+(\\.\\d+)?", "^\\s*#\\s*(\\w+)",
    "\\d+\\s?(kg|lb)", "(?i)\\W(yes|no)\\W", "\\d{3}-\\d{4}", "^\\w+$", "\\s{2,}", "(\\d+)x(\\d+)",
]  # fmt: skip
PATHS = [
    "C:\\Users\\ada\\Documents", "D:\\Projects\\llm\\src", "\\\\server\\share\\May", "C:\\Windows\\System32\\drivers",
    "E:\\Games\\Doom\\saves", "C:\\Program Files\\Git\\cmd", "D:\\Music\\Queen\\Live", "C:\\Apps\\Editor\\plugins",
]  # fmt: skip
NEEDLESS = [
    ("It's the user's turn.", "'"), ("Total: $40, then $12 more", "$"), ("Run `make` and `make test`.", "`"),
    ("Use **bold** and *light* text.", "*"), ("# Title\n## Part", "#"), ("snake_case_name", "_"),
    ("const url = `${base}/items`;", "`"), ("Don't ask; they'll say it's fine.", "'"), ("R&D & sales", "&"),
    ("1. First\n2. Second", "."), ("a - b - c", "-"), ("~20 minutes, ~3 people", "~"),
]  # fmt: skip
RAW_CODE = [
    ("a.py", 'print("total", "sum")\nrows = {"id": 1, "tags": ["x", "y"]}\n'), ("b.js", 'const a = { "k": "v" };\nif (a["k"] === "v") { run("go"); }\n'),
    ("c.sh", 'echo "Hello, $name"\ncurl -H "Accept: text/html" "$url"\n'), ("d.html", '<a href="/x" title="one, two">Go</a>\n<p class="b">"Hi"</p>\n'),
    ("e.rs", 'let s = format!("{}: {}", "a", "b");\nprintln!("{s}");\n'), ("f.sql", 'SELECT "name", "age" FROM "users" WHERE "age" > 3;\n'),
    ("g.json", '{"type": "object", "required": ["id"]}\n'), ("h.css", 'a[href="x"]::after { content: "}"; }\n'),
]  # fmt: skip
INNER = [
    "He said \"we leave at noon\" and hung up.", "<a href=\"/help\" class=\"link\">Help</a>", "The so-called \"expert\" was wrong.",
    "a 27\" monitor on a 60\" desk", "Her answer, \"no\", was clear.",
    "\"Stop!\" he cried, \"the bridge is out!\" and ran", "Set \"debug\": true in the file.", "The film \"Heat\" (1995) by Mann",
    "It is called \"alpha\", \"beta\", and so on.", "She wrote \"yes\"",
]  # fmt: skip
NAMES = ["Ada", "Bo", "Chloé", "Dmitri", "Eun-ji", "Farid", "Grace", "Hugo", "Ines", "Jonas"]
MARKUP = [
    "Close it with </parameter> and </invoke>.", "<tool_call>{\"name\": \"f\"}</tool_call> starts a call.",
    "<think>plan first</think> is how it reasons.", "Wrap JSON in ```json\n{\"a\": 1}\n``` fences.",
    "The token <|im_end|> ends a turn.", "[TOOL_CALLS] [{\"name\": \"g\"}] is Mistral's form.",
    "<function=search><parameter=q>x</parameter></function>", "<|channel|>final<|message|>Hi", "<arg_key>city</arg_key>",
    "Say <answer>42</answer> at the end.",
]  # fmt: skip


class Case:
    def __init__(self, reply: str, expected: Any, accept: list[Any] | None = None) -> None:
        self.reply, self.expected, self.accept = reply, expected, accept or []


def printed(value: Any, room: int) -> tuple[str, list[Any]]:
    """Returns the text of a value, cut after `room` characters, and the beginnings that it may denote."""
    whole = json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict | list):
        return parts(value, room)
    if len(whole) <= room:
        # A number or word at the very end of the text is read as printed; a number may be omitted.
        is_open = len(whole) == room and isinstance(value, int | float) and not isinstance(value, bool)
        return whole, [value, GONE] if is_open else [value]
    text = whole[:room]
    if not text:
        return text, [GONE]
    if isinstance(value, str):
        body = re.fullmatch(r"((?:[^\\]|\\[^u]|\\u.{4})*)(\\(u.{0,3})?)?", text[1:], re.DOTALL)
        assert body, text
        return text, [json.loads(f'"{body[1]}"')]
    if isinstance(value, bool) or value is None:
        return text, [value, GONE]
    number = re.match(r"-?\d+(\.\d+)?", text)
    return text, [json.loads(number[0]), GONE] if number else [GONE]


def parts(value: Any, room: int) -> tuple[str, list[Any]]:
    """Returns the text of an object or array, cut, and its beginnings."""
    is_object = isinstance(value, dict)
    text, kept = "{" if is_object else "[", {} if is_object else []
    for place, key in enumerate(value if is_object else range(len(value))):
        head = (", " if place else "") + (f"{json.dumps(key, ensure_ascii=False)}: " if is_object else "")
        text += head
        if len(text) >= room:
            return text[:room], [kept]
        tail, beginnings = printed(value[key], room - len(text))
        text += tail
        if len(text) >= room:
            return text, [extended(kept, key, one) for one in beginnings]
        kept = extended(kept, key, value[key])
    return text + ("}" if is_object else "]"), [kept]


def extended(kept: Any, key: Any, value: Any) -> Any:
    if value is GONE:
        return kept
    return {**kept, key: value} if isinstance(kept, dict) else [*kept, value]


def cut(value: Any, room: int) -> Case:
    """Returns a case of a text that ends after `room` characters."""
    text, beginnings = printed(value, room)
    expected, *accept = beginnings
    assert text == json.dumps(value, ensure_ascii=False)[:room]
    return Case(text, expected, accept)


def after(value: Any, mark: str, count: int = 0) -> int:
    """Returns the place after an occurrence of a mark in the text of a value."""
    places = [one.end() for one in re.finditer(re.escape(mark), json.dumps(value, ensure_ascii=False))]
    return places[count % len(places)]


def report(chance: random.Random, **members: Any) -> dict[str, Any]:
    """Returns an object with some ordinary members before the others."""
    value: dict[str, Any] = {}
    for key, kinds in {"id": range(1, 900), "title": ["Draft", "Notes", "Fix 2", "Übersicht"], "author": NAMES, "ok": [True, False], "score": [0.5, 7.25, 12, -3]}.items():  # fmt: skip
        if chance.random() < 0.4:
            value[key] = chance.choice(kinds)
    return value | members


def cut_in_code(chance: random.Random) -> Iterator[Case]:
    marks = ["}", "\\n", ")", ";", "]", "{", "\\n  ", "'", "=", " "]
    for turn in range(35):
        path, code = CODE[turn % len(CODE)]
        file = {"path": path, "content": code}
        value = chance.choice([file, {"files": [{"path": "a.txt", "content": "x"}, file]}, report(chance, tool="write", arguments=file), [file]])
        text = json.dumps(value, ensure_ascii=False)
        start = text.index('"content": "', text.index(path)) + len('"content": "')
        mark = marks[turn // len(CODE) * 2 % len(marks)] if turn % 3 else "}"
        places = [one.end() for one in re.finditer(re.escape(mark), text[: text.rindex('"')]) if one.end() > start + 8]
        case = cut(value, chance.choice(places) if places else start + 20)
        yield with_raw_lines(case) if turn % 5 == 3 else case


def cut_in_raw_code(chance: random.Random) -> Iterator[Case]:
    """The quotes in the code have no backslash, and the text ends in the code."""
    for turn in range(10):
        path, code = RAW_CODE[turn % len(RAW_CODE)]
        room = chance.choice([one.end() for one in re.finditer(r"[})\];]|\w\b", code) if one.end() > 12])
        yield Case(f'{{"path": "{path}", "code": "' + code[:room].replace("\n", "\\n"), {"path": path, "code": code[:room]})


def cut_in_prose(chance: random.Random) -> Iterator[Case]:
    for turn in range(20):
        value = report(chance, summary=PROSE[turn % len(PROSE)], tags=["a", "b"])
        text = json.dumps(value, ensure_ascii=turn % 5 == 4)
        start = text.index('"summary": "') + 12
        escapes = [one.end() for one in re.finditer(r"\\", text[start:])]
        room = start + (chance.choice(escapes) if escapes and turn % 2 else chance.randrange(4, 60))
        if turn % 5 == 4:
            # Also where characters are written as escapes: after each part of one.
            value = {"summary": "Caf\u00e9 \u2013 \u6771\u4eac"}
            text = json.dumps(value)
            room = after_ascii(text, turn // 5)
            body = re.sub(r"\\(u.{0,3})?$", "", text[:room])
            yield Case(text[:room], json.loads(body + '"}'))
        else:
            case = cut(value, room)
            yield with_raw_lines(case) if turn % 4 == 2 else case


def with_raw_lines(case: Case) -> Case:
    """Returns a case whose line feeds aren't escaped."""
    return Case(re.sub(r"(?<!\\)\\n", "\n", case.reply), case.expected, case.accept)


def after_ascii(text: str, turn: int) -> int:
    return text.index("\\u", len(text) // 2 - 4) + 1 + turn


def cut_in_latex(chance: random.Random) -> Iterator[Case]:
    for turn in range(15):
        value = report(chance, steps=[LATEX[turn % len(LATEX)], LATEX[(turn + 3) % len(LATEX)]], answer="x")
        if turn % 2:
            yield cut(value, after(value, "\\\\", chance.randrange(1, 9)) + turn % 4)
            continue
        # One level of escaping is forgotten, and the text ends after an unknown escape.
        line = ["Let $\\alpha", "\\[ \\int_0^1", "$\\sin^2", "$\\vec{v}"][turn // 2 % 4] + " + \\frac{1}{2} \\times \\beta"
        line = line[: len(line) - turn // 2]
        text = json.dumps({"answer": line}, ensure_ascii=False)[:-2].replace("\\\\", "\\")
        yield Case(text, {"answer": line.removesuffix("\\")})


def cut_between(chance: random.Random) -> Iterator[Case]:
    value = {"name": "Hugo", "age": 41, "active": True, "email": None, "address": {"city": "Łódź", "zip": 90001}, "ratio": -12.5, "tags": ["x", "y"], "done": False}  # fmt: skip
    marks = ['"age"', '"age":', '"age": ', '"age": 4', '"age": 41', '41,', '41, ', '41, "act', '"active": t', "tru", "true", '"email": n',
             '"address": {', '{"city', '"city": "', "900", '"ratio": -', "-12.", '["x", ', '"done": fals']  # fmt: skip
    for mark in marks:
        yield cut(value, after(value, mark))


def cut_in_rows(chance: random.Random) -> Iterator[Case]:
    for turn in range(10):
        rows = [{"id": n, "name": chance.choice(NAMES), "at": [n * 2, n / 4]} for n in range(1, 12)]
        value = rows if turn % 2 else {"rows": [[*row.values()] for row in rows]}
        case = cut(value, chance.randrange(120, len(json.dumps(value, ensure_ascii=False)) - 30))
        if turn % 5 > 2:
            # Rows as tuples, in a list.
            head, rest = re.match(r"(\[|\{\"rows\": \[)(.*)", case.reply).groups()
            case.reply = head + rest.replace("[", "(").replace("]", ")")
        elif turn % 5 == 2:
            case.reply = case.reply.replace('"', "'")
        yield case


def cut_in_fence(chance: random.Random) -> Iterator[Case]:
    heads = ["```json\n", "Here is the file:\n\n```json\n", "<think>\nA {short} plan.\n</think>\n\n```json\n", "Sure.\n```\n", "<think>ok</think>"]
    for turn, case in enumerate([*cut_in_code(chance)][4:34:3]):
        case.reply = heads[turn % len(heads)] + case.reply
        yield case


def damaged(value: Any, old: str, new: str, count: int = -1) -> Case:
    text = json.dumps(value, ensure_ascii=False)
    assert old in text, (old, text)
    return Case(text.replace(old, new, count), value)


def latex(chance: random.Random) -> Iterator[Case]:
    for turn in range(30):
        lines = [LATEX[turn % len(LATEX)]]
        # Two backslashes are LaTeX's own line break, and one of them is left where one level is forgotten.
        if "\\\\" in lines[0]:
            lines = ["$\\vec{v} = \\sqrt{5}$ and $\\bar{x} \\approx \\mu$"]
        if turn >= 10:
            lines.append(["So $\\beta > \\gamma$.", "Use \\textbf{all} \\delta.", "Here $\\rho \\ll \\nu \\phi$."][turn % 3])
        value = report(chance, answer=lines[0] if turn < 10 else lines, unit="cm")
        yield damaged(value, "\\\\", "\\")


def regex(chance: random.Random) -> Iterator[Case]:
    for pattern in REGEX:
        yield damaged(report(chance, pattern=pattern, flags="g"), "\\\\", "\\")


def paths(chance: random.Random) -> Iterator[Case]:
    for path in PATHS:
        value = report(chance, path=path, exists=True)
        text = json.dumps(value, ensure_ascii=False)
        # The two backslashes before a server are written in full.
        yield Case(re.sub(r"(?<!\\)\\\\(?!\\)", r"\\", text), value)


def needless(chance: random.Random) -> Iterator[Case]:
    for text, mark in NEEDLESS:
        yield damaged(report(chance, reply=text, lang="en"), mark, "\\" + mark) if mark not in ".-" else Case(
            '{"reply": ' + json.dumps(text).replace(mark, "\\" + mark) + "}", {"reply": text}
        )


def raw(chance: random.Random) -> Iterator[Case]:
    for turn in range(13):
        text = CODE[turn % 5][1] if turn % 2 else PROSE[[3, 5, 7][turn % 3]]
        value = report(chance, text=text, next="none")
        written = json.dumps(value, ensure_ascii=False)
        yield Case(written.replace("\\n", "\n").replace("\\t", "\t"), value)


def inner(chance: random.Random) -> Iterator[Case]:
    for text in INNER:
        value = report(chance, text=text, next=chance.choice(NAMES))
        yield Case(json.dumps(value, ensure_ascii=False).replace('\\"', '"'), value)


def raw_code(chance: random.Random) -> Iterator[Case]:
    for path, code in RAW_CODE:
        value = {"path": path, "code": code, "done": True}
        yield Case(json.dumps(value, ensure_ascii=False).replace('\\"', '"'), value)


def other_quotes(chance: random.Random) -> Iterator[Case]:
    for open_quote, close_quote in ("''", "“”", "“”", "``"):
        value = report(chance, name=chance.choice(NAMES), note="it's fine, isn't it" if open_quote == "“" else "fine (so far)")
        text = json.dumps(value, ensure_ascii=False)
        yield Case(re.sub('"([^"]*)"', lambda one: open_quote + one[1] + close_quote, text), value)


def missing_quote(chance: random.Random) -> Iterator[Case]:
    for turn in range(8):
        value = {"city": "Oslo", "mood": "calm and clear", "n": turn, "last": "end"}
        text = json.dumps(value, indent=2 if turn % 2 else None)
        places = ['clear"', '"calm', '"city', 'Oslo"'][turn // 2 :][:1]
        yield Case(text.replace(places[0], places[0].replace('"', ""), 1), value)


def commas(chance: random.Random) -> Iterator[Case]:
    for turn in range(10):
        value = report(chance, list=["a", {"b": 1}, {"b": 2}], name=chance.choice(NAMES), n=turn)
        text = json.dumps(value, ensure_ascii=False, indent=2 if turn % 2 else None)
        change = [('"list": ["a",', '"list": ["a"'), ("},", "}"), (r'],(\s*)"name"', r']\1"name"'), (r"(\s*)\}$", r",\1}"), (r"(\s*)\](,\s*\"name)", r",\1]\2")][turn % 5]
        pattern = change[0] if turn % 5 > 1 else re.escape(change[0]).replace(r"\ ", r"\s*").replace(r"\[", r"\[\s*")
        new = re.sub(pattern, change[1], text, count=1)
        assert new != text, (text, change)
        yield Case(new, value)


def odd_separators(chance: random.Random) -> Iterator[Case]:
    items = [{"name": name, "price": n + 0.99} for n, name in enumerate(NAMES)]
    for turn in range(3):
        text = json.dumps({"items": items}, ensure_ascii=False)
        yield Case(text.replace('"price": ', '"price">', turn + 1), {"items": items})


def brackets(chance: random.Random) -> Iterator[Case]:
    for turn in range(10):
        value = {"rows": [{"id": 1, "tags": ["x", "y"]}, {"id": 2, "tags": ["z"]}], "count": 2, "next": {"page": turn}}
        text = json.dumps(value, indent=2 if turn % 2 else None)
        change = [('"y"]', '"y"'), ("}}", "}}}"), ('"z"]}]', '"z"]}'), ('"z"]}', '"z"]]'), (": 2, \"next\"", ": 2}, \"next\"")][turn // 2]
        pattern = r"\s*".join(re.escape(sign) for sign in change[0].replace(" ", ""))
        if turn % 2:
            pattern, change = [(r'"y"\s*\]', ("", '"y"')), (r"\}\s*\}$", ("", "}\n}\n}")), (r'"z"\s*\]\s*\}\s*\]', ("", '"z"\n      ]\n    }')), (r'"z"\s*\]\s*\}', ("", '"z"\n      ]\n    ]')), (r'"count": 2', ("", '"count": 2\n}'))][turn // 2]
        new = re.sub(pattern, change[1], text, count=1)
        assert new != text, (text, pattern)
        yield Case(new, value)


def several(chance: random.Random) -> Iterator[Case]:
    """Long lists with the same damage again and again, or with different kinds of it."""
    items = [{"id": n, "name": name, "note": "fine, thanks", "ok": n % 3 > 0} for n, name in enumerate(NAMES)]
    text = json.dumps({"items": items}, ensure_ascii=False)
    for old, new in (('"name": ', 'name: "'), ('"},', '"'), ("}, {", "} {")):
        damage = text.replace(old, new)
        if old == '"name": ':
            damage = text.replace('"name": "', "'name': '").replace('", "note"', "', note").replace(": true", ": True,")
        elif old == '"},':
            damage = re.sub(r"(\w)\}, \{", r"\1, {", text, count=3).replace("false", "False")
        yield Case(damage, {"items": items})


def comments(chance: random.Random) -> Iterator[Case]:
    for comment in ("// per person", "# see http://x.org/{id}", "/* {old: 1}, */", "// TODO: \"limit\"?"):
        value = {"limit": 5, "sort": "asc"}
        yield Case(f'{{\n  "limit": 5, {comment}\n  "sort": "asc"\n}}', value)


def python(chance: random.Random) -> Iterator[Case]:
    for turn in range(4):
        value = report(chance, user=chance.choice(NAMES), note=["it's late", "a \"b\" c", "plain"][turn % 3], active=turn % 2 == 0, last=None)
        yield Case(repr(value), value)


def tuples(chance: random.Random) -> Iterator[Case]:
    rows = [["Age (22)", "low", "young, but employed"], ["Build (6'1\", 230 lbs)", "medium", "no clear link"], ["Home", "high", "moved \"often\", alone"], ["Work", "low", "2 jobs"]]  # fmt: skip
    value = {"factors": rows, "answer": "yes", "score": 70}

    def written(text: str, *damage: tuple[str, str]) -> Case:
        for old, new in damage:
            assert old in text, old
            text = text.replace(old, new, 1)
        return Case(text, value)

    lines = ",\n".join("    (" + json.dumps(row, ensure_ascii=False)[1:-1] + ")" for row in rows)
    text = f'{{\n  "factors": [\n{lines}\n  ],\n  "answer": "yes",\n  "score": 70\n}}'
    inches, often = ('1\\"', '1"'), ('\\"often\\"', '"often"')
    yield written(text)
    yield written(text, inches)
    yield written(text, often)
    yield written(text, inches, often)
    # A row without its closer.
    yield written(text, ('employed")', 'employed"'))
    yield written(text, ('link")', 'link"'), ('  "answer"', "  'answer'"))
    yield written(text, ('2 jobs")\n  ]', '2 jobs"]\n  ]'))
    yield Case(repr([tuple(row) for row in rows]), rows)


def sets(chance: random.Random) -> Iterator[Case]:
    for turn in range(3):
        names = NAMES[turn : turn + 3]
        inside = json.dumps(names, ensure_ascii=False)[1:-1]
        yield Case(f'{{"names": {{{inside}}}, "n": {turn}}}', {"names": names, "n": turn})


def thoughts(chance: random.Random) -> Iterator[Case]:
    heads = [
        "<think>The user wants {name}. Maybe {\"name\": \"Bo\"}?</think>\n", "<think>\nTry [1, 2] first.\n", "Let me think. The keys are [name] and {age}.\n\n",
        "<thinking>{\"name\": \"?\", \"age\": 0}</thinking>", "We need JSON with {name, age}. I'll check: age is 30 [as given].\n",
        "<reasoning>Option A: {\"name\": \"A\"}. Option B is better.</reasoning>\n\nHere:\n", "**Plan**: fill in {...}.\n\n```json\n", "◁think▷ {\"name\": 1} ◁/think▷",
    ]  # fmt: skip
    for turn, head in enumerate(heads):
        value = {"name": chance.choice(NAMES), "age": 30 + turn}
        tail = "\n```" if "```" in head else "</think>" if head.startswith("<think>\nTry") else ""
        before = head + tail if tail == "</think>" else head
        yield Case(before + json.dumps(value, ensure_ascii=False) + ("" if tail == "</think>" else tail), value)


def drafts(chance: random.Random) -> Iterator[Case]:
    for first, then in [
        ("Draft: ", "\n\nFinal answer: "), ("", "\n\nWait, the age is wrong. Corrected:\n"), ("First attempt:\n", "\nThat misses a year. Final version:\n"),
        ("Example of the format: ", "\n\nYour data: "), ("```json\n", "\n```\nOops, a typo. Here is the corrected JSON:\n```json\n"), ("Initially I had ", ", but the correct answer is "),
    ]:  # fmt: skip
        value, old = {"name": "Ines", "age": 31}, {"name": "Ines", "age": 13}
        fence = "\n```" if "```" in first else ""
        yield Case(first + json.dumps(old) + then + json.dumps(value) + fence, value)


def closing_tags(chance: random.Random) -> Iterator[Case]:
    for text in ('<answer>{"a": "x", "b": [1, 2]</answer>', '{"a": "x", "b": [1, 2]}\n</tool_call>', '{"a": "x", "b": [1, 2</parameter>\n</function>'):
        yield Case(text, {"a": "x", "b": [1, 2]})


def markup(chance: random.Random) -> Iterator[Case]:
    for turn, text in enumerate(MARKUP[:8]):
        value = report(chance, content=text, n=turn)
        written = json.dumps(value, ensure_ascii=False)
        # Valid JSON, or with one more damage that is clear.
        yield Case([written, written[:-1] + ",}", f"```json\n{written}\n```", written.replace('"n"', "n")][turn % 4], value)


def grouped(chance: random.Random) -> Iterator[Case]:
    for text, number in (("102,000", 102_000), ("1,250,000", 1_250_000), ("3,400.50", 3400.5)):
        yield Case(f'{{"city": "Oslo", "cost": {text}, "year": 2024}}', {"city": "Oslo", "cost": number, "year": 2024})


def stray(chance: random.Random) -> Iterator[Case]:
    for text in ('{"x": 12", "y": 7}', '{"x": 12, "y": 7"}'):
        yield Case(text, {"x": 12, "y": 7})


# A class, its rule, what the report must state, and its cases.
CLASSES = {
    "cut_in_code": ("R6", "truncated", cut_in_code), "cut_in_raw_code": ("R22", "truncated", cut_in_raw_code), "cut_in_prose": ("R7", "truncated", cut_in_prose), "cut_in_latex": ("R7", "truncated", cut_in_latex),
    "cut_between": ("R8", "truncated", cut_between), "cut_in_rows": ("R5", "truncated", cut_in_rows), "cut_in_fence": ("R6", "truncated", cut_in_fence),
    "latex": ("R17", "repaired", latex), "regex": ("R15", "repaired", regex), "paths": ("R15", "repaired", paths),
    "needless_escapes": ("R16", "repaired", needless), "raw_lines": ("R14", "repaired", raw),
    "inner_quotes": ("R22", "repaired", inner), "raw_code": ("R22", "repaired", raw_code), "other_quotes": ("R23", "repaired", other_quotes), "missing_quotes": ("R24", "repaired", missing_quote),
    "commas": ("R31", "repaired", commas), "odd_separators": ("R33", "repaired", odd_separators), "brackets": ("R34", "repaired", brackets),
    "several": ("R34", "repaired", several), "comments": ("R36", "repaired", comments), "python": ("R40", "repaired", python), "tuples": ("R41", "repaired", tuples), "sets": ("R41", "repaired", sets),
    "thoughts": ("R48", "", thoughts), "drafts": ("R49", "chosen", drafts), "closing_tags": ("R52", "", closing_tags), "markup_in_values": ("R53", "", markup),
    "grouped_digits": ("R44", "repaired", grouped), "stray_after_number": ("R39", "repaired", stray),
}  # fmt: skip


def has_hidden(text: str) -> bool:
    """Whether a text is written with escapes: see crates/llmjson/tests/support/cases.rs."""
    lines = text.split("\n")
    odd = any(line.startswith(("== ", "--- ")) or line.endswith((" ", "\t")) for line in lines)
    return odd or bool(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]", text))


def escaped(text: str) -> str:
    lines = [line.replace("\\", "\\\\") for line in text.split("\n")]
    ends = [re.sub(r"[ \t]$", lambda one: f"\\u{{{ord(one[0]):x}}}", line) for line in lines]
    return "\n".join(re.sub("^(== |--- )", lambda one: f"\\u{{{ord(one[0][0]):x}}}" + one[0][1:], line) for line in ends)


def part(name: str, text: str) -> str:
    return f"--- {name} (escaped)\n{escaped(text)}\n" if has_hidden(text) else f"--- {name}\n{text}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (rule, reports, cases) in CLASSES.items():
        text = f"--- rule\n{rule}\n" + (f"--- reports\n{reports}\n" if reports else "")
        for number, case in enumerate(cases(random.Random(name)), 1):
            text += f"\n== {number:02} ==\n" + part("reply", case.reply) + part("expected", json.dumps(case.expected, ensure_ascii=False))
            if case.accept:
                text += part("accept", "\n".join(json.dumps(one, ensure_ascii=False) for one in case.accept))
        (FOLDER / f"{name}.cases").write_text(text)


if __name__ == "__main__":
    main()
