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
        /// The value was in a Markdown code fence.
        CodeFence "code_fence" Certain "used the value inside a code fence",
        /// Text around the value was skipped. It is a guess if that text says that the value is not
        /// an answer: words that call it an example, deny it or take it back; mathematics, a
        /// command, a style sheet; prose around a form to fill in, such as `{"name": "string"}`; or
        /// two lines of another notation, such as `name = "Anna"`.
        SurroundingText "surrounding_text" Certain "skipped text around the value",
        /// A reasoning block was skipped.
        ReasoningBlock "reasoning_block" Certain "skipped a reasoning block",
        /// Tags or special tokens of a chat template were skipped.
        TemplateToken "template_token" Certain "skipped chat-template tags or special tokens",
        /// One of several values was chosen; the span is that of a rejected value. Words before the
        /// values decide between them, and the form of their labels in any language.
        ChosenValue "chosen_value" Likely "chose one of several values",
        /// A correction follows the value: a JSON Patch, a merge patch introduced by words, or
        /// words such as `"age" should be 35`. The value itself is unchanged.
        Correction "correction" Guess "found a correction after the value",
        /// The value was in a reasoning block that no answer follows.
        ThoughtValue "thought_value" Guess "used a value from a reasoning block",
        /// Consecutive values were read as one array.
        SeveralValues "several_values" Likely "read several values as one array",
        /// An object without braces.
        MissingBraces "missing_braces" Likely "read key-value pairs without braces as an object",
        /// The quotes of the value were escaped.
        EscapedDocument "escaped_document" Likely "removed one level of escaping from the whole value",

        /// The value was escaped as HTML text.
        HtmlEntities "html_entities" Likely "decoded HTML entities",
        /// The value was quoted as a field of a CSV file.
        CsvQuotes "csv_quotes" Likely "undid CSV quote doubling",
        /// Diff or quotation markers, or line numbers, preceded the lines of the value.
        LinePrefixes "line_prefixes" Likely "stripped a prefix from each line of the value",
        /// The reply was encoded by a protocol, a web page, a terminal or a shell: the events of a
        /// stream, percent-encoding, wrapped lines.
        TransportEncoding "transport_encoding" Likely "decoded text that a protocol, page or terminal had re-encoded",
        /// A truncated value continued in another fence, turn or message. It is a guess if the
        /// whole needs more repairs or repeats a key.
        JoinedParts "joined_parts" Likely "joined the parts of a value that was interrupted",
        /// The value was written in a notation other than JSON, which the [detail](Repair::detail)
        /// names. It is read only under a schema that no JSON value of the reply satisfies.
        Notation "notation" Likely "read the value from a notation other than JSON",

        // Between tokens.
        /// A comment.
        Comment "comment" Certain "skipped a comment",
        /// White space that JSON does not allow, such as a no-break space or a byte order mark.
        OddSpace "odd_space" Certain "read an unusual character as whitespace",
        /// A backslash and a letter, such as `\n`, between tokens.
        EscapedSpace "escaped_space" Certain "read an escape between tokens as whitespace",
        /// A comma without a value before or after it.
        ExtraComma "extra_comma" Certain "removed a stray comma",
        /// A missing comma between two values.
        MissingComma "missing_comma" Certain "inserted a missing comma",
        /// A missing colon between key and value.
        MissingColon "missing_colon" Likely "inserted a missing colon",
        /// Another character in place of a comma or colon: `;`, `=`, `=>`, full-width punctuation.
        OddSeparator "odd_separator" Certain "read another character as a comma or colon",
        /// An ellipsis in place of omitted content.
        Ellipsis "ellipsis" Likely "skipped an ellipsis",
        /// A value without a key between two members.
        DroppedValue "dropped_value" Guess "dropped a value without a key",
        /// Text where none is allowed, or text around a value that looks like part of a larger one:
        /// half a key, a bracket without its partner.
        StrayText "stray_text" Guess "skipped stray text between values",

        // Containers.
        /// The text ended before an object was closed.
        UnclosedObject "unclosed_object" Certain "closed an object at the end of the input",
        /// The text ended before an array was closed.
        UnclosedArray "unclosed_array" Certain "closed an array at the end of the input",
        /// A missing closing bracket within the text.
        MissingCloser "missing_closer" Likely "inserted a missing closing bracket",
        /// A closing bracket that does not match the opening one.
        WrongCloser "wrong_closer" Likely "read a mismatched closing bracket as the right one",
        /// A surplus closing bracket.
        ExtraCloser "extra_closer" Likely "removed an extra closing bracket",
        /// A missing opening bracket within the text.
        MissingOpener "missing_opener" Guess "inserted a missing opening bracket",
        /// A surplus opening bracket.
        ExtraOpener "extra_opener" Likely "removed an extra opening bracket",
        /// A Python tuple.
        Tuple "tuple" Certain "read a parenthesized tuple as an array",
        /// An array in curly brackets.
        Set "set" Likely "read values in braces as an array",
        /// Members in square brackets or parentheses.
        BracketedMembers "bracketed_members" Guess "read key-value pairs in other brackets as an object",
        /// A value wrapped in a call, or preceded by its type name: `ObjectId("…")`, `callback(…)`,
        /// `Point {…}`.
        Wrapper "wrapper" Likely "unwrapped a value from a call or type name",

        // Keys and values.
        /// An unquoted key.
        UnquotedKey "unquoted_key" Certain "read an unquoted key",
        /// An unquoted string.
        UnquotedString "unquoted_string" Likely "read unquoted text as a string",
        /// A string in quotes other than double quotes.
        OtherQuotes "other_quotes" Certain "read a string in nonstandard quotes",
        /// A string with a single quote before it and a double quote after it.
        MismatchedQuotes "mismatched_quotes" Likely "closed a string at a different kind of quote",
        /// A missing quote before or after a string.
        MissingQuote "missing_quote" Guess "inserted a missing quote",
        /// A surplus quote before a string.
        DoubledQuote "doubled_quote" Guess "removed a doubled quote",
        /// A string that contains JSON with unescaped quotes.
        UnescapedJson "unescaped_json" Likely "kept JSON with unescaped quotes inside a string",
        /// Unescaped quotes inside a string.
        InnerQuote "inner_quote" Likely "kept an unescaped quote inside a string",
        /// Pieces of a string, consecutive or joined by a plus sign.
        JoinedStrings "joined_strings" Likely "joined the pieces of a string",
        /// Several values of one member, read as an array although they have no brackets.
        UnbracketedList "unbracketed_list" Guess "read several values after one key as an array",
        /// A key without a value within the text.
        MissingValue "missing_value" Likely "inserted null for a missing value",
        /// A keyword in another spelling: `True`, `None`, `NULL`.
        OtherKeyword "other_keyword" Certain "read another spelling of true, false or null",
        /// A truncated keyword within the text, such as `tru` or `nul`.
        ShortKeyword "short_keyword" Likely "completed a truncated keyword",
        /// `undefined`.
        Undefined "undefined" Likely "read undefined as null",
        /// `NaN` and infinities, which JSON numbers cannot express.
        NotANumber "not_a_number" Certain "kept NaN or infinity as a string",
        /// A number in a non-JSON spelling: `+1`, `.5`, `1.`, `0x1F`, `1_000`.
        OtherNumber "other_number" Certain "read a number in a non-JSON format",
        /// A number with digits in groups of three: `1,234.50`.
        GroupedDigits "grouped_digits" Likely "read a number with digit grouping",
        /// Digits that are not a number: leading zeros, dates, fractions.
        NumberAsText "number_as_text" Likely "kept digits that are not a number as a string",

        // Inside strings.
        /// A raw line break or another control character in a string.
        ControlCharacter "control_character" Certain "kept a raw control character inside a string",
        /// A backslash before a character that JSON does not escape, or an escape of another
        /// language.
        InvalidEscape "invalid_escape" Likely "read an escape that JSON does not define",
        /// An escape read literally because earlier ones show that the string is raw.
        RawEscape "raw_escape" Guess "read an escape literally, like others in the value",
        /// An escape for half of a surrogate pair.
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
        /// A marker: more repairs were made than recorded.
        RecordsCapped "records_capped" Guess "made more repairs than the report lists",
        /// A marker: values from here on were skipped, since there are more than
        /// [`Limits::candidates`](crate::Limits::candidates) allows.
        CandidatesCapped "candidates_capped" Guess "passed over values beyond the number that is tried",
        /// A marker: the value ends here because the work allowed by
        /// [`Limits::work`](crate::Limits::work) was used up.
        WorkCapped "work_capped" Guess "stopped at the work limit",
    }
}

/// A notation other than JSON in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// YAML.
    Yaml,
    /// Keys and values line by line, or as a Markdown list.
    Lines,
    /// A Markdown table.
    Table,
    /// Lines of fields below a header.
    Csv,
    /// XML or HTML tags.
    Xml,
    /// TOML, INI and properties.
    Toml,
    /// Protocol buffer text format, HJSON and similar formats: keys and values in braces, with
    /// unquoted keys.
    Blocks,
    /// The output of PHP's `print_r`.
    PrintR,
    /// Headings, each followed by text.
    Headings,
    /// A single scalar, bare or after a label.
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

/// A repair: a change made to read the text as JSON.
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
    /// Creates a record of the kind's usual class.
    pub(crate) const fn new(kind: RepairKind, span: Span) -> Self {
        Self::of(kind, kind.class(), span)
    }

    /// Creates a record of this class.
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
    /// A member with a duplicate key: the later value counts, in the place of the first.
    DuplicateKey "duplicate_key" "a key is repeated; this value is lost",
    /// A value of the reply that was not chosen.
    OtherValue "other_value" "another value in the reply was not chosen",
    /// A decoded line break or tab in a string that other escapes show to be raw.
    EarlierEscape "earlier_escape" "decoded an escape although the rest of the string is raw",
    /// An escape in an apparent Windows path or LaTeX command that was decoded to a control
    /// character: `"C:\temp\new"`, `"\frac{a}{b}"`.
    ControlEscape "control_escape" "decoded an escape in what looks like a Windows path or LaTeX command",
}

/// A note: something worth knowing that is not a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The kind of note.
    pub kind: NoteKind,
    /// The certainty that the noted fact does not affect the intended value: [`Class::Likely`] if
    /// the values of a duplicate key differ, and for a control escape.
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
