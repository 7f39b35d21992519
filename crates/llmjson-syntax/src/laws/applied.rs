//! The text with everything done that its records say: the check of the law that nothing is
//! invented in silence.

mod effect;
mod step;

use alloc::string::String;
use alloc::vec::Vec;

use crate::tape::Tag;
use crate::{Document, Repair, RepairKind, parse};

/// With every recorded place taken out or corrected, a text is strict JSON of its value. Returns that
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
    // It stands for looks that were not taken, not for text.
    RepairKind::WorkCapped,
];

fn tells_all(document: &Document<'_>) -> bool {
    let mut records = document.repairs().iter();
    records.all(|record| !NOT_APPLIED.contains(&record.kind))
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

    /// Returns whether another record says that the same place was taken out.
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
}
