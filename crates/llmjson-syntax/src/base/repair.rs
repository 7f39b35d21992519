//! Repairs and notes: the record of how a text was read.

use crate::base::span::Span;

/// The certainty that a repair restores the intended value, from most to least certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The repair has only one interpretation.
    Certain,
    /// Another interpretation is possible but rare.
    Likely,
    /// A choice among equally plausible interpretations. Refuse it if a wrong value is costly.
    Guess,
}

named!(Class: "certain" => Certain, "likely" => Likely, "guess" => Guess);

macro_rules! kinds {
    ($(#[$outer:meta])* $type:ident { $($(#[$doc:meta])* $kind:ident $name:literal $class:ident $sentence:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$doc])* $kind,)*
        }

        named!($type: $($name => $kind,)*);

        impl $type {
            /// Returns a sentence for people: lower case, without a full stop.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => $sentence,)* }
            }

            /// Returns the usual class of this kind. A record can be less certain than its kind.
            #[inline]
            #[must_use]
            pub const fn class(self) -> Class {
                match self { $(Self::$kind => Class::$class,)* }
            }
        }
    };
}

kinds! {
    /// The kind of a repair.
    RepairKind {
        // Around the value.
        /// The value stood in a markdown code fence.
        CodeFence "code_fence" Certain "used the value inside a code fence",
        /// Text around the value was passed over. A guess where that text says that the value is no
        /// answer: English words that call it an example, deny it, ask for it or take it back;
        /// mathematics, a command, a style sheet; prose around a form that is still to be filled
        /// in, such as `{"name": "string"}`; or two lines of another notation, such as `name = "Anna"`.
        SurroundingText "surrounding_text" Certain "skipped text around the value",
        /// A block of reasoning was passed over.
        ReasoningBlock "reasoning_block" Certain "skipped a reasoning block",
        /// Tags or special tokens of a chat template were passed over.
        TemplateToken "template_token" Certain "skipped chat-template tags or special tokens",
        /// The choice of one of several values; the span is that of a value set aside. English
        /// words before the values decide between them, and labels of any language by their form.
        ChosenValue "chosen_value" Likely "chose one of several values",
        /// A correction of the value behind it: a JSON Patch, a merge patch that words introduce, or words such as `"age" should
        /// be 35`. The value stays as it was written.
        Correction "correction" Guess "found a correction after the value",
        /// The value stood in a block of reasoning, behind which no answer follows.
        ThoughtValue "thought_value" Guess "used a value from a reasoning block",
        /// Values one after another were read as one list.
        SeveralValues "several_values" Likely "read several values as one array",
        /// An object whose braces are missing.
        MissingBraces "missing_braces" Likely "read key-value pairs without braces as an object",
        /// The value was written with its quotes escaped.
        EscapedDocument "escaped_document" Likely "removed one level of escaping from the whole value",

        /// The value was written as HTML text.
        HtmlEntities "html_entities" Likely "decoded HTML entities",
        /// The value was written as a field of a CSV file.
        CsvQuotes "csv_quotes" Likely "undid CSV quote doubling",
        /// Marks of a diff or quotation, or line numbers, stood before the lines of the value.
        LinePrefixes "line_prefixes" Likely "stripped a prefix from each line of the value",
        /// The reply as a protocol, a page, a terminal or a shell carried it, with other signs for some of its own: the
        /// events of a stream, percent signs, lines that a column cut.
        TransportEncoding "transport_encoding" Likely "decoded text that a protocol, page or terminal had re-encoded",
        /// A value that was cut and went on in another fence, turn or message. A guess where the whole needs more repairs or
        /// has a name twice.
        JoinedParts "joined_parts" Likely "joined the parts of a value that was interrupted",
        /// The value was written in another notation than JSON, which the [detail](Repair::detail) names. Read only under
        /// a schema, where no JSON of the reply satisfies it.
        Notation "notation" Likely "read the value from a notation other than JSON",

        // Between tokens.
        /// A comment.
        Comment "comment" Certain "skipped a comment",
        /// White space that JSON does not know, such as a no-break space or a byte order mark.
        OddSpace "odd_space" Certain "read an unusual character as whitespace",
        /// A backslash and a letter, such as `\n`, between tokens.
        EscapedSpace "escaped_space" Certain "read an escape between tokens as whitespace",
        /// A comma with nothing behind it or before it.
        ExtraComma "extra_comma" Certain "removed a stray comma",
        /// No comma between two values.
        MissingComma "missing_comma" Certain "inserted a missing comma",
        /// No colon between name and value.
        MissingColon "missing_colon" Likely "inserted a missing colon",
        /// Another sign in place of a comma or colon: `;`, `=`, `=>`, full-width signs.
        OddSeparator "odd_separator" Certain "read another character as a comma or colon",
        /// Dots for what the writer left out.
        Ellipsis "ellipsis" Likely "skipped an ellipsis",
        /// A value that belongs to no member, between two members.
        DroppedValue "dropped_value" Guess "dropped a value without a key",
        /// Text where nothing may stand, or around a value what looks like a part of a larger one: half a name, a bracket
        /// without its partner.
        StrayText "stray_text" Guess "skipped stray text between values",

        // Containers.
        /// The text ended before an object was closed.
        UnclosedObject "unclosed_object" Certain "closed an object at the end of the input",
        /// The text ended before an array was closed.
        UnclosedArray "unclosed_array" Certain "closed an array at the end of the input",
        /// A closer that is missing in the middle.
        MissingCloser "missing_closer" Likely "inserted a missing closing bracket",
        /// A closing bracket of another kind than the opening one.
        WrongCloser "wrong_closer" Likely "read a mismatched closing bracket as the right one",
        /// A closing bracket too many.
        ExtraCloser "extra_closer" Likely "removed an extra closing bracket",
        /// An opening bracket that is missing in the middle.
        MissingOpener "missing_opener" Guess "inserted a missing opening bracket",
        /// An opening bracket too many.
        ExtraOpener "extra_opener" Likely "removed an extra opening bracket",
        /// A Python tuple.
        Tuple "tuple" Certain "read a parenthesized tuple as an array",
        /// A list in curly brackets.
        Set "set" Likely "read values in braces as an array",
        /// Members in square or round brackets.
        BracketedMembers "bracketed_members" Guess "read key-value pairs in other brackets as an object",
        /// A value wrapped in a call, or behind the name of its type: `ObjectId("…")`,
        /// `callback(…)`, `Point {…}`.
        Wrapper "wrapper" Likely "unwrapped a value from a call or type name",

        // Names and values.
        /// A name without quotes.
        UnquotedKey "unquoted_key" Certain "read an unquoted key",
        /// A text without quotes.
        UnquotedString "unquoted_string" Likely "read unquoted text as a string",
        /// A string in other quotes than double ones.
        OtherQuotes "other_quotes" Certain "read a string in nonstandard quotes",
        /// A single quote before a string, and a double one behind it.
        MismatchedQuotes "mismatched_quotes" Likely "closed a string at a different kind of quote",
        /// A quote before or behind a string is missing.
        MissingQuote "missing_quote" Guess "inserted a missing quote",
        /// A quote too many before a string.
        DoubledQuote "doubled_quote" Guess "removed a doubled quote",
        /// A string that holds JSON, the quotes of which were not escaped.
        UnescapedJson "unescaped_json" Likely "kept JSON with unescaped quotes inside a string",
        /// Quotes inside a string that were not escaped.
        InnerQuote "inner_quote" Likely "kept an unescaped quote inside a string",
        /// Pieces of a string, one after another or joined by a plus sign.
        JoinedStrings "joined_strings" Likely "joined the pieces of a string",
        /// A list of several values of one member, one after another without brackets around them.
        UnbracketedList "unbracketed_list" Guess "read several values after one key as an array",
        /// A name without a value, in the middle.
        MissingValue "missing_value" Likely "inserted null for a missing value",
        /// `True`, `None`, `NULL` and the like.
        OtherKeyword "other_keyword" Certain "read another spelling of true, false or null",
        /// `tru`, `nul` and the like in the middle of a text.
        ShortKeyword "short_keyword" Likely "completed a truncated keyword",
        /// `undefined`.
        Undefined "undefined" Likely "read undefined as null",
        /// `NaN` and infinities, for which JSON has no number.
        NotANumber "not_a_number" Certain "kept NaN or infinity as a string",
        /// A number spelled as JSON does not: `+1`, `.5`, `1.`, `0x1F`, `1_000`.
        OtherNumber "other_number" Certain "read a number in a non-JSON format",
        /// Digits in groups of three, `1,234.50`.
        GroupedDigits "grouped_digits" Likely "read a number with digit grouping",
        /// Digits that are no number: leading zeros, dates, fractions.
        NumberAsText "number_as_text" Likely "kept digits that are not a number as a string",

        // Inside strings.
        /// A raw line break or another control character in a string.
        ControlCharacter "control_character" Certain "kept a raw control character inside a string",
        /// A backslash before what JSON does not escape, or an escape of another language.
        InvalidEscape "invalid_escape" Likely "read an escape that JSON does not define",
        /// An escape read as raw text because the string was raw before.
        RawEscape "raw_escape" Guess "read an escape literally, like the others in the string",
        /// An escape that is half of a surrogate pair.
        LoneSurrogate "lone_surrogate" Certain "replaced a lone surrogate with U+FFFD",

        // At the end of the text.
        /// The text ended inside a string.
        UnclosedString "unclosed_string" Certain "closed a string at the end of the input",
        /// The text ended inside an escape or a character.
        CutEscape "cut_escape" Certain "dropped a truncated escape at the end of the input",
        /// The text ended inside `true`, `false` or `null`.
        CutKeyword "cut_keyword" Certain "completed a truncated keyword at the end of the input",
        /// A number that ends in a point or an exponent without digits.
        CutNumber "cut_number" Likely "dropped the unfinished end of a number",
        /// The text ended before the value of a member.
        CutMember "cut_member" Certain "dropped a key whose value was truncated",

        // The records themselves.
        /// A mark that more repairs were made than are recorded.
        RecordsCapped "records_capped" Guess "made more repairs than the report lists",
        /// A mark that values from here on were passed over: there are more of them than
        /// [`Limits::candidates`](crate::Limits::candidates) allows.
        CandidatesCapped "candidates_capped" Guess "passed over values beyond the number that is tried",
        /// A mark that the value was ended here: the work that [`Limits::work`](crate::Limits::work) allows was used up.
        WorkCapped "work_capped" Guess "stopped at the work limit",
    }
}

/// A notation other than JSON in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// YAML.
    Yaml,
    /// Names and values line by line, or as a Markdown list.
    Lines,
    /// A Markdown table.
    Table,
    /// Lines of fields with a header.
    Csv,
    /// XML or HTML tags.
    Xml,
    /// TOML, INI and properties.
    Toml,
    /// Protocol buffer text format, HJSON and similar formats: names and values in braces, without
    /// quotes around names.
    Blocks,
    /// The output of PHP's `print_r`.
    PrintR,
    /// Headings with text under each.
    Headings,
    /// One scalar, bare or after a label.
    Scalar,
    /// Items line by line, with or without numbers.
    Items,
}

named!(
    Notation:
    "yaml" => Yaml,
    "lines" => Lines,
    "table" => Table,
    "csv" => Csv,
    "xml" => Xml,
    "toml" => Toml,
    "blocks" => Blocks,
    "print_r" => PrintR,
    "headings" => Headings,
    "scalar" => Scalar,
    "items" => Items,
);

/// One repair: a change made to read the text as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The kind of repair.
    pub kind: RepairKind,
    /// The kind's class, or a less certain one if the evidence here is weak.
    pub class: Class,
    /// The span in the text; empty for an insertion.
    pub span: Span,
    /// The notation that was read, if the kind is [`Notation`](RepairKind::Notation).
    pub detail: Option<Notation>,
}

impl Repair {
    /// A record of the kind's usual class.
    pub(crate) const fn new(kind: RepairKind, span: Span) -> Self {
        Self::of(kind, kind.class(), span)
    }

    /// A record of this class.
    pub(crate) const fn of(kind: RepairKind, class: Class, span: Span) -> Self {
        Self {
            kind,
            class,
            span,
            detail: None,
        }
    }

    /// Returns the same record at another span, such as the span in an enclosing text.
    #[must_use]
    pub const fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

macro_rules! notes {
    ($($(#[$doc:meta])* $kind:ident $name:literal $sentence:literal,)*) => {
        /// The kind of a note.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum NoteKind {
            $($(#[$doc])* $kind,)*
        }

        named!(NoteKind: $($name => $kind,)*);

        impl NoteKind {
            /// Returns a sentence for people: lower case, without a full stop.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => $sentence,)* }
            }
        }
    };
}

notes! {
    /// A member with a duplicate name: the later value counts, in this one's place.
    DuplicateKey "duplicate_key" "a key is repeated; this value is lost",
    /// A value of the reply that was not chosen.
    OtherValue "other_value" "another value in the reply was not chosen",
    /// A line break or tab in a string that other escapes show to be raw.
    EarlierEscape "earlier_escape" "decoded an escape although the rest of the string is raw",
    /// A line break, tab or the like in what begins as a path of Windows: `"C:\temp\new"`.
    PathEscape "path_escape" "decoded an escape in what looks like a Windows path",
}

/// A note: something worth knowing that is not a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The kind of note.
    pub kind: NoteKind,
    /// The certainty that the noted fact does not affect the intended value: [`Class::Likely`] if
    /// the values of a duplicate key differ, and for escapes in something that looks like a path.
    pub class: Class,
    /// The span in the text.
    pub span: Span,
}

impl Note {
    /// Returns the same record at another span, such as the span in an enclosing text.
    #[must_use]
    pub const fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}
