//! The output of PHP's `print_r`.

use super::region::Line;
use super::tree::{Name, Part, Value};
use super::{DEPTH, Found, Source, shaped_with};

/// Reads the first array or object.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let Source { text, region, .. } = *source;
    source
        .places
        .charge(2 * (region.lines.last()?.end - region.lines.first()?.start));
    let is_head = |line: &Line| is_head(line.text(text));
    let first = region.lines.iter().position(is_head)?;
    let mut reader = PrintR {
        text,
        lines: &region.lines,
        next: first,
    };
    let value = reader.container(0)?;
    let last = &region.lines[reader.next.saturating_sub(1)];
    Some(shaped_with(
        source,
        value,
        region.lines[first].at..last.end,
        true,
    ))
}

/// Returns `true` if a text is the header of a container.
fn is_head(text: &str) -> bool {
    text == "Array" || text.ends_with(" Object") && !text.starts_with('[')
}

struct PrintR<'r> {
    text: &'r str,
    lines: &'r [Line],
    next: usize,
}

impl PrintR<'_> {
    fn peek(&mut self) -> Option<Part> {
        while self.lines.get(self.next)?.is_blank() {
            self.next += 1;
        }
        let line = &self.lines[self.next];
        Some(line.at..line.end)
    }

    /// Reads a container after its header line.
    fn container(&mut self, depth: usize) -> Option<Value> {
        self.next += 1;
        let open = self.peek()?;
        if depth >= DEPTH || &self.text[open] != "(" {
            return None;
        }
        self.next += 1;
        let mut members = Vec::new();
        loop {
            let part = self.peek()?;
            self.next += 1;
            if &self.text[part.clone()] == ")" {
                break;
            }
            let (name, value) = entry(self.text, &part)?;
            let value = match is_head(&self.text[value.clone()]) {
                true => {
                    self.next -= 1;
                    self.container(depth + 1)?
                }
                false => self.long(value),
            };
            members.push((name, value));
        }
        let numbered = |(index, (name, _)): (usize, &(Part, Value))| {
            self.text[name.clone()].parse() == Ok(index)
        };
        if !members.is_empty() && members.iter().enumerate().all(numbered) {
            let items = members.into_iter().map(|(_, value)| value);
            return Some(Value::List(items.collect()));
        }
        let members = members.into_iter();
        Some(Value::Object(
            members
                .map(|(name, value)| (Name::At(name), value))
                .collect(),
        ))
    }

    /// Reads a string that may extend over several lines.
    fn long(&mut self, part: Part) -> Value {
        let mut end = part.end;
        while let Some(line) = self.lines.get(self.next) {
            let here = line.at..line.end;
            let is_end = &self.text[here.clone()] == ")";
            if line.is_blank() || is_end || entry(self.text, &here).is_some() {
                break;
            }
            end = line.end;
            self.next += 1;
        }
        match part.is_empty() {
            true => Value::Made(String::new()),
            false => Value::Plain(part.start..end),
        }
    }
}

/// Returns the key and the value of a line `[name] => value`. The annotation of private members is
/// not part of the key.
fn entry(text: &str, part: &Part) -> Option<(Part, Part)> {
    let inner = text[part.clone()].strip_prefix('[')?;
    let close = inner.find(']')?;
    let value = inner[close + 1..].trim_start().strip_prefix("=>")?;
    let name = inner[..close].split(':').next().unwrap_or_default();
    let start = part.start + 1;
    let value = part.end - value.trim_start().len()..part.end;
    Some((start..start + name.len(), value))
}
