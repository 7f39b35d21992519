//! Fields of one object with ambiguous names or aliases.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use llmjson_schema::internal::similar::{normal_name, parts_of_name, pieces_of_name};
use llmjson_syntax::{Kind, ValueRef};

use super::findings::{Findings, listed, shown};
use super::subschemas::Subschemas;
use crate::tool::Tool;
use llmjson_reply::policy::Names;
use llmjson_targets::LintCode;

/// A part of a name that more fields share is too common to warn about.
const SHARED_MAX: usize = 8;

pub(super) fn check(tool: &Tool, subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    let matching = tool.settled_policy().names();
    for (at, subschema) in subschemas.iter() {
        let properties = subschema.schema.get("properties");
        let Some(properties) = properties.filter(|one| one.kind() == Kind::Object) else {
            continue;
        };
        let fields: Vec<_> = properties.members().collect();
        let pointer = || subschemas.pointer(at) + "/properties";
        let others = aliases(&fields);
        check_aliases(&fields, &others, &pointer, findings);
        if matching != Names::Exact {
            warn_of_spellings(&fields, &others, &pointer, findings);
        }
        if matching == Names::Derived {
            warn_of_parts(&fields, &pointer, findings);
        }
    }
}

type Fields<'s> = [(Cow<'s, str>, ValueRef<'s>)];

fn aliases<'s>(fields: &Fields<'s>) -> Vec<(usize, Cow<'s, str>)> {
    let mut aliases = Vec::new();
    for (at, (_, field)) in fields.iter().enumerate() {
        for word in ["x-alias", "x-aliases"] {
            let Some(value) = field.get(word) else {
                continue;
            };
            let texts = value.items().chain([value]).filter_map(ValueRef::as_str);
            aliases.extend(texts.map(|text| (at, text)));
        }
    }
    aliases
}

fn check_aliases(
    fields: &Fields<'_>,
    others: &[(usize, Cow<'_, str>)],
    pointer: &impl Fn() -> String,
    findings: &mut Findings<'_>,
) {
    if others.is_empty() {
        return;
    }
    let names = fields.iter().enumerate();
    let names: HashMap<&str, usize> = names.map(|(at, (name, _))| (&**name, at)).collect();
    let mut claimed: HashMap<&str, usize> = HashMap::new();
    for (at, alias) in others {
        let name = &fields[*at].0;
        let message = match (names.get(&**alias), claimed.insert(alias, *at)) {
            (Some(other), _) if other != at => {
                format!(
                    "the alias `{}` of `{}` is also the name of a field",
                    shown(alias),
                    shown(name)
                )
            }
            (_, Some(other)) if other != *at => {
                let both = listed([&*fields[other].0, name], "and");
                format!("the alias `{}` is declared for both {both}", shown(alias))
            }
            _ => continue,
        };
        findings.error(LintCode::Names, pointer(), message);
    }
}

/// Warns of names that differ only in case and separators.
fn warn_of_spellings(
    fields: &Fields<'_>,
    others: &[(usize, Cow<'_, str>)],
    pointer: &impl Fn() -> String,
    findings: &mut Findings<'_>,
) {
    let names = fields.iter().map(|(name, _)| name).enumerate();
    let names = names.chain(others.iter().map(|(at, alias)| (*at, alias)));
    let mut by_spelling: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
    for (at, name) in names {
        let sharing = by_spelling.entry(normal_name(name)).or_default();
        let sharing_len = sharing.len();
        let mut known = sharing.iter();
        // An alias shared by two fields is reported elsewhere.
        if sharing_len <= SHARED_MAX
            && !known.any(|(other, spelling)| *other == at || *spelling == name)
        {
            sharing.push((at, name));
        }
    }
    for sharing in by_spelling.values().filter(|sharing| sharing.len() > 1) {
        let names = sharing.iter().map(|(_, name)| *name);
        let message = format!(
            "{} differ only in case and separators, so other spellings are ambiguous",
            listed(names, "and")
        );
        findings.warning(LintCode::Names, pointer(), message);
    }
}

/// Warns of names that share their first or last words, which are then ambiguous.
fn warn_of_parts(fields: &Fields<'_>, pointer: &impl Fn() -> String, findings: &mut Findings<'_>) {
    let mut by_part: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (name, _)) in fields.iter().enumerate() {
        for part in pieces_of_name(name) {
            let sharing = by_part.entry(part).or_default();
            if sharing.len() <= SHARED_MAX && sharing.last() != Some(&at) {
                sharing.push(at);
            }
        }
    }
    let mut by_fields: BTreeMap<&[usize], Vec<&str>> = BTreeMap::new();
    // A part that stands for none of them is never taken for one.
    let is_told = |part: &String, sharing: &[usize]| {
        let stands_for = |at: &usize| parts_of_name(&fields[*at].0).contains(part);
        (2..=SHARED_MAX).contains(&sharing.len()) && sharing.iter().any(stands_for)
    };
    for (part, sharing) in by_part
        .iter()
        .filter(|(part, sharing)| is_told(part, sharing))
    {
        by_fields.entry(sharing).or_default().push(part);
    }
    for (sharing, parts) in by_fields {
        let spelling = |at: &usize| normal_name(&fields[*at].0);
        let first = spelling(&sharing[0]);
        if sharing.iter().all(|at| spelling(at) == first) {
            continue;
        }
        let names = listed(sharing.iter().map(|at| &*fields[*at].0), "and");
        let parts = listed(parts, "or");
        let message = format!("{names} share {parts}, which is ambiguous on its own");
        findings.warning(LintCode::Names, pointer(), message);
    }
}
