//! Tags with which quotations begin: elements that show code, results of tools, turns of others.

use super::leads::{is_one_of, is_source};
use super::{CallSearch, reasoning};
use crate::calls::family::Family;
use crate::calls::found::NotRunReason;
use crate::calls::tag::Tag;

/// Elements of HTML that show code.
const SHOWN: &[&str] = &[
    "pre",
    "code",
    "samp",
    "xmp",
    "blockquote",
    "kbd",
    "tt",
    "q",
    "cite",
    "var",
    "textarea",
    "script",
    "listing",
    "template",
    "example",
];

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

/// Elements of a reply itself: the model's own, and those that lay out text.
const OWN: &str = "action actions agent ai answer article assistant b body bot br center details \
    div do em execute final final_answer font h1 h2 h3 h4 h5 h6 hr html i li main message model \
    next ol p plan reply request root run s section small span step steps strong sub summary sup \
    task turn u ul xml";

/// Parts of the names of elements that are about calls.
const ABOUT_CALLS: &[&str] = &["call", "invoke", "param", "arg", "plugin", "action"];

/// Parts of the names of elements that are about tools, and others that say that no call of them is in it:
/// `<tools>`, `<function_definitions>`.
const ABOUT_TOOLS: &[&str] = &["tool", "function"];
const WITHOUT_CALLS: &[&str] = &[
    "tools",
    "functions",
    "defin",
    "schema",
    "list",
    "available",
    "_spec",
    "_doc",
];

/// The most closers that are remembered as missing.
const MISSING_MAX: usize = 24;

impl<'t> CallSearch<'t, '_> {
    /// A tag that begins a quotation, unless it is quoted itself.
    pub(super) fn quoting_tag(&mut self, tag: &Tag<'t>, name: &str) -> bool {
        if self.is_inside || self.quote_at(tag.start).is_some() {
            return false;
        }
        if !tag.is_closing && SHOWN.contains(&tag.name) {
            return self.element_to_its_end(tag);
        }
        if !tag.is_closing && (is_result(name) || ANSWERS.contains(&tag.name)) {
            let end = closer_of(tag.raw).and_then(|closer| self.find(tag.end, &closer));
            self.quote_shown(
                tag.start,
                end.unwrap_or(self.text.len()),
                NotRunReason::Element,
            );
            return true;
        }
        let end = self.turn(tag.start);
        if let Some(end) = end {
            self.quote_shown(tag.start, end, NotRunReason::Turn);
        }
        end.is_some()
    }

    /// An element that begins a line and is none of calls, of the model's own or of markup: `<document>`,
    /// `<tools>`, `<email from="…">`. It holds what others wrote.
    pub(super) fn element(&mut self, tag: &Tag<'t>) {
        let line = self.text[..tag.start].trim_end_matches([' ', '\t']);
        // Within a line a tag is mostly a word about it, or of a language.
        let is_begin = line.is_empty() || line.ends_with(['\n', '>']) || is_source(tag.name);
        if is_begin && holds_others(tag) && !self.is_inside && self.quote_at(tag.start).is_none() {
            self.element_to_its_end(tag);
        }
    }

    /// Quotes an element. A word about its tag is none: an element has an end.
    fn element_to_its_end(&mut self, tag: &Tag<'t>) -> bool {
        let closer = format!("</{}>", tag.name);
        let end = self.find_closer(tag.end, closer.clone());
        if let Some(end) = end {
            self.quote_shown(tag.start, end, NotRunReason::Element);
        } else if self.is_open {
            // What is still to come may close it.
            self.wait_for(&closer);
            self.quote_shown(tag.start, self.text.len(), NotRunReason::Element);
        }
        end.is_some()
    }

    /// Returns where the next such closer ends. One that does not come is looked for once.
    pub(super) fn find_closer(&mut self, from: usize, closer: String) -> Option<usize> {
        self.budget.charge(1 + self.missing.len() / 4);
        if self.missing.len() >= MISSING_MAX || self.missing.contains(&closer) {
            self.budget.reached_end = true;
            return None;
        }
        let end = self.find(from, &closer);
        if end.is_none() {
            self.missing.push(closer);
        }
        end
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

/// Returns `true` if an element holds what others wrote, by its tag.
fn holds_others(tag: &Tag<'_>) -> bool {
    let is_plain = tag.raw.starts_with('<') && tag.raw[1..].starts_with(tag.name);
    if !is_plain || tag.is_closing || tag.is_empty() || !tag.raw.ends_with('>') {
        return false;
    }
    let name = tag.name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let is_own = is_one_of(OWN, &name)
        || !has(&["example"]) && (has(ABOUT_CALLS) || has(ABOUT_TOOLS) && !has(WITHOUT_CALLS))
        || Family::opens(&tag.normalized(), None)
        || reasoning::end_or_beginning(tag).is_some();
    !is_own
}

/// Returns `true` if a tag begins what a tool returned.
fn is_result(name: &str) -> bool {
    let is_of_tool = ["tool", "function", "observation"];
    let is_of_tool = is_of_tool.iter().any(|word| name.contains(word));
    let is_result = ["response", "result", "output", "observation"];
    is_of_tool && is_result.iter().any(|word| name.contains(word)) && !name.contains("end")
}

/// Returns the tag that closes what another one begins: results of tools, reasoning.
pub(super) fn closer_of(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix(['<', '['])?;
    let closer = match () {
        () if inner.contains("begin") => raw.replace("begin", "end"),
        () if inner.contains("start") => raw.replace("start", "end"),
        () if inner.contains("START") => raw.replace("START", "END"),
        () if inner.starts_with('|') && inner.ends_with("|>") => format!("<|/{}", &inner[1..]),
        () if inner.starts_with('|') => {
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
