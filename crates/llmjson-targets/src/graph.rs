//! The subschemas of a schema, the targets of their references, and which are recursive.

use std::collections::{HashMap, HashSet};

use super::arena::{Arena, Finder, Ix, ROOT, Value};
use super::dialect::{Holds, holds};
use llmjson_reply::pointer::decoded;

/// No index: arenas are smaller.
const NONE: Ix = Ix::MAX;

pub(super) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

/// The subschemas of a schema and their references.
#[derive(Debug)]
pub(super) struct Graph {
    /// All subschemas, parents first.
    pub(super) schemas: Vec<Ix>,
    /// The parent of each subschema; [`NONE`] for the root, for definitions, and for values that are not
    /// subschemas.
    within: Vec<Ix>,
    is_schema: Vec<bool>,
    targets: HashMap<Ix, Ix>,
    /// The strongly connected component of the root and of each target of a reference, and whether it
    /// is a cycle.
    cycles: HashMap<Ix, (u32, bool)>,
    /// The subschemas of members, and whether the members are required.
    members: HashMap<Ix, bool>,
    circles: Circles,
}

/// Recursive references with no optional member on the way.
#[derive(Debug, Default)]
struct Circles {
    /// The nearest required member on the way of each.
    members: HashSet<Ix>,
    /// The references with a required member on the way.
    within_members: HashSet<Ix>,
    /// The references with no member on the way.
    references: HashSet<Ix>,
}

impl Graph {
    pub(super) fn of(arena: &Arena) -> Self {
        let mut graph = Self {
            schemas: Vec::new(),
            within: vec![NONE; arena.len()],
            is_schema: vec![false; arena.len()],
            targets: HashMap::new(),
            cycles: HashMap::new(),
            members: HashMap::new(),
            circles: Circles::default(),
        };
        graph.walk(arena, ROOT);
        graph.follow(arena);
        graph.cycles = cycles(&graph.edges());
        graph.find_members(arena);
        graph.find_circles();
        graph
    }

    /// Returns the target of the reference in a subschema.
    pub(super) fn target(&self, schema: Ix) -> Option<Ix> {
        self.targets.get(&schema).copied()
    }

    /// Returns whether a target of a reference is recursive.
    pub(super) fn is_recursive(&self, target: Ix) -> bool {
        self.cycles.get(&target).is_some_and(|(_, is)| *is)
    }

    /// Returns whether the reference in a subschema refers to one that encloses it.
    pub(super) fn leads_back(&self, schema: Ix) -> bool {
        let Some(target) = self.target(schema) else {
            return false;
        };
        let cycle = |ix| self.cycles.get(&ix).map(|(cycle, _)| *cycle);
        self.is_recursive(target) && cycle(target) == cycle(self.owner(schema))
    }

    /// Returns whether a subschema is that of a required member; `None` if it is not that of a
    /// member.
    pub(super) fn is_required(&self, schema: Ix) -> Option<bool> {
        self.members.get(&schema).copied()
    }

    /// Returns whether this is the subschema of a required member that is recursive.
    pub(super) fn is_circular_member(&self, schema: Ix) -> bool {
        self.circles.members.contains(&schema)
    }

    /// Returns whether this is a recursive reference with no member on the way.
    pub(super) fn is_circular_reference(&self, schema: Ix) -> bool {
        self.circles.references.contains(&schema)
    }

    /// Returns whether this is a recursive reference with no optional member on the way.
    pub(super) fn is_circular(&self, schema: Ix) -> bool {
        self.is_circular_reference(schema) || self.circles.within_members.contains(&schema)
    }

    fn find_members(&mut self, arena: &Arena) {
        for &schema in &self.schemas {
            let required: HashSet<&str> = arena.texts_in(schema, "required").collect();
            let properties = arena.members_in(schema, "properties").iter();
            let members = properties.map(|(name, ix)| (*ix, required.contains(&**name)));
            self.members.extend(members);
        }
    }

    fn find_circles(&mut self) {
        for &schema in &self.schemas {
            if !self.leads_back(schema) {
                continue;
            }
            let mut nearest = None;
            let mut at = schema;
            let is_free = loop {
                match self.is_required(at) {
                    Some(false) => break true,
                    Some(true) => nearest = nearest.or(Some(at)),
                    None => {}
                }
                match self.within(at) {
                    Some(within) if !self.cycles.contains_key(&at) || at == schema => at = within,
                    _ => break false,
                }
            };
            match nearest {
                _ if is_free => {}
                Some(member) => {
                    self.circles.members.insert(member);
                    self.circles.within_members.insert(schema);
                }
                None => {
                    self.circles.references.insert(schema);
                }
            }
        }
    }

    pub(super) fn within(&self, schema: Ix) -> Option<Ix> {
        Some(self.within[schema as usize]).filter(|ix| *ix != NONE)
    }

    /// Returns the nearest enclosing target of a reference, or the root.
    fn owner(&self, schema: Ix) -> Ix {
        let mut at = schema;
        while !self.cycles.contains_key(&at) {
            match self.within(at) {
                Some(within) => at = within,
                None => break,
            }
        }
        at
    }

    /// Adds a subschema and those within it.
    fn walk(&mut self, arena: &Arena, from: Ix) {
        let mut left = vec![(from, NONE)];
        let mut found = Vec::new();
        while let Some((schema, within)) = left.pop() {
            if std::mem::replace(&mut self.is_schema[schema as usize], true) {
                continue;
            }
            self.within[schema as usize] = within;
            self.schemas.push(schema);
            for (keyword, value) in arena.members(schema) {
                let holds = holds(keyword);
                let within = match holds {
                    Holds::Definitions => NONE,
                    _ => schema,
                };
                let children = children(arena, holds, *value);
                found.extend(children.into_iter().map(|child| (child, within)));
            }
            left.extend(found.drain(..).rev());
        }
    }

    /// Resolves references, and adds targets that no keyword holds.
    fn follow(&mut self, arena: &Arena) {
        let mut finder = Finder::new(arena);
        let mut known: HashMap<&str, Option<Ix>> = HashMap::new();
        let names = names(arena, &self.schemas);
        let mut done = 0;
        while done < self.schemas.len() {
            let schema = self.schemas[done];
            done += 1;
            let members = arena.members(schema).iter();
            let mut references = members.filter(|(keyword, _)| is_reference(keyword));
            let Some(reference) = references.find_map(|(_, value)| arena.text(*value)) else {
                continue;
            };
            let target = *(known.entry(reference))
                .or_insert_with(|| resolve(&mut finder, &names, reference));
            if let Some(target) = target {
                self.targets.insert(schema, target);
                self.walk(arena, target);
            }
        }
    }

    /// Returns the references between the root and the targets of references.
    fn edges(&self) -> HashMap<Ix, Vec<Ix>> {
        let mut edges: HashMap<Ix, Vec<Ix>> = HashMap::new();
        edges.insert(ROOT, Vec::new());
        for target in self.targets.values() {
            edges.insert(*target, Vec::new());
        }
        // Parents come first.
        let mut owners: Vec<Ix> = vec![NONE; self.within.len()];
        for &schema in &self.schemas {
            let around = self.within(schema).map(|within| owners[within as usize]);
            let is_vertex = edges.contains_key(&schema);
            let owner = around.filter(|_| !is_vertex).unwrap_or(schema);
            owners[schema as usize] = owner;
            let mut lead = |to: Ix, from: Ix| {
                if let Some(edges) = edges.get_mut(&from) {
                    edges.push(to);
                }
            };
            if let (true, Some(around)) = (is_vertex, around) {
                lead(schema, around);
            }
            if let Some(target) = self.target(schema) {
                lead(target, owner);
            }
        }
        edges
    }
}

/// Returns the subschemas in the value of a keyword.
fn children(arena: &Arena, holds: Holds, value: Ix) -> Vec<Ix> {
    let is_schema = |ix: &Ix| matches!(arena.get(*ix), Value::Object(_) | Value::Bool(_));
    let children: Vec<Ix> = match (holds, arena.get(value)) {
        (Holds::Map | Holds::Definitions, Value::Object(members)) => {
            members.iter().map(|(_, value)| *value).collect()
        }
        (Holds::Schemas, Value::List(items)) => items.clone(),
        (Holds::Schema | Holds::Schemas, _) => vec![value],
        _ => Vec::new(),
    };
    children.into_iter().filter(is_schema).collect()
}

/// Returns subschemas by anchor, with its `#`, and by identifier.
fn names(arena: &Arena, schemas: &[Ix]) -> HashMap<String, Ix> {
    let mut names = HashMap::new();
    for &schema in schemas {
        for (keyword, value) in arena.members(schema) {
            let Some(text) = arena.text(*value) else {
                continue;
            };
            match &**keyword {
                "$anchor" | "$dynamicAnchor" => {
                    names.entry(format!("#{text}")).or_insert(schema);
                }
                "$id" | "id" => {
                    let text = text.trim_end_matches('#');
                    names.entry(last_step(text).to_owned()).or_insert(schema);
                    names.entry(text.to_owned()).or_insert(schema);
                }
                _ => {}
            }
        }
    }
    names
}

/// Returns the last segment of an identifier, as references may be relative.
fn last_step(identifier: &str) -> &str {
    identifier.rsplit('/').next().unwrap_or(identifier)
}

fn resolve(finder: &mut Finder<'_>, names: &HashMap<String, Ix>, reference: &str) -> Option<Ix> {
    if let Some(named) = names.get(reference) {
        return Some(*named);
    }
    let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let from = match file {
        "" => ROOT,
        _ => *names.get(file).or_else(|| names.get(last_step(file)))?,
    };
    if fragment.is_empty() {
        return Some(from);
    }
    let pointer = decoded(fragment);
    if pointer.starts_with('/') {
        return finder.at(from, &pointer);
    }
    names.get(&format!("#{fragment}")).copied()
}

/// Returns the strongly connected component of each vertex, and whether it is a cycle: Kosaraju's
/// algorithm.
fn cycles(edges: &HashMap<Ix, Vec<Ix>>) -> HashMap<Ix, (u32, bool)> {
    let mut back: HashMap<Ix, Vec<Ix>> = HashMap::new();
    for (from, targets) in edges {
        for to in targets {
            back.entry(*to).or_default().push(*from);
        }
    }
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    for vertex in edges.keys() {
        order.extend(reached(*vertex, edges, &mut seen));
    }
    let (mut found, mut seen) = (HashMap::new(), HashSet::new());
    for (number, vertex) in (0..).zip(order.into_iter().rev()) {
        let members = reached(vertex, &back, &mut seen);
        let is_cycle = members.len() > 1 || edges[&vertex].contains(&vertex);
        found.extend(members.into_iter().map(|one| (one, (number, is_cycle))));
    }
    found
}

/// Returns the vertices that a vertex leads to and that were not seen before, itself included, each
/// after those that it leads to.
fn reached(from: Ix, edges: &HashMap<Ix, Vec<Ix>>, seen: &mut HashSet<Ix>) -> Vec<Ix> {
    let mut reached = Vec::new();
    let mut way: Vec<(Ix, usize)> = Vec::new();
    way.extend(seen.insert(from).then_some((from, 0)));
    while let Some((at, next)) = way.last_mut() {
        let to = edges.get(at).and_then(|targets| targets.get(*next));
        *next += 1;
        match to {
            Some(to) if seen.insert(*to) => way.push((*to, 0)),
            Some(_) => {}
            None => {
                reached.push(*at);
                way.pop();
            }
        }
    }
    reached
}
