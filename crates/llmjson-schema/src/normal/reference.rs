//! Finds every subschema and every reference's target, before anything is rewritten.
//!
//! References stay within the schema: by JSON Pointer, by anchor, or by an `$id` in the schema
//! itself. Nothing is fetched.

use std::collections::{HashMap, HashSet};

use super::dialect::Dialect;
use super::keyword::{self, Holds, holds, is_names, is_schema, not_a_schema};
use super::tree::{Json, NodeIx, ROOT, Tree};
use crate::base::error::SchemaError;

/// Objects with more members than this are searched by a table.
const TABLE_FROM: usize = 16;

/// The subschemas and references of a schema.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// Every subschema that keywords or references lead to, the root first.
    schemas: Vec<NodeIx>,
    /// `true` for each node that is a subschema.
    is_schema: Vec<bool>,
    /// The target of each subschema's reference, or [`NOWHERE`] for those without one.
    targets: Vec<NodeIx>,
    /// Subschemas of drafts 4 to 7 with a reference, next to which nothing counts.
    pub(super) lone: HashSet<NodeIx>,
    /// `true` if any subschema applies others to its own value: by a reference, a union, a part, or
    /// a condition.
    pub(crate) leads_on: bool,
    /// The mapping of a subschema's discriminator: tag values with their targets, if the mapping
    /// has references rather than names.
    pub(crate) mappings: HashMap<NodeIx, Vec<(Box<str>, Mapped)>>,
}

/// No node: the limit on nodes is far below.
const NOWHERE: NodeIx = NodeIx::MAX;

impl References {
    /// Returns every subschema, the root first.
    pub(crate) fn schemas(&self) -> &[NodeIx] {
        &self.schemas
    }

    /// Returns `true` if a node is a subschema.
    pub(crate) fn is_schema(&self, node: NodeIx) -> bool {
        self.is_schema.get(node as usize) == Some(&true)
    }

    /// Adds a subschema.
    pub(super) fn add(&mut self, schema: NodeIx) {
        let at = schema as usize;
        if self.is_schema.len() <= at {
            self.is_schema.resize(at + 1, false);
        }
        self.is_schema[at] = true;
        self.schemas.push(schema);
    }

    /// Returns the target of a subschema's reference.
    pub(crate) fn target(&self, schema: NodeIx) -> Option<NodeIx> {
        let target = *self.targets.get(schema as usize)?;
        (target != NOWHERE).then_some(target)
    }

    fn set_target(&mut self, schema: NodeIx, target: NodeIx) {
        let at = schema as usize;
        if self.targets.len() <= at {
            self.targets.resize(at + 1, NOWHERE);
        }
        self.targets[at] = target;
    }

    /// Moves the reference of one subschema to another one.
    pub(crate) fn move_target(&mut self, from: NodeIx, to: NodeIx) {
        if let Some(target) = self.target(from) {
            self.targets[from as usize] = NOWHERE;
            self.set_target(to, target);
        }
    }
}

/// The meaning of a tag value of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mapped {
    Schema(NodeIx),
    /// The name of a definition.
    Name(Box<str>),
}

/// Finds all subschemas and follows their references.
///
/// # Errors
///
/// Returns the first keyword with an invalid value, or the first dangling reference.
pub(crate) fn find(tree: &Tree) -> Result<References, SchemaError> {
    Finder::of(tree, ErrorHandling::Returned).run()
}

/// Finds the subschemas of a schema that may not compile: errors in it are skipped.
pub(crate) fn find_valid(tree: &Tree) -> References {
    let found = Finder::of(tree, ErrorHandling::PassedOver).run();
    found.expect("errors are passed over")
}

/// The treatment of errors in a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorHandling {
    /// The first one is returned.
    Returned,
    /// Their messages are not even formatted, as each may have a long pointer.
    PassedOver,
}

/// The keywords that refer to a subschema, and the keywords whose mapping refers to some.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
const DISCRIMINATORS: [&str; 2] = ["x-discriminator", "discriminator"];

struct Finder<'t> {
    tree: &'t Tree,
    errors: ErrorHandling,
    found: References,
    /// The subschema with the `$id` in force for each subschema; `None` for other nodes.
    resource: Vec<Option<NodeIx>>,
    /// Subschemas by `$id`, made absolute as far as can be.
    ids: HashMap<String, NodeIx>,
    uris: HashMap<NodeIx, String>,
    /// The dialects of the subschemas that have an `$id`.
    dialects: HashMap<NodeIx, Dialect>,
    anchors: HashMap<(NodeIx, Box<str>), NodeIx>,
    /// Dynamic references, each with the name of its dynamic anchor.
    dynamic: Vec<(NodeIx, Box<str>)>,
    tables: HashMap<NodeIx, HashMap<&'t str, NodeIx>>,
    open: Vec<NodeIx>,
    /// The subschemas with references, in the order in which they were found.
    referring: Vec<NodeIx>,
}

impl<'t> Finder<'t> {
    fn of(tree: &'t Tree, errors: ErrorHandling) -> Self {
        Self {
            tree,
            errors,
            found: References::default(),
            resource: vec![None; tree.len()],
            ids: HashMap::new(),
            dialects: HashMap::new(),
            uris: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: Vec::new(),
            tables: HashMap::new(),
            open: Vec::new(),
            referring: Vec::new(),
        }
    }

    fn run(mut self) -> Result<References, SchemaError> {
        let dialect = self.dialect_of(ROOT)?;
        self.dialects.insert(ROOT, dialect.unwrap_or_default());
        self.open(ROOT, ROOT);
        self.walk()?;
        let mut done = 0;
        // A reference may lead to a place that no keyword leads to, where there are more references.
        while done < self.referring.len() {
            let schema = self.referring[done];
            done += 1;
            self.follow(schema)?;
            self.walk()?;
        }
        if self.errors == ErrorHandling::Returned {
            self.check_dynamic()?;
        }
        Ok(self.found)
    }

    /// Records a subschema that was not visited before.
    fn open(&mut self, schema: NodeIx, resource: NodeIx) {
        if self.resource[schema as usize].is_none() {
            self.resource[schema as usize] = Some(resource);
            self.open.push(schema);
        }
    }

    /// Visits all subschemas that keywords lead to.
    fn walk(&mut self) -> Result<(), SchemaError> {
        while let Some(schema) = self.open.pop() {
            if !is_schema(self.tree.get(schema)) {
                if self.errors == ErrorHandling::PassedOver {
                    continue;
                }
                return Err(not_a_schema(self.tree, schema));
            }
            self.found.add(schema);
            let resource = self.resource[schema as usize].unwrap_or(ROOT);
            let dialect = self.dialects.get(&resource).copied().unwrap_or_default();
            // Most subschemas have no name and no reference.
            let is_named = |(name, _): (&str, _)| name.starts_with('$') || name == "id";
            let is_named = self.tree.members(schema).any(is_named);
            let reference = is_named.then(|| self.tree.member(schema, "$ref")).flatten();
            let is_reference =
                reference.is_some_and(|reference| self.tree.text(reference).is_some());
            let is_lone = dialect.has_lone_references() && is_reference;
            let resource = match is_lone {
                true => {
                    self.found.lone.insert(schema);
                    resource
                }
                false if is_named => self.identify(schema, dialect)?,
                false => resource,
            };
            let (first, mut refers) = (self.open.len(), false);
            for (keyword, value) in self.tree.members(schema) {
                refers |= REFERENCES.contains(&keyword) || DISCRIMINATORS.contains(&keyword);
                let Some(holds) = holds(keyword) else {
                    continue;
                };
                if is_lone && !matches!(keyword, "$ref" | "$defs" | "definitions") {
                    continue;
                }
                if self.errors == ErrorHandling::Returned {
                    holds.check(self.tree, keyword, value)?;
                }
                self.found.leads_on |= keyword::leads_on(keyword);
                self.open_within(holds, value, resource);
            }
            self.referring.extend(refers.then_some(schema));
            // The stack pops the last one first; reading order is wanted.
            self.open[first..].reverse();
        }
        Ok(())
    }

    fn open_within(&mut self, holds: Holds, value: NodeIx, resource: NodeIx) {
        let tree = self.tree;
        match holds {
            Holds::Schema => self.open(value, resource),
            Holds::Schemas | Holds::SchemaOrSchemas => match tree.get(value) {
                Json::Array(items) => {
                    for &item in items {
                        self.open(item, resource);
                    }
                }
                _ => self.open(value, resource),
            },
            Holds::SchemaMap | Holds::Dependencies => {
                for (_, schema) in tree.members(value) {
                    if !is_names(tree, schema) {
                        self.open(schema, resource);
                    }
                }
            }
            _ => {}
        }
    }

    /// Records the names by which references can find a subschema. Returns its resource, which may
    /// be itself.
    fn identify(&mut self, schema: NodeIx, dialect: Dialect) -> Result<NodeIx, SchemaError> {
        let mut resource = self.resource[schema as usize].unwrap_or(ROOT);
        let names = ["$id", "id", "$anchor", "$dynamicAnchor"];
        if !self.tree.has(schema, &names) {
            return Ok(resource);
        }
        for keyword in ["$id", "id"] {
            let Some(id) = self
                .tree
                .member(schema, keyword)
                .and_then(|ix| self.tree.text(ix))
            else {
                continue;
            };
            let (uri, fragment) = id.split_once('#').unwrap_or((id, ""));
            if !uri.is_empty() {
                let base = self.uris.get(&resource).map_or("", String::as_str);
                let uri = join(base, uri);
                self.ids.entry(uri.clone()).or_insert(schema);
                // `id` was once a keyword; today it is usually the author's own key, which may
                // identify a schema but must not change the base of pointers.
                if keyword == "$id" || dialect == Dialect::Draft4 {
                    let own = self.dialect_of(schema)?;
                    self.dialects.insert(schema, own.unwrap_or(dialect));
                    self.uris.insert(schema, uri);
                    self.resource[schema as usize] = Some(schema);
                    resource = schema;
                }
            }
            if !fragment.is_empty() && !fragment.starts_with('/') {
                self.anchors
                    .entry((resource, fragment.into()))
                    .or_insert(schema);
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = self
                .tree
                .member(schema, keyword)
                .and_then(|ix| self.tree.text(ix))
            {
                self.anchors
                    .entry((resource, anchor.into()))
                    .or_insert(schema);
            }
        }
        Ok(resource)
    }

    /// Returns the dialect that a subschema declares.
    fn dialect_of(&self, schema: NodeIx) -> Result<Option<Dialect>, SchemaError> {
        let Some(value) = self.tree.member(schema, "$schema") else {
            return Ok(None);
        };
        let uri = self.tree.text(value).unwrap_or_default();
        let known = Dialect::named(uri);
        if self.errors == ErrorHandling::PassedOver {
            return Ok(known);
        }
        let unknown = || {
            let message = format!(
                "`{uri}` is no dialect that is known (drafts 4, 6, 7, 2019-09 and 2020-12, and that \
                 of OpenAPI 3.1)"
            );
            self.tree.error(value, message)
        };
        known.map(Some).ok_or_else(unknown)
    }

    /// Returns the name of a subschema's dynamic anchor. `$recursiveAnchor` has the empty name, and
    /// counts only at the root of a resource.
    fn dynamic_name(&self, schema: NodeIx) -> Option<&str> {
        let tree = self.tree;
        if let Some(name) = tree.member(schema, "$dynamicAnchor") {
            return tree.text(name);
        }
        let recursive = tree.member(schema, "$recursiveAnchor")?;
        let begins = schema == ROOT || tree.member(schema, "$id").is_some();
        (begins && *tree.get(recursive) == Json::Bool(true)).then_some("")
    }

    /// A dynamic reference leads to the outermost anchor of its name on the way to it. A single
    /// anchor is always the target; which of several it is depends on each value's path through the
    /// schema, and one shape cannot represent all of them.
    fn check_dynamic(&self) -> Result<(), SchemaError> {
        for (value, name) in &self.dynamic {
            let schemas = self.found.schemas.iter();
            let named = schemas.filter(|schema| self.dynamic_name(**schema) == Some(name));
            if named.take(2).count() > 1 {
                let message = match &**name {
                    "" => "several schemas have `$recursiveAnchor`".to_owned(),
                    name => format!("several schemas have the `$dynamicAnchor` `{name}`"),
                };
                let message = format!("{message}, which is not supported");
                return Err(self.tree.error(*value, message));
            }
        }
        Ok(())
    }

    /// Follows the references of one subschema.
    fn follow(&mut self, schema: NodeIx) -> Result<(), SchemaError> {
        let tree = self.tree;
        let resource = self.resource[schema as usize].unwrap_or(ROOT);
        let mut seen = None;
        for keyword in REFERENCES {
            let Some(value) = tree.member(schema, keyword) else {
                continue;
            };
            if let Some(other) = seen {
                if self.errors == ErrorHandling::PassedOver {
                    break;
                }
                return Err(tree.error(value, format!("`{keyword}` beside `{other}`")));
            }
            seen = Some(keyword);
            let text = tree.text(value).unwrap_or_default();
            let target = match self.resolve(resource, text) {
                Ok(target) => target,
                Err(_) if self.errors == ErrorHandling::PassedOver => continue,
                Err(why) => return Err(tree.error(value, why)),
            };
            if !is_schema(tree.get(target)) {
                if self.errors == ErrorHandling::PassedOver {
                    continue;
                }
                return Err(tree.error(value, format!("`{text}` does not lead to a schema")));
            }
            if keyword != "$ref"
                && let Some(name) = self.dynamic_name(target)
                // An anchor leads elsewhere only by its own name.
                && (name.is_empty() || text.ends_with(&format!("#{name}")))
            {
                self.dynamic.push((value, name.into()));
            }
            self.found.set_target(schema, target);
            self.open(target, resource);
        }
        self.follow_mapping(schema, resource);
        Ok(())
    }

    /// Reads the mapping of a discriminator. Discriminators are not keywords of JSON Schema: errors
    /// in one are skipped.
    fn follow_mapping(&mut self, schema: NodeIx, resource: NodeIx) {
        let tree = self.tree;
        let Some(mapping) = DISCRIMINATORS
            .iter()
            .filter_map(|keyword| tree.member(schema, keyword))
            .find_map(|discriminator| tree.member(discriminator, "mapping"))
        else {
            return;
        };
        let mut mapped = Vec::new();
        for (tag, value) in tree.members(mapping) {
            let Some(text) = tree.text(value) else {
                continue;
            };
            match self.resolve(resource, text) {
                Ok(target) if is_schema(tree.get(target)) => {
                    mapped.push((tag.into(), Mapped::Schema(target)));
                }
                _ => mapped.push((tag.into(), Mapped::Name(text.into()))),
            }
        }
        self.found.mappings.insert(schema, mapped);
    }

    fn resolve(&mut self, resource: NodeIx, reference: &str) -> Result<NodeIx, String> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if uri.is_empty() {
            resource
        } else {
            let base = self.uris.get(&resource).map_or("", String::as_str);
            let known = self.ids.get(&join(base, uri)).or_else(|| self.ids.get(uri));
            *known.ok_or_else(|| {
                format!(
                    "remote references are not fetched, and the schema itself has no `$id` `{uri}`"
                )
            })?
        };
        let nowhere = || format!("`{reference}` leads nowhere");
        let fragment = percent_decode(fragment).ok_or_else(nowhere)?;
        if fragment.is_empty() {
            return Ok(resource);
        }
        match fragment.strip_prefix('/') {
            Some(pointer) => self.descend(resource, pointer).ok_or_else(nowhere),
            None => {
                let known = self.anchors.get(&(resource, fragment.as_str().into()));
                known.copied().ok_or_else(nowhere)
            }
        }
    }

    fn descend(&mut self, from: NodeIx, pointer: &str) -> Option<NodeIx> {
        let mut at = from;
        for step in pointer.split('/') {
            let step = step.replace("~1", "/").replace("~0", "~");
            at = match self.tree.get(at) {
                Json::Array(items) => {
                    let plain = step.bytes().all(|byte| byte.is_ascii_digit())
                        && (step == "0" || !step.starts_with('0'));
                    *items.get(plain.then(|| step.parse::<usize>().ok())??)?
                }
                Json::Object(members) if members.len() > TABLE_FROM => {
                    let table = self
                        .tables
                        .entry(at)
                        .or_insert_with(|| self.tree.members(at).collect());
                    *table.get(step.as_str())?
                }
                _ => self.tree.member(at, &step)?,
            };
        }
        Some(at)
    }
}

/// Resolves a relative reference against a base, in the forms that occur in schemas: to a whole
/// URI, or to a file or path next to the base.
fn join(base: &str, reference: &str) -> String {
    let has_scheme = reference.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    if has_scheme || base.is_empty() {
        return reference.to_owned();
    }
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base[authority..]
        .find('/')
        .map_or(base.len(), |at| authority + at);
    if reference.starts_with('/') {
        return format!("{}{reference}", &base[..path]);
    }
    let reference = reference.strip_prefix("./").unwrap_or(reference);
    match base[path..].rfind('/') {
        Some(at) => format!("{}{reference}", &base[..=path + at]),
        None => format!("{base}/{reference}"),
    }
}

fn percent_decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let value = digit(bytes.next())? * 16 + digit(bytes.next())?;
        decoded.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(decoded).ok()
}
