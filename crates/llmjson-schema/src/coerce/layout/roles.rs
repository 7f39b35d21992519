//! The keys of members that are not data: wrappers of a value, labels of a wrapper,
//! metadata about a value, or reasoning before it. All are normalized, unless they say otherwise.

use llmjson_syntax::internal::provider::{CALL_IDS, CALLS};
use llmjson_syntax::internal::zones::lexicon::WordList;
use llmjson_syntax::{Kind, ValueRef};

use crate::base::fold::is_in;
use crate::ir::names::NAME_MAX;
use crate::ir::names::fold::{is_one_of, normal_key};
use crate::ir::names::parts::words;

/// Keys of the member with the arguments of a call.
pub const ARGUMENTS: &[&str] = &[
    "arguments",
    "parameters",
    "args",
    "input",
    "params",
    "action_input",
    "tool_input",
];

/// Keys of the member with the name of the called tool.
pub const TOOL_NAMES: &[&str] = &[
    "name",
    "tool_name",
    "function_name",
    "tool",
    "function",
    "action",
];

/// Further keys that may wrap the expected object. The schema's title and name, and the name of the
/// called tool, are added.
const WRAPPERS: &str = "answer data json kwargs output payload properties response result";

/// Keys of values in a wrapper.
static VALUES: WordList = WordList::new(
    "value val answer finalanswer result response output extracted extractedvalue \
    prediction content text list items",
);

/// Keys of arrays that say nothing about the items.
static LISTS: WordList =
    WordList::new("items list values entries elements array results records rows");

/// Keys of content that is never an answer.
static OTHER_THINGS: WordList = WordList::new(
    "error errors example examples exception functionresponse schema toolresponse toolresult",
);

/// Keys that describe a wrapper, next to the tool's name, as they are written: of calls in server formats, and of
/// metadata next to `properties` where a model fills in the schema.
const LABELS: &str = "type recipient recipient_name required \
    additionalProperties $schema title description";

/// Keys of a scalar that says how a request went.
static STATUS: WordList = WordList::new(
    "success ok status statuscode code error errors jsonrpc message msg timestamp \
    requestid version",
);

/// Keys of metadata about a value. None of them changes the value's meaning, as a unit does.
static NOTES: WordList = WordList::new(
    "annotations bbox boundingbox certainty citation citations comment comments confidence \
    confidencelevel confidencescore context datatype description evidence excerpt explanation extractedfrom \
    footnote format found foundin inferred isinferred justification likelihood line linenumber location \
    metadata meta method note notes origin original originaltext originalvalue page pagenumber pages position \
    probability provenance quotation quote quotes rationale raw rawtext rawvalue reason reasons reference \
    references score snippet source sources sourcetext type",
);

/// Words that may extend the key of a note: `source_quote_number`.
static NOTE_WORDS: WordList = WordList::new("is level number text value id url in span");

/// Keys of metadata about an array that was unwrapped.
static COUNTS: WordList = WordList::new(
    "count cursor hasmore hasnext index length limit next nextcursor offset pagesize \
    perpage prev previous size total totalcount totalpages",
);

/// Keys of reasoning before the answer or of its justification.
static THOUGHTS: WordList = WordList::new(
    "analysis chainofthought chainofthoughts cot deliberation explanation innermonologue \
    internalmonologue internalthoughts justification rationale reasoning reasoningcontent reasoningprocess \
    reasoningsteps reasoningtext reflection reflections scratchpad stepbystep stepbystepreasoning think \
    thinking thinkingprocess thought thoughtprocess thoughts thoughtsummary",
);

/// Keys of an element's text, in the convention of XML readers, as they are written.
static TEXTS: WordList = WordList::new("#text _text __text $text $t _ @value #");

/// Keys of an element's attributes, as they are written.
static ATTRIBUTES: WordList = WordList::new("$ _attributes @attributes @type @id @lang");

/// Keys of comments, for which JSON has no other place, and of metadata that formats add to an
/// object, as they are written.
static COMMENTS: WordList =
    WordList::new("@context @type @id __typename _comment __comment__ $comment _comments #comment");

/// Types of reasoning parts of a reply, as they are written.
const THOUGHT_PARTS: &str =
    "reasoning thinking thought redacted_thinking reasoning_text reasoning_content";

/// Keys of the two parts of a pair.
static PAIRS: [WordList; 2] = [
    WordList::new("key k name field fieldname property attribute label term"),
    WordList::new("value val v fieldvalue"),
];

/// Keys of members that identify an item.
static IDENTITIES: WordList = WordList::new("code id key label name number title");

/// Returns `true` if a member with this key may identify an item.
pub(super) fn is_identity(name: &str) -> bool {
    is_one_of(&IDENTITIES, name)
}

/// Returns `true` if a normalized key is typical of a wrapper.
pub(in crate::coerce) fn is_wrapper(normal: &str) -> bool {
    is_in(WRAPPERS, normal) || is_any_of(ARGUMENTS, normal)
}

/// Returns `true` if one of these keys, normalized, is the other one.
fn is_any_of(keys: &[&str], normal: &str) -> bool {
    let is_same = |key: &&str| key.bytes().filter(|byte| *byte != b'_').eq(normal.bytes());
    keys.iter().any(is_same)
}

/// Returns `true` if a key is for a wrapped value rather than for a member with its own meaning.
pub(in crate::coerce) fn is_value(name: &str) -> bool {
    TEXTS.has(name) || is_one_of(&VALUES, name)
}

/// Returns `true` if a key is for an array of anything.
pub(in crate::coerce) fn is_list(name: &str) -> bool {
    is_one_of(&LISTS, name)
}

/// Returns `true` if a key is for the name in a pair.
pub(super) fn is_pair_name(name: &str) -> bool {
    is_one_of(&PAIRS[0], name)
}

/// Returns `true` if a key is for the value in a pair.
pub(super) fn is_pair_value(name: &str) -> bool {
    is_one_of(&PAIRS[1], name)
}

/// Returns `true` if a member with that key is not an answer.
pub(in crate::coerce) fn is_other_thing(name: &str) -> bool {
    is_one_of(&OTHER_THINGS, name)
}

/// Returns `true` if a value is a tool call rather than the name of a tool.
pub(in crate::coerce) fn is_call(name: &str, value: ValueRef<'_>) -> bool {
    let is_key = CALLS.contains(&name) || matches!(name, "tool" | "invoke");
    is_key && value.kind() == Kind::Object
}

/// Returns `true` if a key is for the name of the called tool.
pub(in crate::coerce) fn is_tool_label(name: &str) -> bool {
    name.len() <= NAME_MAX && is_any_of(TOOL_NAMES, &normal_key(name))
}

/// Returns `true` if a member describes a wrapper, and is dropped with it.
pub(in crate::coerce) fn is_label(name: &str, value: ValueRef<'_>) -> bool {
    let is_scalar = || value.is_empty() || !matches!(value.kind(), Kind::Object | Kind::Array);
    let is_status = || is_one_of(&STATUS, name) && is_scalar() && !is_failure(name, value);
    is_tool_label(name)
        || is_in(LABELS, name)
        || CALL_IDS.contains(&name)
        || is_thought(name)
        || is_status()
}

/// Returns `true` if a member says that a request failed: its data is not an answer.
pub(in crate::coerce) fn is_failure(name: &str, value: ValueRef<'_>) -> bool {
    let says = |text: &str| match is_other_thing(name) {
        true => !text.is_empty(),
        false => ["error", "fail", "invalid"]
            .iter()
            .any(|word| text.to_lowercase().starts_with(word)),
    };
    is_one_of(&STATUS, name)
        && (value.as_bool() == Some(false) || value.as_str().is_some_and(|text| says(&text)))
}

/// Returns `true` if a key is for metadata or reasoning about a value.
pub(super) fn is_note(name: &str) -> bool {
    let is_made_of_notes = || {
        // A single word is a note by itself.
        if name.bytes().all(|letter| letter.is_ascii_lowercase()) {
            return false;
        }
        let all = words(name);
        let is_one = |word: &String| is_one_of(&NOTES, word);
        let is_beside = |word: &String| is_one(word) || is_one_of(&NOTE_WORDS, word);
        all.iter().any(is_one) && all.iter().all(is_beside)
    };
    ATTRIBUTES.has(name)
        || is_one_of(&NOTES, name)
        || name.len() <= NAME_MAX && is_made_of_notes()
        || is_thought(name)
}

/// Returns `true` if a key is for metadata about an array.
pub(in crate::coerce) fn is_note_of_list(name: &str) -> bool {
    is_note(name) || is_one_of(&COUNTS, name)
}

/// Returns `true` if a key is for reasoning before the answer, or for a comment.
pub(crate) fn is_thought(name: &str) -> bool {
    name.starts_with("//") || COMMENTS.has(name) || is_one_of(&THOUGHTS, name)
}

/// Returns `true` if a part of a reply is reasoning.
pub(super) fn is_thought_part(part: ValueRef<'_>) -> bool {
    let type_ = part.get("type").and_then(|type_| type_.as_str());
    let is_marked = part
        .get("thought")
        .is_some_and(|mark| mark.kind() == Kind::Bool && mark.as_bool() == Some(true));
    is_marked || type_.is_some_and(|type_| is_in(THOUGHT_PARTS, &type_))
}
