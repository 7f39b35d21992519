//! Tags that begin zones: elements that show code, tool results, other speakers' turns.

use alloc::format;

use crate::scan::tag::closer_of;
use crate::zones::lexicon::{
    ABOUT_CALLS, ABOUT_TOOLS, OWN, RESULTS, SHOWN, WITHOUT_CALLS, is_source,
};
use crate::zones::pass::Pass;
use crate::zones::thought::thought_tag;
use crate::zones::turns::begins_turn;
use crate::zones::zone::{Asker, ZoneKind};

/// A tag that may begin a zone.
#[derive(Clone, Copy, Debug)]
pub struct Element<'t> {
    /// The offset at which it begins.
    pub start: usize,
    /// The whole tag as written.
    pub raw: &'t str,
    /// The name, without brackets, bars and slash.
    pub name: &'t str,
    /// `true` for `</a>`.
    pub is_closing: bool,
    /// `true` for `<a/>`.
    pub is_empty: bool,
}

impl Element<'_> {
    const fn end(&self) -> usize {
        self.start + self.raw.len()
    }

    /// Returns `true` if its tag says that other speakers wrote its content.
    fn holds_others(&self, asker: &impl Asker) -> bool {
        let is_plain = self.raw.starts_with('<') && self.raw[1..].starts_with(self.name);
        if !is_plain || self.is_closing || self.is_empty || !self.raw.ends_with('>') {
            return false;
        }
        let name = self.name.to_ascii_lowercase();
        let has = |words: &str| words.split(' ').any(|word| name.contains(word));
        let is_own = OWN.has(&name)
            || !has("example") && (has(ABOUT_CALLS) || has(ABOUT_TOOLS) && !has(WITHOUT_CALLS))
            || asker.begins_calls(self.name)
            || thought_tag(self.raw, self.name, false).is_some();
        !is_own
    }
}

impl<A: Asker> Pass<'_, '_, A> {
    /// Finds the zone that a tag begins, unless the tag is inside a zone. `name` consists of the
    /// letters and digits of its name, in lower case.
    pub fn zone_of_tag(&mut self, tag: Element<'_>, name: &str) -> bool {
        if self.zone_at(tag.start).is_some() {
            return false;
        }
        let is = |words: &str| words.split(' ').any(|word| word == tag.name);
        if !tag.is_closing && is(SHOWN) {
            return self.element_to_its_end(tag);
        }
        if !tag.is_closing && (is_result(name) || is(RESULTS)) {
            let end = closer_of(tag.raw).and_then(|closer| self.find(tag.end(), &closer));
            let end = end.unwrap_or(self.text.len());
            self.set(tag.start, end, ZoneKind::Element);
            return true;
        }
        let end = self.turn(tag.start);
        match end {
            // A turn after what the model wrote is invented, with all that follows it.
            Some(_) if !self.begins_with_turn(tag.start) => {
                self.asker.reach_end();
                self.set_transcript(tag.start);
            }
            Some(end) => self.set(tag.start, end, ZoneKind::Turn),
            None => {}
        }
        end.is_some()
    }

    /// Finds an element that begins a line and is not one for calls, for the model itself or for
    /// markup: `<document>`, `<tools>`, `<email from="…">`. It holds text by others.
    pub fn zone_of_element(&mut self, tag: Element<'_>) {
        let line = self.text[..tag.start].trim_end_matches([' ', '\t']);
        // Within a line a tag is usually a mention, or part of a language.
        let is_begin = line.is_empty() || line.ends_with(['\n', '>']) || is_source(tag.name);
        if is_begin && tag.holds_others(self.asker) && self.zone_at(tag.start).is_none() {
            self.element_to_its_end(tag);
        }
    }

    /// Marks an element as a zone. A mention of its tag does not count, since an element has an
    /// end.
    fn element_to_its_end(&mut self, tag: Element<'_>) -> bool {
        let closer = format!("</{}>", tag.name);
        let end = self.find_closer(tag.end(), closer.clone());
        if let Some(end) = end {
            self.set(tag.start, end, ZoneKind::Element);
        } else if self.is_open {
            // Text that has yet to arrive may close it.
            self.wait_for(&closer);
            self.set(tag.start, self.text.len(), ZoneKind::Element);
        }
        end.is_some()
    }

    /// Returns `true` if the text before a turn is blank, or begins with a turn itself.
    pub(crate) fn begins_with_turn(&self, start: usize) -> bool {
        let before = self.text[..start].trim_start();
        before.is_empty() || begins_turn(before, 0)
    }
}

/// Returns `true` if a tag begins the result of a tool.
pub(crate) fn is_result(name: &str) -> bool {
    let is_of_tool = ["tool", "function", "observation"];
    let is_of_tool = is_of_tool.iter().any(|word| name.contains(word));
    let is_result = ["response", "result", "output", "observation"];
    is_of_tool && is_result.iter().any(|word| name.contains(word)) && !name.contains("end")
}
