//! Turns the operations of an OpenAPI document into tools.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use llmjson_syntax::{JsonOut, JsonText, Kind, Raw, ValueRef, write_string};

use super::definitions::{Definitions, References};
use super::{ListReader, member, text, written};
use crate::tool::Tool;
use llmjson_reply::internal::escaped;

const METHODS: &[&str] = &[
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// The name of the argument for the whole body.
const BODY: &str = "body";

/// The keywords of a body whose properties may become arguments.
const MERGED: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "title",
    "description",
    "example",
    "examples",
];

/// Reads a document or an operation.
pub(super) fn read(root: ValueRef<'_>, reader: &mut ListReader) {
    let mut references = References::of(root);
    if let Some(paths) = member(root, "paths") {
        for (path, item) in paths.members() {
            read_path(&path, item, &mut references, reader);
        }
    } else if text(root, "operationId").is_some() {
        read_operation(root, &[], "", &mut references, reader);
    } else {
        let message = "expected an OpenAPI document, or an operation with an `operationId`";
        reader.error("", String::new(), message);
    }
}

fn read_path<'d>(
    path: &str,
    item: ValueRef<'d>,
    references: &mut References<'d>,
    reader: &mut ListReader,
) {
    let pointer = format!("/paths{}", escaped(path));
    let Some(item) = references.resolve(item) else {
        return reader.warning(
            "",
            pointer,
            "the reference cannot be resolved; the path is skipped",
        );
    };
    let shared = member(item, "parameters");
    let shared: Vec<_> = shared.into_iter().flat_map(ValueRef::items).collect();
    for method in METHODS {
        if let Some(operation) = member(item, method) {
            let pointer = format!("{pointer}/{method}");
            read_operation(operation, &shared, &pointer, references, reader);
        }
    }
}

fn read_operation<'d>(
    operation: ValueRef<'d>,
    shared: &[ValueRef<'d>],
    pointer: &str,
    references: &mut References<'d>,
    reader: &mut ListReader,
) {
    let Some(name) = text(operation, "operationId") else {
        let message = "the operation has no `operationId`; it is skipped";
        return reader.warning("", pointer.to_owned(), message);
    };
    let own = member(operation, "parameters");
    let own = own.into_iter().flat_map(ValueRef::items);
    let mut arguments = Arguments::default();
    for parameter in parameters(shared.iter().copied().chain(own), references) {
        arguments.add_parameter(parameter);
    }
    let body = member(operation, "requestBody").and_then(|body| references.resolve(body));
    match body.map(|body| (body, json_content(body))) {
        Some((body, Some(schema))) => arguments.add_body(body, schema, references),
        Some((_, None)) => {
            let message = "the request body is not JSON; it is skipped";
            reader.warning(&name, format!("{pointer}/requestBody"), message);
        }
        None => {}
    }
    let Some(definitions) = references.collect(&arguments.schemas) else {
        let message = "the targets of the references in all operations are too large";
        return reader.error(&name, pointer.to_owned(), message);
    };
    let schema = arguments.write(definitions);
    let descriptions = ["summary", "description"].iter();
    let descriptions: Vec<_> = descriptions
        .filter_map(|word| text(operation, word))
        .collect();
    reader.push(Tool::new(name, descriptions.join("\n\n")), schema);
}

/// A parameter of an operation.
struct Parameter<'d> {
    name: String,
    location: String,
    value: ValueRef<'d>,
}

/// Returns the parameters of a path and of its operation; the operation's override the path's.
fn parameters<'d>(
    values: impl Iterator<Item = ValueRef<'d>>,
    references: &mut References<'d>,
) -> Vec<Parameter<'d>> {
    let mut parameters: Vec<Parameter<'d>> = Vec::new();
    let mut by_key: HashMap<(String, String), usize> = HashMap::new();
    for value in values.filter_map(|value| references.resolve(value)) {
        let (Some(name), Some(location)) = (text(value, "name"), text(value, "in")) else {
            continue;
        };
        // OpenAPI ignores these parameters.
        let lower = name.to_ascii_lowercase();
        let is_reserved = matches!(&*lower, "accept" | "content-type" | "authorization");
        if location == "header" && is_reserved {
            continue;
        }
        match by_key.entry((name.clone(), location.clone())) {
            Entry::Occupied(before) => parameters[*before.get()].value = value,
            Entry::Vacant(vacant) => {
                vacant.insert(parameters.len());
                parameters.push(Parameter {
                    name,
                    location,
                    value,
                });
            }
        }
    }
    parameters
}

/// Returns the schema of a JSON body.
fn json_content(body: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let content = member(body, "content")?;
    let is_json = |kind: &str| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let kind = kind.to_ascii_lowercase();
        kind == "application/json" || kind.ends_with("+json") || kind.ends_with("/json")
    };
    let mut kinds = content.members();
    let (_, kind) = kinds.find(|(kind, _)| is_json(kind))?;
    member(kind, "schema")
}

/// The arguments of an operation, each with its schema.
#[derive(Default)]
struct Arguments<'d> {
    members: Vec<(String, String)>,
    names: HashSet<String>,
    required: Vec<String>,
    /// The other keywords of the schema, with their values.
    keywords: Vec<(String, String)>,
    /// All schemas, to collect their references.
    schemas: Vec<ValueRef<'d>>,
}

impl<'d> Arguments<'d> {
    fn add_parameter(&mut self, parameter: Parameter<'d>) {
        let Parameter {
            name,
            location,
            value,
        } = parameter;
        let is_taken = self.names.contains(&name);
        let name = match is_taken {
            true => self.free_name(&format!("{location}_{name}")),
            false => name,
        };
        let content = || {
            let mut kinds = member(value, "content")?.members();
            member(kinds.next()?.1, "schema")
        };
        let schema = member(value, "schema").or_else(content);
        self.schemas.extend(schema);
        let schema = schema.map_or_else(|| "{}".to_owned(), |schema| described(value, schema));
        if value.get("required").and_then(ValueRef::as_bool) == Some(true) {
            self.required.push(name.clone());
        }
        self.push(name, schema);
    }

    fn add_body(
        &mut self,
        body: ValueRef<'d>,
        schema: ValueRef<'d>,
        references: &mut References<'d>,
    ) {
        let is_required = body.get("required").and_then(ValueRef::as_bool) == Some(true);
        let members = references.resolve(schema);
        match members.filter(|members| self.can_merge(*members, is_required)) {
            Some(members) => self.add_members(members),
            None => {
                let name = self.free_name(BODY);
                if is_required {
                    self.required.push(name.clone());
                }
                self.schemas.push(schema);
                self.push(name, described(body, schema));
            }
        }
    }

    /// Returns `true` if the properties of a body can become arguments next to the parameters.
    fn can_merge(&self, schema: ValueRef<'_>, is_required: bool) -> bool {
        let is_plain = |name: &str| MERGED.contains(&name) || name.starts_with("x-");
        let Some(properties) = member(schema, "properties") else {
            return false;
        };
        let asks_for = member(schema, "required").map_or(0, ValueRef::len);
        let others = member(schema, "additionalProperties");
        schema.members().all(|(name, _)| is_plain(&name))
            && text(schema, "type").is_none_or(|name| name.eq_ignore_ascii_case("object"))
            && others.is_none_or(|others| others.kind() == Kind::Bool)
            && (is_required || asks_for == 0)
            && properties
                .members()
                .all(|(name, _)| !self.names.contains(&*name))
    }

    fn add_members(&mut self, schema: ValueRef<'d>) {
        let properties = schema.get("properties").into_iter();
        let mut left_out = HashSet::new();
        for (name, property) in properties.flat_map(ValueRef::members) {
            // The API returns it but does not accept it.
            if property.get("readOnly").and_then(ValueRef::as_bool) == Some(true) {
                left_out.insert(name);
                continue;
            }
            self.schemas.push(property);
            self.push(name.into_owned(), written(property));
        }
        let required = member(schema, "required").into_iter();
        let required = required
            .flat_map(ValueRef::items)
            .filter_map(ValueRef::as_str);
        let required = required.filter(|name| !left_out.contains(name));
        self.required.extend(required.map(|name| name.into_owned()));
        for (name, value) in schema.members() {
            if name == "additionalProperties" || name.starts_with("x-") {
                self.keywords.push((name.into_owned(), written(value)));
            }
        }
    }

    fn push(&mut self, name: String, schema: String) {
        self.names.insert(name.clone());
        self.members.push((name, schema));
    }

    fn free_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.names.contains(&name) {
            name.insert_str(0, "request_");
        }
        name
    }

    fn write(&self, definitions: Definitions) -> String {
        JsonText::object_of(|out| {
            out.member("type", "object");
            out.object_in("properties", |out| {
                for (name, text) in &self.members {
                    out.member(name, Raw(text));
                }
            });
            if !self.required.is_empty() {
                out.member("required", &self.required[..]);
            }
            for (name, text) in &self.keywords {
                out.member(name, Raw(text));
            }
            definitions.write(out);
        })
    }
}

/// Adds the description and example of a parameter or body to its schema, unless it has its own.
fn described(around: ValueRef<'_>, schema: ValueRef<'_>) -> String {
    let text = written(schema);
    let Some(inside) = text.strip_prefix('{') else {
        return text;
    };
    let mut out = String::from("{");
    if let Some(description) = self::text(around, "description")
        && schema.get("description").is_none()
    {
        out.push_str(r#""description":"#);
        write_string(&description, &mut out);
        out.push(',');
    }
    if let Some(example) = around.get("example")
        && schema.get("example").is_none()
        && schema.get("examples").is_none()
    {
        out.push_str(&format!(r#""examples":[{}],"#, written(example)));
    }
    if schema.is_empty() && out.ends_with(',') {
        out.pop();
    }
    out + inside
}
