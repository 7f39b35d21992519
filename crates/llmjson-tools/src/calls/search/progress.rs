//! Searches text that is still arriving.

use super::prose::Prose;
use super::{CallSearch, NEAR, Saved, StepState};
use crate::calls::{Budget, CallDraft, Family, Stage, json, skip, tag::may_become_tag};

/// The progress of reading a streamed text.
pub(in crate::calls) struct Progress {
    pub(in crate::calls) saved: Saved,
    /// The calls at the end of the text, as known so far.
    pub(in crate::calls) tried: Vec<CallDraft>,
    /// The work of the step that could not be completed yet.
    pub(in crate::calls) spent: u64,
    /// `true` if that was not enough to complete it.
    pub(in crate::calls) is_short: bool,
}

impl<'t> CallSearch<'t, '_> {
    /// Takes the steps that more text cannot change, and also returns the known calls at the end of
    /// the text.
    ///
    /// No step may spend more than `allowed`; a more expensive step is postponed.
    pub(in crate::calls) fn advance(mut self, allowed: u64) -> Progress {
        self.is_open = true;
        let mut is_short = false;
        let mut trial = Trial::default();
        while let Some(start) = self.next() {
            let mark = trial.first.is_none().then(|| self.mark());
            let before = self.state.calls.len();
            self.budget.begin_step(allowed);
            if !self.budget.is_used_up() {
                self.step(start);
            }
            self.state.at = self.state.at.max(start + 1);
            let is_undecided = trial.first.is_some() || self.is_undecided(start);
            is_short |= self.budget.is_short && is_undecided;
            if is_undecided {
                self.is_trial = true;
                self.tell_stages(before, &mut trial.known);
                let is_call = self.state.calls.len() > before;
                (trial.known).pass(self.text, start, is_call, &mut self.budget);
                if let Some(mark) = mark {
                    trial.first = Some((start, mark));
                    trial.awaited = self.state.zones.awaited.take();
                    trial.is_quoted = trial.awaited.is_some() && self.is_open_quotation(start);
                    trial.data = trial.known.data.map(|_| start);
                }
            }
            if is_short {
                break;
            }
        }
        let (awaited, is_quoted, data) = (trial.awaited.take(), trial.is_quoted, trial.data);
        let (mut tried, spent) = self.take_back(trial);
        if is_short {
            tried.clear();
        }
        self.state.zones = self.state.zones.settled();
        let saved = Saved {
            state: self.state,
            spent: self.budget.spent(),
            spent_on_prose: self.budget.spent_on_prose(),
            awaited,
            is_quoted,
            data,
        };
        Progress {
            saved,
            tried,
            spent,
            is_short,
        }
    }

    /// Undoes the tentative steps. Returns the calls that they found, and their cost.
    fn take_back(&mut self, mut trial: Trial) -> (Vec<CallDraft>, u64) {
        let Some((start, mark)) = trial.first.take() else {
            return (Vec::new(), 0);
        };
        self.is_trial = false;
        let mut from = self.state.pending.min(self.text.len()).max(start);
        if self.state.calls.len() > mark.calls {
            from = from.max(self.state.calls.last().map_or(0, |last| last.span.1));
        }
        let begun = self.begun(from);
        let mut tried = self
            .state
            .calls
            .split_off(mark.calls.min(self.state.calls.len()));
        if let Some(mut draft) = begun {
            draft.stage = self.stage_of(&draft, &mut trial.known);
            tried.push(draft);
        }
        let spent = self.budget.spent() - mark.budget.spent();
        self.is_doubtful = false;
        self.state.zones.is_doubtful = false;
        self.put_back(mark, start);
        (tried, spent)
    }

    /// A call that is truncated before its end confirms that it is one: a stream has announced it.
    pub(super) fn cut_call(&mut self) {
        self.is_open = true;
        let cut = self.cut.take();
        if let Some((start, place)) = cut.filter(|(start, _)| self.state.pending <= *start) {
            (self.state.at, self.state.zones.place, self.state.opener) = (start, place, None);
            self.prose = Prose::default();
            let before = self.state.calls.len();
            self.step(start);
            if self.state.calls.len() > before {
                // The text inside is part of it.
                self.state
                    .not_run
                    .retain(|shown| (shown.span.start as usize) < start);
            }
        }
        let last = self.state.calls.last().map_or(0, |last| last.span.1);
        let shown = self.state.not_run.last();
        let shown = shown.map_or(0, |shown| shown.span.end as usize);
        if let Some(draft) = self.begun(last.max(shown).max(self.state.pending)) {
            let ((start, end), family) = (draft.span, draft.family);
            self.add(vec![draft], start, end, family);
        }
        self.is_open = false;
    }

    /// Returns `true` if the text continues, and in that case remembers that a call begins at a
    /// position.
    pub(super) fn may_go_on(&mut self, start: usize) -> bool {
        if !self.is_open && !self.is_inside {
            self.cut.get_or_insert((start, self.state.zones.place));
        }
        self.is_open
    }

    /// A call with a known tool whose format requires more text before its arguments.
    fn begun(&mut self, from: usize) -> Option<CallDraft> {
        // Arguments that have begun are read.
        let open = memchr::memrchr(b'{', self.text.as_bytes());
        let near = self.text.len().saturating_sub(2 * json::NAME_BYTES_MAX);
        let near = near.max(from).max(open.map_or(0, |open| open + 1));
        let near = self.text.ceil_char_boundary(near);
        let rest = self.text.get(near..)?;
        self.budget.charge(rest.len());
        let (at, name, family) = begun_name(self.text, near)?;
        if self.schemas.only.is_some_and(|only| !only.write(family)) {
            return None;
        }
        let is_known = self.schemas.knows(name) || !self.schemas.has_tools() && json::is_name(name);
        if !is_known {
            return None;
        }
        let start = match self.state.opener {
            Some(_) => self.state.pending.min(at),
            None => at,
        };
        let mut draft = CallDraft {
            complete: false,
            family,
            span: (start, self.text.len()),
            ..CallDraft::default()
        };
        draft.set_name(name);
        Some(draft)
    }

    /// Returns `true` if more text may change the step taken at a place.
    pub(super) fn is_undecided(&self, start: usize) -> bool {
        // Not part of the step, whose cost is the same as in a whole text.
        let mut budget = self.budget;
        self.budget.reached_end
            || self.budget.goes_on
            || self.budget.is_short
            || self.is_continued
            || self.text.len() - self.state.at.max(self.budget.read_to) < NEAR && !self.is_decided
            || may_become_tag(self.text, start, &mut budget)
    }

    /// Determines the state of the calls from `before` on, which a step found.
    fn tell_stages(&mut self, before: usize, known: &mut Known) {
        for place in before..self.state.calls.len() {
            let draft = std::mem::take(&mut self.state.calls[place]);
            self.state.calls[place].span = draft.span;
            let stage = self.stage_of(&draft, known);
            self.state.calls[place] = CallDraft { stage, ..draft };
        }
    }

    fn stage_of(&mut self, draft: &CallDraft, known: &mut Known) -> Stage {
        let start = draft.span.0;
        let is_read = draft.complete && !self.budget.reached_end && !self.budget.is_short;
        if self.is_doubtful
            || self.state.zones.is_doubtful
            || draft.stage == Stage::Doubtful
            || self.may_be_quoted(start)
            || known.holds(draft)
            || known.is_in_text(self.text, start, &mut self.budget)
        {
            return Stage::Doubtful;
        }
        match is_read && !known.is_undecided {
            true => Stage::Ended,
            false => Stage::Begun,
        }
    }

    pub(super) fn mark(&self) -> StepState {
        StepState {
            pending: self.state.pending,
            opener: self.state.opener.clone(),
            zones: self.state.zones.mark(),
            unsearched: self.state.unsearched,
            calls: self.state.calls.len(),
            not_run: self.state.not_run.len(),
            content: self.state.content.len(),
            reasoning: self.state.reasoning.len(),
            budget: self.budget,
        }
    }

    pub(super) fn put_back(&mut self, mark: StepState, start: usize) {
        self.state.at = start;
        self.budget = mark.budget;
        self.state.pending = mark.pending;
        self.state.opener = mark.opener;
        self.state.zones.put_back(mark.zones);
        self.state.unsearched = mark.unsearched;
        self.state.not_run.truncate(mark.not_run);
        self.state.content.truncate(mark.content);
        self.state.reasoning.truncate(mark.reasoning);
    }
}

/// Tentative steps, which are undone because more text may change them.
#[derive(Default)]
struct Trial {
    /// The place at which the first of them began, and the state before it.
    first: Option<(usize, StepState)>,
    known: Known,
    awaited: Option<String>,
    is_quoted: bool,
    data: Option<usize>,
}

/// The results of the tentative steps, for the calls after them.
#[derive(Default)]
struct Known {
    /// `true` if more text may change a step other than by being adjacent.
    is_undecided: bool,
    /// The offset of a tag that has begun, and may hold calls in an attribute: `<img alt='<tool_call>`.
    tag: Option<usize>,
    /// Unfinished JSON that is not a call.
    data: Option<json::Brackets>,
}

impl Known {
    /// Adds a tentative step.
    fn pass(&mut self, text: &str, start: usize, is_call: bool, budget: &mut Budget) {
        let is_tag = !is_call && may_become_tag(text, start, budget);
        let is_undecided = budget.reached_end || budget.is_short || is_tag;
        self.is_undecided |= is_undecided;
        self.tag = self.tag.or(is_tag.then_some(start));
        let is_data = is_undecided && !is_call && text[start..].starts_with(['{', '[']);
        // `{"text": "` and `[{"text": "` begin strings, `{x` is prose.
        if is_data && text[skip(text, start + 1)..].starts_with(['"', '{']) {
            self.data.get_or_insert(json::Brackets::from(start));
        }
    }

    /// Returns `true` if a call may be part of a tag, or a call without a marker part of JSON that is
    /// not a call.
    fn holds(&self, draft: &CallDraft) -> bool {
        self.tag.is_some_and(|tag| tag < draft.span.0)
            || self.data.is_some() && matches!(draft.family.name(), "json" | "xlam" | "pythonic")
    }

    /// Returns `true` if a position is inside a string of unfinished JSON:
    /// `{"text": "<tool_call>…`.
    fn is_in_text(&mut self, text: &str, place: usize, budget: &mut Budget) -> bool {
        self.data.as_mut().is_some_and(|data| {
            budget.charge(place.saturating_sub(data.at));
            while data.close(&text.as_bytes()[..place]).is_some() {}
            data.is_text
        })
    }
}

/// Returns the tool's name after the text that its format puts before it, and the beginning of that
/// text.
fn begun_name(text: &str, near: usize) -> Option<(usize, &str, Family)> {
    Family::all().find_map(|family| {
        let (before, named) = text[near..].rsplit_once(family.lead()?)?;
        let (name, after) = named.split_at(named.find([' ', '<', ':', '"'])?);
        // A word may say that JSON follows.
        let mut words = after.trim_start().split(|one: char| !one.is_alphabetic());
        let word = words.next().unwrap_or_default();
        let may_follow = ["json", "code"].iter().any(|one| one.starts_with(word));
        may_follow.then_some((near + before.len(), name, family))
    })
}
