//! Values whose text was cut off, and the part that is missing.

use crate::base::repair::{Class, RepairKind};
use crate::document::Document;

/// The part of a value that is missing where its text ended.
///
/// ```
/// use llmjson_syntax::{Cut, parse};
///
/// assert_eq!(parse(r#"{"a": "x""#).cut(), Some(Cut::Closers));
/// assert_eq!(parse(r#"{"a": "x"#).cut(), Some(Cut::Value));
/// assert_eq!(parse(r#"{"a": "x"}"#).cut(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cut {
    /// Closing brackets alone, as far as the text tells.
    Closers,
    /// A part of a value, or what follows on a comma.
    Value,
}

impl Cut {
    /// Returns the stable name: `closers` or `value`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closers => "closers",
            Self::Value => "value",
        }
    }
}

impl Document<'_> {
    /// Returns what is missing of a value that is not [complete](Self::is_complete). A number or a bare word that
    /// touches the end of the text may go on, and counts as cut, while [`mark_stopped`](Self::mark_stopped) takes it for
    /// whole.
    ///
    /// ```
    /// use llmjson_syntax::{Cut, parse};
    ///
    /// assert_eq!(parse("[1, 2").cut(), Some(Cut::Value));
    /// assert_eq!(parse("[1, 2\n").cut(), Some(Cut::Closers));
    /// ```
    #[must_use]
    pub fn cut(&self) -> Option<Cut> {
        if self.complete {
            return None;
        }
        let ends = |word: &&str| self.text.ends_with(*word);
        let is_settled = |text: &str| {
            let may_go_on = |one: char| one.is_alphanumeric() || "_-+.$".contains(one);
            !text.ends_with(may_go_on) || ["true", "false", "null"].iter().any(ends)
        };
        match self.lacks_closers_alone() && is_settled(&self.text) {
            true => Some(Cut::Closers),
            false => Some(Cut::Value),
        }
    }

    /// Takes the end of the text for the end of what the model meant to write, as its interface says with a finish
    /// reason of `stop`. If closing brackets are all that is missing, the value is complete, and each of them is a
    /// repair: `{"a": [1` is `{"a": [1]}`, likely.
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

    /// Returns `true` if the text lacks nothing but the closing brackets at its end: `{"a": [1`, but neither `{"a": "x`
    /// nor `{"a": [1,`, where more was to come.
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
        // What is around the value, and comments, is no part of it: "{\n```".
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

/// Returns `true` for a closing bracket that the end of the text has to stand for.
fn is_closer(kind: RepairKind) -> bool {
    matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray)
}

#[cfg(test)]
mod tests {
    use super::Cut;
    use crate::parse;

    #[test]
    fn what_is_missing_and_whether_stopping_settles_it() {
        let table = [
            (r#"{"a": [1"#, Cut::Value, true),
            (r#"{"a": [1 "#, Cut::Closers, true),
            (r#"{"a": {"b": "x"}"#, Cut::Closers, true),
            (
                "Here:\n```json\n[{\"a\": true}, {\"b\": null\n",
                Cut::Closers,
                true,
            ),
            (r#"[{"a": true"#, Cut::Closers, true),
            (r#"{"a": 1, "b": {}"#, Cut::Closers, true),
            (r#"{'a': [[], [1.5, 'x']"#, Cut::Closers, true),
            (r#"{"a": "x\n""#, Cut::Closers, true),
            ("{a: 'x' // the first\n", Cut::Closers, true),
            ("{a: 'x', // the first\n", Cut::Value, false),
            (r#"{"a": "x"#, Cut::Value, false),
            (r#"{"a": "\u00"#, Cut::Value, false),
            (r#"{"a": 12."#, Cut::Value, false),
            (r#"{"a": tru"#, Cut::Value, false),
            (r#"{"a": 1, "b""#, Cut::Value, false),
            (r#"{"a": 1, "b":"#, Cut::Value, false),
            (r#"{"a": 1, "#, Cut::Value, false),
            ("{", Cut::Value, false),
            (r#"{"a": ["#, Cut::Value, false),
            (r#"{"a": [1, ..."#, Cut::Value, false),
            (r#"{"a": 1, "b": {"#, Cut::Value, false),
            ("```json\n{\n```", Cut::Value, false),
            ("```json\n{\"a\": tru\n```", Cut::Value, false),
            ("Sure: {\"a\": \"x\"\n\nLet me know!", Cut::Value, false),
            ("Sure: {\"a\":\n\nLet me know!", Cut::Value, false),
        ];
        for (text, cut, is_settled) in table {
            let mut document = parse(text);
            assert_eq!(document.cut(), Some(cut), "{text}");
            document.mark_stopped();
            assert_eq!(document.is_complete(), is_settled, "{text}");
            assert_eq!(document.cut().is_none(), is_settled, "{text}");
        }
        // The end of a fence shows that the model was done.
        for text in [r#"{"a": 1}"#, "", "```json\n{\"a\": 12\n```"] {
            assert_eq!(parse(text).cut(), None);
        }
    }
}
