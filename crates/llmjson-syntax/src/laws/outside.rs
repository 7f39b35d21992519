//! Parts of larger texts outside certain values.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::limits::Limits;
use crate::base::repair::{Class, RepairKind};
use crate::parse;
use crate::parser::look::Look;
use crate::reply::outside::Outside;
use crate::zones::turns::turn_in;

/// Checks that the text outside a value that is not a guess contains no half of a quoted key with
/// its colon, and no bracket without its partner, unless a record other than the one of the skipped text covers
/// them.
///
/// # Panics
///
/// If the law does not hold.
pub fn nothing_of_a_larger_text_stands_outside(text: &str) {
    let document = parse(text);
    let sure = document.root().is_some() && document.certainty() < Class::Guess;
    let Some(value) = document.span_read().filter(|_| sure) else {
        return;
    };
    let account = Limits::DEFAULT.account(text.len());
    let mut outside = Outside::new(Look::new(text, &account));
    // A closer without a partner in the value may close a container that was opened before it.
    let closer = |one: &&crate::Repair| one.kind == RepairKind::ExtraCloser;
    let closers = document
        .repairs()
        .iter()
        .filter(closer)
        .map(|one| one.span.start);
    let mut closers = closers.filter(|at| *at >= value.end).peekable();
    // A made-up turn ends the reply.
    let behind = value.end as usize..text.len();
    let end = turn_in(text, behind.clone()).unwrap_or(behind.end);
    for range in unnamed(&document, value.range()) {
        let range = range.start..range.end.min(end);
        if range.is_empty() {
            continue;
        }
        while let Some(at) = closers.next_if(|at| (*at as usize) < range.start) {
            outside.close(at as usize);
        }
        outside.read(range, 0);
    }
    closers.for_each(|at| _ = outside.close(at as usize));
    let stray = outside.stray();
    assert!(
        stray.is_empty(),
        "parts of more beside {value:?} of {text:?}: {document:?}"
    );
}

/// Returns the stretches of a text that are neither in the value nor covered by a record, in order.
fn unnamed(document: &crate::Document<'_>, value: Range<usize>) -> Vec<Range<usize>> {
    let text = |one: &&crate::Repair| one.kind != RepairKind::SurroundingText;
    let repairs = document.repairs().iter().filter(text).map(|one| one.span);
    let spans = repairs.chain(document.notes().iter().map(|one| one.span));
    let mut named: Vec<Range<usize>> = spans.map(|span| span.range()).collect();
    named.push(value);
    named.push(document.text().len()..usize::MAX);
    named.sort_unstable_by_key(|one| one.start);
    let mut from = 0;
    let mut all = Vec::new();
    for one in named {
        if from < one.start {
            all.push(from..one.start);
        }
        from = from.max(one.end);
    }
    all
}
