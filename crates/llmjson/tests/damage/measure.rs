//! What came out of damaged documents, compared with the truth.

use std::fmt::Write as _;

use llmjson::syntax::{Class, Document};

use crate::draft::{Draft, Text};
use crate::operators::{ALL, Operator, Stage, clash};
use crate::rng::Rng;
use crate::value::{Value, document};

/// A damaged document and what it means.
pub(crate) struct Sample {
    pub(crate) names: Vec<&'static str>,
    pub(crate) text: Text,
    pub(crate) truth: Value,
    pub(crate) complete: Option<bool>,
}

/// A document damaged in these ways, if there is a place for each.
fn damaged(seed: u64, operators: &[&Operator]) -> Option<Sample> {
    let mut rng = Rng::new(seed);
    let mut draft = Draft::new(&document(&mut rng), &mut rng);
    let mut names = Vec::new();
    for operator in operators {
        names.push(operator.name);
        if !(operator.apply)(&mut draft, &mut rng) {
            return None;
        }
    }
    Some(Sample {
        names,
        text: draft.text(),
        truth: draft.truth(),
        complete: draft.complete,
    })
}

/// A document with this damage; the seed goes on until one has a place for it.
pub(crate) fn single(operator: &Operator, seed: u64) -> Sample {
    let samples = (0..1000).find_map(|step| damaged(seed * 1000 + step, &[operator]));
    samples.expect("some document has a place for this damage")
}

/// A document with damage of two to four kinds that go together.
pub(crate) fn combined(seed: u64) -> Sample {
    let sample = |step: u64| {
        let mut rng = Rng::new(seed * 1000 + step + 500_000_000);
        let count = rng.between(2, 4);
        let mut chosen: Vec<&Operator> = Vec::new();
        while chosen.len() < count {
            let operator = &ALL[rng.below(ALL.len())];
            let once = |other: &&Operator| {
                other.name == operator.name
                    || clash(other.name, operator.name)
                    || other.stage == operator.stage && other.stage != Stage::Inside
            };
            if !chosen.iter().any(once) {
                chosen.push(operator);
            }
        }
        chosen.sort_by_key(|operator| operator.stage);
        damaged(seed * 1000 + step, &chosen)
    };
    (0..1000)
        .find_map(sample)
        .expect("some document has a place for this damage")
}

/// How many documents came out how.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) documents: usize,
    pub(crate) recovered: usize,
    /// No value was found, which nobody can mistake for one.
    pub(crate) unread: usize,
    /// Wrong with nothing said, or only what is certain.
    pub(crate) wrong_certain: usize,
    pub(crate) wrong_likely: usize,
    pub(crate) wrong_guess: usize,
    /// Read with nothing worse than a likely repair.
    pub(crate) likely: usize,
    /// Said to be whole though cut off, or the other way round.
    pub(crate) wrong_end: usize,
    /// With a string that was properly closed and did not stay so.
    pub(crate) reopened: usize,
    failures: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, sample: &Sample) {
        let Ok(parsed) = std::panic::catch_unwind(|| llmjson::parse(&sample.text.text, None))
        else {
            self.failures
                .push(format!("--- panic {:?}\n", sample.text.text));
            self.documents += 1;
            self.wrong_certain += 1;
            return;
        };
        let document = parsed.document();
        self.documents += 1;
        let value = document.root().map(Value::of);
        let right = value.as_ref() == Some(&sample.truth);
        let ends_right = sample
            .complete
            .is_none_or(|complete| complete == document.is_complete());
        let class = parsed.certainty();
        self.likely += usize::from(class == Class::Likely);
        self.recovered += usize::from(right && ends_right);
        let reopened = reopened(document, sample);
        self.reopened += usize::from(reopened.is_some());
        if right && ends_right && reopened.is_none() {
            return;
        }
        match class {
            _ if right => {}
            _ if value.is_none() => self.unread += 1,
            Class::Certain => self.wrong_certain += 1,
            Class::Likely => self.wrong_likely += 1,
            Class::Guess => self.wrong_guess += 1,
        }
        self.wrong_end += usize::from(!ends_right);
        self.failures.push(describe(sample, document, reopened));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.recovered += other.recovered;
        self.unread += other.unread;
        self.wrong_certain += other.wrong_certain;
        self.wrong_likely += other.wrong_likely;
        self.wrong_guess += other.wrong_guess;
        self.likely += other.likely;
        self.wrong_end += other.wrong_end;
        self.reopened += other.reopened;
    }

    pub(crate) fn recovered_per_thousand(&self) -> usize {
        self.recovered * 1000 / self.documents.max(1)
    }

    pub(crate) const HEADER: &str = "damage                        docs  recovered  unread  wrong: certain likely guess  end  reopened\n";

    pub(crate) fn row(&self, name: &str) -> String {
        format!(
            "{name:<28} {:>5}  {:>7}.{}%  {:>6}  {:>14} {:>6} {:>5}  {:>3}  {:>8}\n",
            self.documents,
            self.recovered_per_thousand() / 10,
            self.recovered_per_thousand() % 10,
            self.unread,
            self.wrong_certain,
            self.wrong_likely,
            self.wrong_guess,
            self.wrong_end,
            self.reopened,
        )
    }

    /// The shortest documents that failed.
    pub(crate) fn shortest(&mut self, count: usize) -> String {
        self.failures.sort_by_key(String::len);
        self.failures.iter().take(count).cloned().collect()
    }
}

/// A string of the reading that holds part of a properly closed one, or one and more.
fn reopened(document: &Document<'_>, sample: &Sample) -> Option<String> {
    let text = document.text();
    let mut stack: Vec<_> = document.root().into_iter().collect();
    let mut spans = Vec::new();
    while let Some(value) = stack.pop() {
        if value.as_str().is_some() {
            spans.extend(value.span());
        }
        stack.extend(value.items());
        for (name, member) in value.members().keyed() {
            spans.extend(name.span());
            stack.push(member);
        }
    }
    let closed = &sample.text.closed;
    spans.into_iter().map(|span| span.range()).find_map(|span| {
        let from = closed.partition_point(|string| string.end <= span.start);
        let other = closed
            .get(from)
            .filter(|string| string.start < span.end && **string != span);
        other.map(|_| text[span].to_owned())
    })
}

fn describe(sample: &Sample, document: &Document<'_>, reopened: Option<String>) -> String {
    let mut out = format!("--- {}\n{}\n", sample.names.join(" + "), sample.text.text);
    let kinds: Vec<_> = document
        .repairs()
        .iter()
        .map(|repair| repair.kind.name())
        .collect();
    let value = document.root().map(Value::of);
    if value.as_ref() != Some(&sample.truth) {
        let _ = writeln!(out, "  truth {:?}\n  value {value:?}", sample.truth);
    }
    if let Some(string) = reopened {
        let _ = writeln!(out, "  reopened {string:?}");
    }
    let _ = writeln!(
        out,
        "  complete {} repairs {kinds:?}",
        document.is_complete()
    );
    out
}
