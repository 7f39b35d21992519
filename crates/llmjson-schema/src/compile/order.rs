//! The order in which shapes are checked for the same value, and facts about everything below a
//! shape.

use crate::ir::shape::{Additional, Shape, ShapeId};

/// The shapes that a shape asks about the value it is asked about itself.
pub(super) fn in_place(shape: &Shape) -> impl Iterator<Item = ShapeId> {
    let branches = shape
        .union
        .as_ref()
        .map_or(&[][..], |union| &union.branches);
    shape.also.iter().chain(branches).copied()
}

/// The shapes that a shape asks about parts of its value.
fn inside(shape: &Shape) -> impl Iterator<Item = ShapeId> {
    let object = shape.object.as_ref();
    let members = object.into_iter().flat_map(|rules| {
        let open = match rules.additional {
            Additional::Open(id) => Some(id),
            Additional::Silent | Additional::Forbidden => None,
        };
        let properties = rules.properties.iter().map(|property| property.shape);
        properties
            .chain(rules.patterns.iter().map(|&(_, id)| id))
            .chain(open)
    });
    let array = shape.array.as_ref();
    let items = array
        .into_iter()
        .flat_map(|rules| rules.prefix.iter().copied().chain(rules.items));
    members.chain(items)
}

/// All of `count` things, those that one leads to before it. Fails with one that leads to itself.
pub(super) fn inside_out<I: Iterator<Item = u32>>(
    count: usize,
    leads_to: impl Fn(u32) -> I,
) -> Result<Vec<u32>, u32> {
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        New,
        Open,
        Done,
    }
    let mut marks = vec![VisitState::New; count];
    let mut order = Vec::with_capacity(count);
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    let begin = |id: u32| {
        let mut inner: Vec<u32> = leads_to(id).collect();
        inner.reverse();
        (id, inner)
    };
    for start in (0u32..).take(count) {
        if marks[start as usize] == VisitState::New {
            marks[start as usize] = VisitState::Open;
            open.push(begin(start));
        }
        while let Some((id, rest)) = open.last_mut() {
            let Some(next) = rest.pop() else {
                marks[*id as usize] = VisitState::Done;
                order.push(*id);
                open.pop();
                continue;
            };
            match marks[next as usize] {
                VisitState::Done => {}
                VisitState::Open => return Err(next),
                VisitState::New => {
                    marks[next as usize] = VisitState::Open;
                    open.push(begin(next));
                }
            }
        }
    }
    Ok(order)
}

/// Returns the number of subschemas that each one leads to in all, itself included and repeated
/// ones counted each time, and the length of the longest way.
pub(super) fn extents<I: Iterator<Item = u32>>(
    order: &[u32],
    leads_to: impl Fn(u32) -> I,
) -> Vec<(u64, u32)> {
    let mut extents = vec![(1u64, 1u32); order.len()];
    for &id in order {
        let mut extent = (1u64, 1u32);
        for inner in leads_to(id) {
            let (size, depth) = extents[inner as usize];
            extent = (
                extent.0.saturating_add(size),
                extent.1.max(depth.saturating_add(1)),
            );
        }
        extents[id as usize] = extent;
    }
    extents
}

/// Marks every shape that leads to an unusual one.
pub(super) fn mark_unusual(shapes: &mut [Shape]) {
    if !shapes.iter().any(|shape| shape.unusual) {
        return;
    }
    let mut askers: Vec<Vec<u32>> = vec![Vec::new(); shapes.len()];
    for (at, shape) in (0u32..).zip(&*shapes) {
        for inner in in_place(shape).chain(inside(shape)).chain(shape.asked()) {
            askers[inner.0 as usize].push(at);
        }
    }
    let mut open: Vec<u32> = (0u32..)
        .zip(&*shapes)
        .filter(|(_, shape)| shape.unusual)
        .map(|(at, _)| at)
        .collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut shapes[at as usize].unusual_below, true) {
            open.extend(&askers[at as usize]);
        }
    }
}
