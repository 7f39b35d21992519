//! Values to be written in many ways: as JSON, or as what language models write instead.
//!
//! Knows how each kind of damage looks; knows nothing of the inputs or of any parser.

/// A value before it is written down. Numbers are the text that is written for them.
#[derive(Clone)]
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
    /// Commas between the thousands of a member's number.
    GroupedNumbers,
    /// Objects without containers in them as texts whose quotes are not escaped.
    UnescapedJson,
    /// A member's list of texts without its brackets.
    BareLists,
    /// Paths whose backslashes are not escaped.
    Paths,
    /// Words behind a `#`, without quotes.
    Hashes,
    /// What Python prints, with tuples and calls.
    Python,
    /// An apostrophe for the closing quote of each object's first text.
    MixedQuotes,
    /// A first attempt, which lacks something, and then the value.
    Drafts,
    /// The inside of a string: a backslash before each quote.
    Escaped,
    /// A time and a level before each line.
    Logged,
    /// A space instead of each comma between members.
    MissingCommas,
    /// A space instead of each colon.
    MissingColons,
    /// `=` instead of each colon.
    Equals,
    /// A semicolon instead of each comma between members.
    Semicolons,
    /// Unescaped quotes around the first word of each text with several.
    InnerQuotes,
    /// A brace instead of the bracket that closes each list in an object.
    WrongClosers,
}

impl Damage {
    /// All of them, in the order of the tables.
    pub(crate) const ALL: [Self; 24] = [
        Self::Valid,
        Self::TrailingCommas,
        Self::BareKeys,
        Self::SingleQuotes,
        Self::Comments,
        Self::Fence,
        Self::Cut,
        Self::Mixed,
        Self::GroupedNumbers,
        Self::UnescapedJson,
        Self::BareLists,
        Self::Paths,
        Self::Hashes,
        Self::Python,
        Self::MixedQuotes,
        Self::Drafts,
        Self::Escaped,
        Self::Logged,
        Self::MissingCommas,
        Self::MissingColons,
        Self::Equals,
        Self::Semicolons,
        Self::InnerQuotes,
        Self::WrongClosers,
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
            Self::GroupedNumbers => "grouped",
            Self::UnescapedJson => "json",
            Self::BareLists => "lists",
            Self::Paths => "paths",
            Self::Hashes => "hashes",
            Self::Python => "python",
            Self::MixedQuotes => "unpaired",
            Self::Drafts => "drafts",
            Self::Escaped => "escaped",
            Self::Logged => "log",
            Self::MissingCommas => "no-commas",
            Self::MissingColons => "no-colons",
            Self::Equals => "equals",
            Self::Semicolons => "semicolons",
            Self::InnerQuotes => "inner-quotes",
            Self::WrongClosers => "closers",
        }
    }

    /// Writes `tree` with this damage.
    pub(crate) fn write(self, tree: &Tree, layout: Layout) -> String {
        let all = self == Self::Mixed;
        let apostrophes = all || matches!(self, Self::SingleQuotes | Self::Python);
        let mut writer = Writer {
            text: String::new(),
            layout: match self {
                Self::Logged => Layout::Pretty,
                _ => layout,
            },
            trailing_commas: all || self == Self::TrailingCommas,
            bare_keys: all || self == Self::BareKeys,
            quote: if apostrophes { '\'' } else { '"' },
            comments: all || self == Self::Comments,
            python: all || self == Self::Python,
            damage: self,
        };
        writer.value(&self.meant(tree), 0);
        let text = writer.text;
        match self {
            Self::Fence | Self::Mixed => format!(
                "Sure, this is the result you asked for:\n\n```json\n{text}\n```\n\n\
                 Tell me if anything in it should be changed."
            ),
            Self::Cut => text[..text.floor_char_boundary(text.len() * 7 / 10)].to_string(),
            Self::Drafts => {
                let draft = Self::Valid.write(&without_last(tree), layout);
                format!(
                    "A first attempt:\n\n```json\n{draft}\n```\n\n\
                     Something is missing there. Corrected:\n\n```json\n{text}\n```\n"
                )
            }
            Self::Escaped => text.replace('\\', "\\\\").replace('"', "\\\""),
            Self::Logged => {
                let lines = text.lines().enumerate();
                let line =
                    |(at, line)| format!("12:{:02}:{:02} INFO {line}\n", at / 60 % 60, at % 60);
                lines.map(line).collect()
            }
            _ => text,
        }
    }

    /// What the text with this damage means: `tree` itself, or `tree` with values in it that can be
    /// damaged so.
    pub(crate) fn meant(self, tree: &Tree) -> Tree {
        match (self, tree) {
            (_, Tree::List(items)) => {
                Tree::List(items.iter().map(|item| self.meant_within(item)).collect())
            }
            (_, Tree::Object(members)) => {
                let members = members.iter().enumerate().map(|(index, (name, member))| {
                    let member = match member {
                        Tree::Text(text) if index < 2 && is_word(text) => match self {
                            Self::Paths => Tree::text(format!("C:\\Data\\{text}\\new.txt")),
                            Self::Hashes => Tree::text(format!("#{text}")),
                            _ => member.clone(),
                        },
                        _ => self.meant_within(member),
                    };
                    (*name, member)
                });
                Tree::Object(members.collect())
            }
            _ => tree.clone(),
        }
    }

    fn meant_within(self, tree: &Tree) -> Tree {
        match tree {
            Tree::Object(members)
                if self == Self::UnescapedJson
                    && members.iter().all(|(_, member)| !is_container(member)) =>
            {
                Tree::Text(Self::Valid.write(tree, Layout::Spaced))
            }
            Tree::Text(text) if self == Self::InnerQuotes && !text.contains('"') => {
                let quoted = |(word, rest)| Tree::text(format!("\"{word}\" {rest}"));
                text.split_once(' ').map_or_else(|| tree.clone(), quoted)
            }
            _ => self.meant(tree),
        }
    }
}

fn is_container(tree: &Tree) -> bool {
    matches!(tree, Tree::List(_) | Tree::Object(_))
}

/// ASCII letters, digits, `-` and `_`, with a letter first.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn without_last(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    match &mut tree {
        Tree::Object(members) => drop(members.pop()),
        Tree::List(items) => drop(items.pop()),
        _ => {}
    }
    tree
}

/// The digits with a comma before each group of three.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut out = String::new();
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

struct Writer {
    text: String,
    layout: Layout,
    trailing_commas: bool,
    bare_keys: bool,
    quote: char,
    comments: bool,
    python: bool,
    damage: Damage,
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
                let tuple = self.damage == Damage::Python && items.len() > 1;
                self.text.push(if tuple { '(' } else { '[' });
                for (index, item) in items.iter().enumerate() {
                    self.separator(index, ",", depth + 1);
                    self.value(item, depth + 1);
                }
                let bracket = match self.damage {
                    Damage::WrongClosers if depth > 1 => '}',
                    _ if tuple => ')',
                    _ => ']',
                };
                self.close(items.len(), depth, bracket);
            }
            Tree::Object(members) => {
                self.text.push('{');
                let is_text = |(_, value): &(_, Tree)| matches!(value, Tree::Text(_));
                let first_text = members.iter().position(is_text);
                for (index, (name, value)) in members.iter().enumerate() {
                    let comma = match self.damage {
                        Damage::MissingCommas => " ",
                        Damage::Semicolons => ";",
                        _ => ",",
                    };
                    self.separator(index, comma, depth + 1);
                    if index == 1 && self.comments {
                        self.text.push_str("// as it was given above\n");
                        self.indent(depth + 1);
                    }
                    if self.bare_keys {
                        self.text.push_str(name);
                    } else {
                        self.string(name);
                    }
                    self.text.push_str(match self.damage {
                        Damage::MissingColons => "",
                        Damage::Equals => "=",
                        _ => ":",
                    });
                    let spaced = !matches!(self.layout, Layout::Compact);
                    if spaced || self.damage == Damage::MissingColons {
                        self.text.push(' ');
                    }
                    self.member(value, depth + 1);
                    let unpaired = self.damage == Damage::MixedQuotes && first_text == Some(index);
                    if unpaired && index + 1 < members.len() {
                        self.text.pop();
                        self.text.push('\'');
                    }
                }
                self.close(members.len(), depth, '}');
            }
        }
    }

    /// The value of a member, with the damage that only such values have.
    fn member(&mut self, tree: &Tree, depth: usize) {
        match (self.damage, tree) {
            (Damage::GroupedNumbers, Tree::Number(digits)) => self.text.push_str(&grouped(digits)),
            (Damage::UnescapedJson, Tree::Text(text)) if text.starts_with('{') => {
                self.text.extend(["\"", text, "\""]);
            }
            (Damage::Paths, Tree::Text(text)) if text.starts_with("C:\\") => {
                self.text.extend(["\"", text, "\""]);
            }
            (Damage::Hashes, Tree::Text(text)) if text.starts_with('#') => self.text.push_str(text),
            (Damage::Python, Tree::Text(text)) if text.starts_with("A-") => {
                self.text.extend(["Path('", text, "')"]);
            }
            (Damage::BareLists, Tree::List(items))
                if items.len() > 1 && items.iter().all(|item| matches!(item, Tree::Text(_))) =>
            {
                for (index, item) in items.iter().enumerate() {
                    self.text.push_str(if index > 0 { ", " } else { "" });
                    self.value(item, depth);
                }
            }
            _ => self.value(tree, depth),
        }
    }

    fn separator(&mut self, index: usize, comma: &str, depth: usize) {
        if index > 0 {
            self.text.push_str(comma);
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
                _ if c == self.quote && self.damage != Damage::InnerQuotes => {
                    self.text.extend(['\\', c])
                }
                _ => self.text.push(c),
            }
        }
        self.text.push(self.quote);
    }
}
