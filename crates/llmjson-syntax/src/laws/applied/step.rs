//! One record or one part of the value.

use alloc::string::String;

use crate::laws::applied::effect::{Effect, effect};
use crate::laws::applied::{Applying, Open, Token};
use crate::tape::{Tag, flag};
use crate::view::Key;
use crate::view::write::write_string;
use crate::{NodeId, Repair, RepairKind};

impl Applying<'_> {
    pub(super) fn apply(&mut self, record: Repair) -> Result<(), &'static str> {
        let span = record.span.range();
        match effect(record.kind) {
            Effect::Out => {
                self.at = self.at.max(span.end);
                match record.kind {
                    RepairKind::Ellipsis
                    | RepairKind::StrayText
                    | RepairKind::DroppedValue
                    | RepairKind::ExtraCloser => self.item_is_out = true,
                    RepairKind::CutMember => self.pass_cut_member(),
                    _ => {}
                }
            }
            // Not between two values: the second one came to nothing, or is no part of this.
            Effect::In(",")
                if self.open.is_empty() || self.out.trim_end().ends_with([',', '{', '[']) => {}
            Effect::In(what) => {
                if what == "null" {
                    self.next += 1;
                    self.lacks_comma = true;
                    if !self.out.trim_end().ends_with([':', ',', '[']) {
                        self.out.push(':');
                    }
                }
                self.out.push_str(what);
            }
            // Of a value behind those that make up a list.
            Effect::Close if self.open.is_empty() => {}
            Effect::Close => {
                while self.open.last() == Some(&Open::Call) {
                    self.open.pop();
                }
                // A closer that is put in stands before the comma there, and what was cut off behind
                // a comma was not read.
                let is_put_in = record.kind != RepairKind::WrongCloser;
                let item_is_out = core::mem::take(&mut self.item_is_out);
                let comma = (is_put_in || item_is_out) && self.take_comma();
                self.close(None)?;
                let within = !self.open.is_empty();
                if comma && within && record.kind == RepairKind::MissingCloser {
                    self.out.push(',');
                }
                self.at = self.at.max(span.end);
            }
            Effect::Open => match self.opened()? {
                Tag::Object => {
                    self.out.push('{');
                    self.open.push(Open::Object);
                }
                _ => {
                    self.out.push('[');
                    self.open.push(Open::Array);
                }
            },
            // A comma that was one too many, and no usual one.
            Effect::Separator if self.is_dropped(record) => {}
            Effect::Separator => {
                let after_name = match self.tokens.get(self.next.wrapping_sub(1)) {
                    Some(Token::Key(_)) => !self.out.trim_end().ends_with(':'),
                    _ => false,
                };
                self.out.push(if after_name { ':' } else { ',' });
                self.at = self.at.max(span.end);
            }
            Effect::List => {
                self.at = self.at.max(span.end);
                self.begin_item();
                self.out.push('[');
                self.open.push(Open::List);
                self.opened()?;
            }
            Effect::Unbracketed => {
                self.out.push('[');
                self.open.push(Open::Unbracketed(span.end));
                self.opened()?;
            }
            Effect::Members => {
                self.at = self.at.max(span.end);
                self.begin_item();
                if self.opens_object() {
                    self.out.push('{');
                    self.open.push(Open::Brackets);
                    self.opened()?;
                    return Ok(());
                }
                self.out.push_str("[{");
                self.open.push(Open::Array);
                self.open.push(Open::Members);
                self.opened()?;
                self.opened()?;
            }
            Effect::Bare => {
                self.begin_item();
                self.out.push('{');
                self.open.push(Open::Bare);
                self.opened()?;
            }
            Effect::Several => {
                self.several_end = span.end;
                self.out.push('[');
                self.open.push(Open::Several);
                self.opened()?;
            }
            Effect::Call => {
                self.at = self.at.max(span.end);
                let brackets = |c| self.text[span.clone()].matches(c).count();
                if brackets('(') > brackets(')') {
                    self.open.push(Open::Call);
                }
            }
            // Of a member that was cut, or a sign without a number.
            Effect::Scalar if (record.span.start as usize) < self.at => {}
            Effect::Scalar if self.next == self.tokens.len() => self.at = self.at.max(span.end),
            Effect::Scalar => {
                // The record of a scalar that begins here.
                self.record -= 1;
                self.token()?;
            }
        }
        Ok(())
    }

    /// A name or scalar at this place: as it stands there, unless there is a record of it.
    pub(super) fn token(&mut self) -> Result<(), &'static str> {
        if self.cut_member() {
            return Ok(());
        }
        let (index, key) = match self.tokens.get(self.next) {
            Some(Token::Key(index)) => (*index, true),
            Some(Token::Scalar(index)) => (*index, false),
            _ => return Err("text that is not in the value"),
        };
        let node = self.document.tape.node(index);
        let (side, start, end) = if key {
            (node.has(flag::KEY_SIDE), node.key_start, node.key_end)
        } else {
            (node.has(flag::SIDE), node.start, node.end)
        };
        let (start, end) = (start as usize, end as usize);
        let node_end = end;
        let is_string = key || node.tag == Tag::String;
        if !key {
            self.begin_item();
        } else if core::mem::take(&mut self.lacks_comma) && !self.out.trim_end().ends_with(',') {
            self.out.push(',');
        }
        let written = self.written(index, key);
        let begin = self.at;
        let opening = begin + quotes(&self.text[begin..]);
        let quote = usize::from(is_string);
        self.next += 1;
        let limit = self.limit();
        // All records that touch it.
        let mut until = match side {
            true if key => opening,
            true => node.next as usize,
            false => end,
        };
        let (mut recorded, mut colon, mut lacks_quote) = (false, false, false);
        while let Some(record) = self.records.get(self.record) {
            let reach = until.max(opening);
            let closing = quotes(self.text.get(reach..limit).unwrap_or_default());
            let start = record.span.start as usize;
            let touches = start <= reach || record.span.is_empty() && start <= reach + closing;
            // A colon within the quotes of a name stands for the one behind them.
            let moved = record.kind == RepairKind::MissingColon && !record.span.is_empty();
            if !touches || !moved && effect(record.kind) != Effect::Scalar {
                break;
            }
            (recorded, colon) = (true, colon || moved);
            lacks_quote |= record.kind == RepairKind::MissingQuote && start >= end;
            until = until.max(record.span.end as usize);
            self.record += 1;
        }
        if !recorded {
            if side {
                return Err("a text without a record");
            }
            if begin + quote != start {
                return Err("a token at another place");
            }
            let raw = self
                .text
                .get(begin..end + quote)
                .ok_or("a token without an end")?;
            self.out.push_str(raw);
            self.at = end + quote;
            return Ok(());
        }
        let mut end = until;
        end += quotes(&self.text[end..limit.max(end)]);
        if !lacks_quote && end == until {
            // As many quotes close it as opened it.
            let count = self.text[begin..opening].chars().count();
            let closing = self.text[end..].chars().take(count);
            end += closing
                .take_while(|c| QUOTES.contains(c))
                .map(char::len_utf8)
                .sum::<usize>();
        }
        if !stands_in(&written, &self.text[begin..end]) {
            return Err("a text that is not written there");
        }
        // So does one within other marks around it.
        let marks = if side {
            ""
        } else {
            &self.text[node_end.min(end)..end]
        };
        self.out.push_str(&written);
        if colon || key && marks.contains(':') {
            self.out.push(':');
        }
        self.at = end;
        Ok(())
    }

    /// Passes over what is left of a member that was cut: quotes, the colon, and the records of all
    /// that.
    fn pass_cut_member(&mut self) {
        let rest = &self.text[self.at..];
        let left = |c: char| c == ':' || c.is_whitespace() || QUOTES.contains(&c);
        self.at += rest.len() - rest.trim_start_matches(left).len();
        while let Some(record) = self.records.get(self.record) {
            if !matches!(
                effect(record.kind),
                Effect::Scalar | Effect::Separator | Effect::Call
            ) {
                break;
            }
            self.at = self.at.max(record.span.end as usize);
            self.record += 1;
        }
    }

    /// Passes over the member that begins here, with its own records, if it was cut.
    fn cut_member(&mut self) -> bool {
        let records = &self.records[self.record..];
        let begins = self.at + quotes(&self.text[self.at..]);
        let cut = records.iter().position(|record| {
            let here = self.at..=begins;
            record.kind == RepairKind::CutMember && here.contains(&(record.span.start as usize))
        });
        let Some(cut) = cut else { return false };
        self.at = self.at.max(records[cut].span.start as usize);
        self.record += cut;
        true
    }

    /// Where the next token of the value begins, if that is known.
    fn limit(&self) -> usize {
        let start = match self.tokens.get(self.next) {
            Some(Token::Key(index)) => {
                let node = self.document.tape.node(*index);
                (!node.has(flag::KEY_SIDE)).then_some(node.key_start as usize)
            }
            Some(Token::Scalar(index) | Token::Open(index)) => {
                let node = self.document.tape.node(*index);
                (!node.has(flag::SIDE)).then_some(node.start as usize)
            }
            None => None,
        };
        let Some(start) = start else {
            return self.text.len();
        };
        let before = &self.text[..start];
        before.trim_end_matches(QUOTES).len()
    }

    /// How JSON writes a name or scalar.
    fn written(&self, index: u32, key: bool) -> String {
        let value = self.document.value(NodeId(index));
        if !key {
            return value.to_json();
        }
        let name = Key::of(&self.document.tape, &self.document.text, index).decoded();
        let mut written = String::new();
        write_string(&name, &mut written);
        written
    }
}

const QUOTES: [char; 12] = [
    '"', '\'', '`', '“', '”', '‘', '’', '«', '»', '„', '\\', '「',
];

/// How long the quotes at the beginning of a text are, of which there are three at most.
fn quotes(text: &str) -> usize {
    let marks = text.chars().take(3).take_while(|c| QUOTES.contains(c));
    marks.map(char::len_utf8).sum()
}

/// Returns whether a string and the text that it was read from have the same letters and digits, in
/// the same order. What escapes stand for is not compared, nor how a number or keyword is spelled;
/// a fence around a string may name a language.
fn stands_in(written: &str, text: &str) -> bool {
    let fenced = text.starts_with("```") || text.starts_with("~~~");
    let spelled = !written.starts_with('"');
    let data = (text.strip_prefix("<![CDATA[")).filter(|text| text.contains("]]>"));
    let text = data.unwrap_or(text);
    if spelled || fenced || written.contains('\\') || text.contains('\\') {
        return true;
    }
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    letters(written) == letters(text)
}
