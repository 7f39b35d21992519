//! `llmjson diff`: two reports of a batch, compared.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader};

use llmjson::syntax::{JsonOut, JsonText, Raw, ValueRef};

use crate::Verdict;
use crate::args::DiffArgs;
use crate::commands::write;
use crate::input::{CommandError, Source, apart, read_json};
use crate::terminal::{picture_line, write_out};

pub(crate) fn run(args: &DiffArgs) -> Result<Verdict, CommandError> {
    let before = Source::new(Some(&args.before));
    let after = Source::new(Some(&args.after));
    apart(std::slice::from_ref(&before), Some(&after), "one report")?;
    let mut counts = Counts::default();
    let before = read(&before, 0, &mut counts)?;
    let after = read(&after, 1, &mut counts)?;
    let diff = Diff::of(&before, &after);
    if args.json {
        write(&diff.to_json(&counts))?;
    } else {
        write_out(&diff.text(&counts, args.rows))?;
    }
    Ok(Verdict::of(
        diff.worse.is_empty() && diff.missing.is_empty(),
    ))
}

/// The state of a row, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    NoValue,
    Differs,
    Truncated,
    Guess,
    Likely,
    Certain,
}

impl State {
    fn of(row: ValueRef<'_>) -> Self {
        let is = |name: &str| row.get(name).and_then(ValueRef::as_bool) == Some(true);
        let certainty = row.get("certainty").and_then(ValueRef::as_str);
        match certainty.as_deref() {
            _ if !is("ok") && row.get("error").is_some() => Self::NoValue,
            _ if !is("ok") => Self::Differs,
            _ if !is("complete") => Self::Truncated,
            Some("guess") => Self::Guess,
            Some("likely") => Self::Likely,
            _ => Self::Certain,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::NoValue => "no value",
            Self::Differs => "differs",
            Self::Truncated => "truncated",
            Self::Guess => "guess",
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// A row of a report.
#[derive(Clone, Copy)]
struct Row {
    state: State,
    violations: usize,
    /// A hash of its value.
    value: u64,
}

/// The rows of a report by their ids. Rows with the same id are numbered.
type Rows = HashMap<(String, usize), (usize, Row)>;

/// Numbers of rows in both reports: by class, repair, coercion and violation.
#[derive(Default)]
struct Counts {
    rows: [u64; 2],
    ok: [u64; 2],
    tables: BTreeMap<&'static str, BTreeMap<String, [u64; 2]>>,
}

impl Counts {
    /// Counts a row, once for each of its kinds.
    fn add(&mut self, row: ValueRef<'_>, state: State, report: usize) {
        self.rows[report] += 1;
        self.ok[report] += u64::from(state > State::Differs);
        let mut kinds = vec![("states", state.name().to_owned())];
        for table in ["repairs", "coercions", "notes", "refused"] {
            let records = row.get(table).into_iter().flat_map(ValueRef::items);
            let names = records.filter_map(|record| record.get("kind")?.as_str());
            kinds.extend(names.map(|name| (table, name.into_owned())));
        }
        let violations = row.get("violations").into_iter();
        for violation in violations.flat_map(ValueRef::items) {
            let part = |name: &str| violation.get(name).and_then(ValueRef::as_str);
            let (path, expected) = (part("path"), part("expected"));
            let path = path.as_deref().map(without_indices).unwrap_or_default();
            let what = format!("{path}: {}", expected.unwrap_or_default());
            kinds.push(("violations", what));
        }
        if let Some(error) = row.get("error").and_then(ValueRef::as_str) {
            kinds.push(("errors", error.into_owned()));
        }
        kinds.sort();
        kinds.dedup();
        for (table, kind) in kinds {
            let kinds = self.tables.entry(table).or_default();
            kinds.entry(kind).or_default()[report] += 1;
        }
    }
}

/// A path with the items of a list taken together.
fn without_indices(path: &str) -> String {
    let mut parts = path.split('[');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_index = rest.len() < part.len() && rest.starts_with(']');
        shown.push('[');
        shown.push_str(if is_index { "*" } else { "" });
        shown.push_str(if is_index { rest } else { part });
    }
    shown
}

/// Reads a report, and counts its rows.
fn read(source: &Source, report: usize, counts: &mut Counts) -> Result<Rows, CommandError> {
    let mut rows = Rows::new();
    let mut times = HashMap::<String, usize>::new();
    let lines = BufReader::new(source.open()?).lines();
    for (number, line) in lines.enumerate() {
        let line = line.map_err(|error| source.error(error))?;
        if line.trim().is_empty() {
            continue;
        }
        let refuse = |what: &str| {
            let line = number + 1;
            source.error(format!(
                "line {line}: {what}, expected an output line of `llmjson batch`"
            ))
        };
        let document = read_json(&line).map_err(|what| refuse(&what))?;
        let row = document.root().filter(|row| row.get("ok").is_some());
        let row = row.ok_or_else(|| refuse("missing member \"ok\""))?;
        let state = State::of(row);
        counts.add(row, state, report);
        let id = row.get("id").map_or("null".to_owned(), |id| id.to_json());
        let mut hasher = DefaultHasher::new();
        let value = row.get("value").map(|value| value.to_json());
        value.hash(&mut hasher);
        let one = Row {
            state,
            violations: row.get("violations").map_or(0, ValueRef::len),
            value: hasher.finish(),
        };
        let nth = times.entry(id.clone()).or_default();
        *nth += 1;
        rows.insert((id, *nth), (number, one));
    }
    Ok(rows)
}

/// A row in both reports.
struct Pair<'r> {
    id: &'r str,
    before: Row,
    after: Row,
}

/// The rows by their change, in the order of the first report.
#[derive(Default)]
struct Diff<'r> {
    both: usize,
    better: Vec<Pair<'r>>,
    worse: Vec<Pair<'r>>,
    changed: Vec<Pair<'r>>,
    /// Ids of rows that are in one report only.
    missing: Vec<&'r str>,
    new: Vec<&'r str>,
}

impl<'r> Diff<'r> {
    fn of(before: &'r Rows, after: &'r Rows) -> Self {
        let mut diff = Self::default();
        for (key, one) in in_order(before) {
            let id = &*key.0;
            let Some((_, other)) = after.get(key) else {
                diff.missing.push(id);
                continue;
            };
            diff.both += 1;
            let (before, after) = (one, *other);
            let pair = Pair { id, before, after };
            // Fewer violations are better, in the same state.
            let quality = |row: Row| (row.state, std::cmp::Reverse(row.violations));
            match quality(after).cmp(&quality(before)) {
                std::cmp::Ordering::Greater => diff.better.push(pair),
                std::cmp::Ordering::Less => diff.worse.push(pair),
                std::cmp::Ordering::Equal if before.value != after.value => diff.changed.push(pair),
                std::cmp::Ordering::Equal => {}
            }
        }
        let new = in_order(after).into_iter();
        let new = new.filter(|(key, _)| !before.contains_key(*key));
        diff.new = new.map(|(key, _)| &*key.0).collect();
        diff
    }

    fn pairs(&self) -> [(&'static str, &[Pair<'r>]); 3] {
        [
            ("better", &self.better),
            ("worse", &self.worse),
            ("changed", &self.changed),
        ]
    }

    fn single(&self) -> [(&'static str, &[&'r str]); 2] {
        [("missing", &self.missing), ("new", &self.new)]
    }

    /// Returns the result for people: counts that differ, and some of the rows.
    fn text(&self, counts: &Counts, rows_max: usize) -> String {
        let mut lines = Vec::new();
        let mut count = |name: &str, [a, b]: [u64; 2]| lines.push(format!("{name}: {a} → {b}"));
        count("rows", counts.rows);
        count("ok", counts.ok);
        for (table, kinds) in &counts.tables {
            for (kind, both) in kinds.iter().filter(|(_, [a, b])| a != b) {
                count(&format!("{table}: {kind}"), *both);
            }
        }
        let mut list = |name: &str, shown: Vec<String>| {
            if !shown.is_empty() {
                lines.push(format!("{name}: {} rows", shown.len()));
                let rest = shown.len().saturating_sub(rows_max);
                let shown = shown.iter().take(rows_max);
                lines.extend(shown.map(|one| format!("  {one}")));
                lines.extend((rest > 0).then(|| format!("  and {rest} more")));
            }
        };
        for (name, pairs) in self.pairs() {
            list(name, pairs.iter().map(Pair::text).collect());
        }
        for (name, ids) in self.single() {
            list(name, ids.iter().map(|id| (*id).to_owned()).collect());
        }
        let lines = lines.iter().map(|line| picture_line(line) + "\n");
        lines.collect()
    }

    fn to_json(&self, counts: &Counts) -> String {
        JsonText::object_of(|out| {
            out.member("rows", counts.rows);
            out.member("ok", counts.ok);
            for (table, kinds) in &counts.tables {
                out.object_in(table, |out| {
                    for (kind, both) in kinds {
                        out.member(kind, *both);
                    }
                });
            }
            for (name, pairs) in self.pairs() {
                out.objects(name, pairs, |pair, out| {
                    out.member("id", Raw(pair.id));
                    out.member("before", pair.before.state.name());
                    out.member("after", pair.after.state.name());
                });
            }
            for (name, ids) in self.single() {
                out.list(name, ids, |id, out| out.json(id));
            }
        })
    }
}

fn in_order(rows: &Rows) -> Vec<(&(String, usize), Row)> {
    let mut all: Vec<_> = rows.iter().collect();
    all.sort_by_key(|(_, (number, _))| *number);
    all.into_iter().map(|(key, (_, row))| (key, *row)).collect()
}

impl Pair<'_> {
    fn text(&self) -> String {
        let Self { id, before, after } = self;
        let state = |row: &Row| match row.violations {
            0 => row.state.name().to_owned(),
            1 => format!("{}, 1 violation", row.state.name()),
            count => format!("{}, {count} violations", row.state.name()),
        };
        match state(before) == state(after) {
            true => format!("{id}: {}, another value", state(after)),
            false => format!("{id}: {} → {}", state(before), state(after)),
        }
    }
}
