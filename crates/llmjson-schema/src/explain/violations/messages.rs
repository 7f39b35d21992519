//! Messages of violations.

use std::sync::Arc;

use llmjson_syntax::ValueRef;
use serde_json::Value;

use super::Collector;
use crate::base::equality;
use crate::base::path::Path;
use crate::base::report::{Found, Meant, NameMatch, Violation};
use crate::base::text::SharedText;
use crate::base::wording::Wording;
use crate::check::calendar::{self, Evidence, Miss};
use crate::check::format::Format;
use crate::check::keywords::Broken;
use crate::check::walk::{Goal, Seen};
use crate::describe::expected;
use crate::explain::nearest::List;
use crate::ir::names::{Slots, parts};
use crate::ir::shape::{ObjectRules, Shape, ShapeId, Tag};

/// Length beyond which keys are not compared with declared ones: they are not misspellings.
const NAME_BYTES_MAX: usize = 256;

/// Returns the reason why a string that looks like a date is not one, if the order of day and month
/// is ambiguous.
fn doubt_about_date(shape: &Shape, value: ValueRef<'_>) -> Option<&'static str> {
    let format = Format::named(shape.string.as_ref()?.format.as_deref()?)?;
    let read = calendar::read(&value.as_str()?, format);
    let is_doubtful = matches!(read, Err(Miss::Ambiguous) | Ok((_, Evidence::Dots)));
    is_doubtful.then_some(
        "Day and month of this date could be either way round.\n\n\
         Please write it as YYYY-MM-DD next time.",
    )
}

impl<'s, 'd> Collector<'s, 'd> {
    /// Returns all requirements of a shape, in words.
    pub(super) fn whole(&self, shape: ShapeId) -> SharedText {
        let whole = &self.words[shape.0 as usize].whole;
        let words = whole.get_or_init(|| expected::whole(self.shapes, shape).into());
        words.clone()
    }

    /// Returns the string of the last violation if it is the same.
    pub(super) fn share<T: AsRef<str> + Into<SharedText>>(&self, text: T) -> SharedText {
        let last = self.violations.last();
        let last = last.map(|last| [Some(&last.expected), last.description.as_ref()]);
        let mut texts = last.into_iter().flatten().flatten();
        let same = texts.find(|other| **other == *text.as_ref());
        same.cloned().unwrap_or_else(|| text.into())
    }

    /// Returns the JSON Pointer to a shape in the schema as given.
    fn pointer(&self, shape: ShapeId) -> SharedText {
        let node = self.shapes.get(shape).node;
        let pointer = &self.words[shape.0 as usize].pointer;
        let words = pointer.get_or_init(|| self.tree.source_pointer(node).into());
        words.clone()
    }

    pub(super) fn missing(&mut self, object: ShapeId, name: &str, shape: Option<ShapeId>) {
        if self.violations.len() >= self.room {
            self.unlisted += 1;
            return;
        }
        let Some(shape) = shape else {
            let any = match self.shapes.wording {
                Wording::Tags => "any",
                Wording::Plain => "any value",
            };
            let any = self.share(any);
            return self.missing_member(object, name, any, "required");
        };
        let expected = self.whole(shape);
        let hint = &self.words[shape.0 as usize].missing;
        let hint = hint
            .get_or_init(|| missing_hint(self.shapes.wording, &expected).into())
            .clone();
        self.report_missing(object, name, expected, hint, "required");
    }

    /// Reports a missing member.
    pub(super) fn missing_member(
        &mut self,
        object: ShapeId,
        name: &str,
        expected: SharedText,
        keyword: &'static str,
    ) {
        let hint = self.share(missing_hint(self.shapes.wording, &expected));
        self.report_missing(object, name, expected, hint, keyword);
    }

    fn report_missing(
        &mut self,
        object: ShapeId,
        name: &str,
        expected: SharedText,
        hint: SharedText,
        keyword: &'static str,
    ) {
        let path = self.trail.path().member(name);
        let missing = self.violation(path, object, keyword, expected, Found::Missing);
        self.list(Violation {
            description: Some(hint),
            ..missing
        });
    }

    /// Reports a forbidden member.
    pub(super) fn say_unwanted(
        &mut self,
        object: ShapeId,
        name: &str,
        value: ValueRef<'d>,
        meant: Option<Arc<Meant>>,
    ) {
        let hint = unwanted_hint(name, meant.as_deref());
        let path = self.trail.path().member(name);
        let found = Found::Value(value.id());
        let nothing = self.share(expected::nothing(self.shapes));
        let unwanted = self.violation(path, object, "additionalProperties", nothing, found);
        // Regardless of their number: members that strict mode removes are found by their
        // violations.
        self.record(Violation {
            description: Some(hint.into()),
            meant,
            ..unwanted
        });
    }

    /// Returns the declared members that an undeclared one may be.
    pub(super) fn meant(
        &mut self,
        object: ShapeId,
        rules: &ObjectRules,
        seen: &Seen,
        name: &str,
    ) -> Option<Arc<Meant>> {
        if name.len() > NAME_BYTES_MAX {
            return None;
        }
        let by_name = rules.meant(name);
        let (by, slots) = by_name.or_else(|| {
            let names = rules.properties.iter().map(|property| &*property.name);
            let found = (self.suggestions).nearest(
                List::Members(object),
                name,
                names,
                &self.walker.judge.work,
            );
            let slot = match found {
                Some(found) => rules.find(&found)? as u32,
                None => rules.resembled(name)?,
            };
            Some((NameMatch::Nearest, Slots::from_slice(&[slot])))
        })?;
        let is_taken = slots.iter().all(|slot| seen.has(*slot as usize));
        let slots = slots.iter().map(|slot| *slot as usize);
        let open = slots.filter(|slot| is_taken || !seen.has(*slot));
        let mut open: Vec<usize> = open.collect();
        open.sort_unstable();
        let members = open.iter().map(|slot| rules.properties[*slot].name.clone());
        let members: Vec<_> = members.collect();
        let by = match &members[..] {
            // `amount` is a part of `amount_cents`, but not the same.
            [only] if by == NameMatch::Derived && !parts::stands_for(name, only) => {
                NameMatch::Nearest
            }
            _ => by,
        };
        Some(Arc::new(Meant {
            by,
            members,
            is_taken,
        }))
    }

    pub(super) fn wrong_tag(&mut self, union: ShapeId, tag: &Tag, value: ValueRef<'d>) {
        let names = || tag.branches.iter().map(|(name, _)| &**name);
        let expected = self.share(expected::names(self.shapes.wording, names()));
        let Some(found) = value.get(&tag.property) else {
            self.missing_member(union, &tag.property, expected, "required");
            return;
        };
        let hint = self.nearest_hint(List::Tags(union), found, names());
        let description = hint.map(|hint| self.share(hint));
        let path = self.trail.path().member(&tag.property);
        let found = Found::Value(found.id());
        let wrong = self.violation(path, union, "enum", expected, found);
        self.list(Violation {
            description,
            ..wrong
        });
    }

    pub(super) fn broken(&mut self, goal: Goal<'d>, shape: &Shape, broken: Broken) {
        let Goal { value, id, .. } = goal;
        let mut text = match broken {
            Broken::Type | Broken::Digits => self.whole(id),
            _ => self.words[id.0 as usize].rule(self.shapes, id, broken),
        };
        let mut keyword = keyword(shape, broken);
        let hint = match broken {
            Broken::Type => {
                text = self.optional(goal, text);
                None
            }
            Broken::Digits => {
                let most = value.digits_compared();
                Some(format!(
                    "The number has more than {most} digits.\n\n\
                     Please give a shorter one next time."
                ))
            }
            Broken::Literals => {
                let names = shape.literals.iter().flatten().filter_map(Value::as_str);
                self.nearest_hint(List::Values(id), value, names)
            }
            Broken::UniqueItems => equality::repeated(value).map(|(first, again)| {
                format!(
                    "The items at {first} and {again} of this array are the same.\n\n\
                     Please give every item only once next time."
                )
            }),
            Broken::Pattern if self.is_spent() => {
                keyword = "work";
                Some(
                    "Matching the pattern takes too much work.\n\nPlease give a shorter value next time."
                        .to_owned(),
                )
            }
            Broken::Pattern => self.walker.judge.keywords.ran_out(id, value).map(|steps| {
                keyword = "pattern_steps";
                format!(
                    "Matching the pattern takes more than {steps} steps.\n\n\
                     Please give a shorter value next time."
                )
            }),
            Broken::Format => doubt_about_date(shape, value).map(str::to_owned),
            _ => None,
        };
        let hint = hint.map(|hint| self.share(hint));
        self.report(id, keyword, text, Found::Value(value.id()), hint);
    }

    /// Returns a hint at the nearest allowed string for one that is not allowed.
    fn nearest_hint<'n>(
        &mut self,
        list: List,
        found: ValueRef<'d>,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<String> {
        let (text, work) = (found.as_str()?, &self.walker.judge.work);
        let nearest = self.suggestions.nearest(list, &text, names, work);
        nearest.as_deref().map(nearest_hint)
    }

    /// Returns the expectation of a member that may also be omitted.
    pub(super) fn optional(&self, goal: Goal<'d>, whole: SharedText) -> SharedText {
        if !goal.is_optional {
            return whole;
        }
        let optional = &self.words[goal.id.0 as usize].optional;
        let words = optional.get_or_init(|| expected::optional(self.shapes, &whole).into());
        words.clone()
    }

    /// Records a violation at the current path, unless the same was just recorded there.
    pub(super) fn report(
        &mut self,
        shape: ShapeId,
        keyword: &'static str,
        expected: SharedText,
        found: Found,
        description: Option<SharedText>,
    ) {
        let path = self.trail.path().clone();
        let violation = self.violation(path, shape, keyword, expected, found);
        self.list(Violation {
            description,
            ..violation
        });
    }

    /// A violation without a description.
    pub(super) fn violation(
        &self,
        path: Path,
        shape: ShapeId,
        keyword: &'static str,
        expected: SharedText,
        found: Found,
    ) -> Violation {
        let schema = self.pointer(shape);
        Violation {
            path,
            expected,
            found,
            description: None,
            keyword,
            schema,
            meant: None,
        }
    }

    /// Records a violation. If there are too many, it is counted.
    fn list(&mut self, violation: Violation) {
        if self.violations.len() >= self.room {
            self.unlisted += 1;
        } else {
            self.record(violation);
        }
    }

    /// Reports the number of violations beyond the listed ones.
    pub(super) fn count_unlisted(&mut self, root: ValueRef<'d>) {
        if self.unlisted == 0 {
            return;
        }
        let count = self.unlisted;
        self.violations.push(Violation {
            path: Path::root(),
            expected: self.whole(self.shapes.root),
            found: Found::Value(root.id()),
            description: Some(format!("{count} more violations are not listed.").into()),
            keyword: "violations_capped",
            schema: SharedText::default(),
            meant: None,
        });
    }

    /// Records a violation, unless the same was just recorded.
    pub(super) fn record(&mut self, new: Violation) {
        let recent = &self.violations[self.violations.len().saturating_sub(8)..];
        let is_same = |other: &Violation| {
            other.found == new.found && other.expected == new.expected && other.path == new.path
        };
        if recent.iter().any(is_same) {
            return;
        }
        if self.violations.capacity() == 0 {
            // Most nonconforming values have one violation, and a vector begins with four.
            self.violations.reserve_exact(1);
        }
        self.violations.push(new);
    }
}

fn unwanted_hint(name: &str, meant: Option<&Meant>) -> String {
    let (not_defined, next_time) = match meant {
        Some(meant) if !meant.is_taken => {
            let members: Vec<_> = meant
                .members
                .iter()
                .map(|member| parts::told(name, member))
                .collect();
            let members = members.join(" or ");
            match meant.members.len() {
                1 => ("", format!("Please name it {members} next time.")),
                _ => (
                    " It may be meant to be any of several.",
                    format!("Please name it {members} next time, whichever is meant."),
                ),
            }
        }
        _ => ("", "Please remove the property next time.".to_owned()),
    };
    format!("The property `{name}` is not defined in the object type.{not_defined}\n\n{next_time}")
}

fn missing_hint(wording: Wording, expected: &str) -> String {
    if wording == Wording::Plain {
        return format!("The value at this path is missing.\n\nPlease give {expected} next time.");
    }
    [
        "The value at this path is `undefined`.\n\nPlease fill the `",
        expected,
        "` typed value next time.",
    ]
    .concat()
}

fn nearest_hint(name: &str) -> String {
    let value = expected::names(Wording::Tags, [name]);
    format!("The nearest allowed value is `{value}`.\n\nPlease spell it so next time.")
}

/// The schema keyword of a rule.
fn keyword(shape: &Shape, broken: Broken) -> &'static str {
    match broken {
        Broken::Type if shape.literals.is_some() => "enum",
        Broken::Literals if shape.literals.as_ref().is_some_and(|list| list.len() == 1) => "const",
        _ => broken.keyword(),
    }
}
