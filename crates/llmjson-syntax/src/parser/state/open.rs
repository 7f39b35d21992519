//! The containers that are open, what closes them, and the value that was read last.

use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::parser::look::quotes::quote_at;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::{NONE, Node, Tag, flag};

/// Maximum number of bytes of the quotes that close a string: three of the longest.
const QUOTES_MAX: usize = 9;

/// The text that may follow the last bracket that is matched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    Values,
}

impl Reader<'_> {
    pub(crate) fn parent(&self, here: Container) -> Option<u32> {
        let parent = self.tape.nodes[here.current as usize].next;
        (parent != NONE).then_some(parent)
    }

    pub(crate) fn is_object(&self, container: u32) -> bool {
        self.tape.nodes[container as usize].tag == Tag::Object
    }

    /// Returns `true` if the innermost container stands in an object.
    pub(crate) fn in_object(&self, here: Container) -> bool {
        here.current != NONE && self.parent(here).is_some_and(|outer| self.is_object(outer))
    }

    /// Returns `true` if a container that `closer` closes is open.
    pub(crate) fn encloses(&self, here: Container, closer: u8) -> bool {
        let mut at = here.current;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            self.look.charge(1);
            if self.closer_of(at) == closer {
                return true;
            }
            at = node.next;
        }
        false
    }

    /// The bracket that closes an open container: that of its opener, whatever it turned into.
    pub(crate) fn closer_of(&self, container: u32) -> u8 {
        let node = &self.tape.nodes[container as usize];
        match peek(self.look.bytes, node.start as usize) {
            b'[' => b']',
            b'(' => b')',
            b'{' if node.tag == Tag::Array && self.begins_with_item(container) => b']',
            b'{' => b'}',
            // No opener: it is missing, or stands elsewhere.
            _ if node.tag == Tag::Array => b']',
            _ => b'}',
        }
    }

    /// Returns `true` if a list has no bracket of its own: it begins with its first item.
    pub(crate) fn begins_with_item(&self, list: u32) -> bool {
        let node = &self.tape.nodes[list as usize];
        let item = self.tape.nodes.get(list as usize + 1);
        node.tag == Tag::Array
            && item.is_some_and(|item| {
                let begin = match item.tag {
                    Tag::String if !item.has(flag::SIDE) => self.look.begin_of(*item),
                    _ => item.start as usize,
                };
                begin == node.start as usize
            })
    }

    /// Returns `true` if the innermost container is a list without brackets in an object.
    pub(crate) fn in_unbracketed(&self, here: Container) -> bool {
        here.current != NONE && self.in_object(here) && self.begins_with_item(here.current)
    }

    /// Returns `true` if the innermost container is an object without its opening brace.
    pub(crate) fn without_brace(&self, here: Container) -> bool {
        let node = &self.tape.nodes[here.current as usize];
        here.object && node.next == NONE && peek(self.look.bytes, node.start as usize) == b'"'
    }

    /// Returns `true` if the value read last may still go on: if its container was closed with no
    /// closer in the text, what follows does not show that.
    pub(crate) fn last_is_open(&self) -> bool {
        self.counters.implied_end != self.tape.nodes.len()
    }

    /// Returns `true` if the last token before `k` ended with a quote, so that the string read last
    /// is a child of the innermost container and not of one that was closed in between.
    pub(crate) fn quote_before(&self, k: usize) -> bool {
        let before = self.look.text_before(k);
        let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
        let quotes = before.get(self.last_text_end()..);
        quote_at(before, last).is_some()
            && self.last_is_open()
            && quotes.is_some_and(|quotes| {
                let mut other = quotes.char_indices().map(|(at, _)| quote_at(quotes, at));
                quotes.len() <= QUOTES_MAX && other.all(|quote| quote.is_some())
            })
    }

    /// Returns the offset at which the text of the scalar read last ends, without the quote that
    /// closes it; with it, if the string was put together.
    pub(crate) fn last_text_end(&self) -> usize {
        let end = |node: &Node| {
            if node.has(flag::SIDE) {
                node.next
            } else {
                node.end
            }
        };
        self.tape.nodes.last().map_or(0, end) as usize
    }

    /// Returns `true` if the brackets from `at` on, as far as looking ahead goes, close that
    /// container and those around it as they should, and nothing of the value follows them.
    pub(crate) fn closers_match(&self, container: Option<u32>, at: usize) -> bool {
        self.brackets_match(container, None, at, Follows::Nothing)
            .unwrap_or(true)
    }

    /// Returns `true` if the brackets of values from `at` on, all of which lie within looking
    /// ahead, close each other.
    pub(crate) fn values_match(&self, at: usize) -> bool {
        self.brackets_match(None, None, at, Follows::Values) == Some(true)
    }

    /// Returns whether `closer` comes before any other closer that nothing opens behind `at`, and
    /// the brackets beyond it close that container and those around it, as far as looking ahead
    /// goes.
    pub(crate) fn closes_first(
        &self,
        closer: u8,
        container: Option<u32>,
        at: usize,
    ) -> Option<bool> {
        self.brackets_match(container, Some(closer), at, Follows::Nothing)
    }

    /// Returns whether brackets close what `closer` closes, that container, those around it and,
    /// with [`Follows::Values`], further values; `None` where looking ahead ends before that is settled.
    fn brackets_match(
        &self,
        container: Option<u32>,
        closer: Option<u8>,
        at: usize,
        follows: Follows,
    ) -> Option<bool> {
        let mut container = container.unwrap_or(NONE);
        let window = self.look.bytes.len().min(at + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = closer.into_iter().collect();
        let mut k = at;
        while k < window {
            let byte = self.look.bytes[k];
            k += 1;
            self.look.charge(1);
            match byte {
                b'"' => k = self.look.closing_quote_within(k, window)? + 1,
                b'/' | b'#' | b'<' if let Some(end) = self.look.comment_at(k - 1) => k = end,
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' => {
                    if let Some(closer) = open.pop() {
                        if closer != byte {
                            return Some(false);
                        }
                    } else if container == NONE || self.closer_of(container) != byte {
                        return Some(false);
                    } else {
                        container = self.tape.nodes[container as usize].next;
                    }
                }
                b',' | b':'
                    if follows == Follows::Nothing && container == NONE && open.is_empty() =>
                {
                    let next = self.look.beyond_space(k).0;
                    return Some(byte == b',' && next == b'{' && self.values_match(k));
                }
                _ => {}
            }
        }
        // At the very end nothing may be left open.
        (window == self.look.bytes.len()).then(|| container == NONE && open.is_empty())
    }
}
