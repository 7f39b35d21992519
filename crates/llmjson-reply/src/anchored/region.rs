//! The parts of a reply that may hold a value in another notation: each data fence, and the text
//! outside of fences and reasoning.

use std::ops::Range;

use llmjson_syntax::internal::lines;
use llmjson_syntax::internal::zones::{FenceLine, Fences};

/// The languages of fences that contain data or text, in lower case. Others contain programs.
pub(super) const LANGUAGES: &str = "- cfg conf console cson csv data env hjson html ini json json5 \
    jsonc markdown md none output pbtxt php plain plaintext print_r properties proto prototext psv \
    result svg table text textpb textproto toml tsv txt xhtml xml yaml yml";

/// The languages that leave the notation open; `-` means that there is none.
const OPEN: &str = "- console data none output plain plaintext result text txt";

/// Maximum number of fences that are examined.
const FENCES_MAX: usize = 8;

/// A line without surrounding white space.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Offset of the line.
    pub(super) start: usize,
    /// The offset of its first character that is not white space.
    pub(super) at: usize,
    pub(super) end: usize,
    /// The column of that character, from 0.
    pub(super) column: usize,
}

impl Line {
    fn of(text: &str, place: Range<usize>) -> Self {
        let line = &text[place.clone()];
        // Most white space is ASCII, which takes less time.
        let inside = line.trim_ascii_start().trim_start();
        let at = place.start + (line.len() - inside.len());
        let end = place.start + line.trim_ascii_end().trim_end().len();
        let spaces = text[place.start..at].chars();
        Self {
            start: place.start,
            at,
            end: end.max(at),
            column: spaces.map(|c| if c == '\t' { 4 } else { 1 }).sum(),
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.at >= self.end
    }

    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.at..self.end]
    }
}

/// A part of a reply, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    pub(super) lines: Vec<Line>,
    /// The language of the fence in lower case; `None` outside fences.
    pub(super) language: Option<String>,
}

impl Region {
    /// The lines that are not blank.
    pub(super) fn filled(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.is_blank())
    }

    /// Returns `true` if the fence has one of these languages.
    pub(super) fn is(&self, languages: &str) -> bool {
        let language = self.language.as_deref();
        language.is_some_and(|language| {
            let language = if language.is_empty() { "-" } else { language };
            languages.split_whitespace().any(|one| one == language)
        })
    }

    /// Returns `true` if the fence's language leaves its notation open, or there is no fence.
    pub(super) fn is_open(&self) -> bool {
        self.language.is_none() || self.is(OPEN)
    }
}

/// Returns the parts of a reply that may contain a value, fences first, the last of them before the
/// ones that it may correct. Lines in `aside` are excluded, and so are `thoughts`.
pub(super) fn regions(text: &str, aside: &Range<usize>, thoughts: &[Range<usize>]) -> Vec<Region> {
    let mut thoughts = thoughts.iter().peekable();
    let (mut fences, mut outside) = (Vec::<Region>::new(), Region::default());
    let mut walk = Fences::default();
    let mut start = 0;
    for whole in lines(text) {
        let end = start + whole.strip_suffix('\n').unwrap_or(whole).len();
        let mut line = Line::of(text, start..end);
        start += whole.len();
        while thoughts.next_if(|one| one.end <= line.start).is_some() {}
        if let Some(thought) = thoughts.peek().filter(|one| one.start < line.end) {
            match thought.end < line.end && thought.start <= line.at {
                // `</think>` with the answer on the same line.
                true => line = Line::of(text, thought.end..end),
                false => continue,
            }
        }
        let content = line.text(text);
        match walk.line(content) {
            FenceLine::Opens(info) => {
                let language = info.split_whitespace().next().unwrap_or_default();
                fences.push(Region {
                    lines: Vec::new(),
                    language: Some(language.to_ascii_lowercase()),
                });
                // A blank line in its place, which separates the text on both sides.
                outside.lines.push(Line {
                    at: line.end,
                    ..line
                });
            }
            FenceLine::Content if !aside.contains(&line.at) => {
                let open = fences.last_mut().filter(|_| walk.is_open());
                open.unwrap_or(&mut outside).lines.push(line);
            }
            _ => {}
        }
    }
    fences.retain(|region| region.is(LANGUAGES));
    fences.truncate(FENCES_MAX);
    fences.reverse();
    fences.push(outside);
    fences.retain(|region| region.filled().next().is_some());
    for region in &mut fences {
        unquote(text, region);
    }
    fences
}

/// Returns a text as one region.
pub(super) fn whole(text: &str) -> Region {
    let (mut lines, mut start) = (Vec::new(), 0);
    for line in text.split('\n') {
        lines.push(Line::of(text, start..start + line.len()));
        start += line.len() + 1;
    }
    Region {
        lines,
        language: None,
    }
}

/// Skips the quotation mark before each line.
fn unquote(text: &str, region: &mut Region) {
    if !region.filled().all(|line| line.text(text).starts_with('>')) {
        return;
    }
    for line in region.lines.iter_mut().filter(|line| !line.is_blank()) {
        *line = Line::of(text, line.at + 1..line.end);
    }
}

/// Returns the fences of one language as one region, if there are several with one object each:
/// items of an array.
pub(super) fn joined(text: &str, parts: &[Region]) -> Option<Region> {
    let mut fences = parts.iter().rev().filter(|part| part.language.is_some());
    let mut all = fences.next()?.clone();
    let is_list = |region: &Region| {
        let first = region.filled().next();
        first.is_some_and(|line| line.text(text).starts_with(['-', '<', '|', '[']))
    };
    let (mut count, mut listed) = (1, is_list(&all));
    for fence in fences {
        if fence.language != all.language {
            return None;
        }
        listed |= is_list(fence);
        count += 1;
        let end = all.lines.last()?.end;
        // A blank line separates the text on both sides.
        all.lines.push(Line::of(text, end..end));
        all.lines.extend_from_slice(&fence.lines);
    }
    (count > 1 && !listed).then_some(all)
}
