//! Closing brackets that are of the wrong kind, too many, or missing.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container};
use crate::scan::peek;
use crate::tape::{NONE, Tag, flag};

impl Reader<'_> {
    /// A closer that is not the one of the innermost open container.
    pub(crate) fn odd_closer(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        if byte == b')' && self.counters.wrappers > 0 && self.wrapper_inside(here) {
            self.counters.wrappers -= 1;
            return AfterStep::Again(here, k + 1);
        }
        if byte == self.closer_of(here.current) {
            if byte == b')' && !here.object && self.only_in_brackets(here, k) {
                return AfterStep::Again(self.take_out(here), k + 1);
            }
            return AfterStep::Again(self.close(here, k + 1), k + 1);
        }
        if byte == b')' && self.counters.wrappers > 0 {
            self.counters.wrappers -= 1;
            return AfterStep::Again(here, k + 1);
        }
        if byte == b'}' && self.in_unbracketed(here) {
            return AfterStep::Again(self.close_unclosed(here, k), k);
        }
        if byte == b')' && self.without_brace(here) {
            return AfterStep::End(here, k);
        }
        if self.encloses(here, byte) {
            self.outer_closer(here, byte, k)
        } else {
            self.closer_of_none(here, byte, k)
        }
    }

    /// Reads the closer at `k`, with which no open container ends: one too many, `{"a": [1]], "b": 2}`, or the wrong
    /// one, `{"a": [1}, "b": 2}`.
    fn closer_of_none(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        let parent = self.parent(here);
        let last = matches!(self.look.skip_space(k + 1).0, 0 | b'}' | b']' | b')');
        let extra = self.continues_in(Some(here.current), k + 1) || self.member_behind(here, k);
        let either = extra && byte != b')' && self.continues_in(parent, k + 1);
        if either {
            self.scratch.pause.looked_to = k + CLOSERS_AHEAD;
        }
        let closed = either && self.closers_match(parent, k + 1);
        let open = either && self.closers_match(Some(here.current), k + 1);
        let wrong = closed && !open;
        if !wrong && (extra || byte == b')' && !last) {
            let class = if either && closed == open {
                // The closers further on do not tell.
                Class::Guess
            } else {
                Class::Likely
            };
            self.repair_as(RepairKind::ExtraCloser, class, k, k + 1);
            return AfterStep::Again(here, k + 1);
        }
        self.repair(RepairKind::WrongCloser, k, k + 1);
        AfterStep::Again(self.close(here, k + 1), k + 1)
    }

    /// A container further out ends with the closer at `k`: closers are missing, `{"a": [1, "b": 2}`, unless the text
    /// goes on as if this one were wrong or one too many.
    fn outer_closer(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        let parent = self.parent(here);
        let opener = self.look.bytes[self.tape.nodes[here.current as usize].start as usize];
        let implied = here.object && !matches!(opener, b'{' | b'[' | b'(');
        let mut outer = here.current;
        while self.closer_of(outer) != byte {
            outer = self.tape.nodes[outer as usize].next;
        }
        let beyond = self.tape.nodes[outer as usize].next;
        let beyond = (beyond != NONE).then_some(beyond);
        if !self.continues_in(beyond, k + 1) && self.continues_in(parent, k + 1) {
            self.repair(RepairKind::WrongCloser, k, k + 1);
            return AfterStep::Again(self.close(here, k + 1), k + 1);
        }
        if !self.continues_in(beyond, k + 1) && self.continues_in(Some(here.current), k + 1) {
            self.repair(RepairKind::ExtraCloser, k, k + 1);
            return AfterStep::Again(here, k + 1);
        }
        // Text may go on either way; the closers further on tell which of them is meant.
        let mut doubtful = false;
        if !implied && self.continues_in(parent, k + 1) {
            self.scratch.pause.looked_to = k + CLOSERS_AHEAD;
            let (outer, inner) = (
                self.closers_match(beyond, k + 1),
                self.closers_match(parent, k + 1),
            );
            if !outer && inner {
                self.repair(RepairKind::WrongCloser, k, k + 1);
                return AfterStep::Again(self.close(here, k + 1), k + 1);
            }
            doubtful = outer == inner;
        }
        if !implied && self.continues_in(Some(here.current), k + 1) {
            self.scratch.pause.looked_to = k + CLOSERS_AHEAD;
            if !self.closers_match(beyond, k + 1) && self.closers_match(Some(here.current), k + 1) {
                self.repair(RepairKind::ExtraCloser, k, k + 1);
                return AfterStep::Again(here, k + 1);
            }
        }
        let closed = self.close_unclosed(here, k);
        if doubtful && let Some(missing) = self.tape.repairs.last_mut() {
            missing.class = Class::Guess;
        }
        AfterStep::Again(closed, k)
    }

    /// Returns `true` if the next member stands behind the closer at `k` with no comma before it,
    /// and the brackets further on close what is open.
    fn member_behind(&self, here: Container, k: usize) -> bool {
        let (byte, next) = self.look.beyond_trivia(k + 1);
        here.object
            && matches!(byte, b'"' | b'\'')
            && self
                .look
                .key_end(next)
                .is_some_and(|value| self.look.value_ahead(value))
            && self.closers_match(Some(here.current), k + 1)
    }

    /// Returns `true` if `)` behind a string is text: no round bracket is open.
    pub(crate) fn quoted_bracket(&self, here: Container, k: usize) -> bool {
        let last = self.tape.nodes.last().map(|node| node.tag);
        self.counters.wrappers == 0
            && last == Some(Tag::String)
            && self.quote_before(k)
            && !self.encloses(here, b')')
    }

    /// Returns `true` if closers at `k`, right behind a string's quote, close nothing as it seems:
    /// text goes on right behind them, as in `"['"]+"`.
    pub(crate) fn runs_on(&self, k: usize) -> bool {
        let last = self.tape.nodes.last();
        let adjacent = last.is_some_and(|node| {
            node.tag == Tag::String && !node.has(flag::SIDE) && node.end as usize + 1 == k
        });
        let closers = self.look.bytes[k..].iter().take(LOOK_AHEAD);
        let at = k + closers
            .take_while(|byte| matches!(byte, b'}' | b']'))
            .count();
        adjacent
            && match (peek(self.look.bytes, at), peek(self.look.bytes, at + 1)) {
                (b'\\', next) => {
                    !b"nrt\\\"/{}[]\r\n".contains(&next) && at + 1 < self.look.bytes.len()
                }
                (byte, _) => byte.is_ascii_alphanumeric() || b"([+*?|^$".contains(&byte),
            }
    }

    /// Returns `true` if round brackets hold one scalar and no comma: no tuple, just brackets.
    fn only_in_brackets(&self, here: Container, k: usize) -> bool {
        let only = here.current as usize + 2 == self.tape.nodes.len();
        let comma = self.look.text_before(k).ends_with(',');
        only && !comma && !self.tape.nodes[here.current as usize + 1].is_container()
    }

    /// Puts the scalar in round brackets in the place of the brackets.
    fn take_out(&mut self, here: Container) -> Container {
        let brackets = self.tape.nodes[here.current as usize];
        // Of what holds one scalar there are few records.
        for repair in self.tape.repairs.iter_mut().rev().take(64) {
            if repair.kind == RepairKind::Tuple && repair.span.start == brackets.start {
                *repair = Repair::new(RepairKind::Wrapper, repair.span);
                break;
            }
        }
        let outer = self.close(here, brackets.start as usize);
        let mut value = self.tape.nodes[here.current as usize + 1];
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        (value.key_start, value.key_end) = (brackets.key_start, brackets.key_end);
        value.flags = value.flags & !keys | brackets.flags & keys;
        self.tape.nodes.truncate(here.current as usize);
        self.tape.nodes.push(value);
        outer
    }

    /// Returns `true` if what stands at `at` may follow a child of that container; outside of all,
    /// whether nothing of a value follows.
    fn continues_in(&self, container: Option<u32>, at: usize) -> bool {
        let (mut byte, mut k) = self.look.beyond_trivia(at);
        let mut container = container.unwrap_or(NONE);
        // Closers lead outwards, each out of the container that it closes.
        while matches!(byte, b'}' | b']') && k - at < LOOK_AHEAD {
            if container == NONE || byte != self.closer_of(container) {
                return false;
            }
            container = self.tape.nodes[container as usize].next;
            (byte, k) = self.look.beyond_trivia(k + 1);
        }
        if container == NONE {
            let next = self.look.beyond_space(k + 1).0;
            let more = matches!(byte, b'}' | b']' | b'"') || self.look.comma_like(k).is_some();
            return !more && byte != b','
                || byte == b',' && next == b'{' && self.values_match(k + 1);
        }
        let comma = match byte {
            b',' => 1,
            _ => match self.look.comma_like(k) {
                Some(length) => length,
                None => return false,
            },
        };
        let (byte, k) = self.look.beyond_trivia(k + comma);
        if byte == self.closer_of(container) {
            return true;
        }
        if self.is_object(container) {
            self.look.key_ahead(k) || self.look.key_without_colon(k)
        } else {
            matches!(
                byte,
                b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
            ) && !self.look.key_ahead(k)
        }
    }
}
