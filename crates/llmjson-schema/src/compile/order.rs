//! The order in which shapes are checked for the same value.

/// Returns all of `count` things, each after those it leads to. Fails with a thing that leads to
/// itself.
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
