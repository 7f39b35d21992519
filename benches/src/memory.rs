//! What a call takes from the heap: an allocator that counts, and the table made of its counts.
//!
//! Counting is off while anything is timed; what remains then is one load and one branch per call
//! of the allocator. A block that grows counts with the difference between its sizes: large ones are
//! moved by mapping their pages to another place. What an allocator takes that holds both blocks
//! for a moment is counted apart.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::contenders::Contender;
use crate::inputs::Input;
use crate::tree::Damage;

#[global_allocator]
static HEAP: Counting = Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The peak if every block that grows is copied.
static COPIED: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

impl Counting {
    #[cold]
    fn count(grown: usize, shrunk: usize) {
        let live = LIVE.load(Relaxed).wrapping_add(grown).wrapping_sub(shrunk);
        LIVE.store(live, Relaxed);
        if grown > 0 {
            ALLOCATIONS.store(ALLOCATIONS.load(Relaxed) + 1, Relaxed);
            // What was allocated before counting began may be freed now: then this is negative.
            PEAK.store(
                PEAK.load(Relaxed)
                    .max(live.cast_signed().max(0).unsigned_abs()),
                Relaxed,
            );
        }
    }
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            Self::count(layout.size(), 0);
        }
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            Self::count(layout.size(), 0);
        }
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            Self::count(0, layout.size());
        }
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if ON.load(Relaxed) {
            let both = LIVE.load(Relaxed).wrapping_add(size);
            COPIED.fetch_max(both.cast_signed().max(0).unsigned_abs(), Relaxed);
            Self::count(size, layout.size());
        }
        // SAFETY: the caller keeps the same contract.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Heap use of two calls in a row.
struct Heap {
    /// The most bytes that were in use at once, buffers kept between calls included.
    peak: usize,
    /// The same if every block that grows is copied.
    copied: usize,
    /// Allocations of the first call.
    first: usize,
    /// Allocations of the second, for which buffers may have been kept.
    second: usize,
}

/// The most bytes that `run` has in use at once, less what was in use before.
pub(crate) fn peak(run: impl FnOnce()) -> usize {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    run();
    ON.store(false, Relaxed);
    PEAK.load(Relaxed)
}

fn heap(contender: &Contender, text: &str) -> Heap {
    // What a library sets up once in its life is not counted.
    (contender.start)()(text);
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COPIED.store(0, Relaxed);
    ALLOCATIONS.store(0, Relaxed);
    ON.store(true, Relaxed);
    let mut run = (contender.start)();
    run(text);
    let first = ALLOCATIONS.load(Relaxed);
    run(text);
    let second = ALLOCATIONS.load(Relaxed) - first;
    drop(run);
    ON.store(false, Relaxed);
    Heap {
        peak: PEAK.load(Relaxed),
        copied: PEAK.load(Relaxed).max(COPIED.load(Relaxed)),
        first,
        second,
    }
}

/// The most bytes that are in use at once for each byte of the text, and how many that are where
/// every block that grows is copied.
pub(crate) fn peak_per_byte(contender: &Contender, text: &str) -> [f64; 2] {
    let heap = heap(contender, text);
    [heap.peak, heap.copied].map(|bytes| bytes as f64 / text.len() as f64)
}

/// Prints the heap use of `contenders` on the inputs with that damage.
pub(crate) fn print(contenders: &[&Contender], damage: Damage) {
    println!(
        "\nHeap, text {}: peak bytes per input byte / allocations of a first call / of a second one\n",
        damage.name()
    );
    let inputs = Input::all();
    let names: Vec<_> = inputs
        .iter()
        .map(|input| format!("{:>20}", input.name))
        .collect();
    println!(
        "| {:14} | {} |\n|---|{}",
        "",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    let texts: Vec<_> = inputs.iter().map(|input| input.text(damage)).collect();
    for contender in contenders {
        let cells = texts.iter().map(|text| {
            if (contender.value)(text).is_none() {
                return format!("{:>20}", "x");
            }
            let Heap {
                peak,
                first,
                second,
                ..
            } = heap(contender, text);
            let peak = peak as f64 / text.len() as f64;
            format!("{:>20}", format!("{peak:.2} / {first} / {second}"))
        });
        println!(
            "| {:14} | {} |",
            contender.name,
            cells.collect::<Vec<_>>().join(" | ")
        );
    }
}
