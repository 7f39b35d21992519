//! The text with everything done that its records say: the check of the law that nothing is
//! invented in silence.

use alloc::string::String;
use alloc::vec::Vec;

use crate::tape::{Tag, flag};
use crate::view::Key;
use crate::view::write::write_string;
use crate::{Document, NodeId, Repair, RepairKind, parse};

/// With every recorded place taken out or put right, a text is strict JSON of its value. Returns that
/// JSON, for who wants to ask another reader; nothing where the law is not held.
///
/// Works from the records: what a record says was passed over is taken out, what it says was put in
/// is put in, a bracket, comma or colon that was read as another one is replaced, and a name or
/// scalar with a record of its own is written as JSON writes it, provided that a string has the letters
/// and digits that stand there. All else stays as it was written. What comes of that has to be read with
/// no repair, as the same value.
///
/// Three things go without a record of their own: a comma beside an item that was passed over, or behind
/// the last item before a cut; the bracket that closes a tuple, set, call or object in square brackets;
/// what stands between several values that are read as one list.
///
/// Held for every text but those that were recoded as a whole (escapes, entities, doubled quotes,
/// marks before lines), those with more records than are kept, and those with a record of a kind
/// whose place does not tell what was done: see [`NOT_APPLIED`].
///
/// # Panics
///
/// If the law does not hold.
pub fn records_lead_to_the_value(text: &str) -> Option<String> {
    let document = parse(text);
    let root = document.root()?;
    if !tells_all(&document) {
        return None;
    }
    let applied = match applied(&document) {
        Ok(applied) => applied,
        Err(why) => panic!("{why} in {text:?}: {document:?}"),
    };
    let again = parse(&applied);
    assert_eq!(
        again.repairs(),
        [],
        "{applied:?}, applied from {text:?}: {document:?}"
    );
    assert_eq!(
        again.to_json(),
        Some(root.to_json()),
        "{applied:?}, applied from {text:?}: {document:?}"
    );
    Some(applied)
}

/// The kinds whose records do not tell by their place alone what became of the text.
pub const NOT_APPLIED: &[RepairKind] = &[
    RepairKind::EscapedDocument,
    RepairKind::HtmlEntities,
    RepairKind::CsvQuotes,
    RepairKind::LineMarks,
    RepairKind::RecordsCapped,
];

fn tells_all(document: &Document<'_>) -> bool {
    let mut records = document.repairs().iter();
    records.all(|record| !NOT_APPLIED.contains(&record.kind))
}

/// What a record says about its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is taken out.
    Out,
    /// This is put in.
    In(&'static str),
    /// What is open is closed.
    Close,
    /// What the value has here is opened.
    Open,
    /// It is a comma or a colon.
    Separator,
    /// It begins a list that a round or curly bracket closes.
    List,
    /// The values in it are a list without brackets.
    Unbracketed,
    /// It begins an object within a list, or one in other brackets.
    Members,
    /// It begins members without braces.
    Bare,
    /// All values in it are the items of a list.
    Several,
    /// It goes, and the round bracket that closes it too.
    Call,
    /// The name or scalar there is written as JSON writes it.
    Scalar,
}

fn effect(kind: RepairKind) -> Effect {
    use RepairKind as Kind;
    match kind {
        Kind::MissingComma => Effect::In(","),
        Kind::MissingColon => Effect::In(":"),
        Kind::MissingValue => Effect::In("null"),
        Kind::UnclosedObject | Kind::UnclosedArray | Kind::MissingCloser | Kind::WrongCloser => {
            Effect::Close
        }
        Kind::MissingOpener => Effect::Open,
        Kind::OddSeparator => Effect::Separator,
        Kind::Tuple | Kind::Set => Effect::List,
        Kind::UnbracketedList => Effect::Unbracketed,
        Kind::BracketedMembers => Effect::Members,
        Kind::MissingBraces => Effect::Bare,
        Kind::SeveralValues => Effect::Several,
        Kind::Wrapper => Effect::Call,
        Kind::UnquotedKey
        | Kind::UnquotedString
        | Kind::OtherQuotes
        | Kind::MismatchedQuotes
        | Kind::MissingQuote
        | Kind::DoubledQuote
        | Kind::InnerQuote
        | Kind::JoinedStrings
        | Kind::OtherKeyword
        | Kind::ShortKeyword
        | Kind::Undefined
        | Kind::NotANumber
        | Kind::OtherNumber
        | Kind::NumberAsText
        | Kind::ControlCharacter
        | Kind::InvalidEscape
        | Kind::RawEscape
        | Kind::LoneSurrogate
        | Kind::UnclosedString
        | Kind::CutEscape
        | Kind::CutKeyword
        | Kind::CutNumber
        | Kind::UnescapedJson
        | Kind::GroupedDigits => Effect::Scalar,
        _ => Effect::Out,
    }
}

/// What the value consists of, in the order of the text.
#[derive(Clone, Copy)]
enum Token {
    Open(u32),
    Key(u32),
    Scalar(u32),
}

/// What is open, by what closes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Object,
    Array,
    /// A list in round or curly brackets.
    List,
    /// A list without brackets, which ends here.
    Unbracketed(usize),
    /// An object in a list, which the list's bracket closes.
    Members,
    /// An object in square or round brackets.
    Brackets,
    Bare,
    Several,
    Call,
}

struct Applying<'d> {
    document: &'d Document<'d>,
    text: &'d str,
    records: Vec<Repair>,
    tokens: Vec<Token>,
    next: usize,
    record: usize,
    at: usize,
    out: String,
    open: Vec<Open>,
    /// A value was put in; the comma behind it may be missing too.
    lacks_comma: bool,
    /// An item was taken out, and with it goes a comma beside it.
    item_is_out: bool,
    /// Where several values end.
    several_end: usize,
}

/// The text with all records applied.
fn applied(document: &Document<'_>) -> Result<String, &'static str> {
    let mut applying = Applying {
        document,
        text: document.text(),
        records: in_order(document.repairs()),
        tokens: tokens(document),
        next: 0,
        record: 0,
        at: 0,
        out: String::new(),
        open: Vec::new(),
        lacks_comma: false,
        item_is_out: false,
        several_end: 0,
    };
    while applying.step()? {}
    Ok(applying.out)
}

/// The records in the order of the text; at one place a closer comes before a comma and before what
/// goes on from there.
fn in_order(records: &[Repair]) -> Vec<Repair> {
    let mut ordered: Vec<Repair> = Vec::with_capacity(records.len());
    for record in records {
        let behind =
            |other: &Repair| other.kind == RepairKind::MissingComma || !other.span.is_empty();
        let here = ordered
            .iter()
            .rev()
            .take_while(|other| other.span.start == record.span.start);
        let here = here.count();
        let from = ordered.len() - here;
        match ordered[from..].iter().position(behind) {
            Some(place) if record.kind == RepairKind::MissingCloser => {
                ordered.insert(from + place, *record);
            }
            _ => ordered.push(*record),
        }
    }
    ordered
}

fn tokens(document: &Document<'_>) -> Vec<Token> {
    let tape = &document.tape;
    let mut tokens = Vec::new();
    // What is left of containers: from where to where, and whether those are members.
    let root = tape.root;
    let mut left = alloc::vec![(root, root + 1, false)];
    while let Some((index, end, members)) = left.pop() {
        if index >= end {
            continue;
        }
        let node = tape.node(index);
        let next = match node.tag {
            Tag::Reference => index + 1,
            _ => tape.after(index),
        };
        left.push((next, end, members));
        if members {
            tokens.push(Token::Key(index));
        }
        match node.tag {
            Tag::Reference => left.push((node.next, node.next + 1, false)),
            Tag::Array | Tag::Object => {
                tokens.push(Token::Open(index));
                left.push((index + 1, next, node.tag == Tag::Object));
            }
            _ => tokens.push(Token::Scalar(index)),
        }
    }
    tokens
}

impl Applying<'_> {
    fn step(&mut self) -> Result<bool, &'static str> {
        if self.open.last() == Some(&Open::Several) {
            // What stands between the values goes, whatever it is.
            match self.tokens.get(self.next) {
                Some(Token::Open(index) | Token::Scalar(index)) => {
                    let start = self.document.tape.node(*index).start as usize;
                    self.at = self.at.max(start);
                }
                _ => {
                    self.close(None)?;
                    self.at = self.at.max(self.several_end);
                }
            }
        }
        if let Some(Open::Unbracketed(end)) = self.open.last()
            && *end <= self.at
        {
            self.open.pop();
            self.out.push(']');
            return Ok(true);
        }
        let rest = &self.text[self.at..];
        if let Some(&record) = self.records.get(self.record)
            && record.span.start as usize <= self.at
        {
            self.record += 1;
            self.apply(record)?;
            return Ok(true);
        }
        let Some(byte) = rest.bytes().next() else {
            return self.end();
        };
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                self.out.push(char::from(byte));
                self.at += 1;
            }
            b'{' | b'[' => {
                self.at += 1;
                self.begin_item();
                self.out.push(char::from(byte));
                let kind = if byte == b'{' {
                    Open::Object
                } else {
                    Open::Array
                };
                self.open.push(kind);
                self.opened()?;
            }
            b'}' | b']' | b')' => {
                self.at += 1;
                if core::mem::take(&mut self.item_is_out) {
                    self.take_comma();
                }
                self.close(Some(byte))?;
            }
            b',' if core::mem::take(&mut self.item_is_out)
                && self.out.trim_end().ends_with([',', '{', '[']) =>
            {
                self.at += 1;
            }
            b',' | b':' => {
                self.out.push(char::from(byte));
                self.at += 1;
            }
            // A backslash before a quote that was passed over.
            b'\\' if self.record_begins(self.at + 1) => self.at += 1,
            _ => self.token()?,
        }
        Ok(true)
    }

    fn end(&mut self) -> Result<bool, &'static str> {
        while let Some(open) = self.open.pop() {
            match open {
                Open::Bare => {
                    self.take_comma();
                    self.out.push('}');
                }
                Open::Several => self.out.push(']'),
                Open::Call => {}
                _ => return Err("a container has no end"),
            }
        }
        if self.next < self.tokens.len() {
            return Err("not all of the value");
        }
        Ok(false)
    }

    /// Items of several values have commas between them.
    fn begin_item(&mut self) {
        if self.open.last() == Some(&Open::Several) {
            let written = self.out.trim_end();
            if !written.ends_with(['[', ',']) {
                self.out.push(',');
            }
        }
    }

    fn opened(&mut self) -> Result<Tag, &'static str> {
        self.lacks_comma = false;
        match self.tokens.get(self.next) {
            Some(Token::Open(index)) => {
                self.next += 1;
                Ok(self.document.tape.node(*index).tag)
            }
            _ => Err("a container that the value does not have"),
        }
    }

    fn opens_object(&self) -> bool {
        matches!(self.tokens.get(self.next), Some(Token::Open(index))
            if self.document.tape.node(*index).tag == Tag::Object)
    }

    fn record_begins(&self, at: usize) -> bool {
        let record = self.records.get(self.record);
        record.is_some_and(|record| record.span.start as usize == at)
    }

    /// Whether another record says that the same place was taken out.
    fn is_dropped(&self, record: Repair) -> bool {
        let mut records = self.records[self.record..].iter();
        let comma = RepairKind::ExtraComma;
        records
            .next()
            .is_some_and(|next| next.kind == comma && next.span == record.span)
    }

    /// Takes the comma out that was written last.
    fn take_comma(&mut self) -> bool {
        let written = self.out.trim_end();
        let Some(before) = written.strip_suffix(',') else {
            return false;
        };
        self.out.truncate(before.len());
        true
    }

    /// Closes what is open, by this byte of the text or by a record.
    fn close(&mut self, byte: Option<u8>) -> Result<(), &'static str> {
        let open = self.open.pop().ok_or("a closer too many")?;
        match (open, byte) {
            (Open::Object | Open::Bare | Open::Members, None | Some(b'}')) => {
                self.out.push('}');
            }
            (Open::Bare, Some(b')')) => {
                self.out.push('}');
                self.close(byte)?;
            }
            (Open::Array, None | Some(b']')) | (Open::Several, None) => self.out.push(']'),
            (Open::List, None | Some(b')' | b'}')) => self.out.push(']'),
            (Open::Brackets, None | Some(b']' | b')')) => self.out.push('}'),
            (Open::Call, None | Some(b')')) => {}
            _ => return Err("a closer of another kind"),
        }
        Ok(())
    }

    fn apply(&mut self, record: Repair) -> Result<(), &'static str> {
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
    fn token(&mut self) -> Result<(), &'static str> {
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

/// Whether a string and the text that it was read from have the same letters and digits, in the same
/// order. What escapes stand for is not compared, nor how a number or keyword is spelled; a fence around
/// a string may name a language.
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
