//! The meaning of words around a value.
//!
//! They are English. In a text in another language only form counts: labels, fences, order, size.
//! What a sort of cue means for a value, and how near it has to stand, is said in `lead` and `doubt`. Words that mean
//! something in one place alone, whatever stands around them, are lists of their own.

/// The meaning of a word or phrase around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// An answer or a result.
    Answer,
    /// A correction of what stands before.
    Correction,
    /// An interjection or phrase that takes back what stands before.
    Retraction,
    /// A regret, which takes something back only with words that say what was wrong.
    Regret,
    /// A word for a mistake, in a sentence that begins with a regret.
    Wrong,
    /// A word for what ought to stand in place of something.
    Should,
    /// The label of something that is no answer: a draft, the input, what was before.
    Draft,
    /// A word for one of several choices.
    Choice,
    /// An example, announced as one.
    Example,
    /// The noun, which may be what was asked for.
    Sample,
    /// A comparison.
    Likeness,
    /// A word for what would be the case.
    Condition,
    /// A word for what has to be the case, or is wanted.
    Rule,
    /// A word for what is not the case, or not to be done.
    Negation,
    /// The beginning of a request to the reader.
    Plea,
    /// A word for what a request asks the reader to do.
    Give,
    /// A whole request.
    Request,
    /// The value is what the reader asked for.
    Asked,
    /// An interval of numbers, in mathematics.
    Range,
    /// A command of a shell.
    Command,
    /// The answer or result, as one that there is only one of.
    Outcome,
    /// The model in the first person, as in `I added`.
    Writer,
    /// A clause of its own begins, which a cue before it says nothing about.
    Break,
    /// A verb that says what something is.
    Is,
    /// A word that a correction may begin with, behind a word of regret.
    Subject,
    /// A word that may stand in any label.
    Filler,
    /// A sentence that asks for something for form's sake only.
    Courtesy,
    /// A phrase that says nothing, though a word in it would.
    Idiom,
}

/// Words that tell the reader to give a member another value: `Set "age" to 3`.
pub(crate) const CHANGES: &[&str] = &[
    "change", "correct", "fix", "make", "modify", "replace", "set", "update",
];

/// Words that label what follows a colon and say nothing about a value, if they are written large: `Note: …`.
pub(crate) const LABELS: &[&str] = &[
    "action",
    "ai",
    "analysis",
    "arguments",
    "assistant",
    "assumption",
    "assumptions",
    "bot",
    "caution",
    "comment",
    "confidence",
    "context",
    "disclaimer",
    "explanation",
    "function",
    "hint",
    "human",
    "important",
    "info",
    "note",
    "notes",
    "observation",
    "parameters",
    "plan",
    "ps",
    "q",
    "question",
    "rationale",
    "reasoning",
    "reference",
    "references",
    "remark",
    "source",
    "sources",
    "step",
    "summary",
    "system",
    "task",
    "thought",
    "thoughts",
    "tip",
    "todo",
    "tool",
    "user",
    "warning",
];
