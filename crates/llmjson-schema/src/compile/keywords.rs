//! Reads the keywords of one subschema into its shape.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Number, Value};

use super::Compiler;
use super::tag::Declared;
use crate::base::error::SchemaError;
use crate::ir::shape::{
    Additional, ArrayRules, Literals, NumberRules, ObjectRules, Property, ShapeId, StringRules,
    Types, Union,
};
use crate::normal::keyword::count;
use crate::normal::tree::{Json, NodeIx, Tree};
use crate::normal::word::{About, Known, known};

impl Compiler<'_> {
    pub(super) fn read(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        if *self.tree.get(node) == Json::Bool(false) {
            self.get_mut(id).types = Types::NONE;
        }
        let about = self.tree.about(node);
        if about.meets(About::DEFAULT)
            && let Some(value) = self.tree.under(node, known!("default"))
        {
            self.get_mut(id).default = Some(self.tree.to_value(value, &HashMap::new()));
        }
        if about.meets(About::TYPES) {
            self.read_types(node, id);
        }
        if about.meets(About::NUMBERS) {
            self.read_numbers(node, id);
        }
        if about.meets(About::TEXTS) {
            self.read_strings(node, id);
        }
        if about.meets(About::LISTS) {
            self.read_arrays(node, id)?;
        }
        if about.meets(About::OBJECTS) {
            self.read_objects(node, id)?;
        }
        if about.meets(About::SAME) {
            self.read_in_place(node, id)?;
        }
        self.get_mut(id).unusual = about.meets(About::UNUSUAL);
        Ok(())
    }

    fn read_types(&mut self, node: NodeIx, id: ShapeId) {
        let tree = self.tree;
        let mut types = self.get(id).types;
        if let Some(list) = tree.under(node, known!("type")) {
            let names = if tree.items(list).is_empty() {
                &[list][..]
            } else {
                tree.items(list)
            };
            let listed = names
                .iter()
                .filter_map(|&name| type_named(tree.text(name)?));
            types = types.and(listed.fold(Types::NONE, Types::or));
        }
        self.get_mut(id).types = types;
        let list = tree.under(node, known!("enum"));
        let mut literals = list.map(|list| tree.items(list).to_vec());
        if let Some(constant) = tree.under(node, known!("const")) {
            let same = |&one: &NodeIx| key(tree, one) == key(tree, constant);
            let allowed = literals.is_none_or(|all| all.iter().any(same));
            literals = Some(if allowed { vec![constant] } else { Vec::new() });
        }
        if let Some(nodes) = literals {
            self.narrow(id, nodes);
            self.get_mut(id).aliases = self.aliases_of_values(node);
        }
    }

    /// Allows a shape only these values, of those allowed so far.
    pub(super) fn narrow(&mut self, id: ShapeId, mut nodes: Vec<NodeIx>) {
        let tree = &self.normal.tree;
        let shape = &mut self.shapes[id.0 as usize];
        if let Some(before) = &shape.literals {
            let before = before.nodes().iter().map(|&node| key(tree, node));
            let before: HashSet<String> = before.collect();
            nodes.retain(|&node| before.contains(&key(tree, node)));
        }
        let mut types = Types::NONE;
        nodes.retain(|&node| {
            let own = type_of(tree, node);
            let allowed = shape.types.has(own);
            if allowed {
                types = types.or(own);
            }
            allowed
        });
        shape.types = shape.types.and(types);
        shape.literals = Some(Literals::new(tree, nodes));
    }

    /// Other spellings under which enumerated texts are accepted: an object that has for each text
    /// one or several.
    fn aliases_of_values(&self, node: NodeIx) -> Vec<(Box<str>, Box<str>)> {
        let tree = self.tree;
        let mut aliases = Vec::new();
        if !self.normal.about.meets(About::ALIASES) {
            return aliases;
        }
        for keyword in [known!("x-alias"), known!("x-aliases")] {
            let Some(map) = tree.under(node, keyword) else {
                continue;
            };
            for (value, others) in tree.members(map) {
                let others = tree.items(*others).iter().copied().chain([*others]);
                let others = others.filter_map(|other| tree.text(other));
                aliases.extend(others.map(|other| (other.into(), (**value).into())));
            }
        }
        aliases
    }

    fn read_numbers(&mut self, node: NodeIx, id: ShapeId) {
        let tree = self.tree;
        let number = |keyword| match tree.get(tree.under(node, keyword)?) {
            Json::Number(text) => Some(Box::from(&**text)),
            _ => None,
        };
        let types = self.get(id).types;
        let width = tree
            .under(node, known!("format"))
            .and_then(|format| tree.text(format))
            .filter(|_| types.and(Types::NUMBER) == Types::INTEGER)
            .and_then(|name| width(name).map(|(low, high)| (name.into(), low, high)));
        let rules = NumberRules {
            minimum: number(known!("minimum")),
            maximum: number(known!("maximum")),
            exclusive_minimum: number(known!("exclusiveMinimum")),
            exclusive_maximum: number(known!("exclusiveMaximum")),
            multiple_of: number(known!("multipleOf")),
            width,
        };
        let NumberRules {
            minimum,
            maximum,
            exclusive_minimum,
            ..
        } = &rules;
        let NumberRules {
            exclusive_maximum,
            multiple_of,
            width,
            ..
        } = &rules;
        let texts = [
            minimum,
            maximum,
            exclusive_minimum,
            exclusive_maximum,
            multiple_of,
        ];
        if width.is_some() || texts.iter().any(|text| text.is_some()) {
            self.get_mut(id).number = Some(Box::new(rules));
        }
    }

    fn count(&self, node: NodeIx, keyword: Known) -> Option<u64> {
        count(self.tree.get(self.tree.under(node, keyword)?))
    }

    fn text(&self, node: NodeIx, keyword: Known) -> Option<&str> {
        self.tree.text(self.tree.under(node, keyword)?)
    }

    fn read_strings(&mut self, node: NodeIx, id: ShapeId) {
        let takes_strings = self.get(id).types.meets(Types::STRING);
        let format = self
            .text(node, known!("format"))
            .filter(|_| takes_strings)
            .map(Into::into);
        let media_type = self
            .text(node, known!("contentMediaType"))
            .unwrap_or_default();
        let media_type = media_type.split(';').next().unwrap_or_default().trim();
        let rules = StringRules {
            min_length: self.count(node, known!("minLength")),
            max_length: self.count(node, known!("maxLength")),
            pattern: self.text(node, known!("pattern")).map(Into::into),
            format,
            holds_json: media_type.eq_ignore_ascii_case("application/json")
                || media_type.to_ascii_lowercase().ends_with("+json"),
        };
        if rules.min_length.is_some()
            || rules.max_length.is_some()
            || rules.pattern.is_some()
            || rules.format.is_some()
            || rules.holds_json
        {
            self.get_mut(id).string = Some(Box::new(rules));
        }
    }

    fn read_arrays(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        let mut rules = ArrayRules {
            min_items: self.count(node, known!("minItems")),
            max_items: self.count(node, known!("maxItems")),
            ..ArrayRules::default()
        };
        if let Some(list) = tree.under(node, known!("prefixItems")) {
            for &item in tree.items(list) {
                rules.prefix.push(self.shape_of(item)?);
            }
        }
        if let Some(items) = tree.under(node, known!("items")) {
            rules.items = Some(self.shape_of(items)?);
        }
        let unique = tree.under(node, known!("uniqueItems"));
        rules.unique = unique.is_some_and(|flag| *tree.get(flag) == Json::Bool(true));
        if !rules.prefix.is_empty()
            || rules.items.is_some()
            || rules.min_items.is_some()
            || rules.max_items.is_some()
            || rules.unique
        {
            self.get_mut(id).array = Some(Box::new(rules));
        }
        Ok(())
    }

    fn read_objects(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        let mut rules = ObjectRules::default();
        rules.min_properties = self.count(node, known!("minProperties"));
        rules.max_properties = self.count(node, known!("maxProperties"));
        let properties = tree
            .under(node, known!("properties"))
            .map_or(&[][..], |map| tree.members(map));
        rules.properties.reserve_exact(properties.len());
        for (name, schema) in properties {
            let shape = self.shape_of(*schema)?;
            let aliases = self.aliases_of(*schema);
            rules.push(Property {
                name: (**name).into(),
                aliases,
                shape,
                required: false,
            });
        }
        if let Some(list) = tree.under(node, known!("required")) {
            for name in tree.items(list).iter().filter_map(|&name| tree.text(name)) {
                rules.require(name);
            }
        }
        if let Some(map) = tree.under(node, known!("patternProperties")) {
            for (pattern, schema) in tree.members(map) {
                rules
                    .patterns
                    .push(((**pattern).into(), self.shape_of(*schema)?));
            }
        }
        rules.additional = match tree.under(node, known!("additionalProperties")) {
            None => Additional::Silent,
            Some(schema) if *tree.get(schema) == Json::Bool(false) => Additional::Forbidden,
            Some(schema) => Additional::Open(self.shape_of(schema)?),
        };
        self.get_mut(id).object = Some(Box::new(rules));
        Ok(())
    }

    /// Other names under which a property is accepted.
    pub(super) fn aliases_of(&self, schema: NodeIx) -> Vec<Box<str>> {
        let tree = self.tree;
        let mut aliases = Vec::new();
        if !self.normal.about.meets(About::ALIASES) {
            return aliases;
        }
        for keyword in [known!("x-alias"), known!("x-aliases")] {
            let Some(value) = tree.under(schema, keyword) else {
                continue;
            };
            let texts = tree.items(value).iter().copied().chain([value]);
            aliases.extend(
                texts
                    .filter_map(|text| tree.text(text))
                    .map(Box::<str>::from),
            );
        }
        aliases
    }

    /// Reads what else is asked about the same value: `$ref`, `allOf`, `anyOf`, `oneOf`.
    fn read_in_place(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        let mut also = Vec::new();
        if let Some(target) = self.normal.references.target(node) {
            also.push(self.shape_of(target)?);
        }
        for &part in tree
            .under(node, known!("allOf"))
            .map_or(&[][..], |list| tree.items(list))
        {
            also.push(self.shape_of(part)?);
        }
        let declared = Declared::read(self.normal, node);
        for (keyword, exclusive) in [(known!("anyOf"), false), (known!("oneOf"), true)] {
            let Some(list) = tree.under(node, keyword) else {
                continue;
            };
            let mut branches = Vec::new();
            for &branch in tree.items(list) {
                branches.push(self.shape_of(branch)?);
            }
            let union = Union::new(branches, exclusive);
            let union_id = if self.get(id).union.is_none() {
                self.get_mut(id).union = Some(Box::new(union));
                id
            } else {
                let extra = self.push_union(node, union);
                also.push(extra);
                extra
            };
            if let Some(declared) = &declared {
                self.declared.insert(union_id, declared.clone());
            }
        }
        let mut seen = HashSet::new();
        also.retain(|&part| seen.insert(part));
        self.get_mut(id).also = also;
        Ok(())
    }
}

/// A text that two values share if they are the same in JSON Schema, where `1` and `1.0` are.
pub(super) fn key(tree: &Tree, node: NodeIx) -> String {
    key_of(&tree.to_value(node, &HashMap::new()))
}

/// Recurses as deep as the schema nests, which is limited.
pub(super) fn key_of(value: &Value) -> String {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e36 => {
                // Exact: whole doubles of that size are whole in 128 bits too.
                (float as i128).to_string()
            }
            _ => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(key_of).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let members: BTreeMap<String, String> = members
                .iter()
                .map(|(name, value)| (name.clone(), key_of(value)))
                .collect();
            format!("{members:?}")
        }
        other => other.to_string(),
    }
}

/// The one type of a value.
pub(super) fn type_of(tree: &Tree, node: NodeIx) -> Types {
    match tree.get(node) {
        Json::Null => Types::NULL,
        Json::Bool(_) => Types::BOOLEAN,
        Json::Number(text) => {
            let number = serde_json::from_str::<Number>(text);
            let is_whole = number.is_ok_and(|number| {
                !number.is_f64() || number.as_f64().is_none_or(|value| value.fract() == 0.0)
            });
            if is_whole {
                Types::INTEGER
            } else {
                Types::NUMBER
            }
        }
        Json::String(_) => Types::STRING,
        Json::Array(_) => Types::ARRAY,
        Json::Object(_) => Types::OBJECT,
    }
}

fn type_named(name: &str) -> Option<Types> {
    Some(match name {
        "null" => Types::NULL,
        "boolean" => Types::BOOLEAN,
        "integer" => Types::INTEGER,
        "number" => Types::NUMBER,
        "string" => Types::STRING,
        "array" => Types::ARRAY,
        "object" => Types::OBJECT,
        _ => return None,
    })
}

/// The range of an integer width by its name as a `format`.
fn width(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" | "uint" => (0, u64::MAX.into()),
        _ => return None,
    })
}
