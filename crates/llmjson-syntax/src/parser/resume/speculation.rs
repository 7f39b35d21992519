//! Steps that put something right while text is still to come: each is tried, and undone if it came
//! too early.

use smallvec::SmallVec;

use crate::base::repair::Repair;
use crate::parser::look::Look;
use crate::parser::resume::certain_step::Certain;
use crate::parser::state::checkpoint::Checkpoint;
use crate::parser::state::pause::{Await, MARGIN};
use crate::parser::state::reader::{OpenContainer, Reader};
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::scan::{peek, skip_space};
use crate::tape::{NONE, Node, Tag, flag};

/// The steps that it costs to remember what a step may change, and to put it back.
const STEPS_OF_TRIAL: usize = 16;

/// A step drops at most what was recorded of one string: one record of each kind.
const REPAIRS_KEPT: usize = 8;

/// The state that a step may change, to be put back if the step is taken too early.
struct Trial {
    checkpoint: Checkpoint,
    /// The last repairs, which a step may change or drop.
    last_repairs: SmallVec<[Repair; REPAIRS_KEPT]>,
    last: Option<Node>,
}

/// The effect of a step that was tried.
#[derive(Clone, Copy)]
struct Effect {
    /// `true` if more text does not change it.
    certain: bool,
    /// `true` if it only adds to what has been shown.
    adds: bool,
}

impl Reader<'_> {
    /// Reads a name, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_key(&mut self, here: Container, at: usize) -> Option<KeyStep> {
        let length = self.look.bytes.len();
        if self.awaits_work() {
            return None;
        }
        let (byte, k) = skip_space(self.look.bytes, at);
        if k >= length {
            self.scratch.pause.until_byte(k);
            return None;
        }
        if byte == b'"'
            && let Some(quoted) = self.found_quoted(k + 1)
            && let (b':', next) = self.look.skip_space(quoted.end + 1)
        {
            self.inspect(k + 1, quoted.end);
            let flags = if quoted.flags == 0 {
                0
            } else {
                flag::KEY_ESCAPED
            };
            let (start, end) = (k as u32 + 1, quoted.end as u32);
            return Some(KeyStep::Member(KeySpan { start, end, flags }, next + 1));
        }
        match self.certain_key(here, at, (byte, k)) {
            Certain::Taken(keyed) => return Some(keyed),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let plain = byte != b'"' && self.look.name_at(k) == Some(true);
        let closes = here.current != NONE && byte == self.closer_of(here.current);
        let trial = self.remember(here);
        self.scratch.pause.looked_to = 0;
        let keyed = self.key(here, at);
        let (now, next) = match &keyed {
            KeyStep::Member(_, next) => (here, *next),
            KeyStep::Nothing(now, next) | KeyStep::Item(now, next) | KeyStep::End(now, next) => {
                (*now, *next)
            }
        };
        if self.looked_too_far() {
            self.undo(trial);
            self.scratch.pause.until_more(k, length);
            return None;
        }
        let certain =
            plain || closes || self.look.trivia_at(k).is_some() && self.look.name_ends_at(next);
        let adds = self.only_adds(&trial);
        self.keep(trial, now, (k, next), Effect { certain, adds })
            .then_some(keyed)
    }

    /// Returns `true` if what stands behind the brace at `k` certainly tells what it opens. The
    /// container is not there yet; reading it comes to the same.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_brace(&mut self, here: Container, k: usize) -> bool {
        if self.awaits_work() {
            return false;
        }
        let trial = self.remember(here);
        let mut object = scalar(KeySpan::NONE, Tag::Object, k, 0);
        object.next = here.current;
        let current = self.tape.nodes.len() as u32;
        self.tape.nodes.push(object);
        self.counters.depth += 1;
        let inside = Container {
            current,
            object: true,
            count: 0,
        };
        let next = match self.key(inside, k + 1) {
            KeyStep::Member(_, next)
            | KeyStep::Nothing(_, next)
            | KeyStep::Item(_, next)
            | KeyStep::End(_, next) => next,
        };
        self.look.charge_search(next.saturating_sub(k));
        self.undo(trial);
        self.await_margin(k, next);
        next + MARGIN <= self.look.bytes.len() && !self.awaits_work()
    }

    /// Waits until the text reaches well beyond `next`, up to which a step from `k` has read.
    fn await_margin(&mut self, k: usize, next: usize) {
        let length = self.look.bytes.len();
        if next + MARGIN > length && next < length && length - k > MARGIN {
            self.scratch.pause.wait = Await::Length(next + MARGIN);
        } else {
            self.scratch.pause.until_more(k, length);
        }
    }

    /// Reads what is no strict value, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_value(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Option<ValueStep> {
        if self.awaits_work() {
            return None;
        }
        match self.certain_value(here, key, byte, k) {
            Certain::Taken(odd) => return Some(odd),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let trial = self.remember(here);
        self.doubt(here, k);
        self.scratch.pause.looked_to = 0;
        let odd = self.odd_value(here, key, byte, k);
        if self.looked_too_far() {
            self.undo(trial);
            self.scratch.pause.until_more(k, self.look.bytes.len());
            return None;
        }
        let (now, next) = match &odd {
            ValueStep::Scalar(_, next) | ValueStep::Open(_, next) | ValueStep::Again(next) => {
                (here, *next)
            }
            ValueStep::Nothing(now, next) | ValueStep::End(now, next) => (*now, *next),
        };
        self.look.charge_search(next.saturating_sub(k));
        let ends = |byte| matches!(byte, b',' | b'}' | b']' | b'\n');
        let certain = match &odd {
            // `True,`: capitals and a separator. `true story` would be a text.
            ValueStep::Scalar(node, next)
                if matches!(node.tag, Tag::True | Tag::False | Tag::Null) =>
            {
                byte.is_ascii_uppercase() && ends(peek(self.look.bytes, *next))
            }
            ValueStep::Scalar(_, next) if byte == b'\'' => self.clear_ahead(here, *next),
            ValueStep::Again(_) => self.look.plain_trivia_at(k),
            ValueStep::Nothing(..) => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        };
        let clear = matches!(self.look.skip_space(next).0, b',' | b'}' | b']');
        if clear || !matches!(odd, ValueStep::Scalar(..)) {
            self.scratch.pause.doubtful = None;
        }
        let adds = self.only_adds(&trial)
            && match &odd {
                _ if self.tape.nodes.len() > self.scratch.pause.shown => true,
                ValueStep::Scalar(node, _) => self.grew_into(node),
                _ => self.scratch.pause.resumed.is_none(),
            };
        self.keep(trial, now, (k, next), Effect { certain, adds })
            .then_some(odd)
    }

    /// Reads what may not follow a value, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_after(&mut self, here: Container, byte: u8, k: usize) -> Option<AfterStep> {
        if self.awaits_work() {
            return None;
        }
        match self.certain_after(here, byte, k) {
            Certain::Taken(next) => return Some(next),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let trial = self.remember(here);
        self.scratch.pause.looked_to = 0;
        let next = self.odd_after(here, byte, k);
        let (now, at) = match &next {
            AfterStep::Child(now, at)
            | AfterStep::Again(now, at)
            | AfterStep::Member(now, _, at)
            | AfterStep::End(now, at) => (*now, *at),
        };
        self.look.charge_search(at.saturating_sub(k));
        let looked_to = self.scratch.pause.looked_to.max(self.quote_ahead(here, k));
        let certain = match &next {
            _ if looked_to > self.look.bytes.len() || self.look.work_is_used_up() => {
                self.undo(trial);
                self.scratch.pause.until_more(k, self.look.bytes.len());
                return None;
            }
            // A comma is missing: the next name is plainly there.
            AfterStep::Child(now, at) if now.object && *at == k => {
                self.look.bytes[..k]
                    .last()
                    .is_some_and(u8::is_ascii_whitespace)
                    && self.look.name_at(k) == Some(true)
            }
            AfterStep::Again(..) => self.look.plain_trivia_at(k),
            _ => false,
        };
        let adds = self.only_adds(&trial);
        self.keep(trial, now, (k, at), Effect { certain, adds })
            .then_some(next)
    }

    /// Returns `true` if what a step has looked at ends too close to the end of the text to be
    /// certain, or was cut short because the work is used up.
    fn looked_too_far(&self) -> bool {
        self.scratch.pause.looked_to > self.look.bytes.len() || self.look.work_is_used_up()
    }

    /// Returns `true` if no step can be tried before there is more text, which allows more work.
    fn awaits_work(&mut self) -> bool {
        let awaits = self.look.work_is_used_up();
        if awaits {
            self.scratch.pause.wait = Await::Length(self.look.bytes.len() + 1);
        }
        awaits
    }

    /// Text behind the quote of the string read last: the next quote may be the one that closes it.
    /// Up to where that has to be seen.
    fn quote_ahead(&self, here: Container, k: usize) -> usize {
        let last = self.tape.nodes.last();
        let string = last.is_some_and(|node| node.tag == Tag::String) && here.count > 0;
        if !string || !self.look.text[k..].starts_with(|c: char| c.is_alphanumeric()) {
            return 0;
        }
        match self.look.closing_quote_from(k, k) {
            Some(quote) => quote + MARGIN,
            None => usize::MAX,
        }
    }

    /// Keeps what a step from `k` to `next` did, if that is certain and only adds to what has been
    /// shown, and otherwise takes it back.
    fn keep(
        &mut self,
        trial: Trial,
        now: Container,
        (k, next): (usize, usize),
        effect: Effect,
    ) -> bool {
        let length = self.look.bytes.len();
        let certain = effect.certain || next + MARGIN <= length;
        // A container that was shown as closed goes on.
        let adds = effect.adds && self.counters.reopened == trial.checkpoint.counters.reopened;
        if certain && self.limit.is_none() && adds {
            self.scratch.pause.odd |= !self.closes_empty(now, k);
            if let Some(closed) = self.closed_below(now) {
                self.scratch.pause.last = closed;
            }
            return true;
        }
        let take_back = certain;
        self.undo(trial);
        if take_back {
            self.scratch.pause.wait = Await::Never;
        } else {
            self.await_margin(k, next);
        }
        false
    }

    /// The container directly in `now` that was open when a step was begun and is no longer.
    fn closed_below(&self, now: Container) -> Option<u32> {
        let open = &self.scratch.open;
        let inside = if now.current == NONE {
            0
        } else {
            1 + open
                .binary_search_by_key(&now.current, |one| one.index)
                .ok()?
        };
        open.get(inside).map(|one| one.index)
    }

    fn remember(&mut self, here: Container) -> Trial {
        self.look.charge(STEPS_OF_TRIAL);
        self.remember_open(here);
        let first_kept = self.tape.repairs.len().saturating_sub(REPAIRS_KEPT);
        Trial {
            checkpoint: self.checkpoint(),
            last_repairs: self.tape.repairs[first_kept..].into(),
            last: self.tape.nodes.last().copied(),
        }
    }

    /// Copies the open containers, from the outermost on. Only the innermost ever changes, so those
    /// around one that is as it was when a step was tried last are, too.
    fn remember_open(&mut self, here: Container) {
        let open = &mut self.scratch.open;
        let mut changed = SmallVec::<[OpenContainer; 8]>::new();
        let mut at = here.current;
        while let Some(&node) = self.tape.nodes.get(at as usize) {
            let count = self.tape.count(at);
            let one = OpenContainer {
                index: at,
                node,
                count,
            };
            while open.last().is_some_and(|last| last.index > at) {
                open.pop();
            }
            if open.last() == Some(&one) {
                break;
            }
            if open.last().is_some_and(|last| last.index == at) {
                open.pop();
            }
            changed.push(one);
            at = node.next;
        }
        self.look.charge(changed.len());
        if at == NONE {
            open.clear();
        }
        open.extend(changed.into_iter().rev());
        debug_assert!(self.open_is_as_before(here.current));
    }

    /// Returns `true` if all open containers, of which the innermost is `at`, are as they were when
    /// a step was begun.
    fn open_is_as_before(&self, mut at: u32) -> bool {
        let mut open = self.scratch.open.iter().rev();
        let same = open.all(|one| {
            let same = one.index == at && self.is_as_before(one);
            at = one.node.next;
            same
        });
        same && at == NONE
    }

    fn is_as_before(&self, one: &OpenContainer) -> bool {
        let node = self.tape.nodes.get(one.index as usize);
        node == Some(&one.node) && self.tape.count(one.index) == one.count
    }

    /// The containers that were open when a step was begun and which it has changed, as they were.
    fn changed_by_step(&self) -> impl Iterator<Item = OpenContainer> {
        let open = self.scratch.open.iter().rev().copied();
        open.take_while(|one| !self.is_as_before(one))
    }

    /// Returns `true` if a step left what has been shown as it was, but for more text in the last
    /// string and closers of what was open.
    fn only_adds(&self, trial: &Trial) -> bool {
        let pause = &self.scratch.pause;
        let nodes = &self.tape.nodes;
        let same = |index: usize, old: &Node| {
            index >= pause.shown
                || nodes.get(index).is_some_and(|new| {
                    let side = flag::KEY_SIDE | flag::KEY_ESCAPED;
                    (new.tag, new.key_start, new.key_end) == (old.tag, old.key_start, old.key_end)
                        && new.flags & side == old.flags & side
                })
        };
        let Some(last) = trial.last else {
            return true;
        };
        let grown = trial.checkpoint.nodes > pause.shown
            || nodes.get(trial.checkpoint.nodes - 1).is_some_and(|new| {
                last.tag != Tag::String
                    || last.start == last.end
                    || new.has(flag::SIDE)
                    || new.start == last.start && new.end >= last.end
            });
        // What was growing must not have become something else, a name for instance.
        let continues = match nodes.get(pause.shown) {
            Some(new) => self.grew_into(new),
            None => {
                nodes.len() == pause.shown
                    && (pause.resumed.is_none() || trial.checkpoint.nodes <= pause.shown)
            }
        };
        grown
            && continues
            && same(trial.checkpoint.nodes - 1, &last)
            && (self.changed_by_step()).all(|one| same(one.index as usize, &one.node))
    }

    fn undo(&mut self, trial: Trial) {
        let checkpoint = trial.checkpoint;
        let nodes = self.tape.nodes.len().saturating_sub(checkpoint.nodes);
        self.look
            .charge(nodes + self.tape.side.len().saturating_sub(checkpoint.side));
        let dummy = scalar(KeySpan::NONE, Tag::Null, 0, 0);
        let changed: SmallVec<[OpenContainer; 8]> = self.changed_by_step().collect();
        for OpenContainer { index, node, .. } in &changed {
            let closed = self.tape.nodes.get(*index as usize).copied();
            let shadowed =
                |closed: Node| closed.has(flag::DUPLICATES) && !node.has(flag::DUPLICATES);
            if closed.is_some_and(shadowed) {
                self.show_all_members(*index, checkpoint.nodes);
            }
        }
        self.tape.nodes.resize(checkpoint.nodes, dummy);
        for one in changed {
            self.tape.nodes[one.index as usize] = one.node;
            self.tape.set_count(one.index, one.count);
        }
        if let Some(last) = trial.last {
            self.tape.nodes[checkpoint.nodes - 1] = last;
        }
        self.tape.side.truncate(checkpoint.side);
        let kept = trial.last_repairs;
        self.tape.repairs.truncate(checkpoint.repairs - kept.len());
        self.tape.repairs.extend(kept);
        self.tape.notes.truncate(checkpoint.notes);
        self.tape.replaced.truncate(checkpoint.replaced);
        self.counters = checkpoint.counters;
        self.limit = None;
        debug_assert!(
            self.open_is_as_before(self.scratch.open.last().map_or(NONE, |one| one.index))
        );
    }

    /// Takes back that some members of an object replace others.
    fn show_all_members(&mut self, object: u32, nodes: usize) {
        let end = (self.tape.after(object) as usize).min(nodes);
        let mut index = object as usize + 1;
        while index < end.min(self.tape.nodes.len()) {
            self.look.charge(1);
            self.tape.nodes[index].flags &= !(flag::SHADOWED | flag::REPLACED);
            index = self.tape.after(index as u32) as usize;
        }
    }
}

impl Look<'_> {
    /// Returns `true` if the colon of a name stands right before `next`, and the text goes on there: at 4 of
    /// `"a":1`, not of `"a":`.
    fn name_ends_at(&self, next: usize) -> bool {
        next < self.bytes.len() && peek(self.bytes, next - 1) == b':'
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn names_end_before_more_text() {
        for (text, at, expected) in [
            ("\"a\":1", 4, true),
            ("\"a\":", 4, false),
            ("\"a\" 1", 4, false),
        ] {
            assert_eq!(
                ask(text, |look| look.name_ends_at(at)),
                expected,
                "{text:?}"
            );
        }
    }
}
