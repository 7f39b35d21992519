//! All costs of the search in one table: how surprising each move and each piece of evidence is.
//! The unit is about a fifth of a bit; strict JSON costs nothing.

/// Difference of price at which a reading is given up against another one that has come as far.
pub(crate) const GIVEN_UP: u32 = 32;

/// The smallest lead that is enough, far behind a doubt.
pub(crate) const LEAST_LEAD: u32 = 6;

/// Price from which on a reading may have gone wrong: text that it leaves out counts against it.
pub(crate) const DEAR: u32 = 20;

/// A comma before a closer, after an opener, or doubled.
pub(crate) const EXTRA_COMMA: u32 = 1;
/// No comma, and the next value or name stands on a new line.
pub(crate) const MISSING_COMMA_LINE: u32 = 4;
/// No comma, on the same line.
pub(crate) const MISSING_COMMA: u32 = 4;
/// A list in round brackets.
pub(crate) const TUPLE: u32 = 1;
/// A list in curly brackets: `{1, 2}`.
pub(crate) const SET: u32 = 5;
/// Members in other brackets, with arrows: `['a' => 1]`.
pub(crate) const BRACKETED_MEMBERS: u32 = 1;
/// A call or the name of a type around a value, for each of its parts: `ObjectId("x")`.
pub(crate) const CALL: u32 = 1;
/// A name as Markdown or a program writes it: `*a*: 1`, `["a"]: 1`.
pub(crate) const ODD_NOTATION: u32 = 2;
/// A text put together of pieces: `"p" + "q"`.
pub(crate) const JOIN: u32 = 2;
/// The same without a sign between them: `("p" "q")`.
pub(crate) const JOIN_BARE: u32 = 4;
/// Values of one member without the brackets around them: `"tags": "p", "q"`.
pub(crate) const UNBRACKETED: u32 = 8;
/// Digits in groups: `1,234`.
pub(crate) const GROUPED_DIGITS: u32 = 3;
/// A special token of a model between tokens: `<pad>`.
pub(crate) const TOKEN: u32 = 2;
/// No colon between a name and its value.
pub(crate) const MISSING_COLON: u32 = 8;
/// `;` for a comma, `=` for a colon.
pub(crate) const ODD_SEPARATOR: u32 = 2;
/// A comma where a colon belongs, or the other way round.
pub(crate) const SWAPPED_SEPARATOR: u32 = 11;
/// A sign that means nothing where it stands is dropped.
pub(crate) const STRAY_SIGN: u32 = 7;
/// A word or value that means nothing where it stands is dropped.
pub(crate) const STRAY_TEXT: u32 = 12;
/// A value is dropped for one behind it.
pub(crate) const DROPPED_VALUE: u32 = 4;
/// A name that is written twice.
pub(crate) const REPEATED_NAME: u32 = 5;
/// The price of words right behind a quote, without a space.
pub(crate) const GLUED: u32 = 6;
/// Dots for what was left out.
pub(crate) const ELLIPSIS: u32 = 2;
/// A name without a value.
pub(crate) const MISSING_VALUE: u32 = 10;
/// A closer that is missing before another sign.
pub(crate) const MISSING_CLOSER: u32 = 5;
/// A closer of the other kind.
pub(crate) const WRONG_CLOSER: u32 = 7;
/// A closer that closes nothing.
pub(crate) const EXTRA_CLOSER: u32 = 7;
/// The same, behind the whole value.
pub(crate) const EXTRA_CLOSER_END: u32 = 4;
/// Members without the bracket before them.
pub(crate) const MISSING_OPENER: u32 = 10;
/// The same right before its closer.
pub(crate) const MISSING_OPENER_EMPTY: u32 = 10;
/// An opening bracket too many.
pub(crate) const EXTRA_OPENER: u32 = 9;
/// The same, doubled: `{{"a": 1}}`.
pub(crate) const DOUBLED_OPENER: u32 = 5;
/// A text without quotes.
pub(crate) const BARE_TEXT: u32 = 5;
/// The same of a word and a keyword, as `item false`.
pub(crate) const BARE_KEYWORD: u32 = 9;
/// The price of a text without quotes that is a value but for a sign before or behind it.
pub(crate) const BARE_SIGN: u32 = 5;
/// A sign in place of a quote.
pub(crate) const SIGN_FOR_QUOTE: u32 = 9;
/// A sign in place of an opening bracket.
pub(crate) const SIGN_FOR_OPENER: u32 = 11;
/// A sign in place of a colon.
pub(crate) const SIGN_FOR_COLON: u32 = 10;
/// Each sign in a text without quotes at which it could have ended.
pub(crate) const BARE_GOES_ON: u32 = 5;
/// A name without quotes.
pub(crate) const BARE_NAME: u32 = 1;
/// The closing quote is missing.
pub(crate) const MISSING_CLOSE: u32 = 7;
/// The same, where everything is closed behind it and the text ends.
pub(crate) const MISSING_CLOSE_END: u32 = 9;
/// The opening quote is missing.
pub(crate) const MISSING_OPEN: u32 = 7;
/// A text that ends at a quote of another kind.
pub(crate) const MISMATCHED: u32 = 4;
/// A quote too many before a text, or behind a value.
pub(crate) const DOUBLED_QUOTE: u32 = 7;
/// The first quote inside a string that was not escaped.
pub(crate) const INNER_QUOTE: u32 = 9;
/// A text that is JSON as a whole, with its quotes not escaped.
pub(crate) const EMBEDDED: u32 = 5;
/// Each further inner quote of the same text.
pub(crate) const INNER_MORE: u32 = 0;
/// The first inner quote of a further string, where one had some before: a
/// writer escapes all quotes or none.
pub(crate) const INNER_AGAIN: u32 = 2;
/// A quote is passed over behind which the text goes on as JSON would, for a little.
pub(crate) const PASS_WEAK: u32 = 4;
/// The same, where a whole member or item follows.
pub(crate) const PASS_MEMBER: u32 = 7;
/// The same, with a name that is expected or that another object has.
pub(crate) const PASS_KNOWN: u32 = 10;
/// The same, where strict JSON follows to the end of the value.
pub(crate) const PASS_STRICT: u32 = 14;
/// A text with inner quotes ends where only a little tells that it does.
pub(crate) const WEAK_END: u32 = 1;
/// The price of a text that ends with brackets open, as code does not.
pub(crate) const OPEN_BRACKETS: u32 = 3;
/// The discount for a text that lacks its quote before a whole member without quotes: `"x, b: 1}`.
pub(crate) const BARE_MEMBER_TOLD: u32 = 2;
/// The discount for a text that lacks its quote before a line with a name that is expected.
pub(crate) const EXPECTED_LINE_TOLD: u32 = 6;
/// A text without a closing quote holds nothing.
pub(crate) const EMPTY_UNCLOSED: u32 = 6;
/// A list ends right behind its opener, and a member follows.
pub(crate) const EMPTY_BEFORE_NAME: u32 = 10;
/// Each further inner quote of a name.
pub(crate) const INNER_NAME: u32 = 3;
/// A text ends before the comma behind which the whole text breaks off.
pub(crate) const CUT_COMMA: u32 = 4;
/// Code in a fence as a value.
pub(crate) const FENCE: u32 = 3;
/// A fence as a part of a text without quotes.
pub(crate) const FENCE_IN_TEXT: u32 = 1;
/// A text without quotes of which each word is a value of its own: `1 null 2`.
pub(crate) const BARE_VALUES: u32 = 8;
/// A text ends before closers of all that is open, and words stand behind them on the line.
pub(crate) const GOES_ON_BEHIND: u32 = 4;
/// One word that means nothing where it stands is dropped, before a separator or name.
pub(crate) const STRAY_WORD: u32 = 8;
/// The colon and the quote behind it are missing: `"a "b c"`.
pub(crate) const SMASHED: u32 = 12;
/// A name of a program among the pieces of a text: `"p" + name`.
pub(crate) const JOIN_NAME: u32 = 4;
/// A name without a value at the end of its line.
pub(crate) const MISSING_VALUE_LINE: u32 = 7;
/// Another value behind a bar, which is passed over: `"a" | "b"`.
pub(crate) const ALTERNATIVE: u32 = 5;
/// The same between two commas, as a name alone: `"a": 1, then, "b": 2`.
pub(crate) const STRAY_NAME: u32 = 7;
/// A remark in round brackets behind a value: `2 (two)`.
pub(crate) const REMARK: u32 = 5;
/// A text without quotes that begins as a member does: `["a", size: 1`.
pub(crate) const BARE_MEMBER: u32 = 4;
/// An escaped line end between tokens, where one in a text would be.
pub(crate) const ESCAPED_SPACE: u32 = 3;
/// A quote that was escaped although it opens the text.
pub(crate) const ESCAPED_QUOTE: u32 = 4;
/// The same as [`UNBRACKETED`], of one text that could be a name alone: `"a": "p", "q", "b": 1`.
pub(crate) const UNBRACKETED_TEXT: u32 = 12;
/// The same, where a list is expected.
pub(crate) const UNBRACKETED_EXPECTED: u32 = 4;
/// A text that is not closed goes to the end of the text and over the closers there.
pub(crate) const CLOSERS_SWALLOWED: u32 = 12;
/// Each quote in what a reading leaves out that stops although the text goes on.
pub(crate) const SKIPPED_QUOTE: u32 = 3;
/// A comment that passes over quotes.
pub(crate) const COMMENT_QUOTES: u32 = 6;
/// A comment that ends as a text does, at the only quote of its line.
pub(crate) const COMMENT_ENDS_QUOTED: u32 = 6;
/// A name without quotes where others have them.
pub(crate) const BARE_AMONG_QUOTED: u32 = 2;
/// An inner quote with which a name and its colon begin.
pub(crate) const SWALLOWED: u32 = 4;
/// The same, first on its line.
pub(crate) const SWALLOWED_LINE: u32 = 9;
/// An inner quote after a bracket that closes a container around the string.
pub(crate) const OUT_OF_CONTAINER: u32 = 7;
/// An inner quote with a comma and a further quote behind it.
pub(crate) const OVER_COMMA: u32 = 3;
/// The discount for an inner quote behind a digit.
pub(crate) const INCHES: u32 = 5;
/// A string with an odd number of quotes inside.
pub(crate) const ODD_QUOTES: u32 = 5;
/// A string with one quote inside.
pub(crate) const ODD_QUOTE_ALONE: u32 = 3;
/// A quote that closes looks like one that opens (space before, letter behind), or the other way round.
pub(crate) const QUOTE_SHAPE: u32 = 3;
/// A doubtful text runs over the end of a line.
pub(crate) const RAW_NEWLINE: u32 = 3;
/// A text that the end of the whole text closes.
pub(crate) const UNCLOSED_STRING: u32 = 8;
/// A text that ends at the end of its line, where a fence closes the whole: no writer of a text with code stops
/// right behind a fence of it.
pub(crate) const CUT_AT_FENCE: u32 = 2;
/// A container that the end of the whole text closes.
pub(crate) const UNCLOSED: u32 = 2;
/// A member whose value was cut off.
pub(crate) const CUT_MEMBER: u32 = 3;
/// First on its line, but not where the other members or the opener stand.
pub(crate) const INDENT: u32 = 8;
/// A name that the schema does not know, where another reading exists.
pub(crate) const UNKNOWN_NAME: u32 = 4;
/// A name that is empty, long, of several lines, or holds a comma among quotes.
pub(crate) const ODD_NAME: u32 = 7;
/// A name that holds a bracket without its partner.
pub(crate) const BRACKET_IN_NAME: u32 = 4;
/// A name that begins or ends with a space.
pub(crate) const SPACED_NAME: u32 = 4;
/// The price of a value that goes on behind its supposed end.
pub(crate) const REST_GOES_ON: u32 = 15;
/// Converts the search result to nodes of the tape.
pub(crate) const BARE_NUMBER: u32 = 3;
/// A name that holds its colon.
pub(crate) const COLON_INSIDE: u32 = 3;
/// A name of several words without quotes.
pub(crate) const NAME_OF_WORDS: u32 = 2;
/// A name without quotes that goes on behind the end of a line.
pub(crate) const NAME_OVER_LINE: u32 = 9;
/// The same of a text.
pub(crate) const TEXT_OVER_LINE: u32 = 2;
