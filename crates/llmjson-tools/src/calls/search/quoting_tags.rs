//! Tags with which quotations begin: elements that show code, results of tools, turns of others.

use super::CallSearch;
use super::fence::Kind;
use crate::calls::tag::Tag;

/// Elements of HTML that show code.
const SHOWN: &[&str] = &["pre", "code", "samp", "xmp", "blockquote"];

/// The beginnings of the turns of a chat, and those of the turns of its model.
const TURNS: &[(&str, &str)] = &[
    ("<|im_start|>", "<|im_start|>assistant"),
    ("<start_of_turn>", "<start_of_turn>model"),
    ("<|start_header_id|>", "<|start_header_id|>assistant"),
    ("<|start|>", "<|start|>assistant"),
    ("<|turn>", "<|turn>model"),
    ("<|user|>", "<|assistant|>"),
    ("<|system|>", "<|assistant|>"),
    ("<|tool|>", "<|assistant|>"),
    ("<|start_of_role|>", "<|start_of_role|>assistant"),
    ("<|im_system|>", "<|im_assistant|>"),
    ("<|im_user|>", "<|im_assistant|>"),
    ("<|observation|>", "<|assistant|>"),
    ("<｜User｜>", "<｜Assistant｜>"),
    (
        "<|open|>message role=\"user\"",
        "<|open|>message role=\"assistant\"",
    ),
    (
        "<|open|>message role=\"tool\"",
        "<|open|>message role=\"assistant\"",
    ),
    (
        "<|open|>message role=\"system\"",
        "<|open|>message role=\"assistant\"",
    ),
];

/// Elements that hold results of tools, whose names do not say so.
const ANSWERS: &[&str] = &[
    "response",
    "result",
    "results",
    "output",
    "outputs",
    "observation",
    "ipython",
    "stdout",
];

impl<'t> CallSearch<'t, '_> {
    /// A tag that begins a quotation, unless it is quoted itself.
    pub(super) fn quoting_tag(&mut self, tag: &Tag<'t>, name: &str) -> bool {
        let text = self.text;
        let shown = SHOWN.iter().position(|one| *one == tag.name);
        let missing = shown.map_or(0, |place| 1 << place);
        if self.quotes.missing & missing != 0 || self.quote_at(tag.start).is_some() {
            return false;
        }
        let closer = match () {
            () if tag.is_closing => None,
            () if shown.is_some() => Some(format!("</{}>", tag.name)),
            () if is_result(name) => closer_of_result(tag.raw),
            () if ANSWERS.contains(&tag.name) => closer_of_result(tag.raw),
            () => None,
        };
        let end = match closer {
            Some(closer) => self.find(tag.end, &closer),
            None => match self.turn(tag.start) {
                Some(end) => Some(end),
                None => return false,
            },
        };
        // A word about such a tag is none: what shows code has an end.
        let Some(end) = end.or(shown.is_none().then_some(text.len())) else {
            self.quotes.missing |= missing;
            self.is_doubtful |= self.is_open;
            return false;
        };
        self.quote(tag.start, end, Kind::Other);
        true
    }

    /// Returns where a turn of another speaker ends that begins at a place.
    fn turn(&mut self, start: usize) -> Option<usize> {
        let rest = &self.text[start..];
        let (before, own) = TURNS.iter().find(|(before, _)| rest.starts_with(before))?;
        if rest.starts_with(own)
            || before.starts_with("<|start|>") && rest.starts_with("<|start|>{")
        {
            return None;
        }
        let role = rest[before.len()..].trim_start();
        let is_role = role.starts_with(|one: char| one.is_alphabetic()) || own == &"<|assistant|>";
        if !is_role && *before != "<｜User｜>" && !before.starts_with("<|open|>") {
            return None;
        }
        let end = self.find(start + before.len(), own);
        Some(end.map_or(self.text.len(), |end| end - own.len()))
    }
}

/// Returns `true` if a tag begins what a tool returned.
fn is_result(name: &str) -> bool {
    let is_of_tool = ["tool", "function", "observation"];
    let is_of_tool = is_of_tool.iter().any(|word| name.contains(word));
    let is_result = ["response", "result", "output", "observation"];
    is_of_tool && is_result.iter().any(|word| name.contains(word)) && !name.contains("end")
}

/// Returns the tag that closes what a tool returned.
fn closer_of_result(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix(['<', '['])?;
    let closer = match () {
        () if inner.contains("begin") => raw.replace("begin", "end"),
        () if inner.contains("start") => raw.replace("start", "end"),
        () if inner.contains("START") => raw.replace("START", "END"),
        () if inner.starts_with('|') && !inner.ends_with("|>") => {
            format!("<{}|>", inner.trim_matches(['|', '>']))
        }
        () => {
            let name = inner.split([' ', '>', ']']).next().unwrap_or_default();
            let (open, close) = if raw.starts_with('<') {
                ("</", ">")
            } else {
                ("[/", "]")
            };
            let name = if raw.starts_with('[') {
                &inner[..inner.len() - 1]
            } else {
                name
            };
            format!("{open}{name}{close}")
        }
    };
    Some(closer)
}
