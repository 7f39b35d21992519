//! Classes of shapes with the same rules.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::ir::shape::{Additional, Shape, ShapeId, Shapes};
use crate::normal::tree::Tree;

/// The number of shapes above which a schema is not compared with itself: each shape is then a
/// separate class.
const SHAPES_MAX: usize = 50_000;

/// The number of rounds in which shapes are distinguished by their children. Each round goes one
/// level deeper; shapes that differ only deeper than that are never merged.
const ROUNDS_MAX: usize = 32;

impl Shapes {
    /// Returns a number for each shape, equal for shapes with the same requirements for every
    /// value.
    pub(crate) fn classes(&self, tree: &Tree) -> &[u32] {
        self.classes.get_or_init(|| classes(self, tree))
    }

    /// Returns the classes if there is a union of many branches, which often have the same
    /// requirements for their members.
    pub(crate) fn classes_of_many(&self, tree: &Tree) -> Option<&[u32]> {
        self.has_many_branches.then(|| self.classes(tree))
    }
}

fn classes(shapes: &Shapes, tree: &Tree) -> Box<[u32]> {
    let list = &shapes.shapes;
    let own = || (0..list.len() as u32).collect();
    if list.len() > SHAPES_MAX {
        return own();
    }
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut classes: Vec<u32> = (list.iter().enumerate())
        .map(|(at, shape)| {
            let next = known.len() as u32;
            *known.entry(said(shape, at, tree)).or_insert(next)
        })
        .collect();
    let mut count = known.len();
    for _ in 0..ROUNDS_MAX {
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let refined = (list.iter().zip(&classes)).map(|(shape, class)| {
            let mut key = vec![*class];
            for_each_below(shape, |below| key.push(classes[below.0 as usize]));
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        });
        let refined: Vec<u32> = refined.collect();
        let stable = known.len() == count;
        (classes, count) = (refined, known.len());
        // Two shapes that are still equal one level deeper can never be distinguished.
        if stable {
            return classes.into();
        }
    }
    own()
}

/// Returns the requirements of a shape apart from the shapes below it.
fn said(shape: &Shape, at: usize, tree: &Tree) -> String {
    let Shape {
        node,
        name,
        types,
        literals,
        aliases,
        number,
        string,
        array,
        object,
        union,
        also,
        conditions,
        asked: _,
        default,
    } = shape;
    let mut text = String::new();
    // Envelopes may be named after their content.
    let title = tree
        .member(*node, "title")
        .and_then(|title| tree.text(title));
    let own = (!conditions.is_empty()).then_some(at);
    let _ = write!(
        text,
        "{own:?} {name:?} {title:?} {types:?} {literals:?} {aliases:?} {number:?} {string:?} \
         {default:?} {}",
        also.len()
    );
    if let Some(rules) = array {
        let _ = write!(
            text,
            " [{} {} {:?} {:?} {}",
            rules.prefix.len(),
            rules.items.is_some(),
            rules.min_items,
            rules.max_items,
            rules.unique
        );
    }
    if let Some(rules) = object {
        let additional = match rules.additional {
            Additional::Silent => 0,
            Additional::Open(_) => 1,
            Additional::Forbidden => 2,
        };
        let _ = write!(
            text,
            " {{{additional} {:?} {:?} {:?}",
            rules.min_properties, rules.max_properties, rules.required_undeclared
        );
        for property in &rules.properties {
            let _ = write!(
                text,
                " {:?} {:?} {}",
                property.name, property.aliases, property.required
            );
        }
        for (pattern, _) in &rules.patterns {
            let _ = write!(text, " /{pattern:?}");
        }
    }
    if let Some(union) = union {
        let _ = write!(text, " |{} {}", union.branches.len(), union.exclusive);
        if let Some(tag) = &union.tag {
            let _ = write!(
                text,
                " {:?} {:?} {}",
                tag.property, tag.branches, tag.declared
            );
        }
    }
    text
}

fn for_each_below(shape: &Shape, mut call: impl FnMut(ShapeId)) {
    if let Some(rules) = &shape.array {
        rules.prefix.iter().copied().for_each(&mut call);
        rules.items.into_iter().for_each(&mut call);
    }
    if let Some(rules) = &shape.object {
        rules.properties.iter().for_each(|one| call(one.shape));
        rules.patterns.iter().for_each(|(_, shape)| call(*shape));
        if let Additional::Open(shape) = rules.additional {
            call(shape);
        }
    }
    shape.in_place().for_each(&mut call);
}
