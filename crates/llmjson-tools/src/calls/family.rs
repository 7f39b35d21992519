//! The families of models and the markers around their calls: one row for each.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{OnceLock, PoisonError, RwLock};

use llmjson_syntax::UnknownName;

use super::families::Families;
use super::response::FamilyError;
use super::tag::key_of;

/// The form of calls inside their markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{"name": …, "arguments": {…}}`, alone, in a list or one after the other.
    Json,
    /// `<function=name><parameter=key>value</parameter></function>` and its relatives.
    Xml,
    /// `[name(key=value)]`.
    Python,
    /// A name, separators, and the arguments as JSON.
    Named,
    /// A name, then `<arg_key>` and `<arg_value>` in turn.
    Pairs,
    /// `call:name{key:value}`.
    Braces,
    /// Messages with a header that names their recipient.
    Channel,
    /// `Action: name` and `Action Input: {…}`.
    Action,
}

/// The escapes by which XML-like values write `<` and `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    None,
    Entities,
}

/// The signs of calls whose arguments stand in brackets behind the name.
#[derive(Debug)]
pub(super) struct Signs {
    /// Words of which one stands before the name.
    pub(super) leads: &'static [&'static str],
    pub(super) open: &'static [char],
    /// Marks around texts, beside quotes.
    pub(super) marks: &'static [&'static str],
}

impl Signs {
    /// Returns `true` if names and values are those of a program: `f(a="x", 5)`.
    pub(super) const fn has_names(&self) -> bool {
        self.marks.is_empty()
    }
}

/// The tags of pairs of a key and a value, by their normalized names.
#[derive(Debug)]
pub(super) struct Pairs {
    pub(super) key: &'static str,
    /// The tag around the type of the value.
    pub(super) hint: &'static str,
    pub(super) value: &'static str,
    /// The tag behind a value, where it is not the closing one of the tag before it.
    pub(super) end: &'static str,
}

/// `name(key=value)`
pub(super) static PYTHON: Signs = Signs {
    leads: &[""],
    open: &['('],
    marks: &[],
};

/// `call:name{key:<|"|>value<|"|>}`
pub(super) static GEMMA: Signs = Signs {
    leads: &["call:", ":"],
    open: &['{', '('],
    marks: &["<|\"|>", "<escape>"],
};

/// `<arg_key>key</arg_key><arg_value>value</arg_value>`
const PAIRS: Pairs = Pairs {
    key: "argkey",
    hint: "argtype",
    value: "argvalue",
    end: "",
};

/// A row that was read, and not written here.
pub(super) struct OwnRow {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) open: Vec<String>,
    /// The normalized names of the tags around keys, around values and behind them.
    pub(super) pairs: Option<[String; 3]>,
    /// The marks around texts.
    pub(super) marks: Vec<String>,
}

/// The rows that were read so far, each with the text that it comes from.
static OWN: RwLock<Vec<(&'static Row, String)>> = RwLock::new(Vec::new());

/// The most rows that may be read.
pub(super) const OWN_MAX: usize = 16;

struct Row {
    name: &'static str,
    shape: Shape,
    /// The markers that begin calls. The same marker may belong to several rows: the shape decides.
    open: &'static [&'static str],
    escapes: Escapes,
    pairs: Pairs,
    signs: &'static Signs,
}

const fn row(name: &'static str, shape: Shape, open: &'static [&'static str]) -> Row {
    Row {
        name,
        shape,
        open,
        escapes: Escapes::None,
        pairs: PAIRS,
        signs: &GEMMA,
    }
}

/// Sources: the chat templates that the makers publish with their models, by the names of the rows.
static ROWS: &[Row] = &[
    // Nous Hermes 2 Pro, Qwen 2.5 and 3, Reka.
    row("hermes", Shape::Json, &["<tool_call>"]),
    // Llama 3.1 to 3.3 (Meta's prompt format): JSON behind a token or alone.
    row("llama3", Shape::Json, &["<|python_tag|>"]),
    // Llama 3.1's user-defined functions: `<function=name>{…}</function>`.
    row("llama-function", Shape::Xml, &[]),
    // Llama 4 and Llama 3.2 (Meta's prompt format), OLMo 3.
    row(
        "pythonic",
        Shape::Python,
        &["<|python_start|>", "<function_calls>"],
    ),
    // Gemma 3n and 4, FunctionGemma.
    row(
        "gemma",
        Shape::Braces,
        &["<|tool_call>", "<start_function_call>"],
    ),
    // Gemma 3 (Google's guide to function calling): Python in a fence.
    row(
        "gemma-python",
        Shape::Python,
        &["<tool_code>", "```tool_code"],
    ),
    // Mistral's tokenizers from version 1 to 13.
    row("mistral", Shape::Named, &["[TOOL_CALLS]"]),
    row("mistral-json", Shape::Json, &["[TOOL_CALLS]"]),
    // DeepSeek V3, V3.1 and R1.
    row(
        "deepseek",
        Shape::Named,
        &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
    ),
    // DeepSeek V3.2.
    row(
        "deepseek-dsml",
        Shape::Xml,
        &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
    ),
    // Moonshot's Kimi K2.
    row(
        "kimi",
        Shape::Named,
        &[
            "<|tool_calls_section_begin|>",
            "<|tool_call_section_begin|>",
            "<|tool_call_begin|>",
        ],
    ),
    // Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5.
    row("qwen3-coder", Shape::Xml, &["<tool_call>"]),
    // ByteDance Seed-OSS.
    row("seed-oss", Shape::Xml, &["<seed:tool_call>"]),
    // Zhipu's GLM 4.5 and later.
    row("glm", Shape::Pairs, &["<tool_call>"]),
    // The same, small ones of version 5 (as programs that serve them read them): a sign and a bracket around the name.
    row("glm-flash", Shape::Pairs, &["<!["]),
    // MiniMax M2.
    Row {
        escapes: Escapes::Entities,
        ..row("minimax", Shape::Xml, &["<minimax:tool_call>"])
    },
    // MiniMax M3 (as programs that serve it read it): a token before every tag, and elements for the arguments.
    row("minimax-m3", Shape::Xml, &["]<]minimax[>[<tool_call>"]),
    // Moonshot's Kimi K3 (as programs that serve it read it).
    row(
        "kimi-k3",
        Shape::Xml,
        &["<|open|>tools<|sep|>", "<|open|>tools"],
    ),
    // IBM Granite 3 and 4, GigaChat 3.
    row(
        "granite",
        Shape::Json,
        &["<|tool_call|>", "<function_call>", "<|function_call|>"],
    ),
    // Microsoft Phi 4 mini, Firefunction.
    row("phi", Shape::Json, &["functools"]),
    // Cohere Command R7B and Command A.
    row("command-r", Shape::Json, &["<|START_ACTION|>"]),
    // InternLM 2 and 2.5.
    row(
        "internlm2",
        Shape::Json,
        &["<|action_start|>", "<|plugin|>"],
    ),
    // Salesforce xLAM: a list and nothing around it.
    row("xlam", Shape::Json, &[]),
    // Tencent Hunyuan, MiniMax M1, Apriel.
    row("hunyuan", Shape::Json, &["<tool_calls>"]),
    // Tencent Hunyuan 4 (as programs that serve it read it): every tag has the word of the checkpoint.
    row(
        "hunyuan-v4",
        Shape::Pairs,
        &["<tool_calls:opensource>", "<tool_call:opensource>"],
    ),
    // Upstage Solar Open 2 (as programs that serve it read it).
    Row {
        pairs: Pairs {
            key: "toolargstart",
            hint: "",
            value: "toolargvalue",
            end: "toolargend",
        },
        ..row("solar-open2", Shape::Pairs, &["<|tool_call:start|>"])
    },
    // IQuest Q1 (as programs that serve it read it).
    row("iquest", Shape::Pairs, &["<iquest_tool_call>"]),
    // IFM K2 (as programs that serve it read it): the type of a value may stand before it.
    Row {
        pairs: Pairs {
            key: "ifmargkey",
            hint: "ifmargtype",
            value: "ifmargvalue",
            ..PAIRS
        },
        ..row(
            "ifm-k2",
            Shape::Pairs,
            &["<ifm|tool_calls>", "<ifm|tool_call>"],
        )
    },
    // PFN PLaMo 3 (as programs that serve it read it).
    row(
        "plamo3",
        Shape::Named,
        &[
            "<|plamo:begin_tool_requests:plamo|>",
            "<|plamo:begin_tool_request:plamo|>",
        ],
    ),
    // Meta Muse (as programs that serve it read it).
    row("muse", Shape::Xml, &["<atem:function_calls>"]),
    // StepFun Step 3.
    row(
        "step3",
        Shape::Xml,
        &["<｜tool_calls_begin｜>", "<｜tool_call_begin｜>"],
    ),
    // Liquid LFM2.
    row("lfm2", Shape::Python, &["<|tool_call_start|>"]),
    // OpenAI gpt-oss.
    row("harmony", Shape::Channel, &[]),
    // Anthropic's format in text, and others with `<invoke name="…">`.
    row("anthropic", Shape::Xml, &["<function_calls>"]),
    // LangChain's agents and those after them.
    row("react", Shape::Action, &[]),
    // Meituan LongCat.
    Row {
        pairs: Pairs {
            key: "longcatargkey",
            value: "longcatargvalue",
            ..PAIRS
        },
        ..row("longcat", Shape::Json, &["<longcat_tool_call>"])
    },
    // Swiss AI Apertus.
    row("apertus", Shape::Json, &["<|tools_prefix|>"]),
    // NVIDIA Nemotron Nano 2.
    row("nemotron", Shape::Json, &["<TOOLCALL>"]),
    // MeetKai Functionary 3; 3.2 has `>>>name` on a line of its own.
    row("functionary", Shape::Named, &["<|recipient|>"]),
    // Models tuned on Glaive's function-calling-v2 (its data set card): arguments as text.
    row("glaive", Shape::Json, &["<functioncall>"]),
    // Thinking Machines.
    row("inkling", Shape::Json, &["<|content_invoke_tool_json|>"]),
    // Calls in brackets, as agents that imitate a transcript write them.
    row("bracketed", Shape::Python, &["[Calling tool:"]),
    // Agents whose prompt asks for a fence or a tag of its own.
    row(
        "fenced",
        Shape::Json,
        &["```tool", "```tool_call", "```tool_calls", "<tool>"],
    ),
    // JSON and nothing around it.
    row("json", Shape::Json, &[]),
];

/// A family of models that write their calls alike.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::Family;
///
/// let family: Family = "hermes".parse()?;
/// assert_eq!(family.name(), "hermes");
/// assert!(Family::all().count() >= 30);
/// # Ok::<(), llmjson::policy::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family(u8);

impl Family {
    /// Returns all families.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..ROWS.len()).map(|at| Self(at as u8))
    }

    /// Returns the stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the place in the table.
    pub(super) const fn place(self) -> u8 {
        self.0
    }

    /// Returns the family at a place in the table, or of a row that was read.
    pub(super) fn at(place: u8) -> Self {
        Self(place)
    }

    fn row(self) -> &'static Row {
        let at = usize::from(self.0);
        let own = || {
            let rows = OWN.read().unwrap_or_else(PoisonError::into_inner);
            rows.get(at - ROWS.len()).map(|(row, _)| *row)
        };
        ROWS.get(at).or_else(own).unwrap_or(&ROWS[0])
    }

    /// Returns the family of a row that was read from a text.
    pub(super) fn own(row: OwnRow, text: &str) -> Result<Self, FamilyError> {
        let mut rows = OWN.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = rows.iter();
        let at = known.position(|(known, from)| known.name == row.name && from == text);
        if at.is_none() && rows.len() == OWN_MAX {
            let what = format!("a process may have {OWN_MAX} families of its own");
            return Err(FamilyError::new(&row.name, what));
        }
        let at = at.unwrap_or_else(|| {
            let marks: Vec<&'static str> = row.marks.into_iter().map(kept).collect();
            let open: Vec<&'static str> = row.open.into_iter().map(kept).collect();
            let signs = Signs {
                marks: Vec::leak(marks),
                ..GEMMA
            };
            let pairs = row.pairs.map(|[key, value, end]| Pairs {
                key: kept(key),
                hint: "",
                value: kept(value),
                end: kept(end),
            });
            let row = Row {
                name: kept(row.name),
                shape: row.shape,
                open: Vec::leak(open),
                escapes: Escapes::None,
                pairs: pairs.unwrap_or(PAIRS),
                signs: Box::leak(Box::new(signs)),
            };
            rows.push((Box::leak(Box::new(row)), text.to_owned()));
            rows.len() - 1
        });
        Ok(Self((ROWS.len() + at) as u8))
    }

    /// Returns the signs of the brackets behind a marker.
    pub(super) fn signs(opener: &str) -> &'static Signs {
        Self::of(Some(opener), Shape::Braces).row().signs
    }

    /// Returns the families of rows that were read.
    fn all_own() -> impl Iterator<Item = Self> {
        let rows = OWN.read().unwrap_or_else(PoisonError::into_inner).len();
        (0..rows).map(|at| Self((ROWS.len() + at) as u8))
    }

    /// Returns `true` if calls of the family begin with a marker.
    fn begins_with(self, opener: &str) -> bool {
        let mut open = self.row().open.iter();
        open.any(|one| key_of(one) == opener)
    }

    pub(super) fn escapes(self) -> Escapes {
        self.row().escapes
    }

    /// Returns the tags of its pairs.
    pub(super) fn pairs(self) -> &'static Pairs {
        &self.row().pairs
    }

    pub(super) fn named(name: &str) -> Self {
        let at = ROWS.iter().position(|row| row.name == name);
        Self(at.unwrap_or(ROWS.len() - 1) as u8)
    }

    /// Returns `true` if the calls of both begin with the same marker, or alike without one.
    pub(super) fn shares_marker(self, other: Self) -> bool {
        let (row, of_other) = (self.row(), other.row());
        if row.open.is_empty() && of_other.open.is_empty() && row.shape == of_other.shape {
            return true;
        }
        let of_other: Vec<_> = other.row().open.iter().map(|one| key_of(one)).collect();
        let mut own = self.row().open.iter().map(|one| key_of(one));
        own.any(|one| of_other.contains(&one))
    }

    /// Returns the family whose calls begin with a marker and have a shape; that of the shape alone if
    /// no marker does.
    pub(super) fn of(opener: Option<&str>, shape: Shape) -> Self {
        let mut exact: Vec<Self> = Vec::new();
        if let Some(opener) = opener {
            exact.extend(Self::all().filter(|one| one.row().open.contains(&opener)));
        }
        let families = opener.and_then(|opener| openers().get(&key_of(opener)));
        let families = if exact.is_empty() {
            families
        } else {
            Some(&exact)
        };
        let by_shape = |families: &[Self]| {
            let mut families = families.iter().copied();
            families.find(|family| family.row().shape == shape)
        };
        let found = families.and_then(|families| by_shape(families).or(families.first().copied()));
        let key = opener.filter(|_| found.is_none()).map(key_of);
        let own = key.and_then(|key| Self::all_own().find(|own| own.begins_with(&key)));
        found.or(own).unwrap_or_else(|| match shape {
            Shape::Json => Self::named("json"),
            Shape::Xml => Self::named("llama-function"),
            Shape::Python => Self::named("pythonic"),
            Shape::Named => Self::named("functionary"),
            Shape::Pairs => Self::named("glm"),
            Shape::Braces => Self::named("gemma"),
            Shape::Channel => Self::named("harmony"),
            Shape::Action => Self::named("react"),
        })
    }

    /// Returns `true` if behind a marker the name of a tool may stand without arguments.
    pub(super) fn names_alone(opener: &str) -> bool {
        let name = key_of(opener);
        let mut families = openers().get(&name).into_iter().flatten();
        name.ends_with("toolcall")
            || families.any(|family| matches!(family.row().shape, Shape::Named | Shape::Pairs))
    }

    /// Returns `true` if a marker begins the calls of some family; with families named, of one of
    /// them.
    pub(super) fn opens(opener: &str, only: Option<Families>) -> bool {
        let families = openers().get(opener);
        let is_known = families.is_some_and(|families| {
            only.is_none_or(|only| families.iter().any(|family| only.contains(*family)))
        });
        let mut own = only.into_iter().flat_map(Families::own);
        is_known || own.any(|own| own.begins_with(opener))
    }
}

/// Keeps a text as long as the process runs.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The families of each marker, by its normalized name.
fn openers() -> &'static HashMap<String, Vec<Family>> {
    static OPENERS: OnceLock<HashMap<String, Vec<Family>>> = OnceLock::new();
    OPENERS.get_or_init(|| {
        let mut openers: HashMap<String, Vec<Family>> = HashMap::new();
        for family in Family::all() {
            for open in family.row().open {
                openers.entry(key_of(open)).or_default().push(family);
            }
        }
        openers
    })
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Family {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all: Vec<Self> = Self::all().collect();
        UnknownName::find(name, &all, Self::name)
    }
}
