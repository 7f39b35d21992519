//! Truncated values, and the part that is missing.

use crate::base::repair::{Class, RepairKind};
use crate::document::Document;

/// The part of a truncated value that is missing.
///
/// ```
/// use llmjson_syntax::{Truncation, parse};
///
/// assert_eq!(parse(r#"{"a": "x""#).truncation(), Some(Truncation::ClosersOnly));
/// assert_eq!(parse(r#"{"a": "x"#).truncation(), Some(Truncation::Value));
/// assert_eq!(parse(r#"{"a": "x"}"#).truncation(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Truncation {
    /// Closing brackets, and nothing else as far as the text shows.
    ClosersOnly,
    /// A part of a value, or whatever a trailing comma announced.
    Value,
}

impl Truncation {
    /// Returns the stable name: `closers` or `value`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClosersOnly => "closers",
            Self::Value => "value",
        }
    }
}

impl Document<'_> {
    /// Returns which part is missing, or `None` if the value is [complete](Self::is_complete). A
    /// number or a bare word at the very end of the text may continue, so it counts as truncated
    /// unless [`mark_stopped`](Self::mark_stopped) says that the text is complete.
    ///
    /// ```
    /// use llmjson_syntax::{Truncation, parse};
    ///
    /// assert_eq!(parse("[1, 2").truncation(), Some(Truncation::Value));
    /// assert_eq!(parse("[1, 2\n").truncation(), Some(Truncation::ClosersOnly));
    /// ```
    #[must_use]
    pub fn truncation(&self) -> Option<Truncation> {
        if self.complete {
            return None;
        }
        let ends = |word: &&str| self.text.ends_with(*word);
        let is_settled = |text: &str| {
            let may_go_on = |one: char| one.is_alphanumeric() || "_-+.$".contains(one);
            !text.ends_with(may_go_on) || ["true", "false", "null"].iter().any(ends)
        };
        match self.lacks_closers_alone() && is_settled(&self.text) {
            true => Some(Truncation::ClosersOnly),
            false => Some(Truncation::Value),
        }
    }

    /// Takes the end of the text as the model's intended end, which its API reports with the finish
    /// reason `stop`. If only closing brackets are missing, the value is complete, and each
    /// inserted bracket is a repair: `{"a": [1` is `{"a": [1]}`, likely.
    ///
    /// ```
    /// use llmjson_syntax::{Class, parse};
    ///
    /// let mut document = parse(r#"{"city": "Oslo", "days": 3"#);
    /// document.mark_stopped();
    /// assert!(document.is_complete());
    /// assert_eq!(document.certainty(), Class::Likely);
    ///
    /// let mut document = parse(r#"{"city": "Os"#);
    /// document.mark_stopped();
    /// assert!(!document.is_complete());
    /// ```
    #[doc(hidden)]
    pub fn mark_stopped(&mut self) {
        if self.complete || !self.lacks_closers_alone() {
            return;
        }
        self.complete = true;
        for repair in &mut self.tape.repairs {
            if is_closer(repair.kind) {
                repair.kind = RepairKind::MissingCloser;
                repair.class = repair.class.max(Class::Likely);
            }
        }
    }

    /// Returns `true` if the text lacks only the closing brackets at its end: `{"a": [1`, but
    /// neither `{"a": "x` nor `{"a": [1,`, where more was to come.
    fn lacks_closers_alone(&self) -> bool {
        let is_cut = |kind| {
            matches!(
                kind,
                RepairKind::UnclosedString
                    | RepairKind::CutEscape
                    | RepairKind::CutKeyword
                    | RepairKind::CutNumber
                    | RepairKind::CutMember
                    | RepairKind::ShortKeyword
                    | RepairKind::OtherNumber
                    | RepairKind::Ellipsis
            )
        };
        let mut repairs = self.repairs().iter();
        if self.certainty() == Class::Guess || repairs.any(|repair| is_cut(repair.kind)) {
            return false;
        }
        let mut repairs = self.repairs().iter();
        let Some(closer) = repairs.find(|repair| is_closer(repair.kind)) else {
            return false;
        };
        let before = |end: u32| self.text.get(..end as usize).map_or("", str::trim_end);
        let mut read = before(closer.span.start);
        // Text around the value, and comments, are not part of it: "{\n```".
        for repair in self.repairs().iter().rev() {
            let is_around = matches!(
                repair.kind,
                RepairKind::CodeFence | RepairKind::TemplateToken | RepairKind::Comment
            );
            if is_around && repair.span.end as usize == read.len() {
                read = before(repair.span.start);
            }
        }
        !read.ends_with(['{', '[', '(', ',', ';', ':', '='])
    }
}

/// Returns `true` for a closing bracket that the end of the text replaces.
fn is_closer(kind: RepairKind) -> bool {
    matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray)
}

#[cfg(test)]
mod tests {
    use super::Truncation;
    use crate::parse;

    #[test]
    fn what_is_missing_and_whether_stopping_settles_it() {
        let table = [
            (r#"{"a": [1"#, Truncation::Value, true),
            (r#"{"a": [1 "#, Truncation::ClosersOnly, true),
            (r#"{"a": {"b": "x"}"#, Truncation::ClosersOnly, true),
            (
                "Here:\n```json\n[{\"a\": true}, {\"b\": null\n",
                Truncation::ClosersOnly,
                true,
            ),
            (r#"[{"a": true"#, Truncation::ClosersOnly, true),
            (r#"{"a": 1, "b": {}"#, Truncation::ClosersOnly, true),
            (r#"{'a': [[], [1.5, 'x']"#, Truncation::ClosersOnly, true),
            (r#"{"a": "x\n""#, Truncation::ClosersOnly, true),
            ("{a: 'x' // the first\n", Truncation::ClosersOnly, true),
            ("{a: 'x', // the first\n", Truncation::Value, false),
            (r#"{"a": "x"#, Truncation::Value, false),
            (r#"{"a": "\u00"#, Truncation::Value, false),
            (r#"{"a": 12."#, Truncation::Value, false),
            (r#"{"a": tru"#, Truncation::Value, false),
            (r#"{"a": 1, "b""#, Truncation::Value, false),
            (r#"{"a": 1, "b":"#, Truncation::Value, false),
            (r#"{"a": 1, "#, Truncation::Value, false),
            ("{", Truncation::Value, false),
            (r#"{"a": ["#, Truncation::Value, false),
            (r#"{"a": [1, ..."#, Truncation::Value, false),
            (r#"{"a": 1, "b": {"#, Truncation::Value, false),
            ("```json\n{\n```", Truncation::Value, false),
            ("```json\n{\"a\": tru\n```", Truncation::Value, false),
            (
                "Sure: {\"a\": \"x\"\n\nLet me know!",
                Truncation::Value,
                false,
            ),
            ("Sure: {\"a\":\n\nLet me know!", Truncation::Value, false),
        ];
        for (text, cut, is_settled) in table {
            let mut document = parse(text);
            assert_eq!(document.truncation(), Some(cut), "{text}");
            document.mark_stopped();
            assert_eq!(document.is_complete(), is_settled, "{text}");
            assert_eq!(document.truncation().is_none(), is_settled, "{text}");
        }
        // The end of a fence shows that the model was done.
        for text in [r#"{"a": 1}"#, "", "```json\n{\"a\": 12\n```"] {
            assert_eq!(parse(text).truncation(), None);
        }
    }
}
