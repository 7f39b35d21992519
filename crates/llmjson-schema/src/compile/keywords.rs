//! Reads the keywords of one subschema into its shape.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use llmjson_syntax::internal::decimal::Decimal;

use super::Compiler;
use super::tag::Declared;
use crate::base::error::SchemaError;
use crate::ir::bounds::{Bound, NumberKeyword};
use crate::ir::names::{NAME_MAX, member_key};
use crate::ir::shape::{
    Additional, ArrayRules, BranchCount, Literals, NumberRules, ObjectRules, Property, Shape,
    ShapeId, StringRules, Types, Union,
};
use crate::normal::keyword::count;
use crate::normal::tree::{Json, NodeIx, Tree};

impl Compiler<'_> {
    pub(super) fn read(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        if *self.tree.get(node) == Json::Bool(false) {
            self.get_mut(id).types = Types::NONE;
        }
        self.read_types(node, id);
        self.read_rules(node, id)?;
        if self.get(id).array.is_some() {
            self.read_arrays(node, id)?;
        }
        if self.get(id).object.is_some() {
            self.read_objects(node, id)?;
        }
        if self.tree.references.leads_on {
            self.read_in_place(node, id)?;
        }
        if self.tree.has(node, super::conditions::KEYWORDS) {
            self.conditional.push((node, id));
        }
        Ok(())
    }

    fn read_types(&mut self, node: NodeIx, id: ShapeId) {
        let tree = self.tree;
        let mut types = self.get(id).types;
        if let Some(list) = tree.member(node, "type") {
            // `"type": "string"` and `"type": ["string"]`: both are a list here.
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
        let list = tree.member(node, "enum");
        let mut literals = list.map(|list| tree.items(list).to_vec());
        if let Some(constant) = tree.member(node, "const") {
            // `{"enum": [1, 2], "const": 2.0}`: keys are the same for numbers that are equal.
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
        let tree = self.tree;
        let shape = &mut self.shapes[id.0 as usize];
        // `allOf` of two enumerations: the intersection, in the order of the later one.
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

    /// Returns the other spellings under which enumerated values are accepted: an object that has
    /// for each of them one or several, or a list of the names that members of an enumeration have in a program.
    fn aliases_of_values(&self, node: NodeIx) -> Vec<(Box<str>, Box<str>)> {
        let tree = self.tree;
        let mut aliases = Vec::new();
        let listed = |keyword| tree.member(node, keyword).map(|list| tree.items(list));
        if let (Some(values), Some(names)) = (listed("enum"), listed("x-enum-varnames"))
            && values.len() == names.len()
        {
            for (value, name) in values.iter().zip(names) {
                let value = match tree.text(*value) {
                    Some(text) => text.to_owned(),
                    None => tree.to_value(*value, &HashMap::new()).to_string(),
                };
                let name = tree.text(*name).filter(|name| *name != value);
                aliases.extend(name.map(|name| (name.into(), value.into())));
            }
        }
        for keyword in ["x-alias", "x-aliases"] {
            let Some(map) = tree.member(node, keyword) else {
                continue;
            };
            for (value, others) in tree.members(map) {
                let others = tree.items(others).iter().copied().chain([others]);
                let others = others.filter_map(|other| tree.text(other));
                aliases.extend(others.map(|other| (other.into(), value.into())));
            }
        }
        aliases
    }

    /// Reads the keywords that hold no subschemas, other than types and constants.
    fn read_rules(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        let shape = self.get_mut(id);
        for (keyword, value) in tree.members(node) {
            let text = tree.text(value).or_else(|| tree.number(value));
            let text = text.unwrap_or_default();
            let own = || Some(text.into());
            let bound = || Some(Bound::new(text));
            match keyword {
                "default" => {
                    shape.default = Some(tree.to_value(value, &HashMap::new()).into());
                }
                "minimum" => number(shape).bounds[NumberKeyword::Minimum as usize] = bound(),
                "maximum" => number(shape).bounds[NumberKeyword::Maximum as usize] = bound(),
                "exclusiveMinimum" => {
                    number(shape).bounds[NumberKeyword::ExclusiveMinimum as usize] = bound()
                }
                "exclusiveMaximum" => {
                    number(shape).bounds[NumberKeyword::ExclusiveMaximum as usize] = bound()
                }
                "multipleOf" => number(shape).multiple_of = own(),
                "minLength" => string(shape).min_length = count(tree, value),
                "maxLength" => string(shape).max_length = count(tree, value),
                "pattern" => string(shape).pattern = own(),
                "format" => read_format(shape, text),
                "contentMediaType" if is_json(text) => string(shape).holds_json = true,
                "minItems" => array(shape).min_items = count(tree, value),
                "maxItems" => array(shape).max_items = count(tree, value),
                "uniqueItems" if *tree.get(value) == Json::Bool(true) => array(shape).unique = true,
                "minProperties" => object(shape).min_properties = count(tree, value),
                "maxProperties" => object(shape).max_properties = count(tree, value),
                // The contents of these are read once the shape is complete.
                "prefixItems" | "items" => _ = array(shape),
                "properties" | "required" | "patternProperties" | "additionalProperties" => {
                    object(shape);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_arrays(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        if let Some(list) = tree.member(node, "prefixItems") {
            for &item in tree.items(list) {
                let shape = self.shape_of(item)?;
                array(self.get_mut(id)).prefix.push(shape);
            }
        }
        if let Some(items) = tree.member(node, "items") {
            let shape = self.shape_of(items)?;
            array(self.get_mut(id)).items = Some(shape);
        }
        Ok(())
    }

    fn read_objects(&mut self, node: NodeIx, id: ShapeId) -> Result<(), SchemaError> {
        let tree = self.tree;
        let keywords = [
            "properties",
            "required",
            "patternProperties",
            "additionalProperties",
        ];
        let [properties, required, patterns, additional] =
            keywords.map(|keyword| tree.member(node, keyword));
        let mut rules = self.get_mut(id).object.take().unwrap_or_default();
        let properties = properties.map(|map| tree.members(map));
        rules
            .properties
            .reserve_exact(properties.as_ref().map_or(0, |map| map.len()));
        for (name, schema) in properties.into_iter().flatten() {
            rules.push(Property {
                name: name.into(),
                aliases: self.aliases_of(schema),
                title: self.title_of(name, schema),
                shape: self.shape_of(schema)?,
                required: false,
            });
        }
        let required = required.map_or(&[][..], |list| tree.items(list));
        for name in required.iter().filter_map(|&name| tree.text(name)) {
            rules.require(name);
        }
        for (pattern, schema) in patterns.into_iter().flat_map(|map| tree.members(map)) {
            let shape = self.shape_of(schema)?;
            rules.patterns.push((pattern.into(), shape));
        }
        rules.additional = match additional {
            None => Additional::Silent,
            Some(schema) if *tree.get(schema) == Json::Bool(false) => Additional::Forbidden,
            Some(schema) => Additional::Open(self.shape_of(schema)?),
        };
        self.get_mut(id).object = Some(rules);
        Ok(())
    }

    /// Returns the title of a property that differs from its name in more than spelling.
    fn title_of(&self, name: &str, schema: NodeIx) -> Option<Box<str>> {
        let title = self.tree.text(self.tree.member(schema, "title")?)?;
        let key = (title.len() <= NAME_MAX).then(|| member_key(title))?;
        (!key.is_empty() && key != member_key(name)).then(|| title.into())
    }

    /// Returns the other names under which a property is accepted.
    pub(super) fn aliases_of(&self, schema: NodeIx) -> Vec<Box<str>> {
        let tree = self.tree;
        let mut aliases = Vec::new();
        for keyword in ["x-alias", "x-aliases"] {
            let Some(value) = tree.member(schema, keyword) else {
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
        if let Some(target) = self.tree.references.target(node) {
            also.push(self.shape_of(target)?);
        }
        for &part in tree
            .member(node, "allOf")
            .map_or(&[][..], |list| tree.items(list))
        {
            also.push(self.shape_of(part)?);
        }
        let declared = Declared::read(self.tree, node).map(Rc::new);
        for (keyword, holds) in [
            ("anyOf", BranchCount::AtLeastOne),
            ("oneOf", BranchCount::ExactlyOne),
        ] {
            let Some(list) = tree.member(node, keyword) else {
                continue;
            };
            let mut branches = Vec::new();
            for &branch in tree.items(list) {
                branches.push(self.shape_of(branch)?);
            }
            let union = Union::new(branches, holds);
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

/// A text that two values share if they are the same in JSON Schema, where `1` and `1.0` are. Recurses as
/// deep as the schema nests, which is limited.
pub(super) fn key(tree: &Tree, node: NodeIx) -> String {
    match tree.get(node) {
        Json::Number(text) => {
            let number = Decimal::new(tree.at(*text));
            let digits: String = number.digits().map(char::from).collect();
            format!("{:?} {digits}", number.scale())
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|&item| key(tree, item)).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(_) => {
            let members = tree.members(node);
            let members: BTreeMap<&str, String> = members
                .map(|(name, value)| (name, key(tree, value)))
                .collect();
            format!("{members:?}")
        }
        Json::Null | Json::Bool(_) | Json::String(_) => {
            tree.to_value(node, &HashMap::new()).to_string()
        }
    }
}

/// The single type of a value.
pub(super) fn type_of(tree: &Tree, node: NodeIx) -> Types {
    match tree.get(node) {
        Json::Null => Types::NULL,
        Json::Bool(_) => Types::BOOLEAN,
        Json::Number(text) => {
            if Decimal::new(tree.at(*text)).is_whole() {
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

fn number(shape: &mut Shape) -> &mut NumberRules {
    shape.number.get_or_insert_default()
}

pub(super) fn string(shape: &mut Shape) -> &mut StringRules {
    shape.string.get_or_insert_default()
}

fn array(shape: &mut Shape) -> &mut ArrayRules {
    shape.array.get_or_insert_default()
}

fn object(shape: &mut Shape) -> &mut ObjectRules {
    shape.object.get_or_insert_default()
}

/// A format is about texts, or names the width of an integer.
fn read_format(shape: &mut Shape, name: &str) {
    if shape.types.meets(Types::STRING) {
        string(shape).format = Some(name.into());
    }
    if shape.types.and(Types::NUMBER) == Types::INTEGER
        && let Some((low, high)) = width(name)
    {
        number(shape).width = Some((name.into(), low, high));
    }
}

fn is_json(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default().trim();
    let name = name.to_ascii_lowercase();
    name == "application/json" || name.ends_with("+json")
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
