//! Reading a text that is still coming.

use super::{Beginning, CallSearch, NEAR, Saved, StepState};
use crate::calls::{CallDraft, json, tag::may_become_tag};

/// The progress of reading a text that is still coming.
pub(in crate::calls) struct Progress {
    pub(in crate::calls) saved: Saved,
    /// The calls at the end of the text, as far as they are known.
    pub(in crate::calls) tried: Vec<CallDraft>,
    /// The work of the step that could not be taken yet.
    pub(in crate::calls) spent: u64,
    /// `true` if that was too little to take it.
    pub(in crate::calls) is_short: bool,
}

impl<'t> CallSearch<'t, '_> {
    /// Takes the steps that more text does not change, and returns what is known besides about the calls
    /// at the end of the text.
    ///
    /// No step may spend more than is `allowed`; one that would is put off.
    pub(in crate::calls) fn advance(mut self, beginning: Beginning, allowed: u64) -> Progress {
        self.is_open = true;
        let mut tried = Vec::new();
        let (mut spent, mut is_short) = (0, false);
        let beginning = match beginning {
            Beginning::Unknown if self.begins_otherwise() => Beginning::NoName,
            known => known,
        };
        // Where the first step began that more text may change, and what was before it.
        let mut first: Option<(usize, StepState)> = None;
        while beginning == Beginning::NoName
            && let Some(start) = self.next()
        {
            let mark = first.is_none().then(|| self.mark());
            self.budget.begin_step(allowed);
            if !self.budget.is_used_up() {
                self.step(start);
            }
            self.at = self.at.max(start + 1);
            let is_undecided = first.is_some() || self.is_undecided(start);
            is_short |= self.budget.is_short && is_undecided;
            if let Some(mark) = mark.filter(|_| is_undecided) {
                first = Some((start, mark));
                self.is_trial = true;
            }
            if is_short {
                break;
            }
        }
        if let Some((start, mark)) = first {
            self.is_trial = false;
            tried = self.calls.split_off(mark.calls.min(self.calls.len()));
            tried.extend(self.begun(tried.last().map_or(start, |last| last.span.1.max(start))));
            let quoted = tried
                .iter()
                .position(|draft| self.may_be_quoted(draft.span.0));
            tried.truncate(quoted.unwrap_or(tried.len()));
            spent = self.budget.spent() - mark.budget.spent();
            self.put_back(mark, start);
        }
        if is_short {
            tried.clear();
        }
        let saved = Saved {
            at: self.at,
            beginning,
            pending: self.pending,
            opener: self.opener,
            quotes: self.quotes,
            missing: self.missing,
            thought: self.thought,
            unsearched: self.unsearched,
            spent: self.budget.spent(),
            spent_on_prose: self.budget.spent_on_prose(),
            known: self.schemas.into_known(),
            calls: self.calls,
            not_run: self.not_run,
            content: self.content,
            reasoning: self.reasoning,
        };
        Progress {
            saved,
            tried,
            spent,
            is_short,
        }
    }

    /// A call whose tool is named, where its format has more to come before its arguments.
    fn begun(&mut self, from: usize) -> Option<CallDraft> {
        let near = self
            .text
            .len()
            .saturating_sub(2 * json::NAME_BYTES_MAX)
            .max(from);
        let near = self
            .text
            .floor_char_boundary(near)
            .max(from.min(self.text.len()));
        let rest = self.text.get(near..)?;
        self.budget.charge(rest.len());
        let (at, name) = begun_name(rest)?;
        let is_known = self.schemas.knows(name) || !self.schemas.has_tools() && json::is_name(name);
        if !is_known {
            return None;
        }
        let mut draft = CallDraft {
            complete: false,
            span: (near + at, self.text.len()),
            ..CallDraft::default()
        };
        draft.set_name(name);
        Some(draft)
    }

    /// Returns `true` if more text may change the step that was taken at a place.
    pub(super) fn is_undecided(&self, start: usize) -> bool {
        // Not a part of the step, which costs what it costs in a whole text.
        let mut budget = self.budget;
        self.budget.reached_end
            || self.budget.is_short
            || self.text.len() - self.at < NEAR
            || may_become_tag(self.text, start, &mut budget)
    }

    /// Returns `true` if the text surely does not begin with a name on a line of its own.
    pub(super) fn begins_otherwise(&self) -> bool {
        let begin = self.text.trim_start();
        match begin.find([' ', '\n', '\t', '<', '[', '{', '(']) {
            Some(end) => {
                let is_word = begin.starts_with(|one: char| one.is_alphabetic() || one == '_');
                if !is_word || !json::is_name(&begin[..end]) {
                    return true;
                }
                let is_behind = end > 0 && begin[end..].starts_with('{');
                !is_behind && !begin[end..].starts_with('\n') || {
                    let rest = begin[end..].trim_start();
                    !rest.is_empty() && !rest.starts_with('{')
                }
            }
            None => begin.len() > 256,
        }
    }

    pub(super) fn mark(&self) -> StepState {
        StepState {
            pending: self.pending,
            opener: self.opener.clone(),
            quotes: self.quotes,
            missing: self.missing.len(),
            thought: self.thought,
            unsearched: self.unsearched,
            calls: self.calls.len(),
            not_run: self.not_run.len(),
            content: self.content.len(),
            reasoning: self.reasoning.len(),
            budget: self.budget,
        }
    }

    pub(super) fn put_back(&mut self, mark: StepState, start: usize) {
        self.at = start;
        self.budget = mark.budget;
        self.pending = mark.pending;
        self.opener = mark.opener;
        self.quotes = mark.quotes;
        self.missing.truncate(mark.missing);
        self.thought = mark.thought;
        self.unsearched = mark.unsearched;
        self.not_run.truncate(mark.not_run);
        self.content.truncate(mark.content);
        self.reasoning.truncate(mark.reasoning);
    }
}

/// Returns the name of the tool in what its format has before the arguments, and where that begins.
fn begun_name(rest: &str) -> Option<(usize, &str)> {
    let leads = [
        ("<|channel|>commentary to=", &[' ', '<'][..]),
        ("<|open|>call tool=\"", &['"'][..]),
        ("Action: ", &['\n'][..]),
        (">>>", &['\n'][..]),
        ("<|tool_call_begin|>", &['<', ' ', ':'][..]),
    ];
    let mut begun = leads.iter().filter_map(|(lead, ends)| {
        let at = rest.rfind(lead)?;
        let named = &rest[at + lead.len()..];
        let end = named.find(*ends)?;
        Some((at, &named[..end]))
    });
    let (at, name) = begun.next()?;
    let is_line = !rest[at..].starts_with(['A', '>']) || at == 0 || rest[..at].ends_with('\n');
    (is_line && !rest[at..].contains("{")).then_some((at, name.trim()))
}
