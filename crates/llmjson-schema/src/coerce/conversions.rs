//! Conversions of a value of the wrong type, one for each row of [`CONVERSIONS`].

use llmjson_syntax::{Inner, Kind, NodeId};

use super::member_scan::PARTS;
use super::rules::{CONVERSIONS, Gives, LAYOUT, Takes};
use super::state::{
    Attempt, CONTAINERS, Call, Coercer, Frame, InnerValue, Laid, Next, Offer, Outcome,
};
use crate::base::embedded::{is_fenced, may_hold_json};
use crate::base::report::CoercionKind;
use crate::ir::shape::{ShapeId, Types};

impl Coercer<'_, '_> {
    /// Converts a value that does not have the expected type or is not one of the expected
    /// constants.
    pub(super) fn attempt(&mut self, call: Call) -> Next {
        match self.scalar(call, self.shapes.get(call.shape)) {
            Some(outcome) => Next::Done(outcome),
            None => self.convert(call, 0, None),
        }
    }

    /// Continues with the next row that has a candidate.
    fn convert(&mut self, call: Call, from: usize, whole: Option<Outcome>) -> Next {
        let wanted = self.shapes.get(call.shape).types.and(call.mask);
        let found = Types::of_value(self.value(call.node));
        for (at, row) in CONVERSIONS.iter().enumerate().skip(from) {
            if row.rule.reads(found, wanted) && row.rule.is_open(&call, self.options) {
                let mut attempt = begun(call, at);
                attempt.whole = whole;
                if let Some(offer) = (row.offer)(self, &mut attempt, wanted) {
                    return self.walk_offer(attempt, offer);
                }
            }
        }
        Next::Done(Outcome::unfit(call.node))
    }

    fn walk_offer(&mut self, attempt: Attempt, offer: Offer) -> Next {
        match offer {
            Offer::Done(outcome) => Next::Done(outcome),
            Offer::Inside(call) => self.wait(Frame::Attempt(attempt), call),
            Offer::Own(call) => {
                self.frames.push(Frame::Attempt(attempt));
                self.own(call)
            }
        }
    }

    pub(super) fn resume_attempt(&mut self, mut attempt: Attempt, outcome: Outcome) -> Next {
        let (row, call) = (&CONVERSIONS[attempt.row], attempt.call);
        let is_taken = match row.takes {
            Takes::Agreeing => outcome.agrees,
            Takes::Conforming => outcome.conforms,
            Takes::Exact => outcome.is_exact(),
            // An object inside may need correction; a scalar of another type is too different.
            Takes::Near => {
                let found = Types::of_value(self.value(outcome.node));
                outcome.conforms && (outcome.is_exact() || found.meets(CONTAINERS))
            }
        };
        if is_taken {
            return Next::Done(match (row.gives, attempt.opening) {
                (Gives::Item, _) => self.in_array(attempt.kind, call, outcome),
                (Gives::Value, Some(opening)) => self.out_of_envelope(call.node, opening, outcome),
                // The record shows a string as parsed, before corrections in it.
                (Gives::Value, None) => {
                    self.changed(attempt.kind, attempt.class, call.node, outcome)
                }
            });
        }
        if attempt.row == LAYOUT {
            // The new layout does not fit better: violations are about the original value.
            return match attempt.for_union {
                true => self.union_as_it_stands(call),
                false => self.own(call.with(Call::NO_LAYOUT)),
            };
        }
        if attempt.kind == CoercionKind::WrapInArray {
            let plain = outcome.agrees && self.is_plain_item(call);
            attempt.whole = (plain || self.is_item(call)).then_some(outcome);
        }
        self.convert(call, attempt.row + 1 + row.rules_out, attempt.whole)
    }

    /// Continues with a value in the layout of a union branch.
    pub(super) fn read_for_union(
        &mut self,
        kind: CoercionKind,
        call: Call,
        (node, class): Laid,
    ) -> Next {
        let mut attempt = begun(call, LAYOUT);
        (attempt.kind, attempt.class, attempt.for_union) = (kind, class, true);
        self.frames.push(Frame::Attempt(attempt));
        let flags = call.flags & !Call::ROOT;
        let laid = Call {
            node,
            flags,
            mask: call.mask.and(Types::of_value(self.value(node))),
            ..call
        };
        self.union_as_it_stands(laid.with(Call::NO_LAYOUT | Call::NO_ENVELOPE))
    }

    /// Continues with a value whose layout was converted.
    pub(super) fn read_layout(&mut self, call: Call, laid: Laid) -> Next {
        self.read_layout_as(CoercionKind::OtherLayout, call, laid)
    }

    /// Continues with a converted value, which is recorded as a change of that kind.
    pub(super) fn read_layout_as(&mut self, kind: CoercionKind, call: Call, laid: Laid) -> Next {
        let mut attempt = begun(call, LAYOUT);
        attempt.kind = kind;
        let offer = attempt.laid(laid);
        self.walk_offer(attempt, offer)
    }

    /// `"[1, 2]"`: JSON in a string. Where constants are expected, the string is one of those.
    pub(super) fn json_in_text(&mut self, attempt: &mut Attempt, wanted: Types) -> Option<Offer> {
        let call = attempt.call;
        if self.shapes.get(call.shape).literals.is_some() {
            return None;
        }
        let (node, kind) = self.container_in_text(call, wanted)?;
        (attempt.kind, attempt.class) = (kind, kind.class());
        let level = call.level + 1;
        Some(Offer::Own(Call {
            node,
            level,
            ..call
        }))
    }

    /// `"['a', 'b'"`: a damaged array of strings, where any string could be an item itself.
    pub(super) fn texts_in_text(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        let node = self.list_in_text(call)?;
        Some(Offer::Own(Call { node, ..call }))
    }

    /// `{"1": "a", "2": "b"}` for an array: the same data in another layout.
    pub(super) fn laid_anew(&mut self, attempt: &mut Attempt, wanted: Types) -> Option<Offer> {
        let laid = self.other_layout(attempt.call, wanted)?;
        Some(attempt.laid(laid))
    }

    /// `"a, b"` for `["a", "b"]`, opt-in.
    pub(super) fn comma_list(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        let text = self.value(call.node).as_str()?;
        if !text.contains(',') {
            return None;
        }
        let parts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        if parts.iter().any(String::is_empty) {
            return None;
        }
        let parts: Vec<_> = parts.iter().map(|part| self.editor.string(part)).collect();
        let node = self.editor.array(&parts);
        Some(Offer::Own(Call { node, ..call }))
    }

    /// `"red and blue"` for `["red", "blue"]`: a string that names its items.
    pub(super) fn written_list(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        let item = self.item_shape(call.shape)?;
        let (node, class) = self.listed(call, item)?;
        attempt.class = attempt.class.max(class);
        Some(Offer::Own(Call { node, ..call }))
    }

    /// `5` for `[5]`: the single item of an array.
    pub(super) fn item(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        let item = self.single_item(call)?;
        let is_container = Types::of_value(self.value(call.node)).meets(CONTAINERS);
        if self.options.plain_fields && is_container || self.is_no_item(call, item) {
            return None;
        }
        // The content of an object may be examined again as the content of an envelope.
        let mut inside = call.inside(call.node, item).with(Call::NO_WRAP);
        if is_container {
            inside = inside.with(Call::REMEMBER);
        }
        Some(Offer::Inside(inside))
    }

    /// `{"result": [1]}` for `[1]`: an envelope around an array.
    pub(super) fn held(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        self.single_item(call)?;
        let (node, opening) = self.array_in_envelope(call)?;
        attempt.opening = Some(opening);
        let flags = Call::NO_WRAP | Call::NO_ENVELOPE | Call::REMEMBER;
        Some(Offer::Own(call.deeper(node).with(flags)))
    }

    /// `{"item": "x"}` for `["x"]`: an object around the only item. If an object is allowed, an
    /// object was intended.
    pub(super) fn placeholder(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let call = attempt.call;
        let item = self.single_item(call)?;
        let value = self.value(call.node);
        let (_, only) = value.members().next().filter(|_| value.len() == 1)?;
        let is_item = !Types::of_value(only).meets(CONTAINERS.or(Types::NULL))
            && !call.mask.meets(Types::OBJECT);
        let inside = call.inside(only.id(), item).with(Call::JUDGE);
        is_item.then_some(Offer::Inside(inside))
    }

    /// A value that is neither an envelope nor a placeholder is an item with a violation.
    pub(super) fn wrong_item(&mut self, attempt: &mut Attempt, _: Types) -> Option<Offer> {
        let item = self.in_array(attempt.kind, attempt.call, attempt.whole?);
        Some(Offer::Done(item))
    }

    /// `[5]` for `5`: models put single values into an array, too.
    pub(super) fn only(&mut self, attempt: &mut Attempt, wanted: Types) -> Option<Offer> {
        let call = attempt.call;
        let value = self.value(call.node);
        let only = value.item(0).filter(|_| value.len() == 1)?.id();
        let is_wanted = wanted.meets(Types::ARRAY);
        (!is_wanted).then(|| Offer::Inside(call.deeper(only).with(Call::NO_WRAP)))
    }

    /// Returns the container of a wanted type that a string contains as JSON, through several
    /// levels of nested strings, and the kind of this change.
    pub(super) fn container_in_text(
        &mut self,
        call: Call,
        mut wanted: Types,
    ) -> Option<(NodeId, CoercionKind)> {
        if self.options.plain_fields {
            wanted = wanted.and(Types::ARRAY);
        }
        if !wanted.meets(CONTAINERS) || self.value(call.node).kind() != Kind::String {
            return None;
        }
        let item_text = wanted.meets(Types::ARRAY) && self.takes_text_items(call.shape);
        let mut node = call.node;
        let mut sound = true;
        for _ in call.level..self.options.text_levels {
            let value = self.value(node);
            let text = value.as_str()?;
            let fenced = is_fenced(&text);
            // `"see [1]"`: only the reply as a whole is searched for a value in prose.
            if !may_hold_json(&text) && (!call.has(Call::ROOT) || item_text) {
                return None;
            }
            let InnerValue {
                root,
                whole,
                sound: strict,
                deliberate,
            } = self.inner(node, call.depth)?;
            // `"[draft] of the plan"`: where a string may be an item, only sound JSON without other
            // text is an array.
            if item_text && !(deliberate && (whole || fenced)) {
                return None;
            }
            sound &= strict;
            let found = Types::of_value(self.value(root));
            if found.meets(CONTAINERS) {
                let kind = if sound {
                    CoercionKind::TextToContainer
                } else {
                    CoercionKind::DamagedTextToContainer
                };
                let taken = wanted.meets(found) && self.options.allows(kind);
                return taken.then_some((root, kind));
            }
            // A string that is not JSON, which would be read as itself again.
            let inner = self.value(root).as_str();
            if inner.is_some() && inner == self.value(node).as_str() {
                return None;
            }
            node = root;
        }
        None
    }

    /// Parses the JSON in a string, once for each string.
    pub(super) fn inner(&mut self, node: NodeId, depth: u32) -> Option<InnerValue> {
        if let Some(known) = self.inner.get(&node) {
            return *known;
        }
        let limits = &self.options.limits;
        let limits = limits.with_depth(limits.depth.saturating_sub(depth));
        let inner = self
            .editor
            .parse_string(node, &limits)
            .filter(|inner| self.options.allowed_repairs.allow_inner(inner))
            .map(|inner| InnerValue {
                root: inner.root,
                whole: inner.whole,
                sound: inner.repairs.is_empty() && inner.complete,
                deliberate: is_deliberate(&inner),
            });
        self.inner.insert(node, inner);
        inner
    }

    /// Returns `true` if the shape accepts an array of strings, so that any string could be one of
    /// its items.
    pub(super) fn takes_text_items(&self, id: ShapeId) -> bool {
        let shapes = self.shapes;
        let lists = shapes.parts_of(id).take(PARTS);
        let mut items = lists.filter_map(|id| shapes.get(id).array.as_deref()?.item(0));
        items.any(|item| {
            shapes.types_of(item).meets(Types::STRING) && shapes.get(item).literals.is_none()
        })
    }

    /// Returns the shape of the items of an array of which a value could be the only item.
    fn single_item(&mut self, call: Call) -> Option<ShapeId> {
        let item = self.item_shape(call.shape)?;
        let is_too_deep = call.depth >= self.options.limits.depth;
        (!is_too_deep && self.takes_items_of(item)).then_some(item)
    }
}

/// The attempt with a row.
fn begun(call: Call, at: usize) -> Attempt {
    let rule = &CONVERSIONS[at].rule;
    let kind = rule.kinds[0];
    Attempt::new(call, at, kind, rule.class_of(kind))
}

fn is_deliberate(inner: &Inner) -> bool {
    use llmjson_syntax::RepairKind as Kind;
    inner.complete
        && !inner.repairs.iter().any(|repair| {
            matches!(
                repair.kind,
                Kind::UnclosedObject
                    | Kind::UnclosedArray
                    | Kind::UnclosedString
                    | Kind::MissingCloser
                    | Kind::WrongCloser
                    | Kind::MissingBraces
                    | Kind::MissingQuote
                    | Kind::UnquotedString
                    | Kind::NumberAsText
                    | Kind::StrayText
                    | Kind::Set
                    | Kind::RecordsCapped
            )
        })
}
