//! Writes a schema for a prompt: as a TypeScript-like type, with everything else in comments.

use std::collections::{HashMap, HashSet};

use super::graph::Graph;
use super::json;
use super::keywords::bound_words;
use super::sentences;
use super::types::Types;
use llmjson_schema::internal::source::{NodeIx as Ix, ROOT, Source, Written};

/// Deeper types are `any`.
const DEPTH: usize = 64;
const INDENT: &str = "  ";

pub(super) fn prompt(source: &Source, graph: &Graph<'_>) -> String {
    let mut writer = PromptWriter {
        source,
        graph,
        names: HashMap::new(),
    };
    writer.name_targets();
    let mut parts = Vec::new();
    for &schema in graph.schemas() {
        if let Some(name) = writer.names.get(&schema) {
            let text = writer.own(schema, 0);
            let notes = writer.notes(schema, 0);
            parts.push(commented("", &format!("type {name} = {text}"), &notes));
        }
    }
    parts.push(match writer.names.get(&ROOT) {
        Some(name) => name.clone(),
        None => commented("", &writer.own(ROOT, 0), &writer.notes(ROOT, 0)),
    });
    parts.join("\n\n")
}

struct PromptWriter<'g> {
    source: &'g Source,
    graph: &'g Graph<'g>,
    /// The names of types that are used more than once or refer to themselves; all others are
    /// inlined.
    names: HashMap<Ix, String>,
}

impl PromptWriter<'_> {
    fn name_targets(&mut self) {
        let mut counts: HashMap<Ix, usize> = HashMap::new();
        for target in (self.graph.schemas().iter()).filter_map(|one| self.graph.target(*one)) {
            *counts.entry(target).or_default() += 1;
        }
        let mut taken = HashSet::new();
        for &schema in self.graph.schemas() {
            let count = counts.get(&schema).copied().unwrap_or(0);
            // A type that is used once reads better inline; a recursive one needs a name.
            if count > 1 || count == 1 && self.graph.is_recursive(schema) {
                let base = self.base_name(schema);
                let mut name = base.clone();
                let mut number = 2;
                while !taken.insert(name.clone()) {
                    name = format!("{base}{number}");
                    number += 1;
                }
                self.names.insert(schema, name);
            }
        }
    }

    fn base_name(&self, schema: Ix) -> String {
        let title = self.source.member(schema, "title");
        let title = title.and_then(|ix| self.source.text(ix)).map(str::to_owned);
        let pointer = self.source.pointer(schema);
        let last = pointer.rsplit('/').next().unwrap_or_default().to_owned();
        // The name in `$defs` is more likely to be mentioned in the prompt; a title is often a
        // sentence.
        let found = [last, title.unwrap_or_default()].into_iter();
        let mut found = found.filter(|name| is_identifier(name));
        found.next().unwrap_or_else(|| "Value".to_owned())
    }

    /// Returns the name of a type, or its text.
    fn shape(&self, schema: Ix, depth: usize) -> String {
        match self.names.get(&schema) {
            Some(name) => name.clone(),
            None => self.own(schema, depth),
        }
    }

    /// Returns the text of a type: everything that must hold, joined by `&`.
    fn own(&self, schema: Ix, depth: usize) -> String {
        let source = self.source;
        if depth > DEPTH {
            return "any".to_owned();
        }
        if source.is_false(schema) {
            return "never".to_owned();
        }
        let mut parts = Vec::new();
        if let Some(target) = self.graph.target(schema) {
            parts.push(self.shape(target, depth + 1));
        }
        let values = ["const", "enum"].into_iter().find_map(|keyword| {
            let ix = source.member(schema, keyword)?;
            Some(match (keyword, source.get(ix)) {
                ("enum", Written::List(items)) => items.to_vec(),
                _ => vec![ix],
            })
        });
        match values {
            Some(values) => {
                let names: Vec<_> = source.texts_in(schema, "x-enum-varnames").collect();
                let is_named = names.len() == values.len();
                let written = values.into_iter().enumerate().map(|(at, ix)| {
                    let value = json::text_of(source, ix);
                    let named = names
                        .get(at)
                        .filter(|name| is_named && !name.contains("*/"));
                    match named.filter(|name| source.text(ix) != Some(name)) {
                        Some(name) => format!("{value} /* {name} */"),
                        None => value,
                    }
                });
                parts.push(joined(written, " | "));
            }
            None => parts.extend(self.typed(schema, depth)),
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = source.items_in(schema, keyword).iter();
            let branches = branches.map(|one| self.shape(*one, depth + 1));
            parts.push(joined(branches, " | "));
        }
        let others = source.items_in(schema, "allOf").iter();
        parts.extend(others.map(|one| self.shape(*one, depth + 1)));
        parts.retain(|part| !part.is_empty() && part != "any");
        match &*parts {
            [] => "any".to_owned(),
            [one] => one.clone(),
            _ => joined(parts.iter().map(|part| grouped(part, " | ")), " & "),
        }
    }

    /// Returns the types implied by the keywords of a subschema.
    fn typed(&self, schema: Ix, depth: usize) -> Option<String> {
        let source = self.source;
        let told = source.member(schema, "type");
        let types = told.map(|ix| Types::named_in(source, ix));
        let implied = || {
            let has = |keyword: &str| source.member(schema, keyword).is_some();
            match () {
                () if has("properties") || has("additionalProperties") => Types::OBJECT,
                () if has("items") || has("prefixItems") => Types::ARRAY,
                () => Types::NONE,
            }
        };
        let types = types.unwrap_or_else(implied);
        let texts = types.each().map(|(kind, name)| match kind {
            Types::OBJECT => self.object(schema, depth),
            Types::ARRAY => self.array(schema, depth),
            _ => name.to_owned(),
        });
        let text = joined(texts, " | ");
        (!text.is_empty()).then_some(text)
    }

    fn array(&self, schema: Ix, depth: usize) -> String {
        let source = self.source;
        let rest = source.member(schema, "items");
        let rest = rest.filter(|ix| !source.is_false(*ix));
        let items = rest.map(|ix| format!("{}[]", grouped(&self.shape(ix, depth + 1), " ")));
        let first = source.items_in(schema, "prefixItems");
        if first.is_empty() {
            return items.unwrap_or_else(|| "any[]".to_owned());
        }
        let first = first.iter().map(|ix| self.shape(*ix, depth + 1));
        let rest = items.map(|items| format!("...{items}"));
        format!("[{}]", first.chain(rest).collect::<Vec<_>>().join(", "))
    }

    fn object(&self, schema: Ix, depth: usize) -> String {
        let source = self.source;
        let required: HashSet<&str> = source.texts_in(schema, "required").collect();
        let mut lines = Vec::new();
        for (name, ix) in source.members_in(schema, "properties") {
            let mark = if required.contains(name) { "" } else { "?" };
            lines.push((format!("{}{mark}", key(name)), ix));
        }
        for (pattern, ix) in source.members_in(schema, "patternProperties") {
            lines.push((format!("[name: /{pattern}/]"), ix));
        }
        if let Some(ix) = source.member(schema, "additionalProperties") {
            let is_told = matches!(source.get(ix), Written::List(_) | Written::Object)
                || lines.is_empty() && source.is_true(ix);
            if is_told {
                lines.push(("[name: string]".to_owned(), ix));
            }
        }
        if lines.is_empty() {
            return "object".to_owned();
        }
        let indent = INDENT;
        let lines = lines.into_iter().map(|(name, ix)| {
            let text = self.shape(ix, depth + 1);
            let line = format!("{name}: {}", text.replace('\n', &format!("\n{indent}")));
            commented(indent, &line, &self.notes(ix, depth))
        });
        format!("{{\n{}\n}}", lines.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the rules that the type does not express, as sentences, including those of inlined
    /// types.
    fn notes(&self, schema: Ix, depth: usize) -> String {
        let source = self.source;
        let mut notes = String::new();
        if depth > DEPTH {
            return notes;
        }
        if let Some(text) = source.member(schema, "description") {
            let words = source.text(text).unwrap_or_default().split_whitespace();
            notes = words.collect::<Vec<_>>().join(" ");
        }
        for sentence in self.rules(schema) {
            sentences::append(&mut notes, &sentence);
        }
        let parts = (self.graph.target(schema).into_iter())
            .chain(["anyOf", "oneOf", "allOf"].into_iter().flat_map(|keyword| {
                let items = source.items_in(schema, keyword);
                items.iter().copied()
            }))
            .chain(source.member(schema, "items"));
        for part in parts.filter(|part| !self.names.contains_key(part)) {
            let more = self.notes(part, depth + 1);
            if !more.is_empty() {
                sentences::append(&mut notes, &more);
            }
        }
        notes
    }

    fn rules(&self, schema: Ix) -> Vec<String> {
        let source = self.source;
        let mut parts: [Vec<String>; 4] = Default::default();
        let mut others = Vec::new();
        for (keyword, ix) in source.members(schema) {
            let text = source.text(ix).unwrap_or_default();
            match (keyword, bound_words(keyword)) {
                (_, Some((group, words, noun))) => {
                    let number = source.number(ix).unwrap_or_default();
                    parts[group].push(format!("{words} {}", sentences::counted(number, noun)));
                }
                ("uniqueItems", _) if source.is_true(ix) => {
                    parts[2].push("no item twice".to_owned());
                }
                ("format", _) => others.push(format!("Format: {text}.")),
                ("pattern", _) => others.push(format!("Matches `{text}`.")),
                ("x-unit", _) => others.push(format!("In {text}.")),
                ("default", _) if !matches!(source.get(ix), Written::Null) => {
                    others.push(format!("Default: {}.", json::text_of(source, ix)));
                }
                _ => {}
            }
        }
        let bounds = parts.iter().filter_map(|parts| sentences::sentence(parts));
        bounds.chain(others).collect()
    }
}

/// Puts a comment next to a line, or above several.
fn commented(indent: &str, text: &str, notes: &str) -> String {
    match notes {
        "" => format!("{indent}{text}"),
        _ if text.contains('\n') => format!("{indent}// {notes}\n{indent}{text}"),
        _ => format!("{indent}{text} // {notes}"),
    }
}

/// Joins texts, each once.
fn joined(parts: impl Iterator<Item = String>, separator: &str) -> String {
    let mut seen = HashSet::new();
    let parts = parts.filter(|part| seen.insert(part.clone()));
    parts.collect::<Vec<_>>().join(separator)
}

/// Puts parentheses around a type with a separator at its top level.
fn grouped(text: &str, separator: &str) -> String {
    let is_block = text.starts_with('{') && text.find("\n}") == Some(text.len() - 2);
    match text.contains(separator) && !is_block {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

fn key(name: &str) -> String {
    if is_identifier(name) {
        return name.to_owned();
    }
    llmjson_syntax::JsonText::of(name)
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
