//! Strings concatenated from literals and variables, as in programs: `"Dear " + name + ","`.
//!
//! Literals are joined. A variable's value is unknown, so its name stays in the string as written,
//! and the result is a guess.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::state::reader::Reader;
use crate::scan::escape;
use crate::tape::{Escaping, Node, Tape, flag};

/// Maximum number of records of one piece of a string.
const RECORDS_OF_PIECE: usize = 8;

impl Reader<'_> {
    /// Appends a piece to the string at `last`. Reading continues at `next`.
    pub(crate) fn join_piece(&mut self, last: usize, piece: &Node, next: usize, class: Class) {
        self.record_join(last, next, class);
        self.move_aside(last);
        let place = piece.start as usize..piece.end as usize;
        // The text of a piece written with entities is already in the side text.
        match piece.has(flag::SIDE) {
            true => self.tape.side.extend_from_within(place),
            false => append(self.tape, &self.look.text[place], piece.escaping()),
        }
        let end = self.tape.side.len() as u32;
        let node = &mut self.tape.nodes[last];
        (node.end, node.next) = (end, next as u32);
        node.flags |= piece.flags & flag::TRUNCATED;
    }

    /// Moves the string at `last` to where more can be appended.
    fn move_aside(&mut self, last: usize) {
        let node = self.tape.nodes[last];
        if node.has(flag::SIDE) {
            return;
        }
        let raw = &self.look.text[node.start as usize..node.end as usize];
        let start = self.tape.side.len() as u32;
        append(self.tape, raw, node.escaping());
        let node = &mut self.tape.nodes[last];
        node.start = start;
        node.flags = node.flags & !flag::ESCAPED | flag::SIDE;
    }

    /// Records in a single repair that the string at `last` was concatenated from pieces up to
    /// `end`.
    fn record_join(&mut self, last: usize, end: usize, class: Class) {
        let node = self.tape.nodes[last];
        if !node.has(flag::SIDE) {
            return self.repair_as(RepairKind::JoinedStrings, class, node.start as usize, end);
        }
        // The repairs of the piece itself were recorded in between.
        let mut repairs = self.tape.repairs.iter_mut().rev().take(RECORDS_OF_PIECE);
        let joined = |repair: &&mut Repair| {
            repair.kind == RepairKind::JoinedStrings && repair.span.end == node.next
        };
        match repairs.find(joined) {
            Some(repair) => {
                repair.span.end = end as u32;
                repair.class = repair.class.max(class);
            }
            None => self.repair_as(RepairKind::JoinedStrings, class, node.next as usize, end),
        }
    }
}

/// Appends the unescaped content of a piece to the concatenated string.
fn append(tape: &mut Tape, raw: &str, escaping: Escaping) {
    if escaping == Escaping::Escaped {
        escape::decode_to(raw, &mut tape.side);
    } else {
        tape.side.push_str(raw);
    }
}
