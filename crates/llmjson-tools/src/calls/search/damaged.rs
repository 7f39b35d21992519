//! Calls whose markers are damaged: a bracket or the tokens were lost, or another tag closes them.

use llmjson_syntax::Class;

use super::{CallSearch, reasoning};
use crate::calls::{CallDraft, family::Family, json, skip, tag::Tag};

impl<'t> CallSearch<'t, '_> {
    /// `tool_call>name<arg_key>`: the first bracket of the marker was lost.
    pub(super) fn behind_rest(&mut self, tag: Tag<'t>) {
        const MARKER: &str = "tool_call>";
        let text = self.text;
        let near = tag
            .start
            .saturating_sub(json::NAME_BYTES_MAX + MARKER.len());
        let near = text.floor_char_boundary(near.max(self.state.pending));
        let before = &text[near.min(tag.start)..tag.start];
        self.budget.charge(before.len());
        let Some(at) = before.rfind(MARKER).map(|at| near + at) else {
            return;
        };
        let lead = text[..at].strip_suffix("longcat_").unwrap_or(&text[..at]);
        if !(lead.is_empty() || lead.ends_with(['\n', '>'])) {
            return;
        }
        let (start, end) = (lead.len(), at + MARKER.len());
        let opener = Tag::of_words(text, start, end);
        if let Some((mut draft, end, shape)) = self.named(end, opener, false) {
            draft.class = draft.class.max(Class::Likely);
            let family = self.family(Some(&format!("<{}", opener.raw)), shape);
            self.add(vec![draft], start, end, family);
        }
    }

    /// `<function>name{…}</function>`: the name of the tool stands behind its tag.
    pub(super) fn behind_tag(&mut self, tag: Tag<'t>, opener: Option<&str>) {
        let text = self.text;
        let body = skip(text, tag.end);
        let Some((mut draft, end, shape)) = self.named(body, tag, false) else {
            return;
        };
        let closer = Tag::look(text, skip(text, end), &mut self.budget);
        let closer = closer.filter(|closer| closer.is_closing && closer.is_of(&tag));
        if closer.is_none() && !self.schemas.knows(&draft.name) {
            return;
        }
        draft.class = draft.class.max(Class::Likely);
        let from = match opener {
            Some(_) => self.state.pending.min(tag.start),
            None => tag.start,
        };
        let family = match opener {
            Some(_) => self.family(opener, shape),
            None => Family::named("llama-function"),
        };
        let end = closer.map_or(end, |closer| closer.end);
        self.add(vec![draft], from, end, family);
    }

    /// Returns where a tag ends that closes a call in the place of its own closer: `{…}</think>`.
    pub(super) fn other_closer(&mut self, end: usize, drafts: &mut [CallDraft]) -> usize {
        let tag = Tag::look_behind(self.text, skip(self.text, end), &mut self.budget);
        let Some(tag) = tag.filter(|tag| tag.is_closing) else {
            return end;
        };
        let is_end = reasoning::end_or_beginning(&tag) == Some(true);
        let after = self.text[tag.end..].trim_start();
        // Words behind it are the reply to what was thought.
        let is_closer = after.is_empty() || after.starts_with('<');
        if !is_end || !self.state.reasoning.is_empty() || !is_closer {
            return end;
        }
        for draft in drafts {
            draft.class = draft.class.max(Class::Likely);
        }
        tag.end
    }
}
