//! All costs in one table: how surprising each move of the search, each piece of evidence, each source
//! of a reply, each place of a value in its reply, and each change that makes it fit a schema is. The
//! unit is about a fifth of a bit; strict JSON costs nothing.

use crate::base::repair::{Class, Repair, RepairKind};

/// Difference in cost at which a hypothesis is abandoned in favor of another at the same offset.
pub(crate) const GIVEN_UP: u32 = 32;

/// The smallest sufficient margin, long after an ambiguity.
pub(crate) const LEAST_LEAD: u32 = 6;

/// Cost from which on a hypothesis may be wrong, so that the text it leaves out counts against it.
pub(crate) const DEAR: u32 = 20;

/// A row with another number of items than the other rows.
pub(crate) const ROW_SHAPE: u32 = 8;
/// Text before a quoted key that begins its line.
pub(crate) const ANCHOR: u32 = 6;
/// The number of an item: `1. "a"`.
pub(crate) const NUMBERED: u32 = 1;
/// A surplus comma before a closer or after an opener, or a doubled one.
pub(crate) const EXTRA_COMMA: u32 = 1;
/// A missing comma before a value or key on a new line.
pub(crate) const MISSING_COMMA_LINE: u32 = 4;
/// A missing comma on the same line.
pub(crate) const MISSING_COMMA: u32 = 4;
/// An array in parentheses.
pub(crate) const TUPLE: u32 = 1;
/// An array in curly brackets: `{1, 2}`.
pub(crate) const SET: u32 = 5;
/// Members in other brackets, with arrows: `['a' => 1]`.
pub(crate) const BRACKETED_MEMBERS: u32 = 1;
/// A call or type name around a value, for each of its parts: `ObjectId("x")`.
pub(crate) const CALL: u32 = 1;
/// A key in Markdown or program syntax: `*a*: 1`, `["a"]: 1`.
pub(crate) const ODD_NOTATION: u32 = 2;
/// A string concatenated from pieces: `"p" + "q"`.
pub(crate) const JOIN: u32 = 2;
/// Concatenation without an operator: `("p" "q")`.
pub(crate) const JOIN_BARE: u32 = 4;
/// Values of one member without brackets: `"tags": "p", "q"`.
pub(crate) const UNBRACKETED: u32 = 8;
/// A number with digit groups: `1,234`.
pub(crate) const GROUPED_DIGITS: u32 = 3;
/// A special token between tokens: `<pad>`.
pub(crate) const TOKEN: u32 = 2;
/// A missing colon between a key and its value.
pub(crate) const MISSING_COLON: u32 = 8;
/// `;` in place of a comma, `=` in place of a colon.
pub(crate) const ODD_SEPARATOR: u32 = 2;
/// A comma in place of a colon, or the reverse.
pub(crate) const SWAPPED_SEPARATOR: u32 = 11;
/// A meaningless character that is dropped.
pub(crate) const STRAY_SIGN: u32 = 7;
/// A meaningless word or value that is dropped.
pub(crate) const STRAY_TEXT: u32 = 12;
/// A value that is dropped for a later one.
pub(crate) const DROPPED_VALUE: u32 = 4;
/// A repeated key.
pub(crate) const REPEATED_NAME: u32 = 5;
/// The cost of words directly after a quote, without a space.
pub(crate) const GLUED: u32 = 6;
/// An ellipsis that replaces omitted text.
pub(crate) const ELLIPSIS: u32 = 2;
/// A key without a value.
pub(crate) const MISSING_VALUE: u32 = 10;
/// A missing closer before other punctuation.
pub(crate) const MISSING_CLOSER: u32 = 5;
/// A mismatched closer.
pub(crate) const WRONG_CLOSER: u32 = 7;
/// A closer without an open container.
pub(crate) const EXTRA_CLOSER: u32 = 7;
/// A surplus closer after the whole value.
pub(crate) const EXTRA_CLOSER_END: u32 = 4;
/// Members without the opening bracket.
pub(crate) const MISSING_OPENER: u32 = 10;
/// A missing opener directly before its closer.
pub(crate) const MISSING_OPENER_EMPTY: u32 = 10;
/// A surplus opening bracket.
pub(crate) const EXTRA_OPENER: u32 = 9;
/// A doubled opening bracket: `{{"a": 1}}`.
pub(crate) const DOUBLED_OPENER: u32 = 5;
/// An unquoted string.
pub(crate) const BARE_TEXT: u32 = 5;
/// An unquoted string of a word and a keyword, such as `item false`.
pub(crate) const BARE_KEYWORD: u32 = 9;
/// The cost of an unquoted string that would be a value except for a character before or after it.
pub(crate) const BARE_SIGN: u32 = 5;
/// Another character in place of a quote.
pub(crate) const SIGN_FOR_QUOTE: u32 = 9;
/// Another character in place of an opening bracket.
pub(crate) const SIGN_FOR_OPENER: u32 = 11;
/// Another character in place of a colon.
pub(crate) const SIGN_FOR_COLON: u32 = 10;
/// Each character at which an unquoted string could have ended.
pub(crate) const BARE_GOES_ON: u32 = 5;
/// An unquoted key.
pub(crate) const BARE_NAME: u32 = 1;
/// A missing closing quote.
pub(crate) const MISSING_CLOSE: u32 = 7;
/// A missing closing quote, where everything is closed after it and the text ends.
pub(crate) const MISSING_CLOSE_END: u32 = 9;
/// A missing opening quote.
pub(crate) const MISSING_OPEN: u32 = 7;
/// A string closed by a quote of another kind.
pub(crate) const MISMATCHED: u32 = 4;
/// A surplus quote before a string, or after a value.
pub(crate) const DOUBLED_QUOTE: u32 = 7;
/// The first unescaped quote inside a string.
pub(crate) const INNER_QUOTE: u32 = 9;
/// A string that consists of JSON with unescaped quotes.
pub(crate) const EMBEDDED: u32 = 5;
/// A quote that is skipped although a little of the text after it reads as JSON.
pub(crate) const PASS_WEAK: u32 = 4;
/// A quote that is skipped although a complete member or item follows.
pub(crate) const PASS_MEMBER: u32 = 7;
/// An unquoted string that continues past an expected key.
pub(crate) const OVER_EXPECTED: u32 = 10;
/// A quote that is skipped although strict JSON follows to the end of the value.
pub(crate) const PASS_STRICT: u32 = 14;
/// A string with inner quotes that ends on weak evidence.
pub(crate) const WEAK_END: u32 = 1;
/// A string that ends with open brackets, which code does not.
pub(crate) const OPEN_BRACKETS: u32 = 3;
/// The discount for a missing quote before a complete unquoted member: `"x, b: 1}`.
pub(crate) const BARE_MEMBER_TOLD: u32 = 2;
/// The discount for a missing quote before a line with an expected key.
pub(crate) const EXPECTED_LINE_TOLD: u32 = 6;
/// An empty string without a closing quote.
pub(crate) const EMPTY_UNCLOSED: u32 = 6;
/// An array that ends directly after its opener, before a member.
pub(crate) const EMPTY_BEFORE_NAME: u32 = 10;
/// Each further inner quote of a key.
pub(crate) const INNER_NAME: u32 = 3;
/// A string that ends before a comma after which the text breaks off.
pub(crate) const CUT_COMMA: u32 = 4;
/// Fenced code as a value.
pub(crate) const FENCE: u32 = 3;
/// A fence as part of an unquoted string.
pub(crate) const FENCE_IN_TEXT: u32 = 1;
/// An unquoted string whose words are all values: `1 null 2`.
pub(crate) const BARE_VALUES: u32 = 8;
/// A single meaningless word that is dropped before a separator or key.
pub(crate) const STRAY_WORD: u32 = 8;
/// A missing colon and opening quote: `"a "b c"`.
pub(crate) const SMASHED: u32 = 12;
/// A variable among the pieces of a string: `"p" + name`.
pub(crate) const JOIN_NAME: u32 = 4;
/// A key without a value at the end of its line.
pub(crate) const MISSING_VALUE_LINE: u32 = 7;
/// Another value after a bar, which is skipped: `"a" | "b"`.
pub(crate) const ALTERNATIVE: u32 = 5;
/// A meaningless word between two commas, like a key without a value: `"a": 1, then, "b": 2`.
pub(crate) const STRAY_NAME: u32 = 7;
/// A remark in parentheses after a value: `2 (two)`.
pub(crate) const REMARK: u32 = 5;
/// An unquoted string that begins like a member: `["a", size: 1`.
pub(crate) const BARE_MEMBER: u32 = 4;
/// An escaped line break between tokens, in a position typical of string content.
pub(crate) const ESCAPED_SPACE: u32 = 3;
/// An escaped quote that opens a string.
pub(crate) const ESCAPED_QUOTE: u32 = 4;
/// [`UNBRACKETED`] for a string that could be a key without a value: `"a": "p", "q", "b": 1`.
pub(crate) const UNBRACKETED_TEXT: u32 = 12;
/// The discount of [`UNBRACKETED`] where an array is expected.
pub(crate) const UNBRACKETED_EXPECTED: u32 = 4;
/// An unclosed string that extends to the end of the text, past the closers there.
pub(crate) const CLOSERS_SWALLOWED: u32 = 12;
/// Each quote in the text skipped by a hypothesis that stops before the end of the text.
pub(crate) const SKIPPED_QUOTE: u32 = 3;
/// An unquoted key among quoted ones.
pub(crate) const BARE_AMONG_QUOTED: u32 = 2;
/// An inner quote that begins a key with its colon.
pub(crate) const SWALLOWED: u32 = 4;
/// An inner quote that begins a key with its colon, first on its line.
pub(crate) const SWALLOWED_LINE: u32 = 9;
/// An inner quote after a bracket that closes a container around the string.
pub(crate) const OUT_OF_CONTAINER: u32 = 7;
/// An inner quote that is followed by a comma and another quote.
pub(crate) const OVER_COMMA: u32 = 3;
/// The discount for an inner quote after a digit.
pub(crate) const INCHES: u32 = 5;
/// A string with an odd number of quotes inside.
pub(crate) const ODD_QUOTES: u32 = 5;
/// A string with one quote inside.
pub(crate) const ODD_QUOTE_ALONE: u32 = 3;
/// A closing quote that looks like an opening one (space before, letter after), or the reverse.
pub(crate) const QUOTE_SHAPE: u32 = 3;
/// A doubtful string that continues past the end of a line.
pub(crate) const RAW_NEWLINE: u32 = 3;
/// A string closed by the end of the text.
pub(crate) const UNCLOSED_STRING: u32 = 8;
/// A string that ends with its line, where a fence closes the whole: a string with code rarely ends
/// directly after one of its fences.
pub(crate) const CUT_AT_FENCE: u32 = 2;
/// A container closed by the end of the text.
pub(crate) const UNCLOSED: u32 = 2;
/// A member whose value was truncated.
pub(crate) const CUT_MEMBER: u32 = 3;
/// A token that begins its line outside the column of the other members or the opener.
pub(crate) const INDENT: u32 = 8;
/// A key that is not in the schema, if there is an alternative hypothesis.
pub(crate) const UNKNOWN_NAME: u32 = 4;
/// A key that the schema has only in other objects.
pub(crate) const FOREIGN_NAME: u32 = 6;
/// An object, array or text without quotes where the schema has only other values.
pub(crate) const OTHER_KIND: u32 = 3;
/// A key that is empty, long or multi-line, or contains a comma among quoted keys.
pub(crate) const ODD_NAME: u32 = 7;
/// A key with an unpaired bracket.
pub(crate) const BRACKET_IN_NAME: u32 = 4;
/// The cost of a value that continues after its supposed end.
pub(crate) const REST_GOES_ON: u32 = 15;
/// An unquoted string that is a number by itself.
pub(crate) const BARE_NUMBER: u32 = 3;
/// A key that contains its colon.
pub(crate) const COLON_INSIDE: u32 = 3;
/// An unquoted key of several words.
pub(crate) const NAME_OF_WORDS: u32 = 2;
/// An unquoted string or key that continues after the end of a line.
pub(crate) const TEXT_OVER_LINE: u32 = 2;
/// A value whose end is missing.
pub(crate) const INCOMPLETE: u32 = 24;
/// A text of a source that is one of several likely ones.
pub(crate) const ONE_OF_SEVERAL_TEXTS: u32 = 24;
/// An array of scalars that covers almost none of the reply.
pub(crate) const FRAGMENT: u32 = 32;
/// A string that contains the frames of its lines.
pub(crate) const FRAMES_INSIDE: u32 = 64;
/// A value that is less than half of the text of its source.
pub(crate) const SMALL_PART: u32 = 2;
/// The smallest margin of a source over one with another value.
pub(crate) const LEAST_MARGIN: u32 = 1;

/// A value after the place where an answer begins.
pub(crate) const LATE: u32 = 1;
/// The most that the repairs of a value add to its price among several values: damage hardly says
/// which value is the answer.
pub(crate) const DAMAGE_MAX: u32 = 6;
/// A value with keys of another value, at least twice as long.
pub(crate) const PART_OF_LARGER: u32 = 8;
/// A value before one of the same shape, or directly after another value.
pub(crate) const EARLIER: u32 = 8;
/// The margin from which on the choice of a value is likely to be right.
pub(crate) const CLEAR_CHOICE: u32 = 24;
/// A possible draft of a truncated value, which is as doubtful as that.
pub(crate) const DRAFT: u32 = INCOMPLETE;
/// A value that cannot be the answer.
pub(crate) const SET_ASIDE: u32 = CLEAR_CHOICE;
/// A value beside another value, at least twice as long.
pub(crate) const SHORT: u32 = 30;
/// A value outside of code fences.
pub(crate) const UNFENCED: u32 = 64;
/// A value that is announced as an example, an input, a draft or an alternative.
pub(crate) const EXAMPLE: u32 = 1_000;
/// A value in a quotation, a table, a log or another speaker's turn.
pub(crate) const SHOWN: u32 = 2_000;
/// An empty value, or one bare item.
pub(crate) const NOTHING: u32 = 4_000;
/// A part of another candidate, or a value that wrongly contains one.
pub(crate) const OVERLAPPING: u32 = 8_000;
/// A violation of the schema.
pub const VIOLATION: u32 = 18_000;
/// A value that does not conform to the schema.
pub const NO_FIT: u32 = 10_000_000;

/// Returns the price of a change that makes a value fit a schema.
#[must_use]
pub fn of_coercion(class: Class) -> u32 {
    match class {
        Class::Certain => 4,
        Class::Likely => 72,
        Class::Guess => 288,
    }
}

/// Returns the class of choosing one of two different values by their prices.
#[must_use]
pub fn class_of_choice(chosen: u32, other: u32) -> Class {
    match other.saturating_sub(chosen) >= CLEAR_CHOICE {
        true => Class::Likely,
        false => Class::Guess,
    }
}

/// Returns the price of a repair for comparing sources: the price of its move, or for a guess the
/// difference at which a hypothesis is abandoned.
pub(crate) fn of_repair(repair: &Repair) -> u32 {
    use RepairKind as Kind;
    match repair.kind {
        // A comment may have ended before the end of its line.
        Kind::Comment => 0,
        _ if repair.class == Class::Guess => GIVEN_UP,
        // Typical of writers, or around the value.
        Kind::CodeFence
        | Kind::SurroundingText
        | Kind::ReasoningBlock
        | Kind::TemplateToken
        | Kind::ExtraComma
        | Kind::OddSpace
        | Kind::OtherKeyword
        | Kind::OtherNumber
        | Kind::OtherQuotes
        | Kind::Tuple
        | Kind::UnquotedKey => 0,
        Kind::EscapedSpace => ESCAPED_SPACE,
        Kind::CutMember => CUT_MEMBER,
        Kind::MissingComma => MISSING_COMMA,
        Kind::MissingCloser => MISSING_CLOSER,
        Kind::WrongCloser => WRONG_CLOSER,
        Kind::ExtraCloser => EXTRA_CLOSER,
        Kind::MissingQuote => MISSING_OPEN,
        Kind::MissingOpener => MISSING_OPENER,
        Kind::MissingValue => MISSING_VALUE,
        Kind::InnerQuote => INNER_QUOTE,
        Kind::StrayText => STRAY_TEXT,
        // Usual prices, by how often another meaning was intended.
        kind => match kind.class() {
            Class::Certain => ODD_NOTATION,
            Class::Likely | Class::Guess => MISSING_COLON,
        },
    }
}
