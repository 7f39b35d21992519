//! Tags whose syntax differs from XML.

use super::extent::closing_bracket;
use super::{BANG, CLOSE, Miss, OPEN, SEPARATOR, Tag, within};

/// The names of tags to which a model's checkpoint may add a word: `<arg_key:opensource>`.
const SUFFIXED: &[&str] = &["arg_key", "arg_value", "think", "tool_call", "tool_calls"];

impl<'t> Tag<'t> {
    /// `<![name>{…}`: the marker before the name of a tool and its bracket.
    pub(super) fn banged(text: &'t str, start: usize, named: &str) -> Result<Self, Miss> {
        let length = named
            .find(['>', '<', '\n', '[', ']'])
            .ok_or(Miss::from(named.len()))?;
        let behind = named[length..].trim_start_matches('>').trim_start();
        if length == 0 || !behind.starts_with(['{', '<']) {
            return Err(Miss::from(length + 1));
        }
        let end = start + 1 + BANG.len();
        Ok(Self::over(text, (start, end), BANG, "", false))
    }

    /// `<|open|>call tool="name"<|sep|>` and `<|close|>call<|sep|>`. The name is `open|>call`.
    pub(super) fn separated(text: &'t str, start: usize) -> Result<Self, Miss> {
        let inner = within(text, start + 1);
        let length = inner.find(SEPARATOR).ok_or_else(|| {
            let stop = inner.find(['<', '\n']).unwrap_or(inner.len());
            Miss {
                looked: inner.len(),
                goes_on: SEPARATOR.starts_with(&inner[stop..]),
            }
        })?;
        let is_closing = inner.starts_with(CLOSE);
        let bars = if is_closing { CLOSE } else { OPEN };
        let written = &inner[..length];
        if written.contains(['<', '\n']) {
            return Err(Miss::from(length));
        }
        let word = written[bars.len()..].find(' ');
        let word = word.map_or(length, |word| bars.len() + word);
        let end = start + 1 + length + SEPARATOR.len();
        let (name, attributes) = (&written[1..word], &written[word..]);
        Ok(Self::over(text, (start, end), name, attributes, is_closing))
    }

    /// `< | DSML | invoke name="…">`: a namespace between bars, with spaces around them.
    pub(super) fn spaced(text: &'t str, start: usize) -> Option<Self> {
        let inner = within(text, start + 1);
        let is_bar = |one: char| one == ' ' || "|｜".contains(one);
        let named = inner.trim_start_matches(|one| is_bar(one) || one == '/');
        let after = named.strip_prefix("DSML")?;
        let word = after.trim_start_matches(is_bar);
        let length = word.find(|one: char| !(one.is_alphanumeric() || one == '_'))?;
        let rest = &word[length..];
        let stop = closing_bracket(rest)?;
        let end = start + 1 + (inner.len() - rest.len()) + stop;
        let end = end + usize::from(rest[stop..].starts_with('>'));
        let name = &named[..named.len() - rest.len()];
        let is_closing = inner[..inner.len() - named.len()].contains('/');
        (length > 0).then(|| Self::over(text, (start, end), name, &rest[..stop], is_closing))
    }

    /// `[TOOL_CALLS]`, `[/TOOL_CALLS]`, `[ARGS]`, `[THINK]`, `[BEGIN FINAL RESPONSE]`.
    pub(super) fn square(text: &'t str, start: usize) -> Result<Self, Miss> {
        let inner = within(text, start + 1);
        let name = inner.strip_prefix('/').unwrap_or(inner);
        let length = name
            .find(|one: char| !(one.is_ascii_uppercase() || one == '_' || one == ' '))
            .ok_or(Miss {
                looked: inner.len(),
                goes_on: true,
            })?;
        if length < 4 || !name[length..].starts_with(']') {
            return Err(Miss::from(length + 1));
        }
        let end = start + 1 + (inner.len() - name.len()) + length + 1;
        let is_closing = inner.len() != name.len();
        Ok(Self::over(
            text,
            (start, end),
            &name[..length],
            "",
            is_closing,
        ))
    }
}

/// Returns the name inside a repeated word, `plamo:begin_tool_name:plamo`, or before a word that
/// names the model's checkpoint.
pub(super) fn plain_name(name: &str, has_no_bars: bool) -> &str {
    let Some((first, rest)) = name.split_once(':') else {
        return name;
    };
    let inner = rest
        .strip_suffix(first)
        .and_then(|rest| rest.strip_suffix(':'));
    let is_suffixed = has_no_bars && SUFFIXED.contains(&first);
    inner.unwrap_or(if is_suffixed { first } else { name })
}

/// Returns `true` if more text may turn a text into a tag with a namespace between bars.
pub(super) fn may_be_spaced(inner: &str) -> bool {
    let named = inner.trim_start_matches([' ', '/', '|', '｜']);
    "DSML".starts_with(named) || named.starts_with("DSML")
}
