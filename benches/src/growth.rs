//! How the time to read a text grows with its length, for texts that are made to cost time.
//!
//! A figure is nanoseconds of processor time per byte, the least of several calls: what the
//! machine does besides only ever adds. So that growth is that of the code and not of the machine,
//! every call begins with cold caches and with memory that the process has got already. Other
//! groups print no times, since a machine is not a property of the code; here a limit has to be
//! held, and the growth is a ratio again.

use std::collections::HashMap;
use std::env;
use std::hint::black_box;
use std::io;
use std::process::Command;
use std::time::Duration;

use cpu_time::ThreadTime;
use llmjson::Schema;

use crate::shapes::{Against, SHAPES, Shape};

/// The lengths that are measured; each is four times the one before.
const SIZES: [usize; 3] = [64 << 10, 256 << 10, 1 << 20];

/// Four times the text may take this many times as long.
const GROWTH_MAX: f64 = 5.0;

/// Nanoseconds per byte that the longest text may take.
const PER_BYTE_MAX: f64 = 1000.0;

/// So long a measurement goes on at least, and with it the search for the least time.
const PATIENCE: Duration = Duration::from_millis(60);

/// So many calls are enough: using other memory takes longer than most of them.
const CALLS_MAX: usize = 12;

/// So much memory is used for something else before each call that every call finds the caches
/// as cold as the others do. Else the shorter texts, and they alone, would be read and reread from
/// caches that the call before has filled with just that text and its document.
const OTHER_BYTES: usize = 64 << 20;

/// Keeps the memory of one call for the next one, in large pages where there are such. The
/// allocator of glibc gives large blocks back at once, and the system takes longer to hand them
/// out again, page by page, than a parser takes to fill them; whether it does so depends on the
/// sizes alone and would look like growth. Allocators of other systems know nothing of this.
const KEEPING: [(&str, &str); 4] = [
    ("MALLOC_MMAP_MAX_", "0"),
    ("MALLOC_TRIM_THRESHOLD_", "4000000000"),
    ("MALLOC_TOP_PAD_", "67108864"),
    ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"),
];

/// What is done with a text.
#[derive(Clone, Copy)]
enum Way {
    /// Without a schema.
    Read,
    /// With a schema.
    Fit,
    /// With a schema; what is wrong is written down for the model.
    Feedback,
    /// With a schema, all values of the reply.
    Each,
}

/// All that is done with a text, in the order of the table.
const WAYS: [Way; 4] = [Way::Read, Way::Fit, Way::Feedback, Way::Each];

impl Way {
    /// The name that the table shows.
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Fit => "fit",
            Self::Feedback => "feedback",
            Self::Each => "each",
        }
    }
}

/// One line of the table.
struct Line {
    shape: &'static Shape,
    way: Way,
    /// Nanoseconds per byte at each size.
    per_byte: [f64; SIZES.len()],
}

impl Line {
    /// How many times as long the text takes that is four times as long, at worst.
    fn growth(&self) -> f64 {
        let steps = self.per_byte.windows(2).map(|pair| 4.0 * pair[1] / pair[0]);
        steps.fold(0.0, f64::max)
    }

    fn breaks_a_limit(&self) -> bool {
        self.growth() > GROWTH_MAX || self.per_byte[SIZES.len() - 1] > PER_BYTE_MAX
    }
}

/// Prints the table by a process of its own, whose allocator [keeps](KEEPING) its memory: it is
/// told so when the process starts.
pub(crate) fn print_table(rounds: usize, part: &str) -> io::Result<()> {
    if KEEPING.iter().all(|(name, _)| env::var_os(name).is_some()) {
        print_here(rounds, part);
        return Ok(());
    }
    let rounds = rounds.to_string();
    let arguments = ["--rounds", &rounds, "--only", "growth", "--shape", part];
    let mut process = Command::new(env::current_exe()?);
    let status = process.args(arguments).envs(KEEPING).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(status.to_string()))
    }
}

/// Prints how every shape grows whose name contains `part`: without a schema, with one, with the
/// feedback written, and with each value of the reply taken on its own.
fn print_here(rounds: usize, part: &str) {
    let mut schemas: HashMap<Against, Schema> = HashMap::new();
    println!(
        "\nTexts made to cost time: nanoseconds per byte, and how many times as long four times \
         the text takes\n"
    );
    let wide = SHAPES
        .iter()
        .map(|shape| shape.name.len())
        .max()
        .unwrap_or(0);
    println!(
        "| {:wide$} | schema   | way      |    64 KB |   256 KB |     1 MB | growth |",
        "shape"
    );
    println!(
        "|{}|----------|----------|---------:|---------:|---------:|-------:|",
        "-".repeat(wide + 2)
    );
    let (mut lines, mut broken) = (0, 0);
    let mut other = vec![0; OTHER_BYTES];
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(part)) {
        let schema = &*schemas.entry(shape.against).or_insert_with(|| {
            Schema::from_text(&shape.against.json()).expect("the table's schemas are valid")
        });
        for way in WAYS {
            let line = Line {
                shape,
                way,
                per_byte: SIZES
                    .map(|size| per_byte(&shape.text(size), schema, way, rounds, &mut other)),
            };
            lines += 1;
            broken += usize::from(line.breaks_a_limit());
            print(&line, wide);
        }
    }
    println!("\n{broken} of {lines} break a limit");
}

/// Reads every text of the shapes whose name contains `part` once, each in a call of [`counted`] of
/// its own, and prints what was read.
pub(crate) fn count(part: &str) {
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(part)) {
        let schema =
            Schema::from_text(&shape.against.json()).expect("the table's schemas are valid");
        for way in WAYS {
            go(black_box(&shape.text(SIZES[0])), &schema, way);
            for size in SIZES {
                let text = shape.text(size);
                counted(&text, &schema, way);
                println!("{} | {} | {}", shape.name, way.name(), text.len());
            }
        }
    }
}

/// The function that callgrind is told to look into.
#[inline(never)]
fn counted(text: &str, schema: &Schema, way: Way) {
    go(black_box(text), schema, way);
}

fn print(line: &Line, wide: usize) {
    let schema = match line.way {
        Way::Read => "",
        Way::Fit | Way::Feedback | Way::Each => line.shape.against.name(),
    };
    let way = line.way.name();
    let [first, second, third] = line.per_byte;
    let mark = if line.breaks_a_limit() { " BROKEN" } else { "" };
    println!(
        "| {:wide$} | {schema:8} | {way:8} | {first:>8.1} | {second:>8.1} | {third:>8.1} | {:>6.2} |{mark}",
        line.shape.name,
        line.growth(),
    );
}

/// The least time of several calls, in nanoseconds per byte.
fn per_byte(text: &str, schema: &Schema, way: Way, rounds: usize, other: &mut [u8]) -> f64 {
    let mut least = f64::INFINITY;
    let (mut calls, mut spent) = (0, Duration::ZERO);
    while calls < 3 || spent < PATIENCE && calls < rounds.min(CALLS_MAX) {
        do_something_else(other);
        let start = ThreadTime::now();
        go(black_box(text), schema, way);
        let time = start.elapsed();
        spent += time;
        calls += 1;
        least = least.min(time.as_secs_f64());
    }
    least * 1e9 / text.len() as f64
}

/// Uses memory, so that the caches hold nothing else.
fn do_something_else(other: &mut [u8]) {
    for line in other.chunks_mut(64) {
        line[0] = line[0].wrapping_add(1);
    }
    black_box(other);
}

fn go(text: &str, schema: &Schema, way: Way) {
    match way {
        Way::Read => drop(black_box(llmjson::parse(text, None))),
        Way::Fit => drop(black_box(llmjson::parse(text, Some(schema)))),
        Way::Feedback => {
            if let Err(failure) = llmjson::parse(text, Some(schema)).into_result() {
                black_box(failure.feedback(None));
            }
        }
        Way::Each => drop(black_box(llmjson::parse_all(text, Some(schema)))),
    }
}
