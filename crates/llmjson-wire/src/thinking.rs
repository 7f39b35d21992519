//! Reasoning that a model wrote into its text, between `<think>` and `</think>`.

use std::borrow::Cow;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// A text split into its reasoning and the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thinking<'t> {
    /// The text without reasoning. Nothing else is changed, including white space around the
    /// removed reasoning.
    pub text: Cow<'t, str>,
    /// The reasoning, each part trimmed and on a separate line; `None` if there is none or all of
    /// it is empty.
    pub reasoning: Option<String>,
}

/// Removes reasoning from a text: everything from each `<think>` to the next `</think>`, including
/// the tags. An unclosed tag stays in the text, as does an unopened `</think>`.
///
/// Servers that know their model do this themselves and send `reasoning_content`. Use this for the
/// text of other servers. Text without the tag is not copied. Call it only if the tags cannot be
/// part of the answer: JSON may contain them in a string.
///
/// ```
/// use llmjson_wire::split_thinking;
///
/// let reply = split_thinking("<think>\nTwo plus two.\n</think>\n4<think> </think>");
/// assert_eq!((reply.text.as_ref(), reply.reasoning.as_deref()), ("\n4", Some("Two plus two.")));
///
/// let reply = split_thinking("4 <think>or 5");
/// assert_eq!((reply.text.as_ref(), reply.reasoning), ("4 <think>or 5", None));
/// ```
#[must_use]
pub fn split_thinking(text: &str) -> Thinking<'_> {
    let (mut kept, mut thoughts) = (String::new(), String::new());
    let mut rest = text;
    while let Some((before, thought, after)) = next_thought(rest) {
        kept.push_str(before);
        let thought = thought.trim();
        if !thoughts.is_empty() && !thought.is_empty() {
            thoughts.push('\n');
        }
        thoughts.push_str(thought);
        rest = after;
    }
    let text = match rest.len() == text.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(kept + rest),
    };
    let reasoning = (!thoughts.is_empty()).then_some(thoughts);
    Thinking { text, reasoning }
}

/// Returns the text before the reasoning, the reasoning, and the text after it.
fn next_thought(text: &str) -> Option<(&str, &str, &str)> {
    let (before, inside) = text.split_once(OPEN)?;
    let (thought, after) = inside.split_once(CLOSE)?;
    Some((before, thought, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_cut_out_and_joined() {
        // Text, what is left of it, the thoughts.
        let table = [
            ("", "", None),
            ("a", "a", None),
            ("<think>a</think>b", "b", Some("a")),
            (
                "x<think>\n a \n</think>y<think>b</think>z",
                "xyz",
                Some("a\nb"),
            ),
            (
                "<think></think><think> a</think><think>\n</think><think>b </think>",
                "",
                Some("a\nb"),
            ),
            ("<think>\n</think>\n\nb", "\n\nb", None),
            ("<think>a\nb</think>", "", Some("a\nb")),
            // Not closed, not opened, written otherwise.
            ("<think>a", "<think>a", None),
            ("<think>a</think>b<think>c", "b<think>c", Some("a")),
            ("a</think>b", "a</think>b", None),
            ("</think><think>a", "</think><think>a", None),
            ("<Think>a</Think>", "<Think>a</Think>", None),
            // The next one that closes does.
            (
                "<think>a<think>b</think>c</think>",
                "c</think>",
                Some("a<think>b"),
            ),
        ];
        for (text, left, thoughts) in table {
            let found = split_thinking(text);
            assert_eq!(
                (found.text.as_ref(), found.reasoning.as_deref()),
                (left, thoughts),
                "{text}"
            );
            let borrowed = matches!(found.text, Cow::Borrowed(_));
            assert_eq!(borrowed, left.len() == text.len(), "{text}");
        }
    }

    #[test]
    fn tags_that_are_never_closed_take_linear_time() {
        let text = OPEN.repeat(500_000);
        assert_eq!(split_thinking(&text).text, text);
        let text = format!("{CLOSE}{}", "<think>a</think>".repeat(200_000));
        assert_eq!(split_thinking(&text).text, CLOSE);
    }
}
