//! The repairs of each edit.

use alloc::vec::Vec;
use core::mem::discriminant;

use crate::base::repair::Repair;
use crate::document::edits::align::{Change, MOST_NEAR, Role, role_of};

/// A change with the number of its record.
pub(crate) type Recorded = (Change, usize);

/// Assigns to each change the least certain record that touches it, or otherwise the last one
/// before it. A bracket that no record touches shares the record of the other bracket.
pub(super) fn recorded(text: &str, changes: Vec<Change>, records: &[Repair]) -> Vec<Recorded> {
    let mut all: Vec<Recorded> = Vec::with_capacity(changes.len());
    // Records to which a change has been assigned are included.
    let (mut near, mut next): (Vec<(usize, bool)>, _) = (Vec::new(), 0);
    let mut openers: Vec<(u32, usize)> = Vec::new();
    for change in changes {
        near.retain(|(record, _)| records[*record].span.end as usize >= change.start);
        while let Some(record) = records.get(next)
            && record.span.start as usize <= change.until
        {
            if record.span.end as usize >= change.start && near.len() < MOST_NEAR {
                near.push((next, false));
            }
            next += 1;
        }
        // The bracket of a call belongs to its record: `ObjectId('x')`.
        let closes = change.role == Role::Out && text[change.start..].starts_with([')', ']', '}']);
        let best = near.iter_mut().filter_map(|(at, used)| {
            let record = records[*at];
            let (suits, shares) = fit(&change, &record);
            let touches = record.span.start as usize <= change.until;
            if !touches || closes && !suits && !shares {
                return None;
            }
            // Several insertions at one place each have a separate record.
            let later = shares && !record.span.is_empty();
            let order = if later { *at as i64 } else { -(*at as i64) };
            Some(((suits, shares, !*used, record.class, order), *at, used))
        });
        let best = best.max_by_key(|(rank, ..)| *rank);
        let (fits, mut record) = if let Some(((fits, ..), at, used)) = best {
            *used = true;
            (fits, at)
        } else {
            let before = |one: &Repair| one.span.start as usize <= change.start;
            let before = records.partition_point(before);
            let mut near = records[..before].iter().rev().take(MOST_NEAR);
            let back = near.position(|one| !closes || suits(&change, one));
            (false, before.saturating_sub(back.unwrap_or_default() + 1))
        };
        if let Role::Bracket(node) = change.role {
            while openers.last().is_some_and(|(opened, _)| *opened > node) {
                openers.pop();
            }
            match openers.last() {
                Some((opened, by)) if *opened == node && !fits => record = *by,
                _ => openers.push((node, record)),
            }
        }
        let goes = |one: &Change| one.role == Role::Out && one.text.is_empty();
        match all.last_mut() {
            Some((last, by))
                if last.end == change.start && *by == record && goes(last) && goes(&change) =>
            {
                last.end = change.end;
            }
            _ => all.push((change, record)),
        }
    }
    all
}

/// Returns `true` first if a record that touches a change fits its kind, and `true` second if it
/// covers the same text, or is an insertion at the same place.
fn fit(change: &Change, record: &Repair) -> (bool, bool) {
    let (start, end) = (record.span.start as usize, record.span.end as usize);
    let shares = start < change.end && change.start < end;
    let puts_in = change.start == change.end && start == end;
    (suits(change, record), shares || puts_in)
}

fn suits(change: &Change, record: &Repair) -> bool {
    discriminant(&role_of(record.kind)) == discriminant(&change.role)
}
