//! In which order shapes ask about the same value, and what is known about all below a shape.

use crate::shape::{Additional, Shape, ShapeId};

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

/// All shapes, those that a shape asks about its own value before it. Fails with a shape that
/// would ask itself.
pub(super) fn inside_out(shapes: &[Shape]) -> Result<Vec<ShapeId>, ShapeId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; shapes.len()];
    let mut order = Vec::with_capacity(shapes.len());
    let mut open: Vec<(ShapeId, Vec<ShapeId>)> = Vec::new();
    for start in 0..shapes.len() {
        if marks[start] != Mark::New {
            continue;
        }
        let start = ShapeId(u32::try_from(start).expect("shapes are counted in 32 bits"));
        marks[start.0 as usize] = Mark::Open;
        open.push((start, in_place(&shapes[start.0 as usize]).collect()));
        while let Some((id, rest)) = open.last_mut() {
            let Some(next) = rest.pop() else {
                marks[id.0 as usize] = Mark::Done;
                order.push(*id);
                open.pop();
                continue;
            };
            match marks[next.0 as usize] {
                Mark::Done => {}
                Mark::Open => return Err(next),
                Mark::New => {
                    marks[next.0 as usize] = Mark::Open;
                    open.push((next, in_place(&shapes[next.0 as usize]).collect()));
                }
            }
        }
    }
    Ok(order)
}

/// Marks every shape that leads to an unusual one.
pub(super) fn mark_unusual(shapes: &mut [Shape]) {
    let mut askers: Vec<Vec<u32>> = vec![Vec::new(); shapes.len()];
    for (at, shape) in (0u32..).zip(&*shapes) {
        for inner in in_place(shape).chain(inside(shape)) {
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
