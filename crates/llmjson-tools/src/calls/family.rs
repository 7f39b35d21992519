//! The families of models and the markers around their calls: one row for each.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use llmjson_syntax::UnknownName;

use super::families::Families;
use super::tag::normalized;

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

struct Row {
    name: &'static str,
    shape: Shape,
    /// The markers that begin calls. The same marker may belong to several rows: the shape decides.
    open: &'static [&'static str],
    escapes: Escapes,
}

const fn row(name: &'static str, shape: Shape, open: &'static [&'static str]) -> Row {
    let escapes = Escapes::None;
    Row {
        name,
        shape,
        open,
        escapes,
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
    // MiniMax M2.
    Row {
        name: "minimax",
        shape: Shape::Xml,
        open: &["<minimax:tool_call>"],
        escapes: Escapes::Entities,
    },
    // MiniMax M3 (as programs that serve it read it): a token before every tag, and elements for the arguments.
    Row {
        name: "minimax-m3",
        shape: Shape::Xml,
        open: &["]<]minimax[>[<tool_call>"],
        escapes: Escapes::None,
    },
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
    row("longcat", Shape::Json, &["<longcat_tool_call>"]),
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

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }

    pub(super) fn escapes(self) -> Escapes {
        self.row().escapes
    }

    pub(super) fn named(name: &str) -> Self {
        let at = ROWS.iter().position(|row| row.name == name);
        Self(at.unwrap_or(ROWS.len() - 1) as u8)
    }

    /// Returns `true` if the calls of both begin with the same marker.
    pub(super) fn shares_marker(self, other: Self) -> bool {
        let of_other: Vec<_> = other.row().open.iter().map(|one| normalized(one)).collect();
        let mut own = self.row().open.iter().map(|one| normalized(one));
        own.any(|one| of_other.contains(&one))
    }

    /// Returns the family whose calls begin with a marker and have a shape; that of the shape alone if
    /// no marker does.
    pub(super) fn of(opener: Option<&str>, shape: Shape) -> Self {
        let mut exact: Vec<Self> = Vec::new();
        if let Some(opener) = opener {
            exact.extend(Self::all().filter(|one| one.row().open.contains(&opener)));
        }
        let families = opener.and_then(|opener| openers().get(&normalized(opener)));
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
        found.unwrap_or_else(|| match shape {
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
        let name = normalized(opener);
        let mut families = openers().get(&name).into_iter().flatten();
        name.ends_with("toolcall")
            || families.any(|family| matches!(family.row().shape, Shape::Named | Shape::Pairs))
    }

    /// Returns `true` if a marker begins the calls of some family; with families named, of one of
    /// them.
    pub(super) fn opens(opener: &str, only: Option<Families>) -> bool {
        let families = openers().get(opener);
        families.is_some_and(|families| {
            only.is_none_or(|only| families.iter().any(|family| only.contains(*family)))
        })
    }
}

/// The families of each marker, by its normalized name.
fn openers() -> &'static HashMap<String, Vec<Family>> {
    static OPENERS: OnceLock<HashMap<String, Vec<Family>>> = OnceLock::new();
    OPENERS.get_or_init(|| {
        let mut openers: HashMap<String, Vec<Family>> = HashMap::new();
        for family in Family::all() {
            for open in family.row().open {
                openers.entry(normalized(open)).or_default().push(family);
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
