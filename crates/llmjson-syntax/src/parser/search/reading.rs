//! A hypothesis: one possible interpretation of the text up to a position.

use crate::base::expected_names::ExpectedValue;
use crate::parser::search::text::quotes::Quote;

/// The token that a hypothesis expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    Next,
    Done,
}

/// The kind of an open container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// None: the place outside the value.
    Root,
    Object,
    /// Members without the brace before them.
    Implicit,
    Array,
    /// Items without the brackets around them: `"tags": "p", "q"`.
    Loose,
    /// Parentheses around one value, possibly of a call, which are not part of the value:
    /// `ObjectId("x")`.
    Call,
}

impl Kind {
    pub(crate) fn has_names(self) -> bool {
        matches!(self, Self::Object | Self::Implicit)
    }

    /// Returns the token with which its members or items begin.
    pub(crate) fn member(self) -> Want {
        if self.has_names() {
            Want::Name
        } else {
            Want::Value
        }
    }

    /// Returns `true` if the container was written without brackets, so that no closer is missing
    /// at its end.
    pub(crate) fn is_implied(self) -> bool {
        matches!(self, Self::Implicit | Self::Loose)
    }

    /// The byte that usually closes it, or 0. Other brackets are equivalent: `(1, 2)`, `{1, 2}`,
    /// `Point(x=1)`, `['a' => 1]`.
    pub(crate) const fn usual_closer(self) -> u8 {
        match self {
            Self::Object | Self::Implicit => b'}',
            Self::Array | Self::Loose => b']',
            Self::Call => b')',
            Self::Root => 0,
        }
    }
}

/// An open container.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SearchContainer {
    pub(crate) parent: u32,
    pub(crate) kind: Kind,
    /// The byte that closes it, or 0.
    pub(crate) closer: u8,
    /// Offset of its bracket.
    pub(crate) open: u32,
    /// The column of the members that begin their lines, or -1.
    pub(crate) column: i32,
    /// The indentation of the line on which it was opened.
    pub(crate) indent: i32,
    /// Number of children before the place at which the search begins.
    pub(crate) before: u32,
    /// The expectation of the object, or of the items of the array.
    pub(crate) expected: ExpectedValue,
}

impl SearchContainer {
    /// The place outside the value.
    pub(crate) const ROOT: Self = Self {
        parent: 0,
        kind: Kind::Root,
        closer: 0,
        open: 0,
        column: -1,
        indent: -1,
        before: 0,
        expected: ExpectedValue::ANY,
    };
}

/// The column of a container whose members are in several columns.
pub(crate) const RAGGED: i32 = i32::MAX;

/// Number of skipped ends after which further ones are free: the string contains code.
pub(crate) const PASSED: u8 = 8;

/// The line of the next token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextLine {
    /// The line on which the last token ends.
    Same,
    New,
}

impl NextLine {
    /// Returns `New` if the condition holds.
    pub(crate) const fn new_if(condition: bool) -> Self {
        match condition {
            true => Self::New,
            false => Self::Same,
        }
    }
}

/// The role of a string in its container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextRole {
    Name,
    Value,
}

/// A string whose end has not been found yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpenString {
    /// Offset of its opening quote.
    pub(crate) begin: u32,
    /// Offset at which its content begins.
    pub(crate) start: u32,
    pub(crate) quote: Quote,
    pub(crate) role: TextRole,
    /// Number of quotes inside it that were read as content.
    pub(crate) inner: u8,
    /// Number of opening brackets minus closing ones, up to `from`.
    pub(crate) balance: i16,
    /// `true` if closing brackets exceeded opening ones anywhere before `from`.
    pub(crate) sunk: bool,
    /// `true` if the number of double quotes before `from`, escaped or not, is odd.
    pub(crate) odd: bool,
    /// `true` if a line ends before `from`.
    pub(crate) lines: bool,
    /// Number of times that the string continued past an apparent end or member, up to [`PASSED`].
    pub(crate) passed: u8,
    /// Offset up to which its content has been scanned.
    pub(crate) from: u32,
}

impl OpenString {
    pub(crate) const fn is_name(&self) -> bool {
        matches!(self.role, TextRole::Name)
    }

    pub(crate) fn new(begin: usize, start: usize, quote: Quote, role: TextRole) -> Self {
        Self {
            begin: begin as u32,
            start: start as u32,
            quote,
            role,
            inner: 0,
            balance: 0,
            sunk: false,
            odd: false,
            lines: false,
            passed: 0,
            from: start as u32,
        }
    }
}

/// One hypothesis about the meaning of the text. Its tokens are in the trail, which hypotheses
/// share up to the point where they diverge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) at: u32,
    pub(crate) cost: u32,
    pub(crate) frame: u32,
    pub(crate) trail: u32,
    pub(crate) want: Want,
    /// Number of members outside the column of the others.
    pub(crate) ragged: u8,
    /// The moves made so far, as bits.
    pub(crate) made: u64,
    /// A hash of the value read so far, by which hypotheses with equal values are recognized.
    pub(crate) value: u64,
    pub(crate) open: Option<OpenString>,
    /// The expectation of the value of the last key.
    pub(crate) expected: ExpectedValue,
    /// The smallest margin over a competing hypothesis with another value that reached the same
    /// place or was abandoned.
    pub(crate) margin: u32,
}

impl Reading {
    /// Returns the cost of a move, which is lower once it was made.
    pub(crate) fn habitual(&self, made: Move, cost: u32) -> u32 {
        match self.made & 1 << made as u64 != 0 {
            true => cost.div_ceil(made.fraction()),
            false => cost,
        }
    }

    /// Returns its offset, and its cost for comparison at one offset.
    pub(crate) fn place(&self) -> u64 {
        u64::from(self.at) << 32 | u64::from(self.cost)
    }

    /// Returns `true` if another hypothesis at the same offset would continue in the same way.
    pub(crate) fn is_where(&self, other: &Self) -> bool {
        (self.want, self.frame) == (other.want, other.frame) && self.open == other.open
    }
}

/// The margin of a hypothesis without competitors.
pub(crate) const UNRIVALLED: u32 = 1000;

/// The bit of [`Reading::made`] that is set once a quoted key has been read.
pub(crate) const QUOTED_NAME: u64 = 1 << 63;

/// The place of a string: its opening quote, its content, and the offset at which reading
/// continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringPlace {
    pub(crate) begin: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) next: u32,
}

/// A token or a move of a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    Start,
    /// Opens an object or an array whose bracket is at this offset, or is missing there.
    Object(u32),
    Array(u32),
    /// Closes the innermost container, with its end, and `true` if only the text's end closes it.
    Close(u32, bool),
    Name(StringPlace, Quote, u8),
    Text(StringPlace, Quote, u8),
    /// An unquoted value, with `true` if the text ends in it.
    Bare(u32, u32, bool),
    Null(u32),
    /// The value before it was the first item of an array, which is opened before that item.
    List,
    DropName,
    Made(Move, u32, u32),
}

impl Event {
    /// Returns the offset at which the value of an event begins.
    pub(crate) fn place(&self) -> Option<u32> {
        match *self {
            Self::Object(at) | Self::Array(at) | Self::Null(at) | Self::Bare(at, ..) => Some(at),
            Self::Text(place, ..) => Some(place.begin),
            _ => None,
        }
    }

    /// Returns the part of an event that belongs to the value, for comparisons.
    pub(crate) fn value(&self) -> Option<(u8, u32, u32)> {
        Some(match *self {
            Self::Start | Self::Made(..) => return None,
            Self::Object(_) => (0, 0, 0),
            Self::Array(_) => (1, 0, 0),
            Self::Close(..) => (2, 0, 0),
            Self::Name(place, ..) => (3, place.start, place.end),
            Self::Text(place, ..) => (4, place.start, place.end),
            // An unquoted string equals a quoted one with the same content.
            Self::Bare(start, end, _) => (4, start, end),
            Self::Null(_) => (6, 0, 0),
            Self::DropName => (7, 0, 0),
            Self::List => (8, 0, 0),
        })
    }
}

/// A kind of damage to a text, which a hypothesis undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Comment,
    OddSpace,
    ExtraComma,
    MissingComma,
    MissingColon,
    OddSeparator,
    SwappedSeparator,
    StraySign,
    StrayText,
    StrayQuote,
    Ellipsis,
    MissingValue,
    MissingCloser,
    WrongCloser,
    ExtraCloser,
    MissingOpener,
    ExtraOpener,
    UnquotedString,
    UnquotedKey,
    OtherQuotes,
    MissingQuote,
    MismatchedQuotes,
    SignForQuote,
    DoubledQuote,
    InnerQuote,
    Unclosed,
    CutMember,
    Tuple,
    Set,
    BracketedMembers,
    Wrapper,
    OddName,
    Join,
    Unbracketed,
    GroupedDigits,
    CutNumber,
    Token,
    SmashedQuote,
}

impl Move {
    /// Returns the fraction of its cost that a mistake has once it was made. A writer tends to
    /// repeat most of them, and escapes either all quotes or none.
    const fn fraction(self) -> u32 {
        match self {
            Self::InnerQuote => 5,
            Self::MissingColon => 4,
            Self::MissingValue
            | Self::WrongCloser
            | Self::ExtraCloser
            | Self::MissingOpener
            | Self::Unclosed
            | Self::CutMember
            | Self::CutNumber => 1,
            _ => 2,
        }
    }
}
