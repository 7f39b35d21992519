"""Results as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ._llmjson import Parsed

_SHOWN_MAX = 20_000
_COLOURS = {"certain": "#d6f5d6", "likely": "#fff2b3", "guess": "#ffd6cc"}


def of_parsed(parsed: Parsed) -> str:
    """Returns the reply with each repair marked in place, what was coerced, and what does not fit."""
    source = parsed.source
    marked = ""
    if isinstance(source, str):
        marked = _marked(source, parsed)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        # Offsets of bytes: marked in the bytes, one character each, then shown as UTF-8.
        marked = _marked_bytes(bytes(cast(bytes, source)), parsed)
    lines = [f"<b>{escape(_summary(parsed))}</b>"]
    if marked:
        lines.append(f'<pre style="white-space:pre-wrap">{marked}</pre>')
    changes = [
        f"<li><code>{escape(one.path)}</code>: {escape(_short(one.before))} → "
        f"{escape(_short(one.after))} <i>({escape(one.sentence)}, {one.certainty})</i></li>"
        for one in parsed.coercions[:40]
    ]
    wrong = [
        f"<li>❌ <code>{escape(one.path)}</code>: {escape(_short(one.value))}, expected "
        f"{escape(one.expected)}</li>"
        for one in parsed.violations[:40]
    ]
    if changes or wrong:
        lines.append(f"<ul>{''.join(changes + wrong)}</ul>")
    value = parsed.to_json(pretty=True)
    if value is not None:
        lines.append(f'<pre style="white-space:pre-wrap">{escape(value[:_SHOWN_MAX])}</pre>')
    return "".join(lines)


def _marked(text: str, parsed: Parsed) -> str:
    shown: list[str] = []
    at = 0
    for repair in sorted(parsed.repairs, key=lambda one: (one.start, -one.end)):
        if repair.start < at or repair.start > _SHOWN_MAX:
            continue
        shown.append(escape(text[at : repair.start]))
        inside = escape(text[repair.start : repair.end]) or "⎵"
        title = escape(f"{repair.sentence} ({repair.kind}, {repair.certainty})", quote=True)
        colour = _COLOURS[repair.certainty]
        shown.append(f'<mark style="background:{colour}" title="{title}">{inside}</mark>')
        at = repair.end
    shown.append(escape(text[at : max(at, _SHOWN_MAX)]))
    if len(text) > max(at, _SHOWN_MAX):
        shown.append("…")
    return "".join(shown)


def _marked_bytes(source: bytes, parsed: Parsed) -> str:
    # As Latin-1 each byte is a character, so that offsets stay; escaping leaves other bytes alone.
    marked = _marked(source.decode("latin-1"), parsed)
    plain = marked.replace("⎵", "\\x23b5").replace("…", "...")
    return plain.encode("latin-1", "replace").decode("utf-8", "replace").replace("\\x23b5", "⎵")


def _summary(parsed: Parsed) -> str:
    if not parsed.found:
        return "no JSON value"
    fits = "ok" if parsed.ok else "not ok"
    cut = "" if parsed.complete else ", cut off"
    return f"{fits}{cut}, {parsed.certainty}"


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
