//! The results of many replies as a page: how many of what, and the worst of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use llmjson::{
    report::CoercionKind,
    syntax::{Class, RepairKind},
};

use crate::shown::escaped;
use crate::{Reply, body, foot, head, words};

/// The number of times that something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of replies in which it happened.
    pub rows: u64,
    /// Number of times in all.
    pub times: u64,
}

/// A row of a batch whose reply is not read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OtherRow {
    /// Judged by other means, and good.
    Conforms,
    /// Judged by other means, and not good.
    Differs,
    /// Unusable, such as a line that is no JSON.
    Unusable,
}

/// The results of many replies, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Batch {
    /// The replies.
    pub rows: u64,
    /// Number of replies with a value that conforms.
    pub ok: u64,
    /// Number of replies that could not be used.
    pub bad: u64,
    /// Number of replies with a value, by the name of its certainty.
    pub certainty: BTreeMap<&'static str, u64>,
    /// Number of replies whose text was truncated.
    pub cut: u64,
    /// The repairs, by the names of their kinds.
    pub repairs: BTreeMap<&'static str, Count>,
    /// The coercions, by the names of their kinds.
    pub coercions: BTreeMap<&'static str, Count>,
    /// The violations, by keyword.
    pub violations: BTreeMap<&'static str, Count>,
    /// Counts of what a policy does not allow, by name.
    pub refused: BTreeMap<&'static str, Count>,
}

/// A reply to look at.
#[derive(Debug)]
pub struct Row<'p> {
    /// The origin of the reply, such as `line 7, id "a"`.
    pub title: String,
    /// The reply, or why it could not be used.
    pub outcome: Result<Reply<'p>, String>,
}

impl Batch {
    /// Counts a reply.
    pub fn count(&mut self, reply: &Reply<'_>) {
        self.rows += 1;
        let has_value = reply.root().is_some();
        self.ok += u64::from(has_value && !reply.is_unfit() && reply.refused.is_empty());
        self.cut += u64::from(has_value && !reply.is_complete);
        if has_value {
            *self.certainty.entry(reply.certainty().name()).or_default() += 1;
        }
        let repairs = reply.document.repairs().iter();
        count(&mut self.repairs, repairs.map(|one| one.kind.name()));
        let coercions = reply.coercions.iter();
        count(&mut self.coercions, coercions.map(|one| one.kind.name()));
        let violations = reply.violations.iter();
        count(&mut self.violations, violations.map(|one| one.keyword));
        let refused = reply.refused.iter();
        count(&mut self.refused, refused.map(|one| one.name()));
    }

    /// Counts a reply that was judged by other means, or could not be used.
    pub fn count_other(&mut self, other: OtherRow) {
        self.rows += 1;
        self.ok += u64::from(other == OtherRow::Conforms);
        self.bad += u64::from(other == OtherRow::Unusable);
    }

    /// Adds the counts of other replies.
    pub fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.ok += other.ok;
        self.bad += other.bad;
        self.cut += other.cut;
        for (name, count) in &other.certainty {
            *self.certainty.entry(name).or_default() += count;
        }
        let ours = [
            &mut self.repairs,
            &mut self.coercions,
            &mut self.violations,
            &mut self.refused,
        ];
        let others = other.tables().map(|(_, table)| table);
        for (ours, others) in ours.into_iter().zip(others) {
            for (name, count) in others {
                let one = ours.entry(name).or_default();
                one.rows += count.rows;
                one.times += count.times;
            }
        }
    }

    /// Returns the counts by kind, each table with its title.
    #[must_use]
    pub fn tables(&self) -> [(&'static str, &BTreeMap<&'static str, Count>); 4] {
        [
            ("Repairs", &self.repairs),
            ("Changed to fit the schema", &self.coercions),
            ("What does not fit the schema", &self.violations),
            ("What the policy does not allow", &self.refused),
        ]
    }

    /// Returns the counts as a page, with the rows that are worst.
    #[must_use]
    pub fn page(&self, title: &str, worst: &[Row<'_>]) -> String {
        let mut out = head(title);
        let Self {
            rows, ok, bad, cut, ..
        } = self;
        let other = rows - ok - bad;
        writeln!(
            out,
            "<header><h1>{}</h1>\n<p>{rows} replies: {ok} ok, {other} not, {bad} not usable; {cut} \
             truncated</p></header>\n<main class=\"llmjson\">",
            escaped(title)
        )
        .expect("a string takes it");
        let classes = Class::ALL.iter().map(|class| {
            let rows = self.certainty.get(class.name()).copied().unwrap_or(0);
            (class.name(), "", Count { rows, times: rows })
        });
        table(
            "How sure the values are",
            classes.collect(),
            *rows,
            &mut out,
        );
        for (title, counts) in self.tables() {
            let mut counts: Vec<_> = counts
                .iter()
                .map(|(name, count)| (*name, sentence(name), *count))
                .collect();
            counts.sort_by_key(|(_, _, count)| std::cmp::Reverse(count.rows));
            table(title, counts, *rows, &mut out);
        }
        if !worst.is_empty() {
            out.push_str("<section><h2>To look at</h2>\n");
            for (number, row) in worst.iter().enumerate() {
                put_row(number, row, &mut out);
            }
            out.push_str("</section>\n");
        }
        out.push_str("</main>\n");
        foot(&mut out);
        out
    }
}

fn count(table: &mut BTreeMap<&'static str, Count>, names: impl Iterator<Item = &'static str>) {
    let mut here: BTreeMap<&'static str, u64> = BTreeMap::new();
    for name in names {
        *here.entry(name).or_default() += 1;
    }
    for (name, times) in here {
        let one = table.entry(name).or_default();
        one.rows += 1;
        one.times += times;
    }
}

/// Returns the meaning of a kind.
fn sentence(name: &str) -> &'static str {
    let repair = RepairKind::ALL.iter().find(|kind| kind.name() == name);
    let coercion = || CoercionKind::ALL.iter().find(|kind| kind.name() == name);
    repair
        .map(|kind| kind.sentence())
        .or_else(|| coercion().map(|kind| kind.sentence()))
        .unwrap_or_default()
}

fn table(title: &str, counts: Vec<(&str, &str, Count)>, rows: u64, out: &mut String) {
    if counts.iter().all(|(_, _, count)| count.rows == 0) {
        return;
    }
    writeln!(
        out,
        "<section><h2>{title}</h2>\n<table><thead><tr><th scope=\"col\">kind</th><th scope=\"col\">replies\
         </th><th scope=\"col\">times</th><td></td></tr></thead>\n<tbody>"
    )
    .expect("a string takes it");
    for (name, sentence, count) in counts {
        let share = 100 * count.rows / rows.max(1);
        let (name, sentence) = (escaped(name), escaped(sentence));
        let Count { rows, times } = count;
        let bar = match rows {
            0 => String::new(),
            _ => format!("<div style=\"width:{share}%\"></div>"),
        };
        let colon = if sentence.is_empty() { "" } else { ": " };
        writeln!(
            out,
            "<tr><th scope=\"row\"><code>{name}</code>{colon}{sentence}</th><td class=\"count\">{rows}</td>\
             <td class=\"count\">{times}</td><td class=\"bar\">{bar}</td></tr>"
        )
        .expect("a string takes it");
    }
    out.push_str("</tbody></table></section>\n");
}

fn put_row(number: usize, row: &Row<'_>, out: &mut String) {
    let title = escaped(&row.title);
    let said = match &row.outcome {
        Ok(reply) => words::summary(reply),
        Err(error) => words::clip(error),
    };
    let said = escaped(&said);
    match &row.outcome {
        Ok(reply) => {
            writeln!(
                out,
                "<details class=\"llmjson\"><summary>{title}: {said}</summary>"
            )
            .expect("a string takes it");
            body(reply, &format!("w{number}-"), "h3", out);
            out.push_str("</details>\n");
        }
        Err(_) => writeln!(out, "<p>{title}: {said}</p>").expect("a string takes it"),
    }
}
