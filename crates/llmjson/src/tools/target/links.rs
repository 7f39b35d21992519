//! The subschemas of a schema, where their references lead, and which of them nest in themselves.

use std::collections::{HashMap, HashSet};

use super::given::{Finder, Given, Ix, ROOT, Value};

/// No value: the arena is smaller.
const NONE: Ix = Ix::MAX;

/// What a keyword holds, as far as subschemas go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Schema,
    /// A list of subschemas, or a single one.
    Schemas,
    /// Subschemas by name.
    Map,
    /// Subschemas by name that count only where a reference leads to them.
    Definitions,
}

/// What a keyword holds; nothing if no subschemas.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "additionalItems" => Holds::Schema,
        "items" | "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" => Holds::Map,
        "$defs" | "definitions" => Holds::Definitions,
        _ => return None,
    })
}

/// Whether a keyword is a reference.
pub(super) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

/// The subschemas of a schema and what they refer to.
#[derive(Debug)]
pub(super) struct Links {
    /// All subschemas, each before what is in it.
    pub(super) schemas: Vec<Ix>,
    /// For each value the subschema that it is in as a part, [`NONE`] for the root, for definitions,
    /// and for what is no subschema.
    within: Vec<Ix>,
    is_schema: Vec<bool>,
    targets: HashMap<Ix, Ix>,
    /// For the root and each target of references: the number of its cycle, and whether it is in one.
    cycles: HashMap<Ix, (u32, bool)>,
    /// Subschemas of members, and whether they are required.
    members: HashMap<Ix, bool>,
    circles: Circles,
}

/// References that lead back without an optional member on the way.
#[derive(Debug, Default)]
struct Circles {
    /// The required members that are nearest on the way.
    members: HashSet<Ix>,
    /// The references that lead back by such members.
    within_members: HashSet<Ix>,
    /// The references that no member is on the way to.
    references: HashSet<Ix>,
}

impl Links {
    pub(super) fn of(given: &Given) -> Self {
        let mut links = Self {
            schemas: Vec::new(),
            within: vec![NONE; given.len()],
            is_schema: vec![false; given.len()],
            targets: HashMap::new(),
            cycles: HashMap::new(),
            members: HashMap::new(),
            circles: Circles::default(),
        };
        links.walk(given, ROOT);
        links.follow(given);
        links.cycles = cycles(&links.edges());
        links.find_members(given);
        links.find_circles();
        links
    }

    /// Where the reference of a subschema leads.
    pub(super) fn target(&self, schema: Ix) -> Option<Ix> {
        self.targets.get(&schema).copied()
    }

    /// Whether what a reference leads to is a part of itself.
    pub(super) fn is_recursive(&self, target: Ix) -> bool {
        self.cycles.get(&target).is_some_and(|(_, is)| *is)
    }

    /// Whether the reference of a subschema leads back to something that the subschema is part of.
    pub(super) fn leads_back(&self, schema: Ix) -> bool {
        let Some(target) = self.target(schema) else {
            return false;
        };
        let cycle = |ix| self.cycles.get(&ix).map(|(cycle, _)| *cycle);
        self.is_recursive(target) && cycle(target) == cycle(self.owner(schema))
    }

    /// Whether a subschema is that of a required member; nothing if it is of no member.
    pub(super) fn is_required(&self, schema: Ix) -> Option<bool> {
        self.members.get(&schema).copied()
    }

    /// Whether this is the subschema of a required member that asks for what it is part of.
    pub(super) fn is_circular_member(&self, schema: Ix) -> bool {
        self.circles.members.contains(&schema)
    }

    /// Whether this is a reference that leads back with no member on the way.
    pub(super) fn is_circular_reference(&self, schema: Ix) -> bool {
        self.circles.references.contains(&schema)
    }

    /// Whether a reference leads back with no optional member on the way.
    pub(super) fn returns_at_once(&self, schema: Ix) -> bool {
        self.is_circular_reference(schema) || self.circles.within_members.contains(&schema)
    }

    fn find_members(&mut self, given: &Given) {
        for &schema in &self.schemas {
            let required: HashSet<&str> = (given.member(schema, "required").into_iter())
                .flat_map(|ix| given.items(ix))
                .filter_map(|ix| given.text(*ix))
                .collect();
            let properties = given.member(schema, "properties").into_iter();
            let properties = properties.flat_map(|ix| given.members(ix));
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

    /// The subschema that another one is a part of.
    pub(super) fn within(&self, schema: Ix) -> Option<Ix> {
        Some(self.within[schema as usize]).filter(|ix| *ix != NONE)
    }

    /// The nearest around a subschema that a reference leads to, or the root.
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

    /// Goes through the subschemas that keywords lead to from one.
    fn walk(&mut self, given: &Given, from: Ix) {
        let mut left = vec![(from, NONE)];
        let mut found = Vec::new();
        while let Some((schema, within)) = left.pop() {
            if std::mem::replace(&mut self.is_schema[schema as usize], true) {
                continue;
            }
            self.within[schema as usize] = within;
            self.schemas.push(schema);
            for (keyword, value) in given.members(schema) {
                let Some(holds) = holds(keyword) else {
                    continue;
                };
                let within = match holds {
                    Holds::Definitions => NONE,
                    _ => schema,
                };
                for child in children(given, holds, *value) {
                    found.push((child, within));
                }
            }
            left.extend(found.drain(..).rev());
        }
    }

    /// Finds out where references lead, and walks what no keyword leads to.
    fn follow(&mut self, given: &Given) {
        let mut finder = Finder::new(given);
        let mut known: HashMap<&str, Option<Ix>> = HashMap::new();
        let names = names(given, &self.schemas);
        let mut done = 0;
        while done < self.schemas.len() {
            let schema = self.schemas[done];
            done += 1;
            let members = given.members(schema).iter();
            let mut references = members.filter(|(keyword, _)| is_reference(keyword));
            let Some(reference) = references.find_map(|(_, value)| given.text(*value)) else {
                continue;
            };
            let target = *(known.entry(reference))
                .or_insert_with(|| resolve(&mut finder, &names, reference));
            if let Some(target) = target {
                self.targets.insert(schema, target);
                self.walk(given, target);
            }
        }
    }

    /// What each of the root and the targets of references refers to.
    fn edges(&self) -> HashMap<Ix, Vec<Ix>> {
        let mut edges: HashMap<Ix, Vec<Ix>> = HashMap::new();
        edges.insert(ROOT, Vec::new());
        for target in self.targets.values() {
            edges.insert(*target, Vec::new());
        }
        // A subschema comes after the one that it is in.
        let mut owners: Vec<Ix> = vec![NONE; self.within.len()];
        for &schema in &self.schemas {
            let around = self.within(schema).map(|within| owners[within as usize]);
            let is_vertex = edges.contains_key(&schema);
            let owner = match around {
                _ if is_vertex => schema,
                Some(around) => around,
                None => schema,
            };
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

/// The subschemas that a keyword holds.
pub(super) fn children(given: &Given, holds: Holds, value: Ix) -> Vec<Ix> {
    let is_schema = |ix: &Ix| matches!(given.get(*ix), Value::Object(_) | Value::Bool(_));
    let children: Vec<Ix> = match (holds, given.get(value)) {
        (Holds::Map | Holds::Definitions, Value::Object(members)) => {
            members.iter().map(|(_, value)| *value).collect()
        }
        (Holds::Schemas, Value::List(items)) => items.clone(),
        (Holds::Schema | Holds::Schemas, _) => vec![value],
        _ => Vec::new(),
    };
    children.into_iter().filter(is_schema).collect()
}

/// Subschemas by the names that references use: anchors with their `#`, and identifiers.
fn names(given: &Given, schemas: &[Ix]) -> HashMap<String, Ix> {
    let mut names = HashMap::new();
    for &schema in schemas {
        for (keyword, value) in given.members(schema) {
            let Some(text) = given.text(*value) else {
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

/// What is behind the last slash of an identifier: others may leave out what is before it.
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

/// A fragment with its percent signs decoded.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// For each vertex the number of its strongly connected component, and whether it reaches itself.
/// Tarjan's algorithm on a stack of its own.
fn cycles(edges: &HashMap<Ix, Vec<Ix>>) -> HashMap<Ix, (u32, bool)> {
    let mut order: HashMap<Ix, (u32, u32)> = HashMap::new();
    let mut found: HashMap<Ix, (u32, bool)> = HashMap::new();
    let mut open: Vec<Ix> = Vec::new();
    let mut vertices: Vec<Ix> = edges.keys().copied().collect();
    vertices.sort_unstable();
    let mut count = 0;
    for vertex in vertices {
        if order.contains_key(&vertex) {
            continue;
        }
        let mut way: Vec<(Ix, usize)> = vec![(vertex, 0)];
        while let Some((at, next)) = way.last_mut() {
            let at = *at;
            if *next == 0 {
                let number = order.len() as u32;
                order.insert(at, (number, number));
                open.push(at);
            }
            let to = edges[&at].get(*next).copied();
            *next += 1;
            match to {
                Some(to) if !order.contains_key(&to) => way.push((to, 0)),
                Some(to) if !found.contains_key(&to) => {
                    let low = order[&to].1;
                    lower(&mut order, at, low);
                }
                Some(_) => {}
                None => {
                    way.pop();
                    let (number, low) = order[&at];
                    if let Some((before, _)) = way.last() {
                        lower(&mut order, *before, low);
                    }
                    if number == low {
                        close(&mut open, at, count, edges, &mut found);
                        count += 1;
                    }
                }
            }
        }
    }
    found
}

fn lower(order: &mut HashMap<Ix, (u32, u32)>, vertex: Ix, low: u32) {
    if let Some((_, lowest)) = order.get_mut(&vertex) {
        *lowest = low.min(*lowest);
    }
}

fn close(
    open: &mut Vec<Ix>,
    vertex: Ix,
    number: u32,
    edges: &HashMap<Ix, Vec<Ix>>,
    found: &mut HashMap<Ix, (u32, bool)>,
) {
    let at = open.iter().rposition(|one| *one == vertex).unwrap_or(0);
    let members = open.split_off(at);
    let is_cycle = members.len() > 1 || edges[&vertex].contains(&vertex);
    found.extend(members.into_iter().map(|one| (one, (number, is_cycle))));
}
