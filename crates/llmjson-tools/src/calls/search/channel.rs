//! Channel messages, whose headers name their recipient.

use super::CallSearch;
use crate::calls::found::NotRunReason;
use crate::calls::{arguments_at, family::Family, is_balanced, skip, tag::Tag};

impl<'t> CallSearch<'t, '_> {
    /// `<|message|>`: the following text belongs to the recipient named in the header before it.
    pub(super) fn message(&mut self, tag: Tag<'t>) {
        let from = self.text.floor_char_boundary(tag.start.saturating_sub(400));
        let mut header = &self.text[from.max(self.state.pending.min(tag.start))..tag.start];
        for end in ["<|end|>", "<|call|>", "<|return|>", "<|start|>"] {
            header = header
                .rfind(end)
                .map_or(header, |at| &header[at + end.len()..]);
        }
        self.budget.charge(tag.start - from);
        let header_at = tag.start - header.len();
        let to = header.rfind("to=");
        let recipient = to.map(|at| {
            let rest = &header[at + 3..];
            let line = rest
                .split(['<', '\n'])
                .next()
                .unwrap_or_default()
                .trim_ascii();
            if self.schemas.knows(line) {
                return line;
            }
            first_word(rest)
        });
        let recipient =
            recipient.filter(|name| !matches!(*name, "user" | "self" | "assistant" | "all" | ""));
        let token = header.find("<|").or(to).unwrap_or(header.len());
        // A role follows `<|start|>`.
        let start_of_header = match self.text[..header_at].ends_with("<|start|>") {
            true => {
                self.state.zones.place.thought = None;
                header_at
            }
            false => header_at + token.min(to.unwrap_or(token)),
        };
        let to = to.map_or("", |at| first_word(&header[at + 3..]));
        let Some(recipient) = recipient else {
            self.keep_until(start_of_header);
            self.state.pending = tag.end;
            if self.is_inside {
                return;
            }
            let is_thought = to == "self" || header.contains("analysis");
            if is_thought || to == "user" {
                self.aside(tag.end, is_thought);
            }
            return;
        };
        let body = skip(self.text, tag.end);
        if self.text[body..].starts_with('<')
            && Tag::look(self.text, body, &mut self.budget).is_some()
        {
            // Another format inside the message.
            self.keep_until(start_of_header);
            self.state.pending = body;
            self.state.at = body;
            return;
        }
        if !self.text[body..].starts_with('{') {
            return;
        }
        let (mut draft, end) = arguments_at(self.text, body, &mut self.budget);
        // A message that is not a call throughout was truncated, even if its token says that it is
        // a call.
        let json = &self.text[body..end];
        draft.complete &= json.ends_with('}') && is_balanced(&self.budget.read(json));
        draft.set_name(recipient);
        self.add(vec![draft], start_of_header, end, Family::named("harmony"));
    }
}

impl CallSearch<'_, '_> {
    /// A message with reasoning, or one to the user: it contains no calls.
    fn aside(&mut self, start: usize, is_thought: bool) {
        let end = end_of_aside(self.text, start);
        // Whether it continues after another message is known at its end.
        let rest = &self.text[end..];
        self.budget.reached_end |=
            rest.is_empty() || rest.starts_with("<|channel|>") && !rest.contains("<|start|>");
        if is_thought {
            self.thought(start, end, end);
        } else {
            self.look_inside(start, end, NotRunReason::Addressee);
            self.zones().go_behind(end);
            self.state.at = end;
        }
        if self.text[end..].starts_with("<|channel|>") {
            // Another message begins, or this one mentions it.
            self.state.zones.place.thought = Some(end);
        }
    }
}

/// Returns the word at the beginning of a text that names a recipient.
fn first_word(text: &str) -> &str {
    text.split([' ', '<', '\n']).next().unwrap_or_default()
}

/// Returns the end of reasoning or of a message to the user. A message that begins within it
/// without being its end belongs to it:
/// `…<|message|>I could <|channel|>commentary to=f<|message|>{…}<|call|> but no.<|end|>`.
fn end_of_aside(text: &str, start: usize) -> usize {
    let end = end_of_message(text, start);
    if !text[end..].starts_with("<|channel|>") {
        return end;
    }
    let of = |token: &str| text[end..].find(token).map(|at| end + at);
    let next = of("<|start|>").unwrap_or(text.len());
    of("<|end|>").filter(|at| *at < next).unwrap_or(end)
}

/// Returns the end of a message: the first token that ends it or begins the next one.
fn end_of_message(text: &str, start: usize) -> usize {
    let tokens = memchr::memmem::find_iter(&text.as_bytes()[start..], b"<|");
    let mut tokens = tokens.map(|at| start + at);
    let ends = ["<|end|>", "<|start|>", "<|channel|>"];
    let end = tokens.find(|at| ends.iter().any(|end| text[*at..].starts_with(end)));
    end.unwrap_or(text.len())
}
