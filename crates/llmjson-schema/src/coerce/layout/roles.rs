//! Keys of members without data: wrappers of a value, metadata about it, or reasoning before it.

use llmjson_syntax::{Kind, ValueRef};

use crate::ir::names::NAME_MAX;
use crate::ir::names::fold::{is_in, is_one_of};
use crate::ir::names::parts::words;

/// Keys of values in a wrapper, normalized.
const VALUES: &str = "value val answer finalanswer result response output extracted extractedvalue \
    prediction content text list items";

/// Keys of metadata about a value, normalized. None of them changes the value's meaning, as a unit
/// does.
const NOTES: &str = "annotations bbox boundingbox certainty citation citations comment comments confidence \
    confidencelevel confidencescore context datatype description evidence excerpt explanation extractedfrom \
    footnote format found foundin inferred isinferred justification likelihood line linenumber location \
    metadata method note notes origin original originaltext originalvalue page pagenumber pages position \
    probability provenance quotation quote quotes rationale raw rawtext rawvalue reason reasons reference \
    references score snippet source sources sourcetext type";

/// Keys of metadata about an array that was unwrapped.
const COUNTS: &str = "count cursor hasmore length limit next nextcursor offset pagesize size total \
    totalcount";

/// Keywords next to a value where a model fills in its schema.
const KEYWORDS: &str = "default enum examples items maximum maxlength minimum minlength nullable pattern \
    required title";

/// Keys of reasoning before the answer or of its justification, normalized.
const THOUGHTS: &str = "analysis chainofthought chainofthoughts cot deliberation explanation innermonologue \
    internalmonologue internalthoughts justification rationale reasoning reasoningcontent reasoningprocess \
    reasoningsteps reasoningtext reflection reflections scratchpad stepbystep stepbystepreasoning think \
    thinking thinkingprocess thought thoughtprocess thoughts thoughtsummary";

/// Keys of an element's text, in the convention of XML readers.
const TEXTS: &str = "#text _text __text $text $t _ @value #";

/// Keys of comments, for which JSON has no other place, and of metadata that formats add to an
/// object.
const COMMENTS: &str =
    "@context @type @id __typename _comment __comment__ $comment _comments #comment";

/// Types of reasoning parts of a reply.
const THOUGHT_PARTS: &str =
    "reasoning thinking thought redacted_thinking reasoning_text reasoning_content";

/// Returns `true` if a key is for a wrapped value rather than for a member with its own meaning.
pub(super) fn is_value(name: &str) -> bool {
    is_in(TEXTS, name) || is_one_of(VALUES, name)
}

/// Words that may extend the key of a note: `source_quote_number`.
const NOTE_WORDS: &str = "is level number text value id url in span";

/// Returns `true` if a key is for metadata or reasoning about a value.
pub(super) fn is_note(name: &str) -> bool {
    let is_made_of_notes = || {
        let all = words(name);
        let is_one = |word: &String| is_one_of(NOTES, word);
        let is_beside = |word: &String| is_one(word) || is_one_of(NOTE_WORDS, word);
        all.iter().any(is_one) && all.iter().all(is_beside)
    };
    let is_attributes = matches!(
        name,
        "$" | "_attributes" | "@attributes" | "@type" | "@id" | "@lang"
    );
    is_attributes
        || is_one_of(NOTES, name)
        || name.len() <= NAME_MAX && is_made_of_notes()
        || is_thought(name)
}

/// Returns `true` if a key is for metadata about an array.
pub(in crate::coerce) fn is_note_of_list(name: &str) -> bool {
    is_note(name) || is_one_of(COUNTS, name)
}

/// Returns `true` if a key is a schema keyword that may be next to a type.
pub(super) fn is_keyword(name: &str) -> bool {
    is_one_of(KEYWORDS, name)
}

/// Returns `true` if a key is for reasoning before the answer, or for a comment.
pub(crate) fn is_thought(name: &str) -> bool {
    name.starts_with("//") || is_in(COMMENTS, name) || is_one_of(THOUGHTS, name)
}

/// Returns `true` if a part of a reply is reasoning.
pub(super) fn is_thought_part(part: ValueRef<'_>) -> bool {
    let type_ = part.get("type").and_then(|type_| type_.as_str());
    let is_marked = part
        .get("thought")
        .is_some_and(|mark| mark.kind() == Kind::Bool && mark.as_bool() == Some(true));
    is_marked || type_.is_some_and(|type_| is_in(THOUGHT_PARTS, &type_))
}
