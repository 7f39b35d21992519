//! A value as an array's only item: whether it may be one, and how certain that is. Also the values
//! of a repeated key as an array's items.

use std::collections::HashMap;

use llmjson_syntax::{Class, Kind, NodeId};
use smallvec::SmallVec;

use super::forms::words;
use super::log::LogStep;
use super::state::{CONTAINERS, Call, Coercer, Outcome, Waiting};
use crate::base::embedded::is_fenced;
use crate::base::report::CoercionKind;
use crate::ir::shape::{Shape, ShapeId, Types};

impl Coercer<'_, '_> {
    /// Returns `true` if a string means that there is nothing, rather than being the only item of
    /// an array.
    pub(super) fn is_no_item(&self, call: Call, item: ShapeId) -> bool {
        if self.options.plain_fields {
            return false;
        }
        let Some(text) = self.value(call.node).as_str() else {
            return false;
        };
        let text = text.trim();
        let literals = self.shapes.get(item).literals.as_ref();
        let is_listed = || literals.is_some_and(|literals| literals.has_folded(text));
        // `"N/A"` where an array is expected: no item, unless it is an allowed value. `""` for an
        // array is an empty form field rather than an array with an empty string.
        text.is_empty() || words::is_nothing(text) && !is_listed()
    }

    /// Returns `true` if an object that could not be corrected is wrapped in an array nevertheless,
    /// so that violations are about its members. In an array it is read the same way again.
    pub(super) fn is_item(&mut self, call: Call) -> bool {
        let Some(item) = self.item_shape(call.shape) else {
            return false;
        };
        let types = self.shapes.types_of(item);
        !self.options.plain_fields
            && self.value(call.node).kind() == Kind::Object
            && types.meets(Types::OBJECT)
            && !types.meets(Types::ARRAY)
    }

    /// Returns `true` if single values may become items of that shape.
    pub(super) fn takes_items_of(&mut self, item: ShapeId) -> bool {
        !self.options.plain_fields || !self.shapes.types_of(item).meets(CONTAINERS)
    }

    /// Returns the shape of the first item of an array; `None` if the array does not say.
    pub(super) fn item_shape(&self, id: ShapeId) -> Option<ShapeId> {
        let rules = self.shapes.get(id).array.as_deref()?;
        rules.item(0)
    }

    /// Returns `true` if an item that agrees would be read in the same way again, whether or not
    /// its content fits: a union could choose another branch once the item is in an array.
    pub(super) fn is_plain_item(&self, call: Call) -> bool {
        let item = self.item_shape(call.shape).map(|id| self.shapes.get(id));
        item.is_some_and(Shape::is_alone)
    }

    /// A string with the punctuation of an array may be several items, a value with a repeated key
    /// is not the only one, and an object with none of an item's members is something else, such as
    /// an array with numbered keys.
    fn class_of_wrapping(&self, kind: CoercionKind, call: Call, item: NodeId) -> Class {
        let value = self.value(item);
        let shape = self.item_shape(call.shape).map(|id| self.shapes.get(id));
        let rules = shape.and_then(|shape| shape.object.as_deref());
        let strange = rules.is_some_and(|rules| {
            let mut names = value.members().map(|(name, _)| name);
            !rules.properties.is_empty() && !names.any(|name| rules.declares(&name))
        });
        let written = self.value(call.node);
        let is_one_of = shape.is_some_and(|shape| shape.literals.is_some());
        let is_doubtful = |text: &str| has_list_marks(text) || words::may_be_nothing(text);
        let is_list = || !is_one_of && written.as_str().is_some_and(|text| is_doubtful(&text));
        match value.kind() {
            // `{"a": 1, "b": 2}` with none of an item's members.
            Kind::Object if strange => Class::Guess,
            _ if written.came_again() || is_list() => Class::Guess,
            _ => kind.class(),
        }
    }

    /// Joins the values of each duplicate key in one array if an array is expected.
    pub(super) fn join_repeated(&mut self, call: Call, waiting: &mut [Waiting]) {
        let shapes = self.shapes;
        let mut waiting = waiting.iter_mut();
        let wants = |one: &&mut Waiting| shapes.wants_list(one.shape) && !one.kept;
        let reads = !call.has(Call::JUDGE) && self.options.allows(CoercionKind::RepeatedKey);
        let Some(first) = waiting.find(wants).filter(|_| reads) else {
            return;
        };
        if !self.options.reaches(call.depth + 1) {
            return;
        }
        let mut by_name: HashMap<_, SmallVec<[NodeId; 4]>> = HashMap::new();
        for (key, value) in self.value(call.node).members().repeated() {
            by_name.entry(key.decoded()).or_default().push(value.id());
        }
        let all = by_name.into_values();
        let mut by_last: HashMap<_, _> = all.map(|all| (all.last().copied(), all)).collect();
        self.charge(by_last.values().map(SmallVec::len).sum());
        for one in std::iter::once(first).chain(waiting.filter(wants)) {
            let values = by_last.remove(&Some(one.node));
            if let Some(values) = values.filter(|values| self.are_items(values)) {
                one.joined = Some(self.editor.array(&values));
                self.joined.push(values);
            }
        }
    }

    /// Returns `true` if the values of a repeated key may be the items of one array: none of them
    /// is an array or nothing, and they are not repetitions of one value.
    fn are_items(&self, values: &[NodeId]) -> bool {
        let is_item = |node: &NodeId| {
            let value = self.value(*node);
            let is_list = |text: &str| text.trim_start().starts_with('[') || is_fenced(text);
            !matches!(value.kind(), Kind::Array | Kind::Null)
                && !value.as_str().is_some_and(|text| is_list(&text))
        };
        let differ = |pair: &[NodeId]| self.value(pair[0]) != self.value(pair[1]);
        values.iter().all(is_item) && values.windows(2).any(differ)
    }

    pub(super) fn in_array(&mut self, kind: CoercionKind, call: Call, item: Outcome) -> Outcome {
        let node = self.editor.array(&[item.node]);
        let rules = self.shapes.get(call.shape).array.as_deref();
        let fits = rules.is_none_or(|rules| rules.takes_count(1));
        let changes = self.log.below(LogStep::Index(0), item.changes);
        let outcome = Outcome {
            node,
            agrees: true,
            conforms: item.conforms && fits,
            changes,
        };
        let class = self.class_of_wrapping(kind, call, item.node);
        if !self.options.allows_as(kind, class) {
            return Outcome::unfit(call.node);
        }
        self.changed(kind, class, call.node, outcome)
    }
}

/// Maximum length in bytes of a string that is examined.
const BYTES_MAX: usize = 1024;
/// The maximum number of words in a string whose `and` may separate two items.
const FEW_WORDS: usize = 6;

/// Returns `true` if a string may be several items: `a; b`, `- a`, `a | b`, `a and b`, `out["a"]`,
/// `"a" "b"`.
fn has_list_marks(text: &str) -> bool {
    let text = text.trim();
    let text = &text[..text.floor_char_boundary(BYTES_MAX)];
    let marks = [
        ',', ';', '|', '\n', '\t', '•', '·', '‣', '◦', '▪', '，', '、', '；', '،', '؛',
    ];
    let signs = [" / ", " & ", " + ", " #"];
    let words = || [" and ", " or "].iter().any(|word| text.contains(word));
    text.contains(marks)
        || signs.iter().any(|sign| text.contains(sign))
        || words() && text.split_whitespace().count() <= FEW_WORDS
        || begins_item(text)
        || is_bracketed(text)
}

/// Returns `true` if a string begins like a list item: `- a`, `* a`, `1. a`, `(2) a`.
fn begins_item(text: &str) -> bool {
    let Some((first, _)) = text.split_once(char::is_whitespace) else {
        return false;
    };
    let number = first
        .trim_start_matches('(')
        .trim_end_matches(['.', ')', ':']);
    matches!(first, "-" | "*" | "+" | "–" | "—")
        || number.len() < first.len()
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` if a string is quoted or bracketed, or contains an array of strings.
fn is_bracketed(text: &str) -> bool {
    let around = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('[', ']'),
        ('(', ')'),
        ('{', '}'),
        ('<', '>'),
    ];
    let stands = |(open, close)| text.len() > 1 && text.starts_with(open) && text.ends_with(close);
    around.into_iter().any(stands)
        || text.ends_with(']') && (text.contains("[\"") || text.contains("['"))
}
