//! The part of damage that is undone although no operator describes it: edits at random places, and code in
//! strings. These are marks to watch, with a floor below which none may fall.

use std::fmt::Write as _;

use llmjson::Schema;

use crate::code::{KINDS, with_code};
use crate::edits::{Edit, Edited, edited};
use crate::measure::Classes;

/// Damage by its name, and what makes a document with it from a seed.
type Kind = (&'static str, Box<dyn Fn(u64) -> Edited>);

/// What came out of damaged documents of one kind.
#[derive(Default)]
struct Mark {
    documents: usize,
    right: usize,
    /// Another value than the one that was meant, which nothing gives away: it conforms, or no schema
    /// was asked for.
    wrong: usize,
    classes: Classes,
}

impl Mark {
    fn add(&mut self, one: &Edited, with_schema: bool) {
        let schema = with_schema.then(|| {
            let schema = Schema::from_text(&one.schema.to_string());
            schema.expect("schemas of values are right")
        });
        let parsed = llmjson::parse(&one.text, schema.as_ref());
        self.documents += 1;
        let Some(value) = parsed.value().map(crate::value::read) else {
            return;
        };
        let right = value == one.truth;
        self.right += usize::from(right);
        if right || parsed.conforms() {
            self.wrong += usize::from(!right);
            self.classes.add(parsed.certainty(), right);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.right += other.right;
        self.wrong += other.wrong;
        self.classes.merge(&other.classes);
    }

    fn right_percent(&self) -> usize {
        self.right * 100 / self.documents.max(1)
    }

    fn wrong_percent(&self) -> usize {
        self.wrong * 100 / self.documents.max(1)
    }

    fn row(&self, name: &str) -> String {
        format!(
            "{name:<34} {:>5}  {:>6} %  {:>13} %\n",
            self.documents,
            self.right_percent(),
            self.wrong_percent()
        )
    }
}

const HEADER: &str = "damage                              docs   right    silently wrong\n";

/// The marks of each kind, without a schema and with one, as a table, and of all kinds together.
fn table(kinds: &[Kind], documents: u64) -> (String, Mark) {
    let (mut table, mut all) = (HEADER.to_owned(), Mark::default());
    for (name, make) in kinds {
        for (with_schema, how) in [(false, ""), (true, ", schema")] {
            let mut mark = Mark::default();
            for seed in 0..documents {
                mark.add(&make(seed), with_schema);
            }
            table.push_str(&mark.row(&format!("{name}{how}")));
            all.merge(&mark);
        }
    }
    table.push_str(&all.row("all"));
    let _ = write!(table, "{}", all.classes.table());
    (table, all)
}

/// The marks of edits at random places.
pub(crate) fn edits(documents: u64) -> (String, usize, usize) {
    let kinds: Vec<Kind> = (Edit::ALL.into_iter())
        .map(|(name, edit)| {
            let make: Box<dyn Fn(u64) -> Edited> = Box::new(move |seed| edited(edit, seed));
            (name, make)
        })
        .collect();
    let (table, all) = table(&kinds, documents);
    (table, all.right_percent(), all.wrong_percent())
}

/// The marks of code in strings.
pub(crate) fn code(documents: u64) -> (String, usize, usize) {
    let kinds: Vec<Kind> = (KINDS.into_iter())
        .map(|(name, holder, escapes)| {
            let make: Box<dyn Fn(u64) -> Edited> =
                Box::new(move |seed| with_code(holder, escapes, seed));
            (name, make)
        })
        .collect();
    let (table, all) = table(&kinds, documents);
    (table, all.right_percent(), all.wrong_percent())
}
