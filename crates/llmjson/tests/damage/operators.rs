//! All the damage there is, by name, and what goes together.

use crate::draft::Draft;
use crate::{
    around, between, containers, embedded, ending, languages, oddments, programs, scalars, slips,
    strings,
};
use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, Rows, lines, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("operators.txt");

/// When an operator works: what ends the text comes after what changes its tokens, and what
/// stands around it comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Changes tokens.
    Inside,
    /// Changes how the text begins or ends; one of these at most.
    Ends,
    /// Changes what stands around it; one of these at most.
    Around,
}

/// One way to damage a document.
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    pub(crate) stage: Stage,
    /// Damages the draft; none if it has no place for that, or another operator took it.
    pub(crate) apply: fn(&mut Draft, &mut Rng) -> Option<()>,
}

const fn inside(name: &'static str, apply: fn(&mut Draft, &mut Rng) -> Option<()>) -> Operator {
    Operator {
        name,
        stage: Stage::Inside,
        apply,
    }
}

const fn ends(name: &'static str, apply: fn(&mut Draft, &mut Rng) -> Option<()>) -> Operator {
    Operator {
        name,
        stage: Stage::Ends,
        apply,
    }
}

const fn surrounds(name: &'static str, apply: fn(&mut Draft, &mut Rng) -> Option<()>) -> Operator {
    Operator {
        name,
        stage: Stage::Around,
        apply,
    }
}

pub(crate) const ALL: &[Operator] = &[
    inside("trailing comma", between::trailing_comma),
    inside("doubled comma", between::doubled_comma),
    inside("leading comma", between::leading_comma),
    inside(
        "missing comma at line end",
        between::missing_comma_at_line_end,
    ),
    inside(
        "missing comma after closer",
        between::missing_comma_after_closer,
    ),
    inside("missing colon", between::missing_colon),
    inside("surplus sign before a colon", between::surplus_before_colon),
    inside("odd comma", between::odd_comma),
    inside("odd colon", between::odd_colon),
    inside("line comment", between::line_comment),
    inside("block comment", between::block_comment),
    inside("ellipsis", between::ellipsis),
    inside("odd space", around::odd_space),
    inside("escaped space", around::escaped_space),
    inside("missing closer", containers::missing_in_the_middle),
    inside("missing closer, by lines", containers::missing_by_lines),
    inside("wrong closer", containers::wrong_closer),
    inside("closer of nothing", containers::closer_of_nothing),
    inside("extra closer", containers::extra_in_the_middle),
    inside("tuple", containers::tuple),
    inside("set", containers::set),
    inside("bracketed members", containers::bracketed_members),
    inside("wrapper", containers::wrapper),
    inside("unquoted keys", scalars::unquoted_keys),
    inside("unquoted string", scalars::unquoted_string),
    inside("keywords", scalars::keywords),
    inside("short keyword", scalars::short_keyword),
    inside("undefined", scalars::undefined),
    inside("not a number", scalars::not_a_number),
    inside("other number", scalars::other_number),
    inside("number as text", scalars::number_as_text),
    inside("grouped digits", scalars::grouped_digits),
    inside("missing value", scalars::missing_value),
    inside("single quotes", strings::single_quotes),
    inside("curly quotes", strings::curly_quotes),
    inside("backticks", strings::backticks),
    inside("python", strings::python),
    inside("triple quotes", strings::triple_quotes),
    inside("missing closing quote", strings::missing_closing_quote),
    inside("missing opening quote", strings::missing_opening_quote),
    inside("key, no opening quote", strings::key_without_opening_quote),
    inside("key, no closing quote", strings::key_without_closing_quote),
    inside("doubled quote", strings::doubled_quote),
    inside("doubled quotes of a key", strings::doubled_key_quotes),
    inside("inner quotes", strings::inner_quotes),
    inside("inner quotes at end", strings::inner_quotes_at_end),
    inside("markup", strings::markup),
    inside("joined strings", strings::joined),
    inside("adjacent strings", strings::adjacent),
    inside("control characters", strings::control_characters),
    inside("invalid escapes", strings::invalid_escapes),
    inside("lone surrogate", strings::lone_surrogate),
    inside("raw escapes", strings::raw_escapes),
    inside("quoted again", strings::quoted_again),
    inside("unescaped JSON", embedded::unescaped_json),
    inside("quote before other name", oddments::quote_before_other_name),
    inside(
        "pair, no closing quote",
        oddments::pair_without_closing_quote,
    ),
    inside("inches", oddments::inches),
    inside("name alone", oddments::name_alone),
    inside("closer behind a member", oddments::closer_behind_member),
    inside("members behind a closer", oddments::members_behind_closer),
    inside("quote behind a closer", oddments::quote_behind_closer),
    inside("emphasized names", oddments::emphasized_names),
    inside("quotes in backticks", oddments::quotes_in_backticks),
    inside("joined with names", oddments::joined_with_names),
    inside("missing opener", slips::missing_opener),
    inside("list goes on behind a closer", slips::list_goes_on),
    inside("unbracketed list", slips::unbracketed_list),
    inside("stray word", slips::stray_word),
    inside("colon for comma", slips::colon_for_comma),
    inside("comma for colon", slips::comma_for_colon),
    inside("colon inside a key", slips::colon_inside_key),
    inside("escaped quotes", slips::escaped_quotes),
    inside("doubled closing quote", slips::doubled_closing_quote),
    inside("marked strings", slips::marked_strings),
    inside("other closing quote", slips::other_closing_quote),
    inside("other opening quote", slips::other_opening_quote),
    inside(
        "key, other closing quote",
        slips::other_closing_quote_of_key,
    ),
    inside("words behind a string", slips::words_behind_string),
    inside("texts like comments", scalars::like_comments),
    inside("calls", languages::calls),
    inside("set of one", languages::set_of_one),
    inside("named arguments", languages::named_arguments),
    inside("arrows in brackets", languages::arrows),
    inside("symbols", languages::symbols),
    inside("names in brackets", languages::bracketed_names),
    inside("types", languages::types),
    inside("spread", languages::spread),
    inside("character data", languages::character_data),
    inside("glued strings", languages::glued),
    inside(
        "bare word between quotes",
        programs::bare_word_between_quotes,
    ),
    inside("elision in a comment", programs::elision_in_comment),
    inside("members behind a comment", programs::members_behind_comment),
    inside("regular expression", programs::regular_expression),
    inside("escapes of languages", programs::escapes_of_languages),
    ends("cut", ending::cut),
    ends("missing closers at end", containers::missing_at_end),
    ends("extra closers at end", containers::extra_at_end),
    ends("missing braces", containers::missing_braces),
    ends("doubled opener", containers::doubled_opener),
    ends("several values", around::several),
    ends("escaped document", around::escaped),
    ends(
        "closing fence for a value",
        programs::closing_fence_for_value,
    ),
    ends("notice of a cut", programs::notice_of_a_cut),
    surrounds("code fence", around::fence),
    surrounds("prose before", around::before),
    surrounds("prose after", around::after),
    surrounds("reasoning", around::reasoning),
    surrounds("draft before", around::draft_before),
    surrounds("ramble behind", around::ramble),
    surrounds("template tokens", around::tokens),
    surrounds("marks of fields", programs::marks_of_fields),
    surrounds("colours", programs::colours),
    surrounds("callback", containers::callback),
    surrounds(
        "missing closers before a mark",
        containers::missing_before_mark,
    ),
];

/// Damage that has more than one reading together. Only double quotes show that a whole document was
/// escaped. A value that is missing at the end may as well have been cut off, and so may a text that
/// no quote closes before an end without closers. A name without its closing quote and the next one
/// without its opening quote are one name, as JSON reads them. What shows a comma for a colon or
/// another quote for the closing one stands behind it and may be cut off. A single quote that opens a
/// text may as well lack its other where single quotes are the rule, or end at one far behind. Marked
/// strings in curly brackets could be names.
static CLASHES: Rows<2> = Rows::new(|| rows_of(FILE, "clashes"));

/// Damage whose only sign is that more is closed than was opened: everything else has to be closed as
/// it should be, and no bracket may seem to stand in a string.
const COUNTS_CLOSERS: &[&str] = &[
    "missing opener",
    "list goes on behind a closer",
    "closer behind a member",
    "members behind a closer",
];

/// Damage after which another number of containers, or other kinds of them, are closed.
static CHANGES_CLOSERS: Lines = Lines::new(|| lines(FILE, "changes closers"));

/// Damage after which strings seem to begin or end elsewhere.
static SHIFTS_STRINGS: Lines = Lines::new(|| lines(FILE, "shifts strings"));

/// Whether two kinds of damage do not go together.
pub(crate) fn clash(one: &str, other: &str) -> bool {
    let miscounts = |one, other| {
        let other = CHANGES_CLOSERS.contains(other) || SHIFTS_STRINGS.contains(other);
        COUNTS_CLOSERS.contains(one) && other
    };
    CLASHES.contains(&[one, other])
        || CLASHES.contains(&[other, one])
        || miscounts(&one, &other)
        || miscounts(&other, &one)
}
