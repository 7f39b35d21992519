//! Violations of conditions: `not`, `if`, `contains`, `propertyNames`, `dependentRequired`,
//! `dependentSchemas`, `unevaluatedProperties`, `unevaluatedItems`.

use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;

use super::Collector;
use crate::base::report::{Found, Violation};
use crate::base::text::SharedText;
use crate::check::undeclared::Scope;
use crate::check::validator::leftovers::{Leftovers, Step};
use crate::describe::expected;
use crate::ir::conditions::{Condition, Needs, Rule};
use crate::ir::shape::ShapeId;

impl<'s, 'd> Collector<'s, 'd> {
    /// Reports the conditions that a value violates. `before` is the number of violations before
    /// the value was examined.
    pub(super) fn settle(&mut self, value: ValueRef<'d>, id: ShapeId, before: usize) {
        let shape = self.shapes.get(id);
        for condition in &shape.conditions {
            // Leftovers depend on which subschemas hold: if one does not, that is reported instead.
            let is_about_rest = matches!(condition.rule, Rule::Leftovers { .. });
            if !is_about_rest || self.violations.len() == before {
                self.condition(value, id, condition);
            }
        }
    }

    fn condition(&mut self, value: ValueRef<'d>, id: ShapeId, condition: &'s Condition) {
        let place = (value, id);
        match &condition.rule {
            Rule::Not(shape) if self.asks_for(value, *shape) == Some(true) => {
                let expected = format!("not {}", self.words_of(condition, "not"));
                self.breaks(place, "not", expected);
            }
            Rule::If {
                test,
                then,
                otherwise,
            } => {
                let (keyword, branch) = match self.asks_for(value, *test) {
                    Some(true) => ("then", then),
                    Some(false) => ("else", otherwise),
                    None => return,
                };
                if branch.is_some_and(|branch| self.asks_for(value, branch) == Some(false)) {
                    self.breaks(place, keyword, self.words_of(condition, keyword));
                }
            }
            Rule::Contains { item, least, most } if value.kind() == Kind::Array => {
                self.contains(place, condition, *item, (*least, *most));
            }
            Rule::Names(names) if value.kind() == Kind::Object => {
                self.property_names(value, id, condition, *names);
            }
            Rule::Members(rules) if value.kind() == Kind::Object => {
                self.dependent_required(value, id, rules);
            }
            Rule::Schemas(rules) if value.kind() == Kind::Object => {
                for (name, shape) in rules.iter().filter(|(name, _)| value.get(name).is_some()) {
                    if self.asks_for(value, *shape) == Some(false) {
                        let source = self.source(condition.node);
                        let asked =
                            source.and_then(|raw| raw.get("dependentSchemas")?.get(&**name));
                        let expected = asked.map_or_else(String::new, expected::source);
                        self.breaks(place, "dependentSchemas", expected);
                    }
                }
            }
            Rule::Leftovers {
                of,
                evaluated,
                rest,
            } if value.kind() == *of => {
                let mut leftovers = Leftovers::new(value, *evaluated, *rest);
                let mut answer = None;
                loop {
                    match leftovers.next(&self.walker, answer) {
                        Step::Ask(value, shape) => match self.asks_for(value, shape) {
                            None => return,
                            asked => answer = asked,
                        },
                        Step::Known(true) => return,
                        Step::Known(false) => break,
                    }
                }
                let keyword = match of {
                    Kind::Object => "unevaluatedProperties",
                    _ => "unevaluatedItems",
                };
                let expected = format!("{keyword} {}", self.words_of(condition, keyword));
                self.breaks(place, keyword, expected);
            }
            _ => {}
        }
    }

    /// Reports that a value violates a keyword of its shape.
    fn breaks(
        &mut self,
        (value, id): (ValueRef<'d>, ShapeId),
        keyword: &'static str,
        expected: String,
    ) {
        let expected = self.share(expected);
        self.report(id, keyword, expected, Found::Value(value.id()), None);
    }

    /// Returns whether a value fits a shape, if that is known.
    fn asks_for(&mut self, value: ValueRef<'d>, shape: ShapeId) -> Option<bool> {
        let holds = self.walker.holds(value, shape, Scope::Asked);
        (!self.is_spent() && !self.walker.is_undecided()).then_some(holds)
    }

    /// Returns a subschema in the form for validators.
    fn source(&self, node: crate::normal::tree::NodeIx) -> Option<&'s Value> {
        let pointer = self.tree.normal_pointer(node);
        self.tree.value().pointer(&pointer)
    }

    /// Returns the argument of a keyword, in words.
    fn words_of(&self, condition: &Condition, keyword: &str) -> String {
        let argument = self.source(condition.node).and_then(|raw| raw.get(keyword));
        argument.map_or_else(String::new, expected::source)
    }

    fn contains(
        &mut self,
        (value, id): (ValueRef<'d>, ShapeId),
        condition: &Condition,
        item: ShapeId,
        (least, most): (u64, Option<u64>),
    ) {
        let mut count = 0;
        for one in value.items() {
            match self.asks_for(one, item) {
                Some(holds) => count += u64::from(holds),
                None => return,
            }
        }
        let bound = |keyword| self.source(condition.node).and_then(|raw| raw.get(keyword));
        let (keyword, name, limit) = if count < least {
            match bound("minContains") {
                Some(limit) => ("minContains", "MinContains", Some(limit)),
                None => ("contains", "Contains", None),
            }
        } else if most.is_some_and(|most| count > most) {
            ("maxContains", "MaxContains", bound("maxContains"))
        } else {
            return;
        };
        let contains = self.words_of(condition, "contains");
        let argument = match limit {
            Some(limit) => format!("{limit}, {contains}"),
            None => contains,
        };
        let array = expected::array(self.shapes, id);
        self.breaks(
            (value, id),
            keyword,
            format!("{array} & {name}<{argument}>"),
        );
    }

    fn property_names(
        &mut self,
        value: ValueRef<'d>,
        id: ShapeId,
        condition: &Condition,
        names: ShapeId,
    ) {
        let mut expected: Option<SharedText> = None;
        for (name, member) in value.members() {
            if self.walker.name_holds(&name, names) {
                continue;
            }
            if self.is_spent() {
                return;
            }
            let hint = format!(
                "The name `{name}` is not allowed here.\n\n\
                 Please rename or remove the property next time."
            );
            let said = || {
                let words = self.words_of(condition, "propertyNames");
                format!("a property named {words}")
            };
            let words = match expected.take() {
                Some(words) => words,
                None => {
                    let said = said();
                    self.share(said)
                }
            };
            let path = self.trail.path().member(&name);
            let found = Found::Value(member.id());
            let wrong = self.violation(path, id, "propertyNames", words.clone(), found);
            self.record(Violation {
                description: Some(hint.into()),
                ..wrong
            });
            expected = Some(words);
        }
    }

    fn dependent_required(&mut self, value: ValueRef<'d>, id: ShapeId, rules: &'s [Needs]) {
        for (_, asked) in rules.iter().filter(|(name, _)| value.get(name).is_some()) {
            for name in asked.iter().filter(|name| value.get(name).is_none()) {
                let object = self.shapes.get(id).object.as_ref();
                let property = object.and_then(|rules| rules.property(name));
                let expected = match property {
                    Some(property) => self.whole(property.shape),
                    None => self.share("any"),
                };
                self.missing_member(id, name, expected, "dependentRequired");
            }
        }
    }
}
