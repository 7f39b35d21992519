//! Values to be written in many ways: as JSON, or as what language models write instead.
//!
//! Knows how each kind of damage looks; knows nothing of the inputs or of any parser.

/// A value before it is written down. Numbers are the text that is written for them.
pub(crate) enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A string, before escaping.
    Text(String),
    /// An array.
    List(Vec<Tree>),
    /// An object.
    Object(Vec<(&'static str, Tree)>),
}

impl Tree {
    /// A string.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A whole number.
    pub(crate) fn whole(number: u64) -> Self {
        Self::Number(number.to_string())
    }

    /// A number with two decimals, the last of which is not zero.
    pub(crate) fn cents(number: u64) -> Self {
        Self::Number(format!(
            "{}.{:02}",
            number / 100,
            number % 100 / 10 * 10 + number % 9 + 1
        ))
    }
}

/// Where the white space goes.
#[derive(Clone, Copy)]
pub(crate) enum Layout {
    /// None.
    Compact,
    /// One space after each comma and colon.
    Spaced,
    /// A line for each value, two spaces of indentation for each level.
    Pretty,
}

/// One way of damaging a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    /// None: valid JSON.
    Valid,
    /// A comma before each closing bracket.
    TrailingCommas,
    /// Member names without quotes.
    BareKeys,
    /// Apostrophes for quotes, around names as well.
    SingleQuotes,
    /// A `//` comment in each object.
    Comments,
    /// A sentence before, a code fence around, a sentence after.
    Fence,
    /// Only the first 70 % of the bytes.
    Cut,
    /// All of these but the cut, and `True`, `False` and `None`.
    Mixed,
}

impl Damage {
    /// All of them, in the order of the tables.
    pub(crate) const ALL: [Self; 8] = [
        Self::Valid,
        Self::TrailingCommas,
        Self::BareKeys,
        Self::SingleQuotes,
        Self::Comments,
        Self::Fence,
        Self::Cut,
        Self::Mixed,
    ];

    /// The column's name, which `--instructions` takes after a colon.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::TrailingCommas => "commas",
            Self::BareKeys => "keys",
            Self::SingleQuotes => "quotes",
            Self::Comments => "comments",
            Self::Fence => "fence",
            Self::Cut => "cut",
            Self::Mixed => "mixed",
        }
    }

    /// Writes `tree` with this damage.
    pub(crate) fn write(self, tree: &Tree, layout: Layout) -> String {
        let all = self == Self::Mixed;
        let mut writer = Writer {
            text: String::new(),
            layout,
            trailing_commas: all || self == Self::TrailingCommas,
            bare_keys: all || self == Self::BareKeys,
            quote: if all || self == Self::SingleQuotes {
                '\''
            } else {
                '"'
            },
            comments: all || self == Self::Comments,
            python: all,
        };
        writer.value(tree, 0);
        let text = writer.text;
        match self {
            Self::Fence | Self::Mixed => format!(
                "Sure, this is the result you asked for:\n\n```json\n{text}\n```\n\n\
                 Tell me if anything in it should be changed."
            ),
            Self::Cut => text[..text.floor_char_boundary(text.len() * 7 / 10)].to_string(),
            _ => text,
        }
    }
}

struct Writer {
    text: String,
    layout: Layout,
    trailing_commas: bool,
    bare_keys: bool,
    quote: char,
    comments: bool,
    python: bool,
}

impl Writer {
    /// Recurses: the trees are written in this package and a few levels deep.
    fn value(&mut self, tree: &Tree, depth: usize) {
        match tree {
            Tree::Null => self
                .text
                .push_str(if self.python { "None" } else { "null" }),
            Tree::Bool(true) => self
                .text
                .push_str(if self.python { "True" } else { "true" }),
            Tree::Bool(false) => self
                .text
                .push_str(if self.python { "False" } else { "false" }),
            Tree::Number(digits) => self.text.push_str(digits),
            Tree::Text(text) => self.string(text),
            Tree::List(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separator(index, depth + 1);
                    self.value(item, depth + 1);
                }
                self.close(items.len(), depth, ']');
            }
            Tree::Object(members) => {
                self.text.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    self.separator(index, depth + 1);
                    if index == 1 && self.comments {
                        self.text.push_str("// as it was given above\n");
                        self.indent(depth + 1);
                    }
                    if self.bare_keys {
                        self.text.push_str(name);
                    } else {
                        self.string(name);
                    }
                    let spaced = !matches!(self.layout, Layout::Compact);
                    self.text.push_str(if spaced { ": " } else { ":" });
                    self.value(value, depth + 1);
                }
                self.close(members.len(), depth, '}');
            }
        }
    }

    fn separator(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.text.push(',');
        }
        match self.layout {
            Layout::Spaced if index > 0 => self.text.push(' '),
            Layout::Pretty => {
                self.text.push('\n');
                self.indent(depth);
            }
            Layout::Compact | Layout::Spaced => {}
        }
    }

    fn indent(&mut self, depth: usize) {
        if let Layout::Pretty = self.layout {
            self.text.extend(std::iter::repeat_n("  ", depth));
        }
    }

    fn close(&mut self, children: usize, depth: usize, bracket: char) {
        if children > 0 {
            if self.trailing_commas {
                self.text.push(',');
            }
            if let Layout::Pretty = self.layout {
                self.text.push('\n');
                self.indent(depth);
            }
        }
        self.text.push(bracket);
    }

    fn string(&mut self, text: &str) {
        self.text.push(self.quote);
        for c in text.chars() {
            match c {
                '\n' => self.text.push_str("\\n"),
                '\t' => self.text.push_str("\\t"),
                '\\' => self.text.push_str("\\\\"),
                _ if c == self.quote => self.text.extend(['\\', c]),
                _ => self.text.push(c),
            }
        }
        self.text.push(self.quote);
    }
}
