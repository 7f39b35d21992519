//! Finds the recursive references of a schema, and the members through which they lead.

use std::collections::{HashMap, HashSet};

use llmjson_schema::internal::source::{Applies, NodeIx as Ix, ROOT, Source, applies};

pub(super) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

/// The subschemas of a schema and their references.
#[derive(Debug)]
pub(super) struct Graph<'g> {
    source: &'g Source,
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

impl<'g> Graph<'g> {
    pub(super) fn of(source: &'g Source) -> Self {
        let mut graph = Self {
            source,
            cycles: HashMap::new(),
            members: HashMap::new(),
            circles: Circles::default(),
        };
        graph.cycles = cycles(&graph.edges());
        graph.find_members();
        graph.find_circles();
        graph
    }

    /// Returns all subschemas, parents first.
    pub(super) fn schemas(&self) -> &'g [Ix] {
        self.source.subschemas()
    }

    /// Returns the target of the reference in a subschema.
    pub(super) fn target(&self, schema: Ix) -> Option<Ix> {
        self.source.target(schema)
    }

    /// Returns `true` if a target of a reference is recursive.
    pub(super) fn is_recursive(&self, target: Ix) -> bool {
        self.cycles.get(&target).is_some_and(|(_, is)| *is)
    }

    /// Returns `true` if the reference in a subschema points to an enclosing subschema.
    pub(super) fn leads_back(&self, schema: Ix) -> bool {
        let Some(target) = self.target(schema) else {
            return false;
        };
        let cycle = |ix| self.cycles.get(&ix).map(|(cycle, _)| *cycle);
        self.is_recursive(target) && cycle(target) == cycle(self.owner(schema))
    }

    /// Returns whether a subschema belongs to a required member; `None` if it does not belong to a
    /// member.
    pub(super) fn is_required(&self, schema: Ix) -> Option<bool> {
        self.members.get(&schema).copied()
    }

    /// Returns `true` if this is the subschema of a required member that is recursive.
    pub(super) fn is_circular_member(&self, schema: Ix) -> bool {
        self.circles.members.contains(&schema)
    }

    /// Returns `true` if this is a recursive reference with no member on the way.
    pub(super) fn is_circular_reference(&self, schema: Ix) -> bool {
        self.circles.references.contains(&schema)
    }

    /// Returns `true` if this is a recursive reference with no optional member on the way.
    pub(super) fn is_circular(&self, schema: Ix) -> bool {
        self.is_circular_reference(schema) || self.circles.within_members.contains(&schema)
    }

    fn find_members(&mut self) {
        let source = self.source;
        for &schema in self.schemas() {
            let required: HashSet<&str> = source.texts_in(schema, "required").collect();
            let properties = source.members_in(schema, "properties");
            let members = properties.map(|(name, ix)| (ix, required.contains(name)));
            self.members.extend(members);
        }
    }

    fn find_circles(&mut self) {
        for &schema in self.schemas() {
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

    /// Returns the subschema that a subschema is part of; `None` for the root and for definitions.
    pub(super) fn within(&self, schema: Ix) -> Option<Ix> {
        let (holder, keyword) = self.source.holder(schema)?;
        (applies(keyword) != Some(Applies::Definition)).then_some(holder)
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

    /// Returns the references between the root and the targets of references.
    fn edges(&self) -> HashMap<Ix, Vec<Ix>> {
        let mut edges: HashMap<Ix, Vec<Ix>> = HashMap::new();
        edges.insert(ROOT, Vec::new());
        let targets = self.schemas().iter().filter_map(|ix| self.target(*ix));
        edges.extend(targets.map(|target| (target, Vec::new())));
        // Parents come first.
        let mut owners: Vec<Ix> = vec![ROOT; self.source.node_count()];
        for &schema in self.schemas() {
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

/// Returns the vertices reachable from a vertex, including itself, that were not seen before, in
/// postorder.
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
