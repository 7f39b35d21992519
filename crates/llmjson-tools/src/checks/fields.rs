//! Fields referred to by required groups, aliases and examples.

use std::collections::HashSet;

use llmjson_schema::internal::similar::{nearest_names, normal_name};
use llmjson_syntax::{Kind, ValueRef};

use super::findings::{Findings, shown};
use super::subschemas::Subschemas;
use crate::contract::REQUIRED_ANY;
use crate::tool::Tool;
use llmjson_targets::LintCode;

/// The maximum number of names among which similar ones are searched.
const LOOKED_AT_MAX: usize = 1_000;

/// The minimum length of a name for which similar ones are searched.
const NEAR_FROM: usize = 3;

pub(super) fn check(tool: &Tool, subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    let root = subschemas.get(0).schema;
    let groups = root
        .get(REQUIRED_ANY)
        .filter(|_| root.kind() == Kind::Object);
    if groups.is_none() && tool.aliases.is_empty() && tool.examples.is_empty() {
        return;
    }
    let members = subschemas.members_at_root();
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    let known: HashSet<&str> = names.iter().copied().collect();
    let fields = Fields { names, known };
    let groups = groups.into_iter().flat_map(ValueRef::items).enumerate();
    for (at, group) in groups.filter(|(_, group)| group.kind() == Kind::Array) {
        fields.check_group(&format!("/{REQUIRED_ANY}/{at}"), group, findings);
    }
    let others = tool.aliases.iter().map(|(member, _)| ("alias", member));
    let examples = tool.examples.iter().map(|(member, _)| ("example", member));
    for (what, member) in others.chain(examples) {
        if !fields.known.contains(&**member) {
            let message = format!("an {what} refers to a field that {}", fields.absent(member));
            findings.error(LintCode::Field, String::new(), message);
        }
    }
}

/// The properties of the root.
struct Fields<'s> {
    names: Vec<&'s str>,
    known: HashSet<&'s str>,
}

impl Fields<'_> {
    fn check_group(&self, pointer: &str, group: ValueRef<'_>, findings: &mut Findings<'_>) {
        let mut refuse = |message: String| {
            findings.error(LintCode::Field, pointer.to_owned(), message);
            findings.is_full()
        };
        let mut is_full = false;
        let members: Vec<_> = group.items().filter_map(ValueRef::as_str).collect();
        let mut seen = HashSet::new();
        for member in &members {
            if !seen.insert(&**member) {
                is_full = refuse(format!("the group lists `{}` twice", shown(member)));
            } else if !self.known.contains(&**member) {
                let absent = if is_full {
                    "is not declared".to_owned()
                } else {
                    self.absent(member)
                };
                is_full = refuse(format!("the group refers to a field that {absent}"));
            }
        }
        match (&members[..], seen.len()) {
            ([], _) => {
                refuse("the group is empty".to_owned());
            }
            ([only], _) => {
                let only = shown(only);
                refuse(format!(
                    "the group has only one field; list `{only}` in `required` instead"
                ));
            }
            (_, _) => {}
        }
    }

    fn absent(&self, name: &str) -> String {
        let hint = did_you_mean(name, self.names.iter().copied());
        format!("is not declared: `{}`{hint}", shown(name))
    }
}

/// Suggests similar names, as the end of a sentence.
pub(super) fn did_you_mean<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.take(LOOKED_AT_MAX).collect();
    let normal = normal_name(name);
    let same = names.iter().filter(|other| normal_name(other) == normal);
    let mut near: Vec<&str> = same.copied().collect();
    if near.is_empty() && normal.len() >= NEAR_FROM {
        near = nearest_names(name, names, 2);
    }
    match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", super::findings::listed(near, "or")),
    }
}
