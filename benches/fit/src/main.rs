//! Fits the table of leads in `crates/llmjson-syntax/src/parser/search/certainty.rs`: from which lead of a reading on
//! a repair of a kind is no guess.
//!
//! Documents whose value is known are damaged as the tests of `llmjson` do it: in described ways, by edits at random
//! places, by code in strings. For each kind of repair the values with it are counted by the smallest lead with which
//! it was made, those that no other repair makes a guess. From the leads of today it goes on step by step, each where it
//! costs the fewest right values, until few enough of those that are called certain or likely are wrong in each sort of
//! damage. What the table and the proposal do to the classes is then counted on other seeds.
//!
//! `cargo run --release -p llmjson-fit [DOCUMENTS]`: so many documents for each kind of damage, 100 if not said.

mod table;

#[path = "../../../crates/llmjson/tests/damage/around.rs"]
mod around;
#[path = "../../../crates/llmjson/tests/damage/between.rs"]
mod between;
#[path = "../../../crates/llmjson/tests/damage/code.rs"]
mod code;
#[path = "../../../crates/llmjson/tests/damage/containers.rs"]
mod containers;
#[allow(dead_code, reason = "tests look at more of a text")]
#[path = "../../../crates/llmjson/tests/damage/draft.rs"]
mod draft;
#[allow(dead_code, reason = "tests read edited texts with their schemas too")]
#[path = "../../../crates/llmjson/tests/damage/edits.rs"]
mod edits;
#[path = "../../../crates/llmjson/tests/damage/embedded.rs"]
mod embedded;
#[path = "../../../crates/llmjson/tests/damage/ending.rs"]
mod ending;
#[path = "../../../crates/llmjson/tests/damage/languages.rs"]
mod languages;
#[path = "../../../crates/llmjson/tests/damage/oddments.rs"]
mod oddments;
#[path = "../../../crates/llmjson/tests/damage/operators.rs"]
mod operators;
#[path = "../../../crates/llmjson/tests/damage/programs.rs"]
mod programs;
#[allow(dead_code, reason = "tests show how a text was damaged")]
#[path = "../../../crates/llmjson/tests/damage/samples.rs"]
mod samples;
#[path = "../../../crates/llmjson/tests/damage/scalars.rs"]
mod scalars;
#[path = "../../../crates/llmjson/tests/damage/slips.rs"]
mod slips;
#[path = "../../../crates/llmjson/tests/damage/strings.rs"]
mod strings;
#[path = "../../../crates/llmjson/tests/damage/texts.rs"]
mod texts;
#[allow(dead_code, reason = "tests make other values too")]
#[path = "../../../crates/llmjson/tests/damage/value.rs"]
mod value;

use llmjson_syntax::internal::why::lead_of;
use llmjson_syntax::{Class, Document, Parser, RepairKind};

use table::{counted, kinds, proposals};
use value::Value;

/// The first seeds of the documents that are fitted to, and of those that the result is checked on.
const TRAINED: u64 = 400_000;
const CHECKED: u64 = 700_000;

/// The leads that are told apart.
pub(crate) const LEADS: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32];

/// The sorts of damage, and how many of a thousand values that are called certain or likely may be wrong.
pub(crate) const SORTS: [(&str, usize); 3] = [
    ("described damage", 10),
    ("random edits", 100),
    ("code in strings", 20),
];

/// A repair of a document.
pub(crate) struct Made {
    pub(crate) kind: RepairKind,
    /// Its class where the lead does not tell.
    pub(crate) class: Class,
    /// The largest of the leads that its reading had; `None` where no lead decides.
    pub(crate) lead: Option<u32>,
}

/// What a document was read to.
pub(crate) struct Read {
    /// The index of its damage in the sorts.
    pub(crate) sort: usize,
    pub(crate) right: bool,
    pub(crate) made: Vec<Made>,
    /// The class of what is noted beside the repairs, or comes of the end of the text.
    pub(crate) other: Class,
}

impl Read {
    /// The class of the value, where a repair is no guess from these leads on.
    pub(crate) fn class(&self, least: impl Fn(RepairKind) -> u32) -> Class {
        let class = |one: &Made| match one.lead {
            Some(lead) if lead < least(one.kind) => Class::Guess,
            _ => one.class,
        };
        let made = self.made.iter().map(class).max();
        made.map_or(self.other, |made| made.max(self.other))
    }
}

fn main() {
    let asked = std::env::args().nth(1);
    let documents = asked.map_or(Some(100), |asked| asked.parse().ok());
    let Some(documents) = documents else {
        eprintln!("usage: llmjson-fit [DOCUMENTS]");
        std::process::exit(2);
    };
    let trained = all(TRAINED, documents);
    println!("{}", kinds(&trained));
    let proposed = proposals(&trained);
    let changed = proposed
        .iter()
        .filter(|(kind, lead)| lead_of(*kind) != *lead);
    println!("proposed, where it is not so now");
    for (kind, lead) in changed {
        println!("  {kind}: {lead} in place of {}", lead_of(*kind));
    }
    let checked = all(CHECKED, documents);
    let lead = |kind: RepairKind| {
        let found = proposed.iter().find(|(other, _)| *other == kind);
        found.map_or_else(|| lead_of(kind), |(_, lead)| *lead)
    };
    println!("\nother seeds, as it is\n{}", counted(&checked, lead_of));
    println!("other seeds, as proposed\n{}", counted(&checked, lead));
}

/// Reads documents of all sorts, from the seed on.
fn all(seed: u64, documents: u64) -> Vec<Read> {
    let mut all = Vec::new();
    let seeds = seed..seed + documents;
    for operator in operators::ALL {
        for seed in seeds.clone() {
            let one = samples::single(operator, seed);
            all.extend(read(0, &one.text.text, &one.truth, one.complete));
        }
    }
    for seed in seed..seed + documents * 20 {
        let one = samples::combined(seed);
        all.extend(read(0, &one.text.text, &one.truth, one.complete));
    }
    for seed in seed..seed + documents * 5 {
        for (_, edit) in edits::Edit::ALL {
            let one = edits::edited(edit, seed);
            all.extend(read(1, &one.text, &one.truth, None));
        }
    }
    for seed in seed..seed + documents * 2 {
        for (_, holder, escapes) in code::KINDS {
            let one = code::with_code(holder, escapes, seed);
            all.extend(read(2, &one.text, &one.truth, None));
        }
    }
    all
}

/// Reads a text once for each lead, to see how far each of its repairs led. `None` without a value.
fn read(sort: usize, text: &str, truth: &Value, complete: Option<bool>) -> Option<Read> {
    let mut parser = Parser::new().with_lead(0);
    let document = parser.parse(text);
    let root = document.root()?;
    let said_whole = document.is_complete() && complete == Some(false);
    let right = value::read(root) == *truth && !said_whole;
    let repairs = document.repairs();
    let mut made: Vec<_> = (repairs.iter())
        .map(|one| Made {
            kind: one.kind,
            class: one.class,
            lead: Some(LEADS[0]),
        })
        .collect();
    for lead in &LEADS[1..] {
        let mut parser = Parser::new().with_lead(*lead);
        for (one, repair) in made.iter_mut().zip(parser.parse(text).repairs()) {
            if repair.kind == one.kind && repair.class == one.class {
                one.lead = Some(*lead);
            }
        }
    }
    for one in &mut made {
        // What is a guess at any lead is capped for another reason.
        one.lead = one.lead.filter(|_| one.class != Class::Guess);
    }
    let other = other_class(&document);
    Some(Read {
        sort,
        right,
        made,
        other,
    })
}

/// The class of a document but for its repairs.
fn other_class(document: &Document<'_>) -> Class {
    let notes = document.notes().iter().map(|note| note.class).max();
    let cut = match document.is_complete() {
        true => Class::Certain,
        false => Class::Likely,
    };
    notes.map_or(cut, |class| class.max(cut))
}
