//! What came out of damaged documents, compared with the truth.

use std::fmt::Write as _;

use llmjson::syntax::{Class, Document};

use crate::samples::Sample;

/// Values of one class of certainty.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) values: usize,
    /// Another value than the one that was meant, or one that is said to be whole though it was cut.
    pub(crate) wrong: usize,
}

/// How many values are of which class: certain, likely, guess.
#[derive(Default)]
pub(crate) struct Classes([Count; 3]);

impl Classes {
    pub(crate) fn add(&mut self, class: Class, right: bool) {
        let count = &mut self.0[class as usize];
        count.values += 1;
        count.wrong += usize::from(!right);
    }

    pub(crate) fn of(&self, class: Class) -> Count {
        self.0[class as usize]
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            own.values += other.values;
            own.wrong += other.wrong;
        }
    }

    /// Returns `true` if of a thousand values of each class at most `limits` are wrong.
    pub(crate) fn keep(&self, limits: [usize; 3]) -> bool {
        let within = |(count, limit): (&Count, usize)| count.wrong * 1000 <= count.values * limit;
        self.0.iter().zip(limits).all(within)
    }

    /// How many of a thousand right values are of this class or a surer one. Classes that are honest
    /// because what is right is doubted too are no help.
    pub(crate) fn right_within(&self, class: Class) -> usize {
        let right = |counts: &[Count]| -> usize {
            let each = counts.iter().map(|count| count.values - count.wrong);
            each.sum()
        };
        right(&self.0[..=class as usize]) * 1000 / right(&self.0).max(1)
    }

    /// A line for each class, and the shares of the right values that are called sure.
    pub(crate) fn table(&self) -> String {
        let mut out = "class      values   wrong\n".to_owned();
        for class in [Class::Certain, Class::Likely, Class::Guess] {
            let Count { values, wrong } = self.of(class);
            let share = wrong as f64 * 100.0 / values.max(1) as f64;
            let name = class.name();
            let _ = writeln!(out, "{name:<8} {values:>8} {wrong:>7}  {share:.2} %");
        }
        let [certain, likely] = [Class::Certain, Class::Likely]
            .map(|class| self.right_within(class))
            .map(|share| format!("{}.{} %", share / 10, share % 10));
        let _ = writeln!(
            out,
            "of the right values called certain {certain}, certain or likely {likely}"
        );
        out
    }
}

/// How many documents came out how.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) documents: usize,
    pub(crate) recovered: usize,
    /// Number of texts in which no value was found, which cannot be mistaken for one.
    pub(crate) unread: usize,
    /// How sure the values are said to be, and how many of them are wrong.
    pub(crate) classes: Classes,
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
            self.classes.add(Class::Certain, false);
            return;
        };
        let document = parsed.document();
        self.documents += 1;
        let value = document.root().map(crate::value::read);
        let right = value.as_ref() == Some(&sample.truth);
        let ends_right = sample
            .complete
            .is_none_or(|complete| complete == document.is_complete());
        // A whole value that is reported as cut off counts as right: it is not taken for more than it is.
        let said_whole = document.is_complete() && !ends_right;
        if value.is_some() {
            let class = parsed.certainty();
            assert!(document.is_complete() || class > Class::Certain);
            self.classes.add(class, right && !said_whole);
        }
        self.recovered += usize::from(right && ends_right);
        let reopened = reopened(document, sample);
        self.reopened += usize::from(reopened.is_some());
        if right && ends_right && reopened.is_none() {
            return;
        }
        self.unread += usize::from(value.is_none());
        self.wrong_end += usize::from(!ends_right);
        self.failures.push(describe(sample, document, reopened));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.recovered += other.recovered;
        self.unread += other.unread;
        self.classes.merge(&other.classes);
        self.wrong_end += other.wrong_end;
        self.reopened += other.reopened;
    }

    pub(crate) fn recovered_per_thousand(&self) -> usize {
        self.recovered * 1000 / self.documents.max(1)
    }

    pub(crate) const HEADER: &str = "damage                        docs  recovered  unread  wrong: certain likely guess  right: certain  or likely  end  reopened\n";

    pub(crate) fn row(&self, name: &str) -> String {
        let [certain, likely] =
            [Class::Certain, Class::Likely].map(|class| self.classes.right_within(class));
        format!(
            "{name:<28} {:>5}  {:>7}.{}%  {:>6}  {:>14} {:>6} {:>5}  {:>13}.{}%  {:>7}.{}%  {:>3}  {:>8}\n",
            self.documents,
            self.recovered_per_thousand() / 10,
            self.recovered_per_thousand() % 10,
            self.unread,
            self.classes.of(Class::Certain).wrong,
            self.classes.of(Class::Likely).wrong,
            self.classes.of(Class::Guess).wrong,
            certain / 10,
            certain % 10,
            likely / 10,
            likely % 10,
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
    let value = document.root().map(crate::value::read);
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
