//! A document on its way to damage: a row of tokens, each with what is written and what is meant.
//!
//! Operators change what is written. The truth is put together from what the tokens mean, so it
//! stays known whatever happens to the text.

use std::ops::Range;

use crate::value::Value;
use llmjson_testutil::Rng;
pub(crate) use llmjson_testutil::tree::quoted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Key,
    Text,
    Number,
    Keyword,
    Colon,
    Comma,
    Space,
    /// Written, but no part of the value.
    Noise,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) raw: String,
    /// The decoded text of a name or string, the spelling of a number or keyword.
    pub(crate) meant: String,
    /// How many containers are open around it, and whether the innermost is an object.
    pub(crate) depth: usize,
    pub(crate) in_object: bool,
    /// Some operator has been at it.
    pub(crate) touched: bool,
}

impl Token {
    pub(crate) fn noise(raw: impl Into<String>, like: &Self) -> Self {
        Self {
            kind: Kind::Noise,
            raw: raw.into(),
            meant: String::new(),
            touched: true,
            ..*like
        }
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::Number | Kind::Keyword)
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.kind, Kind::OpenObject | Kind::OpenArray)
    }

    pub(crate) fn is_close(&self) -> bool {
        matches!(self.kind, Kind::CloseObject | Kind::CloseArray)
    }

    fn is_token(&self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Noise)
    }
}

/// How a document is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Tight,
    Spaced,
    Lines(usize),
}

pub(crate) struct Draft {
    pub(crate) tokens: Vec<Token>,
    pub(crate) before: String,
    pub(crate) after: String,
    /// Whether the reading should say that the text is whole; `None` where both are right.
    pub(crate) complete: Option<bool>,
    /// Printed with quotes, backslashes and line breaks escaped once more.
    pub(crate) escaped: bool,
    pub(crate) style: Style,
}

/// The damaged text, and where strings that were properly closed stand in it.
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) closed: Vec<Range<usize>>,
}

impl Draft {
    pub(crate) fn new(value: &Value, rng: &mut Rng) -> Self {
        let style = match rng.below(10) {
            0..=1 => Style::Tight,
            2..=3 => Style::Spaced,
            4..=8 => Style::Lines(2),
            _ => Style::Lines(4),
        };
        let mut draft = Self {
            tokens: Vec::new(),
            before: String::new(),
            after: String::new(),
            complete: Some(true),
            escaped: false,
            style,
        };
        let ascii = rng.chance(10);
        draft.print(value, 0, false, ascii);
        draft
    }

    fn push(&mut self, kind: Kind, raw: &str, meant: &str, depth: usize, in_object: bool) {
        self.tokens.push(Token {
            kind,
            raw: raw.to_owned(),
            meant: meant.to_owned(),
            depth,
            in_object,
            touched: false,
        });
    }

    fn gap(&mut self, depth: usize, in_object: bool, comma: bool) {
        let space = match self.style {
            Style::Tight => return,
            Style::Spaced if comma => " ".to_owned(),
            Style::Spaced => return,
            Style::Lines(indent) => format!("\n{}", " ".repeat(indent * depth)),
        };
        self.push(Kind::Space, &space, "", depth, in_object);
    }

    fn print(&mut self, value: &Value, depth: usize, in_object: bool, ascii: bool) {
        match value {
            Value::Null => self.push(Kind::Keyword, "null", "null", depth, in_object),
            Value::Bool(true) => self.push(Kind::Keyword, "true", "true", depth, in_object),
            Value::Bool(false) => self.push(Kind::Keyword, "false", "false", depth, in_object),
            Value::Number(number) => self.push(Kind::Number, number, number, depth, in_object),
            Value::Text(text) => {
                self.push(Kind::Text, &quoted(text, ascii), text, depth, in_object)
            }
            Value::Array(items) => {
                self.push(Kind::OpenArray, "[", "", depth, in_object);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.push(Kind::Comma, ",", "", depth + 1, false);
                    }
                    self.gap(depth + 1, false, index > 0);
                    self.print(item, depth + 1, false, ascii);
                }
                if !items.is_empty() {
                    self.gap(depth, false, false);
                }
                self.push(Kind::CloseArray, "]", "", depth, in_object);
            }
            Value::Object(members) => {
                self.push(Kind::OpenObject, "{", "", depth, in_object);
                for (index, (name, member)) in members.iter().enumerate() {
                    if index > 0 {
                        self.push(Kind::Comma, ",", "", depth + 1, true);
                    }
                    self.gap(depth + 1, true, index > 0);
                    self.push(Kind::Key, &quoted(name, ascii), name, depth + 1, true);
                    self.push(Kind::Colon, ":", "", depth + 1, true);
                    if self.style != Style::Tight {
                        self.push(Kind::Space, " ", "", depth + 1, true);
                    }
                    self.print(member, depth + 1, true, ascii);
                }
                if !members.is_empty() {
                    self.gap(depth, true, false);
                }
                self.push(Kind::CloseObject, "}", "", depth, in_object);
            }
        }
    }

    pub(crate) fn is_lines(&self) -> bool {
        matches!(self.style, Style::Lines(_))
    }

    /// The next token after `at` that is not white space.
    pub(crate) fn next(&self, at: usize) -> Option<usize> {
        (at + 1..self.tokens.len()).find(|&index| self.tokens[index].is_token())
    }

    /// The last token before `at` that is not white space.
    pub(crate) fn previous(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&index| self.tokens[index].is_token())
    }

    pub(crate) fn next_kind(&self, at: usize) -> Option<Kind> {
        self.next(at).map(|index| self.tokens[index].kind)
    }

    pub(crate) fn previous_kind(&self, at: usize) -> Option<Kind> {
        self.previous(at).map(|index| self.tokens[index].kind)
    }

    /// The closer of the container that opens at `open`.
    pub(crate) fn close_of(&self, open: usize) -> usize {
        let depth = self.tokens[open].depth;
        let close =
            |index: &usize| self.tokens[*index].is_close() && self.tokens[*index].depth == depth;
        (open + 1..self.tokens.len())
            .find(close)
            .expect("every container was closed when printed")
    }

    /// The opener of the container that closes at `close`.
    pub(crate) fn open_of(&self, close: usize) -> usize {
        let depth = self.tokens[close].depth;
        let open =
            |index: &usize| self.tokens[*index].is_open() && self.tokens[*index].depth == depth;
        (0..close)
            .rev()
            .find(open)
            .expect("every container was opened when printed")
    }

    /// How many items or members the container that opens at `open` has.
    pub(crate) fn count(&self, open: usize) -> usize {
        let close = self.close_of(open);
        let depth = self.tokens[open].depth + 1;
        if self.next(open) == Some(close) {
            return 0;
        }
        let comma = |token: &&Token| token.kind == Kind::Comma && token.depth == depth;
        1 + self.tokens[open..close].iter().filter(comma).count()
    }

    /// Whether nothing was damaged at `at` or two tokens to either side.
    pub(crate) fn free(&self, at: usize) -> bool {
        let mut low = at;
        let mut high = at;
        for _ in 0..2 {
            low = self.previous(low).unwrap_or(0);
            high = self.next(high).unwrap_or(self.tokens.len() - 1);
        }
        self.tokens[low..=high].iter().all(|token| !token.touched)
    }

    /// One of the undamaged places that `wanted` likes.
    pub(crate) fn choose(
        &self,
        rng: &mut Rng,
        wanted: impl Fn(usize, &Token) -> bool,
    ) -> Option<usize> {
        let all: Vec<usize> = (0..self.tokens.len())
            .filter(|&at| self.free(at) && wanted(at, &self.tokens[at]))
            .collect();
        (!all.is_empty()).then(|| rng.pick(&all))
    }

    /// Writes the token at `at` another way.
    pub(crate) fn write(&mut self, at: usize, raw: impl Into<String>) {
        self.tokens[at].raw = raw.into();
        self.tokens[at].touched = true;
    }

    /// Writes the token at `at` another way and lets it mean something else.
    pub(crate) fn replace(&mut self, at: usize, kind: Kind, raw: &str, meant: &str) {
        self.write(at, raw);
        self.tokens[at].kind = kind;
        self.tokens[at].meant = meant.to_owned();
    }

    /// Puts something before the token at `at` that is no part of the value.
    pub(crate) fn insert(&mut self, at: usize, raw: impl Into<String>) {
        let like = self.tokens[at.min(self.tokens.len() - 1)].clone();
        self.tokens.insert(at, Token::noise(raw, &like));
    }

    /// The value that the tokens mean; what was left open closes at the end.
    pub(crate) fn truth(&self) -> Value {
        let mut stack: Vec<(Option<String>, Value)> = Vec::new();
        let mut name: Option<String> = None;
        let mut root = Value::Null;
        for token in &self.tokens {
            let done = match token.kind {
                Kind::OpenObject => {
                    stack.push((name.take(), Value::Object(Vec::new())));
                    continue;
                }
                Kind::OpenArray => {
                    stack.push((name.take(), Value::Array(Vec::new())));
                    continue;
                }
                Kind::Key => {
                    name = Some(token.meant.clone());
                    continue;
                }
                Kind::CloseObject | Kind::CloseArray => stack.pop().expect("closers match openers"),
                Kind::Text => (name.take(), Value::Text(token.meant.clone())),
                Kind::Number => (name.take(), Value::Number(token.meant.clone())),
                Kind::Keyword => (name.take(), keyword(&token.meant)),
                Kind::Colon | Kind::Comma | Kind::Space | Kind::Noise => continue,
            };
            put(&mut stack, &mut root, done);
        }
        while let Some(done) = stack.pop() {
            put(&mut stack, &mut root, done);
        }
        root
    }

    /// The damaged text.
    pub(crate) fn text(&self) -> Text {
        let mut inside = String::new();
        let mut closed = Vec::new();
        let shift = self.before.len();
        for (at, token) in self.tokens.iter().enumerate() {
            let start = shift + inside.len();
            inside.push_str(&token.raw);
            if self.properly_closed(at) {
                closed.push(start + 1..shift + inside.len() - 1);
            }
        }
        if self.escaped {
            inside = escaped(&inside, false);
            closed.clear();
        }
        let text = format!("{}{inside}{}", self.before, self.after);
        Text { text, closed }
    }

    /// Whether a string is as it should be, and what parts it from the next token too.
    fn properly_closed(&self, at: usize) -> bool {
        let sound = |index: usize| {
            let next = self.next(index)?;
            let between = &self.tokens[index + 1..=next];
            between.iter().all(|token| !token.touched).then_some(next)
        };
        let token = &self.tokens[at];
        if token.touched || !matches!(token.kind, Kind::Key | Kind::Text) {
            return false;
        }
        let Some(next) = sound(at) else { return false };
        match self.tokens[next].kind {
            Kind::Comma => sound(next).is_some(),
            _ => true,
        }
    }
}

fn put(
    stack: &mut [(Option<String>, Value)],
    root: &mut Value,
    (name, value): (Option<String>, Value),
) {
    match stack.last_mut().map(|(_, container)| container) {
        Some(Value::Object(members)) => members.push((name.expect("members have names"), value)),
        Some(Value::Array(items)) => items.push(value),
        _ => *root = value,
    }
}

fn keyword(word: &str) -> Value {
    match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::Null,
    }
}

/// The inside of a JSON string.
pub(crate) fn escaped(text: &str, ascii: bool) -> String {
    let quoted = quoted(text, ascii);
    quoted[1..quoted.len() - 1].to_owned()
}
