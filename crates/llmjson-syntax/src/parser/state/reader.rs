//! The reader: one text, one tape, and the state of parsing.

use alloc::vec::Vec;

use crate::base::expected_names::ExpectedNames;
use crate::base::limits::{LimitReached, Limits};
use crate::parser::look::Look;
use crate::parser::look::habits::Habits;
use crate::parser::look::rows::Rows;
use crate::parser::state::counters::Counters;
use crate::parser::state::pause::Pause;
use crate::parser::state::signatures::Signatures;
use crate::parser::state::step::ValueEnd;
use crate::tape::Tape;
use crate::tape::readings::Readings;

/// Reads one text onto one tape.
pub(crate) struct Reader<'r> {
    /// The text, and the lookahead over it.
    pub(crate) look: Look<'r>,
    pub(crate) tape: &'r mut Tape,
    pub(crate) limits: &'r Limits,
    pub(crate) scratch: &'r mut Scratch,
    /// The limit that ended reading.
    pub(crate) limit: Option<LimitReached>,
    /// All possible values of the text, if there are several.
    pub(crate) readings: Readings,
    /// Index of the first record of the value being read.
    pub(crate) first_repair: usize,
    /// The root of the value being read, and the offset at which it begins.
    pub(crate) value_node: usize,
    pub(crate) value_start: usize,
    /// Offset and length of a plain key that was seen during lookahead.
    pub(crate) seen_name: (usize, usize),
    pub(crate) counters: Counters,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(
        look: Look<'r>,
        tape: &'r mut Tape,
        limits: &'r Limits,
        scratch: &'r mut Scratch,
    ) -> Self {
        tape.digits = limits.digits;
        Self {
            look,
            tape,
            limits,
            scratch,
            limit: None,
            readings: Readings::default(),
            first_repair: 0,
            value_node: 0,
            value_start: 0,
            seen_name: (0, 0),
            counters: Counters::default(),
        }
    }

    pub(crate) fn begin(&mut self, start: usize) {
        (self.value_node, self.value_start) = (self.tape.nodes.len(), start);
        self.scratch.unquoted = 0;
        self.scratch.left = (self.value_node, start);
        self.scratch.counted.clear();
        self.scratch.columns = start;
        (self.scratch.scanned, self.scratch.tuples_until) = (0, 0);
        let items = self.look.names.and_then(ExpectedNames::items);
        self.scratch.habits = Habits {
            rows: Rows::from(start, items),
            ..Habits::default()
        };
        self.scratch.signatures.forget();
        self.counters.cut = false;
        self.counters.furthest = start;
        self.counters.idle = 0;
    }

    /// `["Berlin, 1, 2, 3]`: the unquoted text after the string may belong to it, since its closing
    /// quote is missing, and the text may be truncated.
    pub(crate) fn ended(&self, mut read: ValueEnd) -> ValueEnd {
        let unquoted = self.scratch.unquoted;
        if unquoted != 0 && read.complete {
            let rest = &self.look.bytes[unquoted.min(read.end)..read.end];
            self.look.charge_search(rest.len());
            read.complete = memchr::memchr2(b'"', b'\'', rest).is_some();
        }
        read
    }
}

/// Buffers that outlive one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Keys of one object, for finding repeated ones.
    pub(crate) keys: Vec<(u64, u32)>,
    /// The signatures that distinguish the keys of open objects.
    pub(crate) signatures: Signatures,
    /// The place at which reading paused, if more text is to come.
    pub(crate) pause: Pause,
    /// Repeated members that the search has taken back since reading resumed.
    pub(crate) forgotten: Vec<(u32, u32)>,
    /// The writer's habits in this value.
    pub(crate) habits: Habits,
    /// The end of the quoted text in the search's last result, if its quote is missing.
    pub(crate) unquoted: usize,
    /// The number of nodes when the last search ended, and the offset of the member or item after
    /// them.
    pub(crate) left: (usize, usize),
    /// The place before which columns were last compared.
    pub(crate) scanned: usize,
    /// Offset up to which parentheses are known to have no damage in them.
    pub(crate) tuples_until: usize,
    /// Offset up to which members are in the column of their container, or were read again.
    pub(crate) columns: usize,
    /// Nested containers, with one of their children and the number of children before it.
    pub(crate) counted: Vec<(u32, u32, u32)>,
    /// `true` if the search reads frequent damage, as it does all other damage.
    pub(crate) without_fast_path: bool,
    /// `true` if the sources of a reply are tried in reverse order.
    pub(crate) reversed_sources: bool,
    /// The margin that any repair of the search needs, instead of the default of its kind.
    pub(crate) lead: Option<u32>,
}
