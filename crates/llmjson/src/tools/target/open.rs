//! Schemas for MCP, which takes JSON Schema 2020-12 as it is: only older dialects are written anew,
//! and the root becomes an object.

use super::findings::Findings;
use super::given::{Given, Ix, ROOT, Value};
use super::json::{self, Json, Members};
use super::links::{Holds, Links, holds};
use super::render::{Draft, required_any, wrapper};
use super::shape::{Piece, Shape, is_nullable};
use super::types::Types;
use super::union::sets;
use super::{LintSeverity, words};

/// How deep the JSON of subschemas may stand; what is in them goes a little deeper.
const DEPTH_MAX: u16 = 200;

/// Writes a schema as 2020-12, and says under which name its values stand if that is not as given.
pub(super) fn render<'g>(given: &'g Given, links: &Links) -> Draft<'g> {
    let shape = Shape::of(given, links, &[Piece::whole(ROOT)]);
    let is_open = || shape.kinds(given) == Types::ALL || shape.kinds(given) == Types::OBJECT;
    // What the branches of a union may be besides, is theirs to say.
    let is_object = match shape.unions.is_empty() {
        _ if shape.says_type => shape.types == Types::OBJECT,
        true => is_open(),
        false => {
            // So that nobody has to look at the same branch again and again.
            let mut left = 4 * given.size(ROOT);
            let branches = shape.unions.iter().flat_map(|union| &union.branches);
            branches
                .map_while(|ix| {
                    let branch = Shape::of(given, links, &[Piece::whole(*ix)]);
                    left = left.checked_sub(branch.cost)?;
                    Some(branch)
                })
                .all(|branch| branch.unions.is_empty() && branch.kinds(given) == Types::OBJECT)
        }
    };
    let is_object = is_object && !shape.is_nullable;
    let wrapper = (!is_object).then(|| wrapper(given, links));
    let mut copy = Copy {
        given,
        found: Findings::new(given),
        prefix: wrapper,
    };
    let mut json = copy.schema(ROOT, if wrapper.is_some() { 2 } else { 0 });
    describe(given, &mut json);
    let json = match wrapper {
        Some(name) => wrapped(json, name),
        None => with_type(json),
    };
    Draft {
        json,
        wrapper,
        excludes_values: false,
        found: copy.found,
        is_whole: true,
    }
}

struct Copy<'g> {
    given: &'g Given,
    found: Findings<'g>,
    /// The member that the root is put into.
    prefix: Option<&'static str>,
}

impl Copy<'_> {
    fn schema(&mut self, schema: Ix, depth: u16) -> Json {
        let given = self.given;
        if !matches!(given.get(schema), Value::Object(_)) {
            return json::of(given, schema);
        }
        if depth > DEPTH_MAX {
            let message = "the schema nests too deeply: any value is asked for";
            self.found
                .add(LintSeverity::Lost, schema, "type", message.to_owned());
            return Json::Object(Members::new());
        }
        let mut members = Members::new();
        let is_nullable = is_nullable(given, schema);
        let is_old_list = given
            .member(schema, "items")
            .is_some_and(|ix| matches!(given.get(ix), Value::List(_)));
        for (keyword, value) in given.members(schema) {
            let value = *value;
            let (keyword, json) = match &**keyword {
                "type" => (&**keyword, types(given, value, is_nullable)),
                "enum" if is_nullable => (&**keyword, with_null(json::of(given, value))),
                "nullable" => continue,
                "$schema"
                    if given
                        .text(value)
                        .is_some_and(|text| !text.contains("2020-12")) =>
                {
                    continue;
                }
                "items" if is_old_list => {
                    ("prefixItems", self.within(Holds::Schemas, value, depth))
                }
                "additionalItems" if is_old_list => ("items", self.schema(value, depth + 1)),
                "additionalItems" => continue,
                "minimum" if is_flag(given, schema, "exclusiveMinimum", true) => {
                    ("exclusiveMinimum", json::of(given, value))
                }
                "maximum" if is_flag(given, schema, "exclusiveMaximum", true) => {
                    ("exclusiveMaximum", json::of(given, value))
                }
                "exclusiveMinimum" | "exclusiveMaximum" if given.number(value).is_none() => {
                    continue;
                }
                "$ref" => (&**keyword, self.reference(value)),
                name => match holds(name) {
                    Some(holds) => (name, self.within(holds, value, depth)),
                    None => (name, json::of(given, value)),
                },
            };
            members.push((keyword.to_owned(), json));
        }
        let has = |name: &str| given.member(schema, name).is_some();
        let others = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];
        match is_nullable && (!has("type") || others.into_iter().any(has)) {
            true => or_null(members),
            false => Json::Object(members),
        }
    }

    /// The subschemas that a keyword holds.
    fn within(&mut self, holds: Holds, value: Ix, depth: u16) -> Json {
        let given = self.given;
        match (holds, given.get(value)) {
            (Holds::Map | Holds::Definitions, Value::Object(members)) => {
                let members = members.iter();
                Json::Object(
                    members
                        .map(|(name, ix)| (name.to_string(), self.schema(*ix, depth + 2)))
                        .collect(),
                )
            }
            (Holds::Schemas, Value::List(items)) => {
                Json::List(items.iter().map(|ix| self.schema(*ix, depth + 2)).collect())
            }
            (Holds::Schema | Holds::Schemas, Value::Object(_)) => self.schema(value, depth + 1),
            _ => json::of(given, value),
        }
    }

    /// A reference, which leads elsewhere if the root is put into a member.
    fn reference(&self, value: Ix) -> Json {
        let text = self.given.text(value).unwrap_or_default();
        let moved = self.prefix.and_then(|name| {
            let pointer = text.strip_prefix('#')?;
            let stays = pointer.starts_with("/$defs/") || pointer.starts_with("/definitions/");
            (!stays && (pointer.is_empty() || pointer.starts_with('/')))
                .then(|| format!("#/properties/{name}{pointer}"))
        });
        Json::Text(moved.unwrap_or_else(|| text.to_owned()))
    }
}

fn is_flag(given: &Given, schema: Ix, keyword: &str, value: bool) -> bool {
    given
        .member(schema, keyword)
        .is_some_and(|ix| given.is(ix, value))
}

/// `type` in lower case, and with null where `nullable` says so.
fn types(given: &Given, value: Ix, is_nullable: bool) -> Json {
    let lower = |ix: Ix| Json::Text(given.text(ix).unwrap_or_default().to_ascii_lowercase());
    let mut names = match given.get(value) {
        Value::List(items) => items.iter().map(|ix| lower(*ix)).collect(),
        _ if !is_nullable => return lower(value),
        _ => vec![lower(value)],
    };
    if is_nullable && !names.contains(&Json::text("null")) {
        names.push(Json::text("null"));
    }
    Json::List(names)
}

/// A schema or null. Definitions stay where references look for them.
fn or_null(members: Members) -> Json {
    let is_outside =
        |name: &str| matches!(name, "$defs" | "definitions" | "$schema" | "description");
    let (mut outside, inside): (Members, Members) =
        (members.into_iter()).partition(|(name, _)| is_outside(name));
    let null = Json::Object(vec![("type".to_owned(), Json::text("null"))]);
    let branches = Json::List(vec![Json::Object(inside), null]);
    outside.push(("anyOf".to_owned(), branches));
    Json::Object(outside)
}

fn with_null(mut json: Json) -> Json {
    if let Json::List(values) = &mut json
        && !values.contains(&Json::Null)
    {
        values.push(Json::Null);
    }
    json
}

/// Says in the description what `x-required-any` or a union of names asks for, and the other way round.
fn describe(given: &Given, json: &mut Json) {
    let Json::Object(members) = json else { return };
    let groups = required_any(given);
    let mut sentences: Vec<String> = groups
        .iter()
        .map(|group| words::at_least_one(group))
        .collect();
    for keyword in ["anyOf", "oneOf"] {
        let branches = given
            .member(ROOT, keyword)
            .map_or(&[][..], |ix| given.items(ix));
        if let Some(sets) = sets(given, branches).filter(|sets| !sets.is_empty()) {
            sentences.push(words::one_set(&sets, keyword == "oneOf"));
        }
    }
    if sentences.is_empty() {
        return;
    }
    let mut notes = given
        .member(ROOT, "description")
        .and_then(|ix| given.text(ix))
        .unwrap_or_default()
        .to_owned();
    for sentence in &sentences {
        words::add(&mut notes, sentence);
    }
    set(members, "description", Json::Text(notes));
    require(members, &groups);
}

/// A union of names for each group, unless there is one already.
fn require(members: &mut Members, groups: &[Vec<&str>]) {
    let has = |name: &str| members.iter().any(|(keyword, _)| keyword == name);
    let mut unions: Vec<Json> = groups
        .iter()
        .map(|group| {
            let branch =
                |name: &&str| Json::Object(vec![("required".to_owned(), Json::texts([*name]))]);
            Json::List(group.iter().map(branch).collect())
        })
        .collect();
    match unions.len() {
        1 if !has("anyOf") => members.push(("anyOf".to_owned(), unions.remove(0))),
        2.. if !has("allOf") => {
            let parts = unions
                .into_iter()
                .map(|union| Json::Object(vec![("anyOf".to_owned(), union)]));
            members.push(("allOf".to_owned(), Json::List(parts.collect())));
        }
        _ => {}
    }
}

fn set(members: &mut Members, name: &str, json: Json) {
    match members.iter_mut().find(|(one, _)| one == name) {
        Some((_, value)) => *value = json,
        None => members.push((name.to_owned(), json)),
    }
}

/// The root with its type.
fn with_type(json: Json) -> Json {
    let mut members = match json {
        Json::Object(members) => members,
        _ => Members::new(),
    };
    match members.iter_mut().find(|(name, _)| name == "type") {
        Some((_, types)) => *types = Json::text("object"),
        None => members.insert(0, ("type".to_owned(), Json::text("object"))),
    }
    Json::Object(members)
}

/// The root as the member of an object, its definitions beside it.
fn wrapped(json: Json, name: &str) -> Json {
    let is_definitions = |name: &str| matches!(name, "$defs" | "definitions" | "$schema");
    let (outside, inside): (Members, Members) = match json {
        Json::Object(members) => members
            .into_iter()
            .partition(|(name, _)| is_definitions(name)),
        _ => Default::default(),
    };
    let mut members = vec![
        ("type".to_owned(), Json::text("object")),
        (
            "properties".to_owned(),
            Json::Object(vec![(name.to_owned(), Json::Object(inside))]),
        ),
        ("required".to_owned(), Json::texts([name])),
    ];
    members.extend(outside);
    Json::Object(members)
}
