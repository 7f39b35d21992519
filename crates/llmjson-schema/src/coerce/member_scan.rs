//! One pass over the members of an object: which are present, which match immediately, which need
//! to be entered, and which are undeclared.

use std::cell::Cell;

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};
use smallvec::SmallVec;

use super::forms::words::is_nothing;
use super::state::{CONTAINERS, Call, Coercer, Declaring, Fitness, QuickVerdict, Twin, Waiting};
use crate::base::report::CoercionKind;
use crate::check::fast_check::Settled;
use crate::check::patterns::PATTERN;
use crate::ir::shape::{Additional, ObjectRules, Property, ShapeId, Types};

/// The value that replaces a null.
pub(super) enum Instead {
    Nothing,
    /// A removable null in reasoning that is not a JSON null.
    Unsaid,
    Zero(Zero),
}

/// The zero of a type.
#[derive(Clone, Copy)]
pub(super) enum Zero {
    Text,
    Boolean,
    Number(&'static str),
}

/// The findings of one pass over the members.
pub(super) struct MemberScan {
    pub(super) waiting: SmallVec<[Waiting; 4]>,
    /// Nulls that are dropped or become the zero of a type, and reasoning that is dropped, in
    /// order.
    pub(super) nulls: SmallVec<[(u32, NodeId, Instead); 4]>,
    /// Undeclared members, in order.
    pub(super) others: SmallVec<[(u32, NodeId); 4]>,
    /// Members that move with the renamed one.
    pub(super) twins: Vec<Twin>,
    /// `true` for each declared member that is present.
    pub(super) present: SmallVec<[bool; 16]>,
    /// `true` if every required member is present.
    pub(super) complete: bool,
    /// Number of required members that are undeclared and missing.
    pub(super) missing: usize,
    /// The fitness of everything that one check could settle.
    pub(super) fitness: Fitness,
}

impl MemberScan {
    /// Returns `true` if the member at that index is a null that is dropped.
    pub(super) fn is_dropped(&self, at: u32) -> bool {
        let found = self.nulls.binary_search_by_key(&at, |(null, ..)| *null);
        found.is_ok_and(|place| !matches!(self.nulls[place].2, Instead::Zero(_)))
    }

    pub(super) fn has_all(&self, rules: &ObjectRules) -> bool {
        self.missing == 0 && rules.lacks(|at| self.present[at]).next().is_none()
    }
}

impl Coercer<'_, '_> {
    /// Visits every member once.
    pub(super) fn scan_members(&mut self, call: &Call, rules: &ObjectRules) -> MemberScan {
        let mut scan = MemberScan {
            waiting: SmallVec::new(),
            nulls: SmallVec::new(),
            others: SmallVec::new(),
            twins: Vec::new(),
            present: SmallVec::from_elem(false, rules.properties.len()),
            complete: true,
            missing: rules.required_undeclared.len(),
            fitness: Fitness::VALID,
        };
        let mut expected = 0;
        let mut nulls: SmallVec<[(u32, NodeId, usize); 4]> = SmallVec::new();
        let mut settled = self.settled(call.node, call.shape);
        for (at, (key, value)) in (0u32..).zip(self.value(call.node).members().keyed()) {
            let is_settled = settled.has(value.id());
            let slot = match rules.properties.get(expected) {
                Some(property) if key.is(&property.name) => Some(expected),
                _ => rules.find(&key.decoded()),
            };
            let Some(slot) = slot else {
                if !rules.required_undeclared.is_empty()
                    && rules.requires_undeclared(&key.decoded())
                {
                    // Keys are distinct in a visited object, so each is counted once.
                    scan.missing -= 1;
                }
                scan.others.push((at, value.id()));
                continue;
            };
            expected = slot + 1;
            scan.present[slot] = true;
            let property = &rules.properties[slot];
            if is_settled {
                self.settle(value, property.shape);
                continue;
            }
            let verdict = self.quick_verdict(value, property.shape, call);
            if !scan.fitness.takes_in(verdict) {
                continue;
            }
            // `{"notes": null}` or `"null"` where neither is allowed: the member counts as missing.
            if value.is_null() || !property.required && is_absent(value) {
                nulls.push((at, value.id(), slot));
            } else {
                let waiting = Waiting::new(at, value.id(), property.shape);
                scan.waiting.push(waiting);
            }
        }
        scan.complete = scan.has_all(rules);
        for (at, node, slot) in nulls {
            let property = &rules.properties[slot];
            let Some(instead) = self.instead_of(call, property, node) else {
                scan.waiting.push(Waiting::new(at, node, property.shape));
                continue;
            };
            // The place of a dropped null is free for a member with another spelling of its key.
            scan.present[slot] = !matches!(instead, Instead::Nothing);
            scan.nulls.push((at, node, instead));
        }
        if call.family.is_some() || !rules.patterns.is_empty() {
            self.sort_out_others(call, rules, &mut scan);
        }
        scan
    }

    /// The children of a container that a check found to fit.
    pub(super) fn settled(&self, container: NodeId, shape: ShapeId) -> Settled {
        let checks = self.part_checks.as_ref();
        checks.map_or(Settled::NONE, |checks| checks.settled(container, shape))
    }

    /// Records that a member fits, for another container with it.
    pub(super) fn settle(&self, value: ValueRef<'_>, shape: ShapeId) {
        if let Some(checks) = &self.part_checks {
            checks.settle(value, shape);
        }
    }

    /// Records that a container whose children are all known to be valid is valid itself, unless it
    /// has further requirements.
    pub(super) fn settle_parts(&self, container: NodeId, shape: ShapeId) {
        if let Some(checks) = &self.part_checks {
            checks.settle_parts(self.value(container), shape);
        }
    }

    /// Returns the value that replaces a null, or a string that means null, as that member, or
    /// `None` if it is kept.
    pub(super) fn instead_of(
        &mut self,
        call: &Call,
        member: &Property,
        node: NodeId,
    ) -> Option<Instead> {
        if self.value(node).is_null() {
            self.instead_of_null(call, member)
        } else if is_absent(self.value(node)) {
            self.instead_of_absent(call, member, node)
        } else {
            None
        }
    }

    /// Returns the value that replaces a null that is not allowed for a member, or `None` if it is
    /// kept.
    fn instead_of_null(&mut self, call: &Call, member: &Property) -> Option<Instead> {
        let options = self.options;
        if !options.allows(CoercionKind::DropNull)
            || call.has(Call::JUDGE)
            || !options.reaches(call.depth + 1)
            || self.shapes.types_of(member.shape).meets(Types::NULL)
            || (options.plain_fields && !self.is_plain_scalar(member.shape))
        {
            return None;
        }
        // A required member is not invented, unless the options request the zero of its type.
        if !member.required {
            return Some(Instead::Nothing);
        }
        if !options.zero_for_null || !self.is_plain_scalar(member.shape) {
            return None;
        }
        match self.shapes.get(member.shape).types {
            Types::STRING => Some(Instead::Zero(Zero::Text)),
            Types::BOOLEAN => Some(Instead::Zero(Zero::Boolean)),
            Types::INTEGER => Some(Instead::Zero(Zero::Number("0"))),
            Types::NUMBER => Some(Instead::Zero(Zero::Number("0.0"))),
            _ => None,
        }
    }

    /// Replaces a string that means that there is nothing, where neither null nor any string is
    /// expected.
    fn instead_of_absent(
        &mut self,
        call: &Call,
        member: &Property,
        node: NodeId,
    ) -> Option<Instead> {
        let options = self.options;
        let text = self.value(node).as_str()?;
        let says_null = text.trim().eq_ignore_ascii_case("null");
        let reads = options.allows(if says_null {
            CoercionKind::TextToNull
        } else {
            CoercionKind::WordToNull
        });
        let is_item = || {
            let item = self.item_shape(member.shape);
            let literals = item.and_then(|item| self.shapes.get(item).literals.as_ref());
            literals.is_some_and(|literals| literals.has_folded(&text))
        };
        if !reads
            || !options.allows_as(CoercionKind::DropNull, Class::Likely)
            || options.plain_fields
            || member.required
            || self.takes_absence(member.shape, &text)
            || !says_null && is_item()
        {
            return None;
        }
        self.instead_of_null(call, member)
    }

    /// Returns `true` if a string that means that there is nothing may be the value of a place.
    fn takes_absence(&self, id: ShapeId, text: &str) -> bool {
        let shape = self.shapes.get(id);
        let is_particular = shape.is_alone() && shape.is_text_of_some_form();
        let literals = shape.literals.as_ref();
        let is_listed = || {
            literals.is_some_and(|all| all.iter().any(|one| one.as_str().is_some_and(is_nothing)))
        };
        self.shapes.types_of(id).meets(Types::STRING)
            && (!is_particular || is_listed() || self.spelling(id, text, "").is_some())
    }

    /// Returns `true` if a shape accepts only scalars and restricts them only by type and bounds.
    fn is_plain_scalar(&self, id: ShapeId) -> bool {
        let shape = self.shapes.get(id);
        shape.is_alone() && shape.literals.is_none() && !shape.types.meets(CONTAINERS)
    }

    /// Checks whether a value fits a shape.
    pub(super) fn quick_verdict(
        &self,
        value: ValueRef<'_>,
        shape: ShapeId,
        call: &Call,
    ) -> QuickVerdict {
        let id = shape;
        let shape = self.shapes.get(id);
        if let Some(checks) = &self.part_checks
            && checks.fits(value, id)
        {
            return QuickVerdict::Sure;
        }
        if !shape.is_alone() {
            return QuickVerdict::Closer;
        }
        if !shape.agrees(value) {
            return match call.has(Call::JUDGE) {
                true => QuickVerdict::Unfit,
                false => QuickVerdict::Closer,
            };
        }
        match value.kind() {
            Kind::Object if shape.object.is_some() => QuickVerdict::Closer,
            Kind::Array if shape.array.is_some() => QuickVerdict::Closer,
            Kind::Object | Kind::Array => QuickVerdict::Fits,
            Kind::String if self.is_of_other_form(value, id) => QuickVerdict::Closer,
            _ if shape.is_within_bounds(value) => QuickVerdict::Fits,
            _ => QuickVerdict::Unfit,
        }
    }

    /// Returns `true` if a value is known to be valid under a shape. For a container, this does not
    /// examine it.
    pub(super) fn is_settled(&self, node: NodeId, shape: ShapeId) -> bool {
        let checks = self.part_checks.as_ref();
        checks.is_some_and(|checks| checks.is_settled(self.value(node), shape))
    }

    /// Removes undeclared members that a pattern or another part declares.
    fn sort_out_others(&mut self, call: &Call, rules: &ObjectRules, scan: &mut MemberScan) {
        let others = std::mem::take(&mut scan.others);
        let mut members = self.value(call.node).members().keyed().enumerate();
        let mut named = Vec::new();
        for (at, node) in others {
            let key = members.find(|(place, _)| *place == at as usize);
            named.extend(key.map(|(_, (key, _))| (at, node, key.decoded().into_owned())));
        }
        drop(members);
        for (at, node, name) in named {
            if self.is_spent() {
                // The part that declares the member is unknown, so the member stays unchanged.
                scan.fitness = Fitness::UNFIT;
                continue;
            }
            self.charge(PATTERN * rules.patterns.len());
            let work = Cell::new(*self.editor.work_mut());
            let shapes = (self.compiled).by_pattern(call.shape, &rules.patterns, &name, &work);
            *self.editor.work_mut() = work.get();
            if let Some(shape) = shapes {
                let kept = self.options.plain_fields;
                let waiting = Waiting::new(at, node, shape);
                scan.waiting.push(Waiting { kept, ..waiting });
            } else if !call
                .family
                .is_some_and(|family| self.declares(family, call.shape, &name))
            {
                scan.others.push((at, node));
            }
        }
    }

    /// Returns `true` if a part of `family` other than `own` declares a member with that key.
    fn declares(&mut self, family: ShapeId, own: ShapeId, name: &str) -> bool {
        if self.declaring.0 != Some(family) {
            self.declaring = (Some(family), Declaring::new());
        }
        if !self.declaring.1.contains_key(name) {
            let found = self.find_declaring(family, name);
            self.declaring.1.insert(name.into(), found);
        }
        self.declaring.1[name].iter().any(|id| *id != own)
    }

    /// Returns the first two parts of a shape that declare a member with that key.
    fn find_declaring(&mut self, family: ShapeId, name: &str) -> SmallVec<[ShapeId; 2]> {
        let shapes = self.shapes;
        let mut looks = 0;
        let parts = shapes.parts_of(family).take(PARTS).inspect(|_| looks += 1);
        let declares = |id: &ShapeId| {
            let rules = shapes.get(*id).object.as_deref();
            rules.is_some_and(|rules| {
                rules.declares(name) || matches!(rules.additional, Additional::Open(_))
            })
        };
        let found = parts.filter(declares).take(2).collect();
        self.charge(looks);
        found
    }
}

/// Maximum number of parts of a shape that are checked for one member. Deeply nested parts are
/// rare; the bound keeps unusual schemas cheap.
pub(super) const PARTS: usize = 64;

/// Returns `true` if a value is a string that means that there is nothing.
pub(crate) fn is_absent(value: ValueRef<'_>) -> bool {
    value.kind() == Kind::String && value.as_str().is_some_and(|text| is_nothing(&text))
}
