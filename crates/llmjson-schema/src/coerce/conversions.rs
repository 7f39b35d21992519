//! Conversions of a value of the wrong type, tried one after the other.

use llmjson_syntax::{Class, Inner, Kind, NodeId};

use super::envelope::Opening;
use super::layout::Laid;
use super::walk::{CONTAINERS, Call, Coercer, Frame, Next, Outcome};
use crate::base::embedded::{is_fenced, may_hold_json};
use crate::base::report::CoercionKind;
use crate::ir::shape::{ShapeId, Types};

/// A reading of a value that is being tried.
pub(super) struct Attempt {
    call: Call,
    reading: TextReading,
}

#[derive(Clone, Copy)]
enum TextReading {
    /// JSON inside the string, with the kind of change that reading it is.
    Text(CoercionKind),
    /// A list of texts that was written as one text.
    TextList,
    /// The parts of a text as an array.
    List(CoercionKind),
    /// The value laid out anew, and how sure that is.
    Layout(Class),
    /// The value as the only item of an array.
    Item,
    /// The only member of an object as the only item of an array; else the object itself, as far
    /// as that was corrected.
    Placeholder(Option<Outcome>),
    /// The array that an object around it holds under its only name; else the object as above.
    Held {
        opening: Opening,
        whole: Option<Outcome>,
    },
    /// The only item of an array.
    Only,
}

/// A value that was read out of a string.
#[derive(Clone, Copy)]
pub(super) struct InnerValue {
    pub(super) root: NodeId,
    pub(super) whole: bool,
    /// Strict JSON, complete.
    pub(super) sound: bool,
    /// No closer had to be supplied and no bare word read as a string.
    pub(super) deliberate: bool,
}

impl Attempt {
    /// Returns `true` if it is about this value itself.
    pub(super) fn is_about(&self, node: NodeId) -> bool {
        self.call.node == node
    }
}

impl Coercer<'_, '_> {
    /// Converts a value that does not have the expected type or is not one of the expected
    /// constants.
    pub(super) fn attempt(&mut self, call: Call) -> Next {
        let shape = self.shapes.get(call.shape);
        if let Some(outcome) = self.scalar(call, shape) {
            return Next::Done(outcome);
        }
        let wanted = shape.types.and(call.mask);
        // `"[1, 2]"`: JSON in a string. Where constants are expected, the text is one of those.
        if shape.literals.is_none()
            && let Some((inner, kind)) = self.container_in_text(call, wanted)
        {
            let attempt = Attempt {
                call,
                reading: TextReading::Text(kind),
            };
            let call = Call {
                node: inner,
                level: call.level + 1,
                ..call
            };
            self.frames.push(Frame::Attempt(attempt));
            return self.own(call);
        }
        // `"['a', 'b'"`: a list of texts with damage, where any text could be an item itself.
        if let Some(node) = self.list_in_text(call, wanted) {
            let reading = TextReading::TextList;
            self.frames.push(Frame::Attempt(Attempt { call, reading }));
            return self.own(Call { node, ..call });
        }
        self.relay(call, wanted)
    }

    fn relay(&mut self, call: Call, wanted: Types) -> Next {
        if let Some(laid) = self.other_layout(call, wanted) {
            return self.read_layout(call, laid);
        }
        self.list(call, wanted)
    }

    /// Continues with a value that was laid out anew.
    pub(super) fn read_layout(&mut self, call: Call, (node, class): Laid) -> Next {
        let reading = TextReading::Layout(class);
        self.frames.push(Frame::Attempt(Attempt { call, reading }));
        let laid = Call {
            node,
            flags: call.flags & !Call::ROOT,
            ..call
        };
        self.own(laid.with(Call::NO_LAYOUT | Call::NO_ENVELOPE | Call::NO_WRAP))
    }

    /// The value that a string holds as JSON if it is a container of a wanted type, through
    /// several levels of strings within strings, and the kind of change that taking it is.
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
            // `"see [1]"`: only the reply as a whole is searched for a value amid prose.
            if !may_hold_json(&text) && (!call.has(Call::ROOT) || item_text) {
                return None;
            }
            let InnerValue {
                root,
                whole,
                sound: strict,
                deliberate,
            } = self.inner(node, call.depth)?;
            // `"[draft] of the plan"`: where a text may be an item, only text that is nothing but sound JSON
            // is a list.
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
            // A text that is no JSON, which would be read to itself again.
            let inner = self.value(root).as_str();
            if inner.is_some() && inner == self.value(node).as_str() {
                return None;
            }
            node = root;
        }
        None
    }

    /// Reads the JSON in a string, once for each string.
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

    /// Returns `true` if the shape takes an array of texts, so that any text could be an item of
    /// it.
    pub(super) fn takes_text_items(&mut self, id: ShapeId) -> bool {
        let shape = self.shapes.get(id);
        let branches = shape.union.iter().flat_map(|union| &union.branches);
        let parts = branches.chain(&shape.also).copied();
        for id in [id].into_iter().chain(parts) {
            let shape = self.shapes.get(id);
            let Some(rules) = &shape.array else { continue };
            if let Some(item) = rules.prefix.first().copied().or(rules.items)
                && self.types_of(item).meets(Types::STRING)
                && self.shapes.get(item).literals.is_none()
            {
                return true;
            }
        }
        false
    }

    /// Reads a text as the list of items that it names.
    fn written_list(&mut self, call: Call, wanted: Types) -> Next {
        if wanted.meets(Types::ARRAY)
            && !call.has(Call::NO_WRAP)
            && !self.options.plain_fields
            && let Some(item) = self.item_shape(call.shape)
            && let Some(node) = self.listed(call, item)
        {
            let reading = TextReading::List(CoercionKind::WrittenList);
            self.frames.push(Frame::Attempt(Attempt { call, reading }));
            return self.own(Call { node, ..call });
        }
        self.wrap(call, wanted)
    }

    /// Reads a text with commas as a list, on request.
    fn list(&mut self, call: Call, wanted: Types) -> Next {
        let kind = CoercionKind::CommaListToArray;
        if wanted.meets(Types::ARRAY)
            && self.options.allows(kind)
            && !call.has(Call::NO_WRAP)
            && let Some(text) = self.value(call.node).as_str()
            && text.contains(',')
        {
            let parts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
            if parts.iter().all(|part| !part.is_empty()) {
                let parts: Vec<_> = parts.iter().map(|part| self.editor.string(part)).collect();
                let node = self.editor.array(&parts);
                let attempt = Attempt {
                    call,
                    reading: TextReading::List(kind),
                };
                self.frames.push(Frame::Attempt(attempt));
                return self.own(Call { node, ..call });
            }
        }
        self.written_list(call, wanted)
    }

    fn wrap(&mut self, call: Call, wanted: Types) -> Next {
        let found = Types::of_value(self.value(call.node));
        if !wanted.meets(Types::ARRAY)
            || found.meets(Types::ARRAY.or(Types::NULL))
            || call.has(Call::NO_WRAP)
            || call.depth >= self.options.limits.depth
        {
            return self.unwrap(call, wanted);
        }
        let item = self.item_shape(call.shape);
        let Some(item) = item.filter(|item| self.takes_items_of(*item)) else {
            return self.unwrap(call, wanted);
        };
        // `5` for `[5]`: the single item of a list.
        let plain = !self.options.plain_fields || !found.meets(CONTAINERS);
        if !plain || !self.options.allows(CoercionKind::WrapInArray) || self.is_no_item(call, item)
        {
            return self.held(call, wanted, None);
        }
        let mut inside = call.inside(call.node, item).with(Call::NO_WRAP);
        if found == Types::OBJECT {
            // What is in it may be looked at once more as what an envelope holds.
            inside = inside.with(Call::REMEMBER);
        }
        self.wait(
            Frame::Attempt(Attempt {
                call,
                reading: TextReading::Item,
            }),
            inside,
        )
    }

    /// Looks for an array in an envelope around it. `whole` is what became of the object as an item,
    /// which it is if it is no envelope and no placeholder.
    fn held(&mut self, call: Call, wanted: Types, whole: Option<Outcome>) -> Next {
        let Some((node, opening)) = self.array_in_envelope(call, wanted) else {
            return self.placeholder(call, wanted, whole);
        };
        let flags = call.flags & !Call::ROOT;
        let depth = call.depth + 1;
        let inside = Call {
            node,
            flags,
            depth,
            ..call
        };
        let reading = TextReading::Held { opening, whole };
        self.frames.push(Frame::Attempt(Attempt { call, reading }));
        self.own(inside.with(Call::NO_WRAP | Call::NO_ENVELOPE | Call::REMEMBER))
    }

    fn placeholder(&mut self, call: Call, wanted: Types, whole: Option<Outcome>) -> Next {
        let value = self.value(call.node);
        let only = value.members().next().map(|(_, only)| only);
        if let Some(only) = only.filter(|only| {
            value.len() == 1 && !Types::of_value(*only).meets(CONTAINERS.or(Types::NULL))
        }) && let Some(item) = self.item_shape(call.shape)
            // Where an object may stand, an object was meant.
            && !call.mask.meets(Types::OBJECT)
            && self.options.allows(CoercionKind::UnwrapPlaceholder)
        {
            let inside = call.inside(only.id(), item).with(Call::JUDGE);
            let attempt = Attempt {
                call,
                reading: TextReading::Placeholder(whole),
            };
            return self.wait(Frame::Attempt(attempt), inside);
        }
        self.no_placeholder(call, wanted, whole)
    }

    fn no_placeholder(&mut self, call: Call, wanted: Types, whole: Option<Outcome>) -> Next {
        match whole {
            Some(item) => Next::Done(self.in_array(CoercionKind::WrapInArray, call, item)),
            None => self.unwrap(call, wanted),
        }
    }

    fn unwrap(&mut self, call: Call, wanted: Types) -> Next {
        let value = self.value(call.node);
        // `[5]` for `5`: models put single values into a list, too.
        if value.kind() == Kind::Array
            && value.len() == 1
            && !wanted.meets(Types::ARRAY)
            && self.options.allows(CoercionKind::UnwrapArray)
            && let Some(only) = value.item(0).map(|only| only.id())
        {
            let depth = call.depth + 1;
            let only = Call {
                node: only,
                depth,
                flags: call.flags & !Call::ROOT,
                ..call
            };
            return self.wait(
                Frame::Attempt(Attempt {
                    call,
                    reading: TextReading::Only,
                }),
                only.with(Call::NO_WRAP),
            );
        }
        Next::Done(Outcome::unfit(call.node))
    }

    pub(super) fn resume_attempt(&mut self, attempt: Attempt, outcome: Outcome) -> Next {
        let Attempt { call, reading } = attempt;
        let wanted = self.shapes.get(call.shape).types.and(call.mask);
        match reading {
            TextReading::Text(kind) if outcome.agrees => {
                // The record shows the text as it was read, before what was corrected in it.
                Next::Done(self.changed(kind, call.node, outcome))
            }
            TextReading::Text(_) => self.list(call, wanted),
            TextReading::TextList if outcome.conforms => {
                let kind = CoercionKind::DamagedTextToContainer;
                Next::Done(self.changed_as(kind, Class::Guess, call.node, outcome))
            }
            TextReading::TextList => self.relay(call, wanted),
            TextReading::List(kind) if outcome.conforms => {
                Next::Done(self.changed(kind, call.node, outcome))
            }
            TextReading::List(CoercionKind::CommaListToArray) => self.written_list(call, wanted),
            TextReading::List(_) => self.wrap(call, wanted),
            TextReading::Layout(class) if outcome.conforms => {
                let kind = CoercionKind::OtherLayout;
                Next::Done(self.changed_as(kind, class, call.node, outcome))
            }
            // The new layout does not fit better: violations are about the value as it was written.
            TextReading::Layout(_) => self.own(call.with(Call::NO_LAYOUT)),
            TextReading::Item if outcome.conforms => {
                Next::Done(self.in_array(CoercionKind::WrapInArray, call, outcome))
            }
            TextReading::Item => {
                let plain = outcome.agrees && self.is_plain_item(call);
                let whole = (plain || self.is_item(call)).then_some(outcome);
                self.held(call, wanted, whole)
            }
            // `{"item": "x"}` for `["x"]`: an object around the only item.
            TextReading::Placeholder(_) if outcome.is_exact() => {
                Next::Done(self.in_array(CoercionKind::UnwrapPlaceholder, call, outcome))
            }
            TextReading::Placeholder(whole) => self.no_placeholder(call, wanted, whole),
            TextReading::Held { opening, .. } if outcome.conforms => {
                Next::Done(self.out_of_envelope(call.node, opening, outcome))
            }
            TextReading::Held { whole, .. } => self.placeholder(call, wanted, whole),
            // An object inside may need putting right; a scalar of another type is too far away.
            TextReading::Only
                if outcome.conforms
                    && (outcome.is_exact()
                        || Types::of_value(self.value(outcome.node)).meets(CONTAINERS)) =>
            {
                Next::Done(self.changed(CoercionKind::UnwrapArray, call.node, outcome))
            }
            TextReading::Only => Next::Done(Outcome::unfit(call.node)),
        }
    }
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

/// Returns `true` if a text is a word for nothing.
pub(super) fn says_nothing(text: &str) -> bool {
    ["null", "none", "nil"]
        .iter()
        .any(|word| text.trim().eq_ignore_ascii_case(word))
}
