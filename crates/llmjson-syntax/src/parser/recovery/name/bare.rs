//! Names without quotes, in brackets, or of a symbol.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::quotes::StringRole;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::recovery::unbracketed_list::BareItem;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep};
use crate::scan::peek;

impl Reader<'_> {
    /// Records a name without quotes. One that holds signs which names do not have is a guess.
    fn unquoted_key(&mut self, start: usize, end: usize) {
        let sign =
            |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '$' | '.' | ' ' | '@');
        let class = if self.look.text[start..end].contains(sign) {
            Class::Guess
        } else {
            RepairKind::UnquotedKey.class()
        };
        self.repair_as(RepairKind::UnquotedKey, class, start, end);
    }

    /// A symbol as Ruby prints names: `:name => 1`, `:"a b"=>1`.
    fn symbol(&mut self, k: usize) -> Option<KeyStep> {
        let (length, arrow) = self.look.symbol_at(k)?;
        let quoted = usize::from(peek(self.look.bytes, k + 1) == b'"');
        let (start, end) = (k + 1 + quoted, k + length - quoted);
        self.repair(RepairKind::Wrapper, k, k + 1);
        if quoted == 0 {
            self.unquoted_key(start, end);
        }
        self.repair(RepairKind::OddSeparator, arrow, arrow + 2);
        let key = KeySpan {
            start: start as u32,
            end: end as u32,
            flags: 0,
        };
        Some(KeyStep::Member(key, arrow + 2))
    }

    /// A name in quotes and square brackets, as Lua and JavaScript write it: `["name"] = 1`.
    pub(super) fn bracketed_name(&mut self, k: usize) -> Option<KeyStep> {
        let (name, bracket, sign, length) = self.look.bracketed_name_at(k)?;
        self.repair(RepairKind::Wrapper, k, k + 1);
        if self.look.bytes[name.end] == b'\'' {
            self.repair(RepairKind::OtherQuotes, name.start - 1, name.end + 1);
        }
        self.repair(RepairKind::Wrapper, bracket, bracket + 1);
        self.record_colon(sign, length);
        let key = KeySpan {
            start: name.start as u32,
            end: name.end as u32,
            flags: 0,
        };
        Some(KeyStep::Member(key, sign + length))
    }

    /// A name without quotes, or something else altogether.
    pub(super) fn bare_key(&mut self, here: Container, k: usize) -> KeyStep {
        if self.look.marked_name_ahead(k) {
            self.repair(RepairKind::Wrapper, k, k + 1);
            return self.key(here, k + 1);
        }
        if let Some(keyed) = self.symbol(k) {
            return keyed;
        }
        let window = self.look.window(k);
        let escaped = window.starts_with('"');
        let end = window
            .char_indices()
            .find(|&(at, c)| {
                matches!(
                    c,
                    ':' | '=' | ',' | '}' | ']' | '\n' | '{' | '[' | '：' | '，'
                ) || at > 0 && matches!(c, '"' | '\'' | '“' | '”' | '‘')
            })
            .map_or(window.len(), |(at, _)| at);
        let stop = window[end..].chars().next();
        let name = window[..end].trim_end();
        let (start, stop_at) = (k, k + end);
        let name_end = start + name.len();
        if name.is_empty() || name.len() > 120 {
            return self.stray_for_key(here, k);
        }
        match stop {
            Some(':' | '=' | '：') if !escaped => {
                let words = name.split(' ').count();
                let named = words <= 2 && stop == Some(':') && self.look.value_ahead(stop_at + 1);
                if words > 1
                    && !named
                    && let Some(keyed) = self.previous_continues(here, k)
                {
                    return keyed;
                }
                self.unquoted_key(start, name_end);
                let key = KeySpan {
                    start: start as u32,
                    end: name_end as u32,
                    flags: 0,
                };
                let (byte, colon) = self.look.skip_space(stop_at);
                if byte == b':' {
                    return KeyStep::Member(key, colon + 1);
                }
                self.odd_colon(here, key, start, (byte, colon))
            }
            Some('"' | '\'') if !escaped && self.fits(here, StringRole::Key, stop_at + 1) => {
                // `a": 1`: the opening quote is missing.
                self.repair(RepairKind::MissingQuote, start, start);
                let key = KeySpan {
                    start: start as u32,
                    end: name_end as u32,
                    flags: 0,
                };
                let (byte, colon) = self.look.skip_space(stop_at + 1);
                if byte == b':' {
                    return KeyStep::Member(key, colon + 1);
                }
                self.odd_colon(here, key, start, (byte, colon))
            }
            _ => {
                // A quote behind it belongs to a text: `"6'4", 225 pounds"`.
                let quoted = matches!(stop, Some('"' | '\''));
                if !quoted && self.look.scalar_ahead(k) {
                    if let Some(keyed) = self.item_for_name(here, k) {
                        return keyed;
                    }
                    if let BareItem::List(list) = self.unbracketed_list(here, k) {
                        return KeyStep::Item(list, k);
                    }
                }
                if let Some(keyed) = self.previous_continues(here, k) {
                    return keyed;
                }
                self.bare_without_colon(here, start, name_end, stop_at, stop)
            }
        }
    }

    /// An unquoted text without a colon: an item of a set, a cut name, a name whose colon is
    /// missing, or noise.
    fn bare_without_colon(
        &mut self,
        here: Container,
        start: usize,
        end: usize,
        next: usize,
        stop: Option<char>,
    ) -> KeyStep {
        let name = &self.look.text[start..end];
        if let Some((word, value)) = name.split_once(' ')
            && matches!(stop, Some(',' | '}' | '\n'))
            && (here.count > 0
                || stop == Some(',') && self.look.name_ahead(self.look.skip_space(next + 1).1))
            && self.look.scalar_ahead(end - value.trim_start().len())
            && !value.trim_start().contains(' ')
        {
            let word_end = start + word.len();
            self.unquoted_key(start, word_end);
            self.repair(RepairKind::MissingColon, word_end, word_end);
            let key = KeySpan {
                start: start as u32,
                end: word_end as u32,
                flags: 0,
            };
            return KeyStep::Member(key, word_end);
        }
        match stop {
            None if next >= self.look.bytes.len() => {
                self.repair(RepairKind::CutMember, start, end);
                KeyStep::End(here, self.look.bytes.len())
            }
            Some(',' | '}') if here.count == 0 => self.becomes_set(here, start),
            Some('"' | '\'' | '“' | '‘' | '{' | '[') => {
                let name = &self.look.text[start..end];
                if name.contains(' ') || self.look.key_ahead(next) {
                    return self.stray_for_key(here, start);
                }
                self.unquoted_key(start, end);
                self.repair(RepairKind::MissingColon, end, end);
                let key = KeySpan {
                    start: start as u32,
                    end: end as u32,
                    flags: 0,
                };
                KeyStep::Member(key, next)
            }
            _ => self.stray_for_key(here, start),
        }
    }

    /// Returns `true` if what stands in quotes at `begin`, with the comma before the next member at
    /// `comma`, is a name that lacks its value: it is expected, or on a line of its own, as the
    /// names before and behind it are. Otherwise the string before it may go on, or be the first of
    /// a list.
    pub(super) fn lone_name(&self, here: Container, begin: usize, comma: usize) -> bool {
        if self.look.expected_at(begin) {
            return true;
        }
        let next = self.look.beyond_space(comma + 1).1;
        let name = self.tape.nodes.last().map(|last| last.key_start as usize);
        let before = name.and_then(|name| name.checked_sub(1));
        here.count > 0
            && self.last_is_open()
            && before.is_some_and(|before| {
                let column = self.look.column_of(before);
                column.is_some() && [begin, next].map(|k| self.look.column_of(k)) == [column; 2]
            })
    }

    /// A whole member was found in the name that begins at `begin`. If the text ends at `k`, right
    /// behind that name or inside it, that may be all there is.
    pub(super) fn doubt_name(&mut self, begin: usize, k: usize) {
        if k >= self.look.bytes.len() {
            self.counters.cut = true;
            self.counters.unclosed_from = self.counters.unclosed_from.min(begin);
        }
    }
}

impl Look<'_> {
    /// Returns the indentation of `k` if it stands first on its line: 2 of the `x` of `"\n  x"`.
    fn column_of(&self, k: usize) -> Option<usize> {
        let before = self.text.get(k.saturating_sub(LOOK_AHEAD)..k)?;
        let line = before.rsplit_once('\n')?.1;
        line.trim().is_empty().then_some(line.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn first_tokens_of_lines_have_an_indentation() {
        for (text, at, expected) in [
            ("\n  x", 3, Some(2)),
            ("a\nx", 2, Some(0)),
            ("\nx y", 3, None),
            ("  x", 2, None),
            ("", 0, None),
        ] {
            assert_eq!(ask(text, |look| look.column_of(at)), expected, "{text:?}");
        }
    }
}
