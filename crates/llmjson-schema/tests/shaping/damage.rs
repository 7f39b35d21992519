//! What models do to the types of a value, one operator for each habit.
//!
//! Each says where the truth is not lost by it: a text where a text may stand is that text, a
//! single item where both it and a list of it may stand is that item. There nothing is damaged.

use crate::instance::{Body, Instance, Members, Named};
use crate::spec::{Convention, Takes};
use llmjson_testutil::{Rng, Tree as Json};

/// One habit.
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    /// What it makes of a value whose inner parts may be damaged already; nothing if there is no
    /// place for it, or the truth would be lost.
    pub(crate) apply: fn(&Instance, &Json, &mut Rng) -> Option<Json>,
}

pub(crate) const OPERATORS: &[Operator] = &[
    operator("number as text", number_as_text),
    operator("boolean as text", boolean_as_text),
    operator("null as text", null_as_text),
    operator("word for boolean", word_for_boolean),
    operator("word for null", word_for_null),
    operator("grouped number", grouped_number),
    operator("whole number with fraction", with_fraction),
    operator("text as number", text_as_number),
    operator("text as boolean", text_as_boolean),
    operator("subtree as text", subtree_as_text),
    operator("subtree as damaged text", subtree_as_damaged_text),
    operator("single item bare", single_item_bare),
    operator("single item in an object", single_item_in_object),
    operator("value in a list", value_in_list),
    operator("names in another convention", other_convention),
    operator("constant in another case", other_case),
    operator("constant in other words", other_words),
    operator("nulls for what is absent", nulls),
    operator("null as text for what is absent", text_nulls),
    operator("envelope", envelope),
    operator("envelope of a call", call_envelope),
    operator("envelope holding text", text_envelope),
    operator("envelope of any name", any_envelope),
    operator("envelope of a function", function_envelope),
    operator("envelope of a list", list_envelope),
];

type Apply = fn(&Instance, &Json, &mut Rng) -> Option<Json>;

const fn operator(name: &'static str, apply: Apply) -> Operator {
    Operator { name, apply }
}

/// A value with this damage at some of its places, and at how many.
pub(crate) fn damage(
    instance: &Instance,
    operators: &[&Operator],
    percent: usize,
    rng: &mut Rng,
) -> (Json, usize) {
    let mut count = 0;
    let json = apply(instance, operators, percent, rng, &mut count);
    (json, count)
}

fn apply(
    instance: &Instance,
    operators: &[&Operator],
    percent: usize,
    rng: &mut Rng,
    count: &mut usize,
) -> Json {
    let mut json = match &instance.body {
        Body::List(list) => {
            let items = list.items.iter();
            Json::Array(
                items
                    .map(|item| apply(item, operators, percent, rng, count))
                    .collect(),
            )
        }
        Body::Object(object) => {
            let members = object.members.iter().map(|(name, value)| {
                let value = apply(value, operators, percent, rng, count);
                (name.written.clone(), value)
            });
            Json::Object(members.collect())
        }
        _ => instance.truth(),
    };
    for operator in operators {
        if rng.chance(percent)
            && let Some(damaged) = (operator.apply)(instance, &json, rng)
            && damaged != json
        {
            json = damaged;
            *count += 1;
        }
    }
    json
}

/// Whether a text that stands there is that text.
fn takes_texts(takes: Takes) -> bool {
    takes.text
}

fn number_as_text(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let Json::Number(number) = json else {
        return None;
    };
    let spaced = if rng.chance(20) { " " } else { "" };
    (!takes_texts(instance.takes)).then(|| Json::Text(format!("{spaced}{number}{spaced}")))
}

fn boolean_as_text(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let Json::Bool(truth) = json else { return None };
    let spellings = match truth {
        true => ["true", "True", "TRUE"],
        false => ["false", "False", "FALSE"],
    };
    (!takes_texts(instance.takes)).then(|| Json::text(rng.pick(&spellings)))
}

/// A null is a value of its own only where null may stand.
fn null_as_text(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    (*json == Json::Null && !takes_texts(instance.takes)).then(|| Json::text("null"))
}

fn word_for_boolean(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let Json::Bool(truth) = json else { return None };
    let words = match truth {
        true => ["yes", "Yes", "y", "on"],
        false => ["no", "No", "NO", "off"],
    };
    (!takes_texts(instance.takes)).then(|| Json::text(rng.pick(&words)))
}

fn word_for_null(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let words = ["none", "None", "nil"];
    (*json == Json::Null && !takes_texts(instance.takes)).then(|| Json::text(rng.pick(&words)))
}

/// Thousands apart by commas, perhaps with a sign of currency; only whole parts that have any.
fn grouped_number(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let Json::Number(number) = json else {
        return None;
    };
    if takes_texts(instance.takes) || number.contains('e') {
        return None;
    }
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", number.as_str()),
    };
    let (whole, fraction) = number
        .find('.')
        .map_or((number, ""), |at| number.split_at(at));
    if whole.len() < 4 {
        return None;
    }
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let currency = rng.pick(&["", "$", "€"]);
    Some(Json::Text(format!("{sign}{currency}{grouped}{fraction}")))
}

/// Only where a whole number is asked for: elsewhere `3.0` is as good as `3`.
fn with_fraction(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let Json::Number(number) = json else {
        return None;
    };
    let whole = !instance.takes.fraction && !number.contains(['.', 'e']);
    whole.then(|| Json::Number(format!("{number}{}", rng.pick(&[".0", ".00", "e0"]))))
}

fn text_as_number(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let Json::Text(text) = json else { return None };
    let plain = matches!(text.as_str(), "13120057004" | "42" | "3.50");
    (plain && instance.takes.text && !instance.takes.number).then(|| Json::number(text))
}

fn text_as_boolean(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let fits = *json == Json::text("true") && instance.takes.text && !instance.takes.boolean;
    fits.then_some(Json::Bool(true))
}

fn is_container(json: &Json) -> bool {
    matches!(json, Json::Array(_) | Json::Object(_))
}

fn subtree_as_text(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let read = !takes_texts(instance.takes) && is_container(json);
    read.then(|| Json::Text(json.write()))
}

/// Python's way to write it, or in a fence. A list of texts could hold such a text as an item.
fn subtree_as_damaged_text(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let of_texts = matches!(&instance.body, Body::List(list) if takes_texts(list.item));
    if takes_texts(instance.takes) || !is_container(json) || of_texts {
        return None;
    }
    let text = json.write();
    if rng.chance(50) {
        return Some(Json::Text(format!("```json\n{text}\n```")));
    }
    let close = text.len() - 1;
    let empty = matches!(json, Json::Array(items) if items.is_empty())
        || matches!(json, Json::Object(members) if members.is_empty());
    (!empty).then(|| Json::Text(format!("{},{}", &text[..close], &text[close..])))
}

/// Whether a value would be taken for what stands at the place already.
fn takes_as_it_is(takes: Takes, json: &Json) -> bool {
    match json {
        Json::Null => takes.null,
        Json::Bool(_) => takes.boolean || takes_texts(takes),
        Json::Number(_) => takes.number || takes_texts(takes),
        // A text may also stand for a number, for a keyword and for what it holds.
        Json::Text(_) => takes.text || takes.choice || takes.number || takes.boolean || takes.null,
        Json::Array(_) => takes.list,
        Json::Object(_) => takes.object,
    }
}

/// An item of a list of lists would be taken for the outer list.
fn single_item_bare(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let (Body::List(list), Json::Array(items)) = (&instance.body, json) else {
        return None;
    };
    let ([item], [whole]) = (&items[..], &list.items[..]) else {
        return None;
    };
    let lost = list.is_tuple
        || list.item.list
        || matches!(item, Json::Null)
        || *item != whole.truth() && !is_container(item)
        || takes_as_it_is(instance.takes, item)
        || matches!((item, list.item.text), (Json::Text(text), false) if text.starts_with('['))
        // Such a text says that there is nothing.
        || *item == Json::text("none");
    (!lost).then(|| item.clone())
}

/// Only an item that is right as it stands; an object where an object may stand was meant.
fn single_item_in_object(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let (Body::List(list), Json::Array(items)) = (&instance.body, json) else {
        return None;
    };
    let ([item], [whole]) = (&items[..], &list.items[..]) else {
        return None;
    };
    let lost = list.is_tuple
        || list.item.object
        || instance.takes.object
        || is_container(item)
        || *item == Json::Null
        || *item != whole.truth();
    (!lost).then(|| Json::object([("path", item.clone())]))
}

/// A scalar only if it is right as it stands: two steps from what was meant are too far.
fn value_in_list(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    let lost = instance.takes.list
        || *json == Json::Null
        || (!is_container(json) && *json != instance.truth());
    (!lost).then(|| Json::Array(vec![json.clone()]))
}

fn object_of(instance: &Instance) -> Option<&Members> {
    match &instance.body {
        Body::Object(object) if !object.is_map => Some(object),
        _ => None,
    }
}

fn other_convention(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Some(object), Json::Object(members)) = (object_of(instance), json) else {
        return None;
    };
    let convention = rng.pick(&Convention::ALL);
    let renamed = members.iter().map(|(name, value)| {
        let known = object.known.iter().find(|known| known.written == *name);
        let words = known.and_then(|known| known.words);
        let name = words.map_or_else(|| name.clone(), |words| convention.write(words));
        (name, value.clone())
    });
    Some(Json::Object(renamed.collect()))
}

fn other_case(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Body::Choice(text), Json::Text(_)) = (&instance.body, json) else {
        return None;
    };
    let changed = match rng.below(5) {
        0 => text.to_uppercase(),
        1 => text.to_lowercase(),
        2 => text.replace(['_', '-'], " "),
        3 => text.replace([' ', '-'], "_"),
        _ => format!(" {text} "),
    };
    (!takes_texts(instance.takes)).then_some(Json::Text(changed))
}

/// The signs of a qualified name as those between words.
fn other_words(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Body::Choice(text), Json::Text(_)) = (&instance.body, json) else {
        return None;
    };
    let changed = text.replace(['.', '/'], rng.pick(&["_", "-", " ", ":", ""]));
    (!takes_texts(instance.takes)).then_some(Json::Text(changed))
}

/// Null for members that may be absent and may not be null.
fn nulls(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Some(object), Json::Object(_)) = (object_of(instance), json) else {
        return None;
    };
    let mut json = json.clone();
    for Named { written, .. } in &object.absent {
        if rng.chance(70) {
            json.push(written, Json::Null);
        }
    }
    Some(json)
}

/// The same as a text, where no text is asked for.
fn text_nulls(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Some(object), Json::Object(_)) = (object_of(instance), json) else {
        return None;
    };
    let mut json = json.clone();
    for Named { written, .. } in &object.absent_no_text {
        if rng.chance(70) {
            json.push(written, Json::text(rng.pick(&["null", "Null", " null "])));
        }
    }
    Some(json)
}

const WRAPPERS: [&str; 8] = [
    "arguments",
    "parameters",
    "input",
    "args",
    "data",
    "result",
    "tool_input",
    "Response",
];

const OTHER_WRAPPERS: [&str; 3] = ["payload", "record", "the_item"];

fn is_other_wrapper(name: &str) -> bool {
    name == "function" || OTHER_WRAPPERS.contains(&name)
}

/// Nothing says that an envelope is one if nothing that was asked for is in it, and an envelope in
/// an envelope is left alone.
fn fits_in_envelope(instance: &Instance, json: &Json) -> bool {
    let Json::Object(members) = json else {
        return false;
    };
    object_of(instance).is_some_and(|object| !object.members.is_empty())
        && !members
            .iter()
            .any(|(name, _)| WRAPPERS.contains(&name.as_str()) || is_other_wrapper(name))
}

fn envelope(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let name = rng.pick(&WRAPPERS);
    fits_in_envelope(instance, json).then(|| Json::object([(name, json.clone())]))
}

fn call_envelope(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    fits_in_envelope(instance, json)
        .then(|| Json::object([("name", Json::text("search")), ("arguments", json.clone())]))
}

fn text_envelope(instance: &Instance, json: &Json, _: &mut Rng) -> Option<Json> {
    fits_in_envelope(instance, json)
        .then(|| Json::object([("arguments", Json::Text(json.write()))]))
}

/// Only where it cannot be meant as it is: a member that is required is in the envelope.
fn any_envelope(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let needed = object_of(instance)?.requires_any && fits_in_envelope(instance, json);
    let name = rng.pick(&OTHER_WRAPPERS);
    let content = match rng.chance(30) {
        true => Json::Text(json.write()),
        false => json.clone(),
    };
    needed.then(|| Json::object([(name, content)]))
}

/// As servers write a call.
fn function_envelope(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let content = match rng.chance(50) {
        true => Json::Text(json.write()),
        false => json.clone(),
    };
    let call = Json::object([("name", Json::text("search")), ("arguments", content)]);
    fits_in_envelope(instance, json)
        .then(|| Json::object([("type", Json::text("function")), ("function", call)]))
}

/// Where an object may stand, or be an item, it is one.
fn list_envelope(instance: &Instance, json: &Json, rng: &mut Rng) -> Option<Json> {
    let (Body::List(list), Json::Array(_)) = (&instance.body, json) else {
        return None;
    };
    let name = rng.pick(&["data", "result", "items", "entries"]);
    let lost = instance.takes.object || list.item.object || takes_texts(instance.takes);
    (!lost).then(|| Json::object([(name, json.clone())]))
}
