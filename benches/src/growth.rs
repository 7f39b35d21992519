//! How the time to read a text grows with its length, and what memory it takes, for texts that are
//! made to cost both, read in every way the library offers.
//!
//! A figure is nanoseconds of processor time per byte, the least of several calls: what the
//! machine does besides only ever adds. So that growth is that of the code and not of the machine,
//! every call begins with cold caches and with memory that the process has got already. Other
//! groups print no times, since a machine is not a property of the code; here a limit has to be
//! held, and the growth is a ratio again.

mod ways;

use std::collections::HashMap;
use std::env;
use std::hint::black_box;
use std::io;
use std::process::Command;
use std::time::Duration;

use cpu_time::ThreadTime;
use llmjson::Schema;

use crate::memory;
use crate::shapes::{Against, SHAPES, Shape};
use ways::{WAYS, Way};

/// The lengths that are measured; each is four times the one before.
const SIZES: [usize; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// The time may grow with the length to this power, from the shortest text to the longest: twice
/// the text takes at most 2.14 times as long.
const EXPONENT_MAX: f64 = 1.1;

/// Nanoseconds per byte that the longest text may take.
const PER_BYTE_MAX: f64 = 1000.0;

/// The same where the schema is [large](LARGE_BYTES).
const PER_BYTE_LARGE_MAX: f64 = 5000.0;

/// What takes so many nanoseconds per byte is not measured at greater lengths.
const HOPELESS: f64 = 10_000.0;

/// A schema is large from so many bytes on.
const LARGE_BYTES: usize = 8 << 10;

/// The length at which memory is measured.
const HEAP_SIZE: usize = 64 << 10;

/// Heap bytes per byte of the text at the peak, where the value conforms or there is no schema.
const HEAP_MAX: f64 = 16.0;

/// The same where violations are reported.
const HEAP_VIOLATIONS_MAX: f64 = 256.0;

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

/// One line of the table.
struct Line {
    shape: &'static Shape,
    way: Way,
    /// Nanoseconds per byte at each size.
    per_byte: [f64; SIZES.len()],
    /// What `per_byte` may be at most.
    per_byte_max: f64,
    /// Heap bytes at the peak per byte of the text.
    heap: f64,
    heap_max: f64,
}

impl Line {
    fn of(
        shape: &'static Shape,
        way: Way,
        schema: &Schema,
        is_large: bool,
        rounds: usize,
        other: &mut [u8],
    ) -> Self {
        let text = shape.text(HEAP_SIZE);
        let peak = memory::peak(|| way.go(black_box(&text), schema));
        let reports = way.fits() && {
            let parsed = llmjson::parse(&text, Some(schema));
            !parsed.violations().is_empty()
        };
        // Of what is far too slow longer texts would take minutes.
        let mut times = [f64::INFINITY; SIZES.len()];
        for (size, time) in SIZES.into_iter().zip(&mut times) {
            *time = per_byte(&shape.text(size), schema, way, rounds, other);
            if *time > HOPELESS {
                break;
            }
        }
        Self {
            shape,
            way,
            per_byte: times,
            per_byte_max: match is_large && way.fits() {
                true => PER_BYTE_LARGE_MAX,
                false => PER_BYTE_MAX,
            },
            heap: peak as f64 / text.len() as f64,
            heap_max: match reports {
                true => HEAP_VIOLATIONS_MAX,
                false => HEAP_MAX,
            },
        }
    }

    fn longest(&self) -> f64 {
        self.per_byte[SIZES.len() - 1]
    }

    /// The power of the length that the time grows with, from the shortest text to the longest.
    fn exponent(&self) -> f64 {
        let doublings = (SIZES[SIZES.len() - 1] as f64 / SIZES[0] as f64).log2();
        1.0 + (self.longest() / self.per_byte[0]).log2() / doublings
    }

    /// The limits that are broken: of growth, of time, of memory.
    fn broken(&self) -> [bool; 3] {
        [
            self.exponent() > EXPONENT_MAX,
            self.longest() > self.per_byte_max,
            self.heap > self.heap_max,
        ]
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

/// Prints how every shape grows whose name contains `part`, read in every way. Of all shapes
/// together the lines that break a limit are printed, and a summary of each way.
fn print_here(rounds: usize, part: &str) {
    let mut schemas: HashMap<Against, (Schema, bool)> = HashMap::new();
    println!(
        "\nTexts made to cost time and memory: nanoseconds per byte, the power of the length that \
         the time grows with, and heap bytes per byte\n"
    );
    let wide = SHAPES
        .iter()
        .map(|shape| shape.name.len())
        .max()
        .unwrap_or(0);
    println!(
        "| {:wide$} | schema   | way            |     4 KB |    16 KB |    64 KB |   256 KB |     1 MB \
         | power |  heap |",
        "shape"
    );
    println!(
        "|{}|----------|----------------|---------:|---------:|---------:|---------:|---------:\
         |------:|------:|",
        "-".repeat(wide + 2)
    );
    let mut lines = Vec::new();
    let mut other = vec![0; OTHER_BYTES];
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(part)) {
        let (schema, is_large) = &*schemas.entry(shape.against).or_insert_with(|| {
            let json = shape.against.json();
            let schema = Schema::from_text(&json).expect("the table's schemas are valid");
            (schema, json.len() > LARGE_BYTES)
        });
        for way in WAYS {
            let line = Line::of(shape, way, schema, *is_large, rounds, &mut other);
            if !part.is_empty() || line.broken().contains(&true) {
                print(&line, wide);
            }
            lines.push(line);
        }
    }
    summarize(&lines);
}

/// Prints for each way the worst figures of all shapes, and how many break a limit.
fn summarize(lines: &[Line]) {
    println!(
        "\n| way            | ns per byte | power | heap | heap, violations | break a limit |\n\
         |----------------|------------:|------:|-----:|-----------------:|--------------:|"
    );
    for way in WAYS {
        let of_way = lines.iter().filter(|line| line.way == way);
        let worst = |figure: fn(&Line) -> f64| of_way.clone().map(figure).fold(0.0, f64::max);
        let heap = |violations: bool| {
            let some = of_way.clone();
            some.filter(|line| (line.heap_max > HEAP_MAX) == violations)
                .map(|line| line.heap)
                .fold(0.0, f64::max)
        };
        println!(
            "| {:14} | {:>11.1} | {:>5.2} | {:>4.1} | {:>16.1} | {:>13} |",
            way.name(),
            worst(Line::longest),
            worst(Line::exponent),
            heap(false),
            heap(true),
            of_way
                .clone()
                .filter(|line| line.broken().contains(&true))
                .count(),
        );
    }
    let broken = lines.iter().filter(|line| line.broken().contains(&true));
    println!("\n{} of {} break a limit", broken.count(), lines.len());
}

/// Reads every text of the shapes whose name contains `part` once, each in a call of [`counted`] of
/// its own, and prints what was read.
pub(crate) fn count(part: &str) {
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(part)) {
        let schema =
            Schema::from_text(&shape.against.json()).expect("the table's schemas are valid");
        for way in WAYS {
            way.go(black_box(&shape.text(SIZES[0])), &schema);
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
    way.go(black_box(text), schema);
}

fn print(line: &Line, wide: usize) {
    let schema = match line.way.fits() {
        true => line.shape.against.name(),
        false => "",
    };
    let way = line.way.name();
    let times = line.per_byte.map(|time| format!("{time:>8.1} |"));
    let marks = ["GROWS", "SLOW", "LARGE"].into_iter().zip(line.broken());
    let marks = marks.filter_map(|(mark, broken)| broken.then_some(mark));
    println!(
        "| {:wide$} | {schema:8} | {way:14} | {} {:>5.2} | {:>5.1} | {}",
        line.shape.name,
        times.join(" "),
        line.exponent(),
        line.heap,
        marks.collect::<Vec<_>>().join(" "),
    );
}

/// The least time of several calls, in nanoseconds per byte.
fn per_byte(text: &str, schema: &Schema, way: Way, rounds: usize, other: &mut [u8]) -> f64 {
    let mut least = f64::INFINITY;
    let (mut calls, mut spent) = (0, Duration::ZERO);
    while calls < rounds.clamp(1, CALLS_MAX) && spent < PATIENCE {
        do_something_else(other);
        let start = ThreadTime::now();
        way.go(black_box(text), schema);
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
