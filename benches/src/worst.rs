//! A search for texts that cost more than their work says.
//!
//! The law of work is about a count, and what is not counted keeps any law. So texts are searched for
//! that take long for the steps that were counted, and those that break the law or come close to it;
//! callgrind then counts the instructions of the worst. Where there are too many for the bytes and the
//! work, something looks ahead and is not charged.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use llmjson::laws::{Way, ways};
use llmjson_syntax::laws::search::{Recipe, Search};
use llmjson_syntax::laws::work::Cost;

/// The length of the texts that are searched for.
const SEARCHED: usize = 16 << 10;

/// The lengths at which the instructions of the worst are counted.
const COUNTED: [usize; 3] = [8 << 10, 16 << 10, 32 << 10];

/// So many texts are tried before the search begins anew with another aim or another way to read.
const TRIES: u32 = 120;

/// So many of the worst texts are counted.
const WORST: usize = 200;

/// A byte, or a step of work, may take so many instructions.
const INSTRUCTIONS_MAX: f64 = 60.0;

/// So many instructions any text may take besides.
const INSTRUCTIONS_BESIDES: f64 = 1e6;

/// A piece of a stream counts as so many bytes.
const BYTES_PER_PIECE: usize = 8;

/// Texts beyond this time are named without being counted, and at no greater length.
const HOPELESS: Duration = Duration::from_secs(2);

/// What a search looks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Aim {
    /// Work for what the law allows.
    Work,
    /// Time for the bytes and the work.
    Time,
}

/// A text that was found, and one way to read it.
struct Found {
    way: usize,
    recipe: Recipe,
}

/// What one text took.
struct Taken {
    cost: Cost,
    instructions: f64,
}

impl Taken {
    /// Instructions for each byte and step, beyond those that any text may take.
    fn per_unit(&self) -> f64 {
        (self.instructions - INSTRUCTIONS_BESIDES) / units(&self.cost)
    }
}

fn units(cost: &Cost) -> f64 {
    cost.work as f64 + (cost.bytes + BYTES_PER_PIECE * cost.pieces) as f64
}

/// Searches for so long, counts the instructions of what was found, and prints them, the worst first.
pub(crate) fn print_table(seconds: u64, seed: u64) -> io::Result<()> {
    let ways = ways();
    let found = search(&ways, Duration::from_secs(seconds), seed);
    let directory = env::temp_dir().join(format!("llmjson-worst-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let table = count_all(&ways, &found, &directory);
    fs::remove_dir_all(&directory)?;
    let mut rows: Vec<_> = table?.into_iter().collect();
    let worst = |taken: &[Taken]| taken.iter().map(Taken::per_unit).fold(0.0, f64::max);
    rows.sort_by(|(_, one), (_, other)| worst(other).total_cmp(&worst(one)));
    println!(
        "\n| text | read by | bytes | work | instructions | per byte and step | growth, 8 to 16 to 32 KB |\n\
         |------|---------|------:|-----:|-------------:|------------------:|-------------------------:|"
    );
    for (index, taken) in &rows {
        print(&ways, &found[*index], taken);
    }
    let above = rows
        .iter()
        .filter(|(_, taken)| worst(taken) > INSTRUCTIONS_MAX);
    println!(
        "\n{} of {} take more than {INSTRUCTIONS_MAX}",
        above.count(),
        rows.len()
    );
    Ok(())
}

fn print(ways: &[Way], found: &Found, taken: &[Taken]) {
    let Some(last) = taken.last() else { return };
    let growth = taken.windows(2).map(|pair| {
        let times = pair[1].instructions / pair[0].instructions;
        format!("{times:.2}")
    });
    let cost = &last.cost;
    println!(
        "| {:?} | {} | {} | {} | {:.0} | {:.1} | {} |{}{}",
        found.recipe,
        ways[found.way].name,
        cost.bytes,
        cost.work,
        last.instructions,
        last.per_unit(),
        growth.collect::<Vec<_>>().join(" "),
        if last.per_unit() > INSTRUCTIONS_MAX {
            " UNCHARGED"
        } else {
            ""
        },
        if cost.work > cost.allowed() {
            " LAW"
        } else {
            ""
        },
    );
}

/// The worst texts that are found in that time, of each aim and each way to read as many.
fn search(ways: &[Way], time: Duration, seed: u64) -> Vec<Found> {
    let start = Instant::now();
    let mut figures: BTreeMap<(Aim, usize, Recipe), f64> = BTreeMap::new();
    let mut rounds = seed.wrapping_mul(1 << 20)..;
    'search: loop {
        for aim in [Aim::Time, Aim::Work] {
            for (index, way) in ways.iter().enumerate() {
                if start.elapsed() > time {
                    break 'search;
                }
                Search::new(rounds.next().unwrap_or(seed)).climb(TRIES, |recipe| {
                    let figure = figure(aim, way, &recipe.text(SEARCHED));
                    figures.insert((aim, index, recipe.clone()), figure);
                    figure
                });
            }
        }
    }
    eprintln!("{} texts were tried", figures.len());
    let mut all: Vec<_> = figures.into_iter().collect();
    all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let share = WORST.div_ceil(2 * ways.len());
    let mut counts: BTreeMap<(Aim, usize), usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for ((aim, way, recipe), _) in all {
        // Of texts of the same characters one is enough.
        let characters: BTreeSet<char> = recipe.unit().chars().collect();
        let count = counts.entry((aim, way)).or_default();
        if *count < share && seen.insert((way, characters)) {
            *count += 1;
            kept.push(Found { way, recipe });
        }
    }
    kept
}

fn figure(aim: Aim, way: &Way, text: &str) -> f64 {
    let mut least = Duration::MAX;
    let mut cost = Cost::default();
    for _ in 0..2 {
        let start = ThreadTime::now();
        cost = way.cost(black_box(text));
        least = least.min(start.elapsed());
    }
    match aim {
        Aim::Work => cost.work as f64 / cost.allowed() as f64,
        // What takes far too long is found: the search goes elsewhere.
        Aim::Time => (least.as_nanos() as f64 / units(&cost)).min(1_000.0),
    }
}

/// Counts the instructions of what was found, in a process of its own under callgrind.
fn count_all(
    ways: &[Way],
    found: &[Found],
    directory: &Path,
) -> io::Result<BTreeMap<usize, Vec<Taken>>> {
    let mut table: BTreeMap<usize, Vec<Taken>> = BTreeMap::new();
    let mut list = Vec::new();
    for (index, one) in found.iter().enumerate() {
        for size in COUNTED {
            let text = one.recipe.text(size);
            let start = ThreadTime::now();
            let cost = ways[one.way].cost(&text);
            if start.elapsed() > HOPELESS {
                println!(
                    "{:?}, {}: too slow at {size}",
                    one.recipe, ways[one.way].name
                );
                break;
            }
            fs::write(directory.join(format!("text.{}", list.len())), text)?;
            list.push((index, one.way, cost));
        }
    }
    let lines = list.iter().map(|(_, way, _)| format!("{way}\n"));
    fs::write(directory.join("ways"), lines.collect::<String>())?;
    let function = "llmjson_benches::worst::counted";
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={function}"))
        .arg(format!("--dump-after={function}"))
        .arg(format!(
            "--callgrind-out-file={}",
            directory.join("out").display()
        ))
        .arg(env::current_exe()?)
        .args(["--count-worst".as_ref(), directory.as_os_str()])
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("valgrind: {status}")));
    }
    for (number, (index, _, cost)) in list.into_iter().enumerate() {
        let instructions = instructions(&directory.join(format!("out.{}", number + 1)))?;
        table
            .entry(index)
            .or_default()
            .push(Taken { cost, instructions });
    }
    Ok(table)
}

/// The sum in a file that callgrind has written.
fn instructions(file: &PathBuf) -> io::Result<f64> {
    let text = fs::read_to_string(file)?;
    let sums = ["summary: ", "totals: "];
    let mut lines = text.lines();
    let sum = lines.find_map(|line| sums.iter().find_map(|sum| line.strip_prefix(sum)));
    sum.and_then(|sum| sum.trim().parse().ok())
        .ok_or_else(|| io::Error::other(format!("{} has no sum", file.display())))
}

/// Reads each text of the directory once, in the way that stands there, in a call of [`counted`].
pub(crate) fn count(directory: &Path) -> io::Result<()> {
    let ways = ways();
    for (number, way) in fs::read_to_string(directory.join("ways"))?
        .lines()
        .enumerate()
    {
        let text = fs::read_to_string(directory.join(format!("text.{number}")))?;
        let way: usize = way.parse().map_err(io::Error::other)?;
        black_box(counted(&ways[way], &text));
    }
    Ok(())
}

/// The function that callgrind is told to look into.
#[inline(never)]
fn counted(way: &Way, text: &str) -> Cost {
    way.cost(black_box(text))
}
