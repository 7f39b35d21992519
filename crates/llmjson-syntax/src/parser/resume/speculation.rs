//! Steps that put something right while text is still to come: each is tried, and undone if it came
//! too early.

use alloc::borrow::ToOwned;
use smallvec::SmallVec;

use crate::base::repair::{Repair, RepairKind};
use crate::parser::lookahead::trivia::gap_at;
use crate::parser::resume::certain_step::Certain;
use crate::parser::state::checkpoint::Moment;
use crate::parser::state::pause::{Await, MARGIN};
use crate::parser::state::reader::{Open, Reader};
use crate::parser::state::step::{Here, KeySpan, Keyed, Next, Odd, scalar};
use crate::scan;
use crate::scan::{escape, peek, skip_space};
use crate::tape::{NONE, Node, Tag, flag};

/// A step drops at most what was recorded of one string: one record of each kind.
const REPAIRS_KEPT: usize = 8;

/// What a step may change, to be put back if it comes too early.
struct Mark {
    moment: Moment,
    /// The last repairs, which a step may change or drop.
    last_repairs: SmallVec<[Repair; REPAIRS_KEPT]>,
    last: Option<Node>,
}

impl Reader<'_> {
    /// Reads a name, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_key(&mut self, here: Here, at: usize) -> Option<Keyed> {
        let length = self.bytes.len();
        let (byte, k) = skip_space(self.bytes, at);
        if k >= length {
            self.scratch.live.until_byte(k);
            return None;
        }
        if byte == b'"'
            && let Some(quoted) = self.found_quoted(k + 1)
            && let (b':', next) = skip_space(self.bytes, quoted.end + 1)
        {
            self.inspect(k + 1, quoted.end);
            let flags = if quoted.flags == 0 {
                0
            } else {
                flag::KEY_ESCAPED
            };
            let (start, end) = (k as u32 + 1, quoted.end as u32);
            return Some(Keyed::Member(KeySpan { start, end, flags }, next + 1));
        }
        match self.certain_key(here, at, (byte, k)) {
            Certain::Taken(keyed) => return Some(keyed),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let plain = byte != b'"' && self.name_at(k) == Some(true);
        let closes = here.current != NONE && byte == self.closer_of(here.current);
        let mark = self.remember(here);
        self.scratch.live.looked_to = 0;
        let keyed = self.key(here, at);
        let (now, next) = match &keyed {
            Keyed::Member(_, next) => (here, *next),
            Keyed::Nothing(now, next) | Keyed::Item(now, next) | Keyed::End(now, next) => {
                (*now, *next)
            }
        };
        if self.looked_too_far() {
            self.undo(mark);
            self.scratch.live.until_more(k, length);
            return None;
        }
        let certain = plain || closes || gap_at(self.text, k).is_some() && self.name_ends_at(next);
        let adds = self.only_adds(&mark);
        self.keep(mark, now, (k, next), certain, adds)
            .then_some(keyed)
    }

    /// Whether a gap stands at `k` that ends within the text and that no quote makes text.
    pub(crate) fn plain_gap_at(&self, k: usize) -> bool {
        gap_at(self.text, k).is_some_and(|(kind, end)| {
            let gap = self.bytes.get(k..=end);
            gap.is_some_and(|gap| kind != RepairKind::Comment || !gap.contains(&b'"'))
        })
    }

    fn name_ends_at(&self, next: usize) -> bool {
        next < self.bytes.len() && peek(self.bytes, next - 1) == b':'
    }

    /// Whether what stands behind the brace at `k` certainly tells what it opens. The container is
    /// not there yet; reading it comes to the same.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_brace(&mut self, here: Here, k: usize) -> bool {
        let mark = self.remember(here);
        let mut object = scalar(KeySpan::NONE, Tag::Object, k, 0);
        object.next = here.current;
        let current = self.tape.nodes.len() as u32;
        self.tape.nodes.push(object);
        self.depth += 1;
        let inside = Here {
            current,
            object: true,
            count: 0,
        };
        let next = match self.key(inside, k + 1) {
            Keyed::Member(_, next)
            | Keyed::Nothing(_, next)
            | Keyed::Item(_, next)
            | Keyed::End(_, next) => next,
        };
        self.undo(mark);
        self.await_margin(k, next);
        next + MARGIN <= self.bytes.len()
    }

    /// Waits until the text reaches well beyond `next`, up to which a step from `k` has read.
    fn await_margin(&mut self, k: usize, next: usize) {
        let length = self.bytes.len();
        if next + MARGIN > length && next < length && length - k > MARGIN {
            self.scratch.live.wait = Await::Length(next + MARGIN);
        } else {
            self.scratch.live.until_more(k, length);
        }
    }

    /// Reads what is no strict value, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_value(
        &mut self,
        here: Here,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Option<Odd> {
        match self.certain_value(here, key, byte, k) {
            Certain::Taken(odd) => return Some(odd),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let mark = self.remember(here);
        self.doubt(here, k);
        self.scratch.live.looked_to = 0;
        let odd = self.odd_value(here, key, byte, k);
        if self.looked_too_far() {
            self.undo(mark);
            self.scratch.live.until_more(k, self.bytes.len());
            return None;
        }
        let (now, next) = match &odd {
            Odd::Scalar(_, next) | Odd::Open(_, next) | Odd::Again(next) => (here, *next),
            Odd::Nothing(now, next) | Odd::End(now, next) => (*now, *next),
        };
        let ends = |byte| matches!(byte, b',' | b'}' | b']' | b'\n');
        let certain = match &odd {
            Odd::Scalar(node, next) if matches!(node.tag, Tag::True | Tag::False | Tag::Null) => {
                byte.is_ascii_uppercase() && ends(peek(self.bytes, *next))
            }
            Odd::Scalar(_, next) if byte == b'\'' => self.clear_ahead(here, *next),
            Odd::Again(_) => self.plain_gap_at(k),
            Odd::Nothing(..) => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        };
        let clear = matches!(skip_space(self.bytes, next).0, b',' | b'}' | b']');
        if clear || !matches!(odd, Odd::Scalar(..)) {
            self.scratch.live.unsure = None;
        }
        let adds = self.only_adds(&mark)
            && match &odd {
                _ if self.tape.nodes.len() > self.scratch.live.shown => true,
                Odd::Scalar(node, _) => self.grew_into(node),
                _ => self.scratch.live.grew.is_none(),
            };
        self.keep(mark, now, (k, next), certain, adds)
            .then_some(odd)
    }

    /// Reads what may not follow a value, or pauses.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_after(&mut self, here: Here, byte: u8, k: usize) -> Option<Next> {
        match self.certain_after(here, byte, k) {
            Certain::Taken(next) => return Some(next),
            Certain::Awaited => return None,
            Certain::Unclear => {}
        }
        let mark = self.remember(here);
        self.scratch.live.looked_to = 0;
        let next = self.odd_after(here, byte, k);
        let (now, at) = match &next {
            Next::Child(now, at)
            | Next::Again(now, at)
            | Next::Member(now, _, at)
            | Next::End(now, at) => (*now, *at),
        };
        let looked_to = self.scratch.live.looked_to.max(self.quote_ahead(here, k));
        let certain = match &next {
            _ if looked_to > self.bytes.len() => {
                self.undo(mark);
                self.scratch.live.until_more(k, self.bytes.len());
                return None;
            }
            // A comma is missing: the next name is plainly there.
            Next::Child(now, at) if now.object && *at == k => {
                self.bytes[..k].last().is_some_and(u8::is_ascii_whitespace)
                    && self.name_at(k) == Some(true)
            }
            Next::Again(..) => self.plain_gap_at(k),
            _ => false,
        };
        let adds = self.only_adds(&mark);
        self.keep(mark, now, (k, at), certain, adds).then_some(next)
    }

    /// Whether what a step has looked at ends too close to the end of the text to be certain.
    fn looked_too_far(&self) -> bool {
        self.scratch.live.looked_to > self.bytes.len()
    }

    /// Text behind the quote of the string read last: the next quote may be the one that closes it.
    /// Up to where that has to be seen.
    fn quote_ahead(&self, here: Here, k: usize) -> usize {
        let last = self.tape.nodes.last();
        let string = last.is_some_and(|node| node.tag == Tag::String) && here.count > 0;
        if !string || !self.text[k..].starts_with(|c: char| c.is_alphanumeric()) {
            return 0;
        }
        match scan::closing_quote(self.bytes, k, k) {
            Some(quote) => quote + MARGIN,
            None => usize::MAX,
        }
    }

    /// Whether what follows `at` in that container is plainly there: a comma and the next name or
    /// the beginning of the next value, or a closer and something behind it.
    pub(crate) fn clear_ahead(&self, here: Here, at: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, at);
        let (next, inside) = skip_space(self.bytes, k + 1);
        if k >= self.bytes.len() || inside >= self.bytes.len() {
            return false;
        }
        match byte {
            b',' if here.object => self.name_at(inside) == Some(true),
            b',' => matches!(next, b'"' | b'\'' | b'{' | b'['),
            b'}' | b']' => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        }
    }

    /// Keeps what a step from `k` to `next` did, if that is certain and only `adds` to what has been
    /// shown, and otherwise takes it back.
    fn keep(
        &mut self,
        mark: Mark,
        now: Here,
        (k, next): (usize, usize),
        certain: bool,
        adds: bool,
    ) -> bool {
        let length = self.bytes.len();
        let certain = certain || next + MARGIN <= length;
        // A container that was shown as closed goes on.
        let adds = adds && self.reopened == mark.moment.counters.reopened;
        if certain && self.limit.is_none() && adds {
            self.scratch.live.odd |= !self.closes_empty(now, k);
            if let Some(closed) = self.closed_below(now) {
                self.scratch.live.last = closed;
            }
            return true;
        }
        let take_back = certain;
        self.undo(mark);
        if take_back {
            self.scratch.live.wait = Await::Never;
        } else {
            self.await_margin(k, next);
        }
        false
    }

    /// Whether the closer at `k` stands right behind the opener of that container.
    pub(crate) fn closes_empty(&self, now: Here, k: usize) -> bool {
        now.current != NONE
            && now.count == 0
            && peek(self.bytes, k) == self.closer_of(now.current)
            && skip_space(
                self.bytes,
                self.tape.nodes[now.current as usize].start as usize + 1,
            )
            .1 == k
    }

    /// The container directly in `now` that was open when a step was begun and is no longer.
    fn closed_below(&self, now: Here) -> Option<u32> {
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

    fn remember(&mut self, here: Here) -> Mark {
        self.remember_open(here);
        let first_kept = self.tape.repairs.len().saturating_sub(REPAIRS_KEPT);
        Mark {
            moment: Moment::of(self),
            last_repairs: self.tape.repairs[first_kept..].into(),
            last: self.tape.nodes.last().copied(),
        }
    }

    /// Copies the open containers, from the outermost on. Only the innermost ever changes, so those
    /// around one that is as it was when a step was tried last are, too.
    fn remember_open(&mut self, here: Here) {
        let open = &mut self.scratch.open;
        let mut changed = SmallVec::<[Open; 8]>::new();
        let mut at = here.current;
        while let Some(&node) = self.tape.nodes.get(at as usize) {
            let count = self.tape.count(at);
            let one = Open {
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
        if at == NONE {
            open.clear();
        }
        open.extend(changed.into_iter().rev());
        debug_assert!(self.open_is_as_before(here.current));
    }

    /// Whether all open containers, of which the innermost is `at`, are as they were when a step was
    /// begun.
    fn open_is_as_before(&self, mut at: u32) -> bool {
        let mut open = self.scratch.open.iter().rev();
        let same = open.all(|one| {
            let same = one.index == at && self.is_as_before(one);
            at = one.node.next;
            same
        });
        same && at == NONE
    }

    fn is_as_before(&self, one: &Open) -> bool {
        let node = self.tape.nodes.get(one.index as usize);
        node == Some(&one.node) && self.tape.count(one.index) == one.count
    }

    /// The containers that were open when a step was begun and which it has changed, as they were.
    fn changed_by_step(&self) -> impl Iterator<Item = Open> {
        let open = self.scratch.open.iter().rev().copied();
        open.take_while(|one| !self.is_as_before(one))
    }

    /// Whether a step left what has been shown as it was, but for more text in the last string and
    /// closers of what was open.
    fn only_adds(&self, mark: &Mark) -> bool {
        let live = &self.scratch.live;
        let nodes = &self.tape.nodes;
        let same = |index: usize, old: &Node| {
            index >= live.shown
                || nodes.get(index).is_some_and(|new| {
                    let side = flag::KEY_SIDE | flag::KEY_ESCAPED;
                    (new.tag, new.key_start, new.key_end) == (old.tag, old.key_start, old.key_end)
                        && new.flags & side == old.flags & side
                })
        };
        let Some(last) = mark.last else {
            return true;
        };
        let grown = mark.moment.nodes > live.shown
            || nodes.get(mark.moment.nodes - 1).is_some_and(|new| {
                last.tag != Tag::String
                    || last.start == last.end
                    || new.has(flag::SIDE)
                    || new.start == last.start && new.end >= last.end
            });
        // What was growing must not have become something else, a name for instance.
        let goes_on = match nodes.get(live.shown) {
            Some(new) => self.grew_into(new),
            None => {
                nodes.len() == live.shown
                    && (live.grew.is_none() || mark.moment.nodes <= live.shown)
            }
        };
        grown
            && goes_on
            && same(mark.moment.nodes - 1, &last)
            && (self.changed_by_step()).all(|one| same(one.index as usize, &one.node))
    }

    /// Whether that node, read where a string was growing when reading went on, goes on from what
    /// was shown of it.
    pub(crate) fn grew_into(&self, new: &Node) -> bool {
        let Some(old) = &self.scratch.live.grew else {
            return true;
        };
        let key = |node: &Node| {
            let flags = node.flags & (flag::KEY_SIDE | flag::KEY_ESCAPED);
            (node.key_start, node.key_end, flags)
        };
        let text = |node: &Node| {
            let side = node.has(flag::SIDE);
            let source = if side { &self.tape.side } else { self.text };
            let part = &source[node.start as usize..node.end as usize];
            if node.has(flag::ESCAPED) {
                escape::decode(part)
            } else {
                part.to_owned()
            }
        };
        let longer = new.start == old.start && new.end >= old.end && !new.has(flag::SIDE);
        new.tag == Tag::String
            && key(new) == key(old)
            && (longer || text(new).starts_with(&text(old)))
    }

    fn undo(&mut self, mark: Mark) {
        let moment = mark.moment;
        self.scratch.live.tried = true;
        let dummy = scalar(KeySpan::NONE, Tag::Null, 0, 0);
        let changed: SmallVec<[Open; 8]> = self.changed_by_step().collect();
        for Open { index, node, .. } in &changed {
            let closed = self.tape.nodes.get(*index as usize).copied();
            let shadowed =
                |closed: Node| closed.has(flag::DUPLICATES) && !node.has(flag::DUPLICATES);
            if closed.is_some_and(shadowed) {
                self.show_all_members(*index, moment.nodes);
            }
        }
        self.tape.nodes.resize(moment.nodes, dummy);
        for one in changed {
            self.tape.nodes[one.index as usize] = one.node;
            self.tape.set_count(one.index, one.count);
        }
        if let Some(last) = mark.last {
            self.tape.nodes[moment.nodes - 1] = last;
        }
        self.tape.side.truncate(moment.side);
        let kept = mark.last_repairs;
        self.tape.repairs.truncate(moment.repairs - kept.len());
        self.tape.repairs.extend(kept);
        self.tape.notes.truncate(moment.notes);
        self.tape.replaced.truncate(moment.replaced);
        moment.counters.restore(self);
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
            self.tape.nodes[index].flags &= !(flag::SHADOWED | flag::REPLACED);
            index = self.tape.after(index as u32) as usize;
        }
    }
}
