//! Values that are part of something other than a JSON reply: mathematics, a command, a style
//! sheet, or a template that is still to be filled in.

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::before::{Before, last_line};
use crate::reply::lexicon::{
    BESIDE_TYPES, Cue, DATA, MATHEMATICS, PLACEHOLDERS, SHELLS, TYPE_NAMES, cue_of,
};
use crate::reply::says::Stance;
use crate::reply::words::{Mark, Sentence};
use crate::tape::Tag;
use crate::tape::marks::marks_before;
use crate::tape::readings::Reading;
use crate::view::ValueRef;
use crate::zones::lexicon::is_one_of;

/// A list is an interval, a point or a vector only if its text is no longer.
const INTERVAL_BYTES: usize = 48;

/// Number of bytes before a value in which the line of a command is looked at.
const LINE_BYTES: usize = 200;

/// Number of bytes before a value in which the fence around code is looked for.
const CODE_BYTES: usize = 1024;

/// Maximum number of nodes of a value that are looked at to see whether it is a form.
const FORM_NODES: usize = 256;

/// Maximum length of a placeholder in bytes.
const PLACEHOLDER_BYTES: usize = 48;

impl Reader<'_> {
    /// Returns whether a value is part of something else than a reply in JSON: `true` for `[0, 1]` in `x ∈ [0, 1]`.
    pub(crate) fn is_foreign(
        &self,
        value: &Reading,
        before: &Before<'_>,
        words: &Sentence<'_>,
    ) -> bool {
        self.is_mathematics(value, before, words)
            || self.in_shell(value, before)
            || self.look.is_command(value, before)
            || self.look.is_style(value, before)
            || self.is_form(value)
    }

    /// Returns whether a list is an interval or a vector in a text on mathematics: `true` in `the range [0, 1]`,
    /// `$f: [0, 1] \to R$` and `x ∈ [0, 1]^n`.
    fn is_mathematics(&self, value: &Reading, before: &Before<'_>, words: &Sentence<'_>) -> bool {
        let (start, end) = (value.span.start as usize, value.span.end as usize);
        let inside = self.look.text.get(start + 1..end.saturating_sub(1));
        let inside = inside.filter(|inside| inside.len() <= INTERVAL_BYTES);
        let number = |part: &str| {
            let sign = |c: char| c.is_ascii_digit() || ".-+/*\\^_()∞π√".contains(c);
            part.chars().all(sign) || part.chars().count() <= 2
        };
        let numbers =
            inside.is_some_and(|inside| inside.split(',').all(|part| number(part.trim())));
        if self.tape.nodes[value.root as usize].tag != Tag::Array || value.list || !numbers {
            return false;
        }
        // `x ∈ [0, 1]`: only a short list of numbers or single letters comes so far.
        let line = last_line(before.text);
        let behind = self.look.window(end);
        let rest = behind.trim_start();
        let target = |rest: &str| {
            rest.trim_start()
                .starts_with(['[', '\\', 'R', 'ℝ', 'ℂ', 'ℤ', 'ℕ'])
        };
        let arrow = rest.strip_prefix("->").or_else(|| rest.strip_prefix('→'));
        let signs = behind.starts_with('^')
            || MATHEMATICS
                .split(' ')
                .any(|sign| line.ends_with(sign) || rest.starts_with(sign))
            || arrow.is_some_and(target);
        let dollars = line.bytes().filter(|byte| *byte == b'$').count();
        let closed = || behind.lines().next().is_some_and(|line| line.contains('$'));
        let last = words.cues.iter().rfind(|one| one.cue != Cue::Filler);
        let near = last.filter(|one| one.cue == Cue::Range && words.len() - one.end <= 1);
        let named = near.is_some_and(|one| words.parted(one.start, words.len()) == Mark::None);
        signs || dollars % 2 == 1 && closed() || named && before.stance == Stance::Inline
    }

    /// Returns whether a value stands in a code fence of a shell or of styles: `true` of `{"a": 1}` in
    /// ```` ```bash\ncurl -d {"a": 1} ````.
    fn in_shell(&self, value: &Reading, before: &Before<'_>) -> bool {
        let code = self.code_before(value, before);
        code.is_some_and(|(language, _)| is_one_of(SHELLS, language))
    }

    /// Returns whether a value stands in a program, below another line of it: `true` for `{}` in
    /// ```` ```python\nx = 1\ny = {} ````.
    pub(crate) fn in_program(&self, value: &Reading, before: &Before<'_>) -> bool {
        let code = self.code_before(value, before);
        code.is_some_and(|(language, code)| {
            let lines = code.rfind('\n').map_or("", |line| &code[..line]);
            // A fence of `python` with `x = 1` and below it `d = {"a": 1}`: the dictionary belongs to the
            // program.
            !is_data(language) && !lines.trim().is_empty()
        })
    }

    /// Returns the language of the code fence around a value that does not begin it, and the code between them: `sh`
    /// and `\nx` at the end of ```` ```sh\nx ````.
    fn code_before(&self, value: &Reading, before: &Before<'_>) -> Option<(&str, &str)> {
        let start = value.span.start as usize;
        if !value.fenced || before.fenced {
            return None;
        }
        let near = marks_before(&self.readings.marks, start).iter().rev();
        let mut near = near.take_while(|mark| start - mark.start <= CODE_BYTES);
        let fence = near.find(|mark| mark.is_fence())?;
        let code = self.look.text.get(fence.end..start)?;
        self.look.charge(code.len());
        let language = &self.look.text[fence.start..fence.end];
        let language = language.trim_start_matches(['`', '~']);
        let end = language.find(|c: char| !c.is_ascii_alphanumeric());
        Some((&language[..end.unwrap_or(language.len())], code))
    }

    /// Returns whether a value has texts, all of which are names of types or placeholders: `true` of `{"a": "string"}`.
    fn is_form(&self, value: &Reading) -> bool {
        let span = self.look.text.get(value.span.range()).unwrap_or_default();
        if span.starts_with("{{") && span.ends_with("}}") {
            return !span.contains(['"', ':']);
        }
        if value.list {
            return false;
        }
        let root = value.root as usize;
        let last = (self.tape.after(value.root) as usize).min(root + FORM_NODES);
        let mut texts = (root..last).filter(|index| self.tape.nodes[*index].tag == Tag::String);
        self.look.charge(last - root);
        let placeholder = |index: usize| {
            let text = ValueRef::new(self.tape, self.look.text, index as u32);
            text.as_str().is_some_and(|text| is_placeholder(&text))
        };
        texts.next().is_some_and(placeholder) && texts.all(placeholder)
    }
}

impl Look<'_> {
    /// Returns whether a value stands in a command of a shell, behind an option or in quotes on the line of a program:
    /// `true` for `{}` in `curl '{}'`.
    fn is_command(&self, value: &Reading, before: &Before<'_>) -> bool {
        let start = value.span.start as usize;
        if before.fenced {
            return false;
        }
        let from = start.saturating_sub(LINE_BYTES);
        let line = self.text.get(from..start).map_or(before.text, last_line);
        self.charge(line.len());
        let parts = || line.split_ascii_whitespace();
        let command = |part: &str| {
            let end = |c: char| !(c.is_alphanumeric() || c == '_');
            let mut words = part.split(end).filter(|word| !word.is_empty());
            words
                .next()
                .is_some_and(|word| cue_of(word) == Some(Cue::Command))
        };
        let mut names = parts().skip_while(|part| matches!(*part, "$" | "%" | ">" | "-" | "`"));
        let program = names.next().is_some_and(command);
        let option = |part: &str| {
            part.starts_with('-')
                && part
                    .trim_start_matches('-')
                    .starts_with(char::is_alphabetic)
        };
        let options = parts().any(option);
        let quoted = self.text[..start].ends_with(['\'', '"']);
        // `curl -d '{"a": 1}' http://x`: the value is an argument of the command, and the answer is the
        // command.
        program && (options || quoted) || options && (quoted || parts().any(command))
    }

    /// Returns whether an object is a rule of a style sheet, with names without quotes and semicolons between the
    /// members: `true` of `h1 {color: red;}`.
    fn is_style(&self, value: &Reading, before: &Before<'_>) -> bool {
        let (start, end) = (value.span.start as usize, value.span.end as usize);
        let window = self.window(start);
        let inside = window.get(..end.saturating_sub(start)).unwrap_or(window);
        let inside = inside.strip_prefix('{').unwrap_or_default().trim_start();
        let name = inside
            .find(|c: char| !c.is_ascii_lowercase() && c != '-')
            .unwrap_or(0);
        let (property, rest) = inside.split_at(name);
        if name < 2 || !rest.starts_with(':') || rest.starts_with("::") {
            return false;
        }
        let line = rest.find(['\n', '}']).map_or(rest, |end| &rest[..end]);
        let plain = !line.contains(['"', '{', '[', ',']);
        let selector =
            before.stance == Stance::Inline && self.text[..start].ends_with([' ', ')', ']']);
        plain && (line.contains(';') || selector && property.contains('-'))
    }
}

/// Returns whether a code fence of a language holds data or text, and no program: `json`, and none.
pub(crate) fn is_data(language: &str) -> bool {
    language.is_empty() || is_one_of(DATA, language)
}

/// Returns whether a text is the name of a type or stands for a text that is still to be put in: `true` of `string`
/// and of `<name>`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.len() > PLACEHOLDER_BYTES {
        return false;
    }
    let pairs = PLACEHOLDERS.iter();
    let within = pairs.filter_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let mut within = within.filter(|inner| !inner.contains(['<', '"']));
    let within = within.any(|inner| inner.starts_with(char::is_alphabetic));
    let parts = || {
        let parts = text.split(['|', ' ', '?', '[', ']', '(', ')', '<', '>']);
        parts.filter(|part| !part.is_empty())
    };
    let known = |part: &str| is_one_of(TYPE_NAMES, part);
    let linking = |part: &str| is_one_of(BESIDE_TYPES, part);
    // Names and sentences are none at first sight.
    let plain = |part: &str| part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let types = parts().all(plain)
        && parts().all(|part| known(part) || linking(part))
        && parts().any(known);
    let dots = text
        .chars()
        .all(|c| matches!(c, '.' | '…' | '_' | 'x' | 'X'))
        && text.len() > 1;
    let own = ["your", "insert", "enter"].iter().any(|begin| {
        let rest = text
            .get(..begin.len())
            .filter(|start| start.eq_ignore_ascii_case(begin));
        rest.is_some() && text[begin.len()..].starts_with(['_', '-']) && !text.contains(' ')
    });
    within || types || dots || own
}
