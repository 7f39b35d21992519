//! The repairs made to read a call, which its tool's policy judges and reports show.

use llmjson_syntax::{Class, Document, Note, NoteKind, Repair, RepairKind, Span};

use super::super::cut;
use super::draft::CallDraft;
use super::payload::Own;
use super::span_of;

/// The repairs that were made to read the text around the arguments of a call, or in their parts.
#[derive(Clone, Debug)]
pub(super) struct CallReading {
    pub(super) certainty: Class,
    /// `true` if a part of the call breaks off.
    pub(super) is_cut: bool,
    /// Each kind in each class once.
    pub(super) repairs: Vec<Repair>,
    /// Each kind in each class once.
    pub(super) notes: Vec<Note>,
}

impl Default for CallReading {
    fn default() -> Self {
        Self {
            certainty: Class::Certain,
            is_cut: false,
            repairs: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl CallReading {
    /// Returns the repairs of a document at a position in the reply.
    pub(super) fn of(document: &Document<'_>, place: (usize, usize)) -> Self {
        let mut reading = Self {
            certainty: document.certainty(),
            is_cut: cut::in_value(document),
            ..Self::default()
        };
        let span = span_of(place);
        for repair in document.repairs() {
            reading.repair(repair.at(span));
        }
        for note in document.notes() {
            reading.note(note.at(span));
        }
        reading
    }

    /// Returns the repairs of a document around the arguments of each of its calls.
    ///
    /// A repair inside one call applies only to that call, unless it was a guess, which may have
    /// affected all of them; repairs inside its arguments are reported when they are bound. `start`
    /// is the position of the document in the reply.
    pub(super) fn of_each(document: &Document<'_>, calls: &[CallDraft], start: usize) -> Vec<Self> {
        let mut readings = vec![Self::default(); calls.len()];
        let mut shared = Self::default();
        // Guesses in the arguments of a call, each kind once, attributed to the call unless there
        // are several.
        let mut guesses: Vec<(Repair, Option<usize>)> = Vec::new();
        for repair in document.repairs() {
            let moved = repair.at(moved(repair.span, start));
            let (owner, is_argument) = owner(calls, moved.span);
            match owner {
                Some(at) if is_argument && repair.class == Class::Guess => {
                    match guesses.iter_mut().find(|(one, _)| one.kind == repair.kind) {
                        Some((_, of)) => *of = of.filter(|of| *of == at),
                        None => guesses.push((moved, Some(at))),
                    }
                }
                Some(_) if is_argument => {}
                Some(at) if repair.class != Class::Guess => readings[at].repair(moved),
                _ => shared.repair(moved),
            }
        }
        for note in document.notes() {
            let moved = note.at(moved(note.span, start));
            match owner(calls, moved.span) {
                (Some(_), true) => {}
                (Some(at), false) => readings[at].note(moved),
                (None, _) => shared.note(moved),
            }
        }
        // Missing brackets belong to the last call.
        if let Some(last) = readings.last_mut().filter(|_| !document.is_complete()) {
            last.certainty = last.certainty.max(Class::Likely);
        }
        for (at, reading) in readings.iter_mut().enumerate() {
            reading.add(&shared);
            for (guess, of) in &guesses {
                if *of != Some(at) {
                    reading.repair(*guess);
                }
            }
        }
        readings
    }

    /// Adds the repairs made to read another part of the call.
    pub(super) fn add(&mut self, other: &Self) {
        self.certainty = self.certainty.max(other.certainty);
        self.is_cut |= other.is_cut;
        other.repairs.iter().for_each(|one| self.repair(*one));
        other.notes.iter().for_each(|one| self.note(*one));
    }

    /// Drops unambiguous repairs: where calls are not written as JSON, they only reflect the
    /// format.
    pub(super) fn without_dialect(mut self) -> Self {
        let is_end = |kind| matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray);
        self.repairs
            .retain(|one| one.class != Class::Certain || is_end(one.kind));
        self.certainty = match self.repairs.iter().any(|one| is_end(one.kind)) {
            true => Class::Likely,
            false => Class::Certain,
        };
        let repairs = self.repairs.iter().map(|one| one.class);
        let notes = self.notes.iter().map(|one| one.class);
        self.certainty = repairs.chain(notes).fold(self.certainty, Class::max);
        self
    }

    pub(super) fn has_duplicate_keys(&self) -> bool {
        let mut notes = self.notes.iter();
        notes.any(|note| note.kind == NoteKind::DuplicateKey)
    }

    /// Adds all repairs made to read the arguments, in the order of the reply.
    pub(super) fn close(&mut self, document: &Document<'_>, own: &Own<'_>) {
        // The fence is not part of the reply.
        let is_own = |one: &&Repair| own.is_bare() || one.kind != RepairKind::CodeFence;
        let repairs = document.repairs().iter().filter(is_own);
        self.repairs
            .extend(repairs.map(|one| one.at(own.placed(one.span))));
        let notes = document.notes().iter();
        self.notes
            .extend(notes.map(|one| one.at(own.placed(one.span))));
        self.repairs.sort_by_key(|one| one.span.start);
        self.notes.sort_by_key(|one| one.span.start);
    }

    fn repair(&mut self, repair: Repair) {
        let is_same = |one: &Repair| (one.kind, one.class) == (repair.kind, repair.class);
        if !self.repairs.iter().any(is_same) {
            self.certainty = self.certainty.max(repair.class);
            self.repairs.push(repair);
        }
    }

    fn note(&mut self, note: Note) {
        let is_same = |one: &Note| (one.kind, one.class) == (note.kind, note.class);
        if !self.notes.iter().any(is_same) {
            self.certainty = self.certainty.max(note.class);
            self.notes.push(note);
        }
    }
}

/// Returns the call, among several in the order of the reply, that contains a repair, and `true` if
/// the repair is in its arguments.
fn owner(calls: &[CallDraft], span: Span) -> (Option<usize>, bool) {
    let (from, to) = (span.start as usize, span.end as usize);
    let is_within = |(start, end): (usize, usize)| start <= from && to <= end;
    let at = calls.partition_point(|call| call.span.1 <= from);
    match calls.get(at).filter(|call| is_within(call.span)) {
        Some(call) => (Some(at), call.arguments.source().is_some_and(is_within)),
        None => (None, false),
    }
}

fn moved(span: Span, by: usize) -> Span {
    span_of((span.start as usize + by, span.end as usize + by))
}
