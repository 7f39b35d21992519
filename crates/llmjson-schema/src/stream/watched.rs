//! Strings of streamed objects that may hold the tags of a missing member.

use llmjson_syntax::internal::stream::Decoded;
use llmjson_syntax::internal::stream::draft::Growth;

use super::frame::Member;
use super::walker::{Out, Walker, foreign_at};
use crate::base::report::CoercionKind;
use crate::coerce::rules;
use crate::coerce::waits::{Watch, Watched};
use crate::ir::shape::Types;

/// A string in which tags are looked for while it grows.
#[derive(Clone, Debug)]
pub(super) struct WatchedString {
    watch: Watch,
    decoded: Decoded,
    is_shown: bool,
}

impl WatchedString {
    /// Creates the state of a string of which nothing is shown.
    pub(super) fn new(decoded: Decoded) -> Self {
        Self {
            watch: Watch::default(),
            decoded,
            is_shown: false,
        }
    }
}

impl Walker {
    /// Returns `true` if the innermost object lacks a required member, which may be in a string.
    pub(super) fn may_lack(&mut self, out: &Out<'_>) -> bool {
        let shapes = &out.schema.compiled.shapes;
        let allowed = rules::holds_back(out.options, CoercionKind::SplitMarkup, Types::STRING);
        let frame = self.frames.last_mut().filter(|_| allowed);
        frame.is_some_and(|frame| {
            let rules = frame.shape.and_then(|id| shapes.get(id).object.as_deref());
            rules.is_some_and(|rules| !frame.is_complete(rules))
        })
    }

    /// Shows the next part of a watched string. Returns `false` if its object is held back.
    pub(super) fn show_watched(
        &mut self,
        (index, done): (u32, bool),
        text: &mut WatchedString,
        out: &mut Out<'_>,
    ) -> Option<bool> {
        let raw = self.stream.raw(index)?;
        let frame = self.frames.last_mut()?;
        let shapes = &out.schema.compiled.shapes;
        let rules = frame.shape.and_then(|id| shapes.get(id).object.as_deref());
        let piece = text.decoded.rest(raw.value);
        let found = text.watch.push(&piece, |name| {
            let slot = rules.and_then(|rules| rules.find(name));
            slot.is_some_and(|slot| frame.member(slot as u32) == Member::Nothing)
        });
        match found {
            Watched::Split => {
                (frame.held, frame.late) = (true, true);
                return Some(false);
            }
            Watched::Undecided if !done => return Some(true),
            Watched::Undecided | Watched::Own => {}
        }
        let growth = match done {
            true => Growth::Whole,
            false => Growth::Growing,
        };
        if std::mem::replace(&mut text.is_shown, true) {
            out.draft.foreign = foreign_at(self.level);
            out.draft.grow(raw.value, growth);
        } else {
            self.add(index, growth, out)?;
        }
        Some(true)
    }
}
