//! Arrays of scalars in a notation that nobody named, and scalars in wrappers.

use super::delimiters::Delimiters;
use super::html::unescaped;
use super::induced::Induced;
use super::key::bullet;
use super::scalars::{self, quoted, trimmed};
use super::tree::{Part, Value};
use super::values::balanced;

/// Maximum number of bytes before and after a quoted string that may be its wrapper.
const WRAPPER: usize = 24;

/// Returns the text within the brackets around a part and the words before them: `a, b` for
/// `listOf(a, b)`.
pub(super) fn unwrapped(text: &str, part: Part) -> Part {
    let part = trimmed(text, part);
    let inner = &text[part.clone()];
    let open = inner.find(['(', '[', '{']).filter(|at| *at <= WRAPPER);
    let Some(open) = open.filter(|_| inner.ends_with([')', ']', '}'])) else {
        return part;
    };
    let is_type = |c: char| c.is_alphanumeric() || "_.:<>!#@$%&' \n".contains(c);
    let within = &inner[open + 1..inner.len() - 1];
    match inner[..open].chars().all(is_type) && balanced(within).len() == within.len() {
        true => trimmed(text, part.start + open + 1..part.end - 1),
        // `[]string{"a"}`
        false if inner[open..].starts_with("[]") => {
            let rest = unwrapped(text, part.start + open + 2..part.end);
            if rest.end < part.end { rest } else { part }
        }
        false => part,
    }
}

/// Returns the string in a part that consists of one quoted string and its wrapper: `a` for
/// `"a".to_string()`.
pub(super) fn quoted_within(text: &str, part: &Part) -> Option<Value> {
    let inner = &text[part.clone()];
    let open = inner
        .find(['"', '\'', '“', '`'])
        .filter(|at| *at <= WRAPPER)?;
    let before = &inner[..open];
    let wraps = |c: char| c.is_alphanumeric() || "_.:#@$&!<>()*; ".contains(c);
    let opens = before.is_empty()
        || before.ends_with(['(', '<', '@', '#', '$', '&'])
        || before.len() < 3 && !before.contains(' ');
    (opens && before.chars().all(wraps)).then_some(())?;
    let from = part.start + open..part.end;
    let (value, end) = quoted(text, &from)?;
    let behind = &text[end..part.end];
    // `"a"  # a comment`
    let ends = behind.trim_start().starts_with("# ") && !behind.contains('\n');
    let ends =
        ends || behind.len() <= WRAPPER && behind.chars().all(|c| c == '/' || wraps(c) && c != ' ');
    (ends && !behind.starts_with(char::is_alphanumeric)).then_some(value)
}

/// Reads the items of an array of scalars.
pub(super) fn list(reader: &Induced<'_, '_>, part: Part, signs: &Delimiters) -> Option<Value> {
    let text = reader.text;
    let whole = trimmed(text, part);
    let mut part = unwrapped(text, whole.clone());
    if part != whole {
        part = unwrapped(text, part);
    }
    let inner = &text[part.clone()];
    if inner.is_empty() {
        return Some(Value::List(Vec::new()));
    }
    if let Some(Value::Text(inside)) = quoted_within(text, &part).filter(|_| part == whole) {
        return Some(Value::Plain(inside));
    }
    if let Some(items) = quoted_items(text, &part) {
        return Some(Value::List(items));
    }
    if let Some(items) = elements(text, &part) {
        return Some(Value::List(items));
    }
    let lines: Vec<&str> = inner
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.len() > 1
        || lines
            .iter()
            .any(|line| bullet(line).is_some() || line.starts_with('[') && is_counted(line))
    {
        return Some(Value::List(by_lines(text, &lines)));
    }
    let sign = [",", ";", "|", " "]
        .into_iter()
        .find(|sign| inner.contains(sign));
    let spaced = sign == Some(" ") && signs.sign == " ";
    reader.doubtful.set(reader.doubtful.get() || spaced);
    if part == whole && !spaced {
        // Delimiters of items are found with the schema.
        return Some(match signs.sign.starts_with('>') {
            true => unescaped_in(text, part),
            false => Value::Plain(part),
        });
    }
    let mut at = part.start;
    let items = inner.split(sign.unwrap_or("\n")).map(|one| {
        let item = trimmed(text, at..at + one.len());
        at += one.len() + 1;
        scalars::read(text, item)
    });
    Some(Value::List(items.collect()))
}

/// Returns the items of an array of quoted strings, with only punctuation between them.
fn quoted_items(text: &str, part: &Part) -> Option<Vec<Value>> {
    let (mut items, mut at) = (Vec::new(), part.start);
    loop {
        let rest = &text[at..part.end];
        let Some(open) = rest.find(|c: char| !(c.is_whitespace() || ",;|:<>@#-".contains(c)))
        else {
            break;
        };
        let (value, end) = quoted(text, &(at + open..part.end))?;
        items.push(value);
        at = end;
    }
    (!items.is_empty()).then_some(items)
}

/// Returns the items of an array of elements: `<tag>a</tag>`.
fn elements(text: &str, part: &Part) -> Option<Vec<Value>> {
    let inner = &text[part.clone()];
    let word = |text: &str| {
        text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .unwrap_or(text.len())
    };
    let mark = inner.chars().next().filter(|mark| "<[{".contains(*mark))?;
    let name = &inner[1..1 + word(&inner[1..])];
    let shut = inner[1 + name.len()..]
        .chars()
        .next()
        .filter(|mark| ">]}".contains(*mark))?;
    let (open, close) = (
        format!("{mark}{name}{shut}"),
        format!("{mark}/{name}{shut}"),
    );
    let (mut items, mut at) = (Vec::new(), part.start);
    while at < part.end {
        let rest = &text[at..part.end];
        let begun = rest.trim_start();
        if begun.is_empty() {
            break;
        }
        let from = part.end - begun.strip_prefix(&*open)?.len();
        let end = from + text[from..part.end].find(&*close)?;
        items.push(unescaped_in(text, trimmed(text, from..end)));
        at = end + close.len();
    }
    (!items.is_empty()).then_some(items)
}

/// Returns the text of an element.
pub(super) fn unescaped_in(text: &str, part: Part) -> Value {
    match text[part.clone()].contains('&') {
        true => Value::Made(unescaped(&text[part])),
        false => Value::Plain(part),
    }
}

/// Returns `true` if a line begins with the number of an item: `[0] => a`.
fn is_counted(line: &str) -> bool {
    let digits = line.trim_start_matches(['[', '(']);
    let sign = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    sign.len() < digits.len() && sign.starts_with([']', ')', '.', ' ', '=', ':']) && sign.len() > 1
}

/// Returns the items of an array, line by line.
fn by_lines(text: &str, lines: &[&str]) -> Vec<Value> {
    let parted = lines[..lines.len() - 1]
        .iter()
        .all(|line| line.ends_with([',', ';']));
    let numbered = |line: &str| {
        let rest = line
            .trim_start_matches(['[', '('])
            .trim_start_matches(|c: char| c.is_ascii_digit());
        let sign = rest
            .trim_start_matches([']', ')', '.', ' '])
            .trim_start_matches(['=', '>', ':']);
        line.len() - sign.trim_start().len()
    };
    let counted = lines
        .iter()
        .all(|line| is_counted(line) && numbered(line) > 1);
    let marked = lines.iter().all(|line| bullet(line).is_some());
    let items = lines.iter().map(|line| {
        let skipped = match (marked, counted) {
            (true, _) => bullet(line).unwrap_or_default(),
            (_, true) => numbered(line),
            _ => {
                line.len()
                    - line
                        .trim_start_matches(|c: char| {
                            !c.is_alphanumeric() && !"\"'([{$€£".contains(c)
                        })
                        .len()
            }
        };
        let item = &line[skipped..];
        let item = if parted {
            item.trim_end_matches([',', ';'])
        } else {
            item
        };
        let start = item.as_ptr() as usize - text.as_ptr() as usize;
        let part = start..start + item.len();
        quoted_within(text, &part).unwrap_or_else(|| scalars::read(text, part))
    });
    items.collect()
}
