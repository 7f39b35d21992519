//! Fast path for chunks that equal the previous one except for the next piece of text.
//!
//! Most chunks of a stream are like this: the id, the model, the index and everything else repeat.
//! Once a chunk was parsed and applied, this module keeps its text and the position of the piece in
//! it. The next chunk need not be parsed if it has the same bytes before and after its own piece:
//! everything else in it has already been applied, and applying it again has no effect. A second
//! string may also differ: an unknown member of the chunk, since OpenAI fills one with noise.
//!
//! A chunk that cannot be compared in this way is left to the parser, and the result never differs
//! from the parser's.

use std::ops::Range;

use serde_json::value::RawValue;

use crate::accumulate::calls::inside_quotes;
use crate::accumulate::view::{ChoiceView, ChunkView, DeltaView, JsonText};
use crate::extras::ExtrasView;

/// The number of extras from which duplicates are not searched for.
const EXTRAS_MAX: usize = 8;

/// An applied chunk, and the parts that may differ in a chunk that need not be parsed.
#[derive(Debug, Default)]
pub(crate) struct Template {
    /// The text of the chunk; empty if nothing can be compared with it.
    text: String,
    place: ReplyPlace,
    /// The range of the piece between its quotes.
    piece: Range<usize>,
    /// An extra of the chunk that is a string after the piece.
    noise: Option<Noise>,
    /// `true` if that extra has since had another value.
    pub(crate) noise_varied: bool,
}

#[derive(Clone, Debug)]
struct Noise {
    name: String,
    /// The range of the value between its quotes.
    value: Range<usize>,
}

/// The part of the reply that a piece of text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReplyPlace {
    /// The index of the choice.
    pub(crate) choice: u32,
    pub(crate) said: SaidAs,
}

/// The member that a piece of text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SaidAs {
    #[default]
    Content,
    ReasoningContent,
    Reasoning,
    /// The arguments of the call with the last piece.
    Arguments,
}

/// The content of a chunk that resembles the previous one.
#[derive(Debug)]
pub(crate) struct Again<'c> {
    pub(crate) place: ReplyPlace,
    /// The text between its quotes, as serde_json would have validated it.
    pub(crate) piece: &'c str,
    /// An extra with a new value.
    pub(crate) noise: Option<(String, &'c RawValue)>,
}

impl Template {
    /// Forgets the chunk, because another one was applied.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Returns the memory of a chunk, or `None` if applying it twice differs from applying it once
    /// by more than one piece.
    pub(crate) fn of(chunk: &ChunkView<'_>, text: &str) -> Option<Seen> {
        let [choice] = &chunk.choices[..] else {
            return None;
        };
        if choice.message.is_some() || choice.logprobs.is_some() || chunk.usage.is_some() {
            return None;
        }
        let (said, piece) = only_piece(choice.delta.as_ref()?)?;
        let piece = range_in(text, piece)?;
        if !come_once(&chunk.extras) || !come_once(&choice.extras) {
            return None;
        }
        // The frame decoder looks for errors in parsed chunks.
        let told = |name: &str, value: &RawValue| name == "error" && value.get() != "null";
        if chunk.extras.iter().any(|(name, value)| told(name, value)) {
            return None;
        }
        let noise = chunk.extras.iter().find_map(|(name, value)| {
            let value = range_in(text, inside_quotes(value.get())?)?;
            (piece.end < value.start).then(|| Noise {
                name: name.clone().into_owned(),
                value,
            })
        });
        let choice = index_of(choice);
        Some(Seen {
            place: ReplyPlace { choice, said },
            piece,
            noise,
        })
    }

    /// Remembers the chunk just applied.
    pub(crate) fn set(&mut self, text: &str, seen: Seen) {
        self.text.clear();
        self.text.push_str(text);
        (self.place, self.piece, self.noise) = (seen.place, seen.piece, seen.noise);
        self.noise_varied = false;
    }

    /// Returns the content of a chunk, if it resembles the previous one.
    pub(crate) fn compare<'c>(&self, text: &'c str) -> Option<Again<'c>> {
        if self.text.is_empty() {
            return None;
        }
        let own = self.text.as_str();
        let rest = text.strip_prefix(&own[..self.piece.start])?;
        let (piece, rest) = rest.split_at(string_end(rest)?);
        let Some(noise) = &self.noise else {
            return (rest == &own[self.piece.end..]).then_some(Again {
                place: self.place,
                piece,
                noise: None,
            });
        };
        let rest = rest.strip_prefix(&own[self.piece.end..noise.value.start])?;
        let end = string_end(rest)?;
        if rest[end..] != own[noise.value.end..] {
            return None;
        }
        let known = !self.noise_varied && rest[..end] == own[noise.value.clone()];
        let noise = match known {
            true => None,
            false => {
                let start = text.len() - rest.len() - 1;
                let value = &text[start..start + end + 2];
                Some((noise.name.clone(), serde_json::from_str(value).ok()?))
            }
        };
        Some(Again {
            place: self.place,
            piece,
            noise,
        })
    }
}

/// The memory of a chunk.
pub(crate) struct Seen {
    place: ReplyPlace,
    piece: Range<usize>,
    noise: Option<Noise>,
}

/// The index of the only choice in its chunk.
fn index_of(choice: &ChoiceView<'_>) -> u32 {
    choice.index.unwrap_or(0)
}

/// The only piece of text in a delta, between its quotes.
fn only_piece<'a>(delta: &DeltaView<'a>) -> Option<(SaidAs, &'a str)> {
    if !come_once(&delta.extras) || delta.refusal.as_ref().is_some_and(|text| !text.is_empty()) {
        return None;
    }
    let mut found = None;
    let texts = [
        (SaidAs::Content, delta.content),
        (SaidAs::ReasoningContent, delta.reasoning_content),
        (SaidAs::Reasoning, delta.reasoning),
        (SaidAs::Arguments, arguments(delta)?),
    ];
    for (said, text) in texts {
        let JsonText::Json(json) = text else { continue };
        match inside_quotes(json)? {
            "" => {}
            _ if found.is_some() => return None,
            inner => found = Some((said, inner)),
        }
    }
    found
}

/// The arguments of the only call; none if it has more than arguments.
fn arguments<'a>(delta: &DeltaView<'a>) -> Option<JsonText<'a>> {
    let call = match delta.tool_calls.as_deref() {
        None | Some([]) => return Some(JsonText::None),
        Some([call]) => call,
        Some(_) => return None,
    };
    let function = call.function.as_ref()?;
    let named = function.name.as_ref().is_some_and(|name| !name.is_empty());
    let plain = !named && come_once(&call.extras) && come_once(&function.extras);
    plain.then_some(function.arguments)
}

/// Returns `true` if no extra is duplicated: then each replaces itself when repeated.
fn come_once(extras: &ExtrasView<'_>) -> bool {
    extras.len() <= EXTRAS_MAX
        && (1..extras.len()).all(|at| extras[..at].iter().all(|other| other.0 != extras[at].0))
}

/// Returns the range of a slice within a text.
fn range_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let range = start..start + part.len();
    (text.get(range.clone()) == Some(part)).then_some(range)
}

/// Returns the offset of the closing quote of a JSON string; `None` if there is none, or the string
/// is not valid JSON.
fn string_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' => {
                    let digits = bytes.get(at + 2..at + 6)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    at += 6;
                }
                _ => return None,
            },
            ..b' ' => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        let chunk = serde_json::from_str(text).unwrap();
        let mut template = Template::default();
        if let Some(seen) = Template::of(&chunk, text) {
            template.set(text, seen);
        }
        template
    }

    #[test]
    fn what_differs_in_its_piece_alone_is_known() {
        let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]}}],"o":"1"}"#;
        // A chunk, the next one, and what is taken from that.
        let table = [
            (
                r#"{"id":"r","choices":[{"index":2,"delta":{"content":"x"},"logprobs":null}]}"#,
                r#"{"id":"r","choices":[{"index":2,"delta":{"content":"\ud83d é\n"},"logprobs":null}]}"#,
                Some((2, SaidAs::Content, r"\ud83d é\n", None)),
            ),
            (
                r#"{"choices":[{"delta":{"content":"","reasoning":"x"}}]}"#,
                r#"{"choices":[{"delta":{"content":"","reasoning":""}}]}"#,
                Some((0, SaidAs::Reasoning, "", None)),
            ),
            (
                call,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}}],"o":"1"}"#,
                Some((0, SaidAs::Arguments, r#"\"}"#, None)),
            ),
            (
                call,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"y"}}]}}],"o":"\t"}"#,
                Some((0, SaidAs::Arguments, "y", Some(r#""\t""#))),
            ),
            // Another call, another member, a string that is none.
            (
                call,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"y"}}]}}],"o":"1"}"#,
                None,
            ),
            (
                call,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"y"}}]}}],"o":"1","p":2}"#,
                None,
            ),
            (
                call,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\x"}}]}}],"o":"1"}"#,
                None,
            ),
        ];
        for (first, next, wanted) in table {
            let template = template(first);
            let found = template.compare(next);
            let found = found.as_ref().map(|again| {
                let noise = again.noise.as_ref().map(|(_, value)| value.get());
                (again.place.choice, again.place.said, again.piece, noise)
            });
            assert_eq!(found, wanted, "{first} {next}");
        }
    }

    #[test]
    fn a_member_that_takes_its_first_value_again_has_it_at_the_end() {
        let mut reply = crate::Accumulator::new();
        for tier in ["default", "flex", "default"] {
            let chunk =
                format!(r#"{{"choices":[{{"delta":{{"content":"x"}}}}],"service_tier":"{tier}"}}"#);
            reply.push_text(&chunk).unwrap();
        }
        let last = serde_json::to_string(&reply.response()).unwrap();
        assert!(last.contains(r#""service_tier":"default""#), "{last}");
    }

    #[test]
    fn what_would_change_something_when_it_comes_again_is_not_kept() {
        for text in [
            r#"{"choices":[]}"#,
            r#"{"choices":[{"delta":{}}]}"#,
            r#"{"choices":[{"delta":{"content":""}}]}"#,
            r#"{"choices":[{"delta":{"content":"x"}},{"delta":{"content":"x"}}]}"#,
            r#"{"choices":[{"delta":{"content":"x","reasoning":"x"}}]}"#,
            r#"{"choices":[{"delta":{"content":"x","refusal":"x"}}]}"#,
            r#"{"choices":[{"delta":{"content":[{"type":"text"}],"reasoning":"x"}}]}"#,
            r#"{"choices":[{"delta":{"content":"x"},"logprobs":{"content":[1]}}]}"#,
            r#"{"choices":[{"delta":{"content":"x"}}],"a":1,"a":2}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"x"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"x"}},{"index":1}]}}]}"#,
            r#"{"choices":[{"message":{"content":"x"}}]}"#,
            r#"{"choices":[{"delta":{"content":"x"}}],"error":"busy"}"#,
        ] {
            let template = template(text);
            assert!(template.compare(text).is_none(), "{text}");
        }
    }
}
