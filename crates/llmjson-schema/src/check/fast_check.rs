//! The fast check: whether a whole value certainly conforms without changes.
//!
//! Nearly every reply conforms, and for these nothing else needs to be determined. A yes is final,
//! for coercion and validation. Anything more complex is answered with no, which only means that a
//! closer check is needed: parts of `allOf`, keys by pattern, rare keywords, integers written with
//! a fraction, nesting beyond [`DEPTH`].
//!
//! - `quick`: the verdicts that a value's type gives, for each shape
//! - `pattern`: common simple patterns
//! - `findings`: results of failed checks

mod findings;
mod pattern;
mod quick;

use std::cell::{Cell, RefCell};
use std::mem;

use llmjson_syntax::cursor::{Entry, EntryKind, Source};
use llmjson_syntax::{Kind, NodeId, ValueRef, Work};

use crate::base::equality;
use crate::base::undeclared::Undeclared;
use crate::check::keywords::{CheckId, KeywordChecks, Plan};
use crate::ir::shape::{Additional, ArrayRules, ObjectRules, Shape, ShapeId, Shapes, Types, Union};
use findings::{FailureCause, Look};
use quick::bit;

pub(crate) use findings::{Findings, Settled};
pub(crate) use pattern::{Plain, Simple};
pub(crate) use quick::Quick;

/// Maximum depth of values and of nested unions in a check, which is recursive.
const DEPTH: u32 = 64;

/// Maximum number of unsuccessful passes over the document, counting all failed branches of unions.
const FAILED_LOOKS_PER_DOCUMENT: usize = 16;

/// A fast check of values of one document.
struct FastCheck<'s> {
    shapes: &'s Shapes,
    keywords: &'s KeywordChecks,
    undeclared: Undeclared,
    /// Number of nodes that may still be examined without success. Branches of unions are tried one
    /// after the other, so without a limit nested unions would multiply.
    left: usize,
    /// The findings about containers. The fitting part of a nonconforming container is recorded.
    findings: &'s mut Findings,
    /// `true` if there are any findings.
    resumes: bool,
    /// The end of the current check, if it fails.
    stop: Look,
    /// `true` if an undeclared member was the reason why something does not fit.
    strange: bool,
    /// The budget for patterns with many states: none for parts of a document, which are checked
    /// again.
    work: Cell<Work>,
}

/// Returns `true` if a value certainly fits a shape without changes, and patterns with many states
/// take no more work than that.
pub(crate) fn surely_fits(
    shapes: &Shapes,
    keywords: &KeywordChecks,
    (value, shape): (ValueRef<'_>, ShapeId),
    undeclared: Undeclared,
    findings: &mut Findings,
    work: Work,
) -> bool {
    let source = Source::of(value);
    let entry = source.entry();
    let mut check = FastCheck {
        shapes,
        keywords,
        undeclared,
        left: FAILED_LOOKS_PER_DOCUMENT * entry.document_extent(),
        resumes: !findings.is_empty(),
        findings,
        stop: Look::FAILS,
        strange: false,
        work: Cell::new(work),
    };
    check.fits(&entry, shape, DEPTH)
}

/// Fast checks of parts of one document, for walks through a value that does not fit as a whole:
/// conforming parts need not be visited.
pub(crate) struct PartChecks<'s> {
    shapes: &'s Shapes,
    keywords: &'s KeywordChecks,
    undeclared: Undeclared,
    /// Number of nodes that may still be examined without success over all checks; `None` before
    /// the first one.
    left: Cell<Option<usize>>,
    findings: RefCell<Findings>,
}

impl<'s> PartChecks<'s> {
    /// Maximum number of unsuccessful passes over the document.
    const FAILED_LOOKS_PER_PART: usize = 2;

    /// Creates checks that continue from earlier findings with the same view of undeclared members.
    pub(crate) fn new(
        shapes: &'s Shapes,
        keywords: &'s KeywordChecks,
        undeclared: Undeclared,
        findings: Findings,
    ) -> Self {
        Self {
            shapes,
            keywords,
            undeclared,
            left: Cell::new(None),
            findings: RefCell::new(findings),
        }
    }

    /// Returns `true` if a value certainly fits a shape without changes.
    pub(crate) fn fits(&self, value: ValueRef<'_>, shape: ShapeId) -> bool {
        let findings = &mut *self.findings.borrow_mut();
        if let Some(known) = findings.known(value.id(), shape) {
            return known;
        }
        if self.left.get() == Some(0) {
            return false;
        }
        let source = Source::of(value);
        let entry = source.entry();
        let all = || Self::FAILED_LOOKS_PER_PART * entry.document_extent();
        let mut check = FastCheck {
            shapes: self.shapes,
            keywords: self.keywords,
            undeclared: self.undeclared,
            left: self.left.get().unwrap_or_else(all),
            resumes: !findings.is_empty(),
            findings,
            stop: Look::FAILS,
            strange: false,
            work: Cell::default(),
        };
        let fits = check.fits(&entry, shape, DEPTH);
        let left = check.left;
        let vain = if fits { 0 } else { 1 + entry.extent() };
        self.left.set(Some(left.saturating_sub(vain)));
        // The failure of a container has been recorded.
        if fits || bit(entry.kind()) & CONTAINERS == 0 {
            findings.note(value.id(), shape, Look::of(fits), FailureCause::Any);
        }
        fits
    }

    /// Returns the leading children of a container that are known to fit.
    pub(crate) fn settled(&self, container: NodeId, shape: ShapeId) -> Settled {
        self.findings.borrow().settled(container, shape)
    }

    /// Records that a value is known to fit.
    pub(crate) fn settle(&self, value: ValueRef<'_>, shape: ShapeId) {
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            let mut findings = self.findings.borrow_mut();
            findings.note(value.id(), shape, Look::FITS, FailureCause::Any);
        }
    }

    /// Returns `true` if a value is known to fit, without examining its content.
    pub(crate) fn is_settled(&self, value: ValueRef<'_>, shape: ShapeId) -> bool {
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            let known = self.findings.borrow().known(value.id(), shape);
            // Finding the branch of a union takes one check, after which it is known to fit.
            let chooses = || self.shapes.get(shape).union.is_some();
            return known == Some(true) || known.is_none() && chooses() && self.fits(value, shape);
        }
        self.fits(value, shape)
    }

    /// Notes that a container fits, of which all children are known to fit and to be declared, and
    /// to be as many as are expected, unless something else is asked of it.
    pub(crate) fn settle_parts(&self, value: ValueRef<'_>, shape: ShapeId) {
        let rules = self.shapes.get(shape);
        let alone = match value.kind() {
            Kind::Array => rules.array.as_ref().is_some_and(|list| !list.unique),
            Kind::Object => rules.object.is_some(),
            _ => false,
        };
        let looked = self.keywords.plan(shape).quick.looked;
        if alone && rules.union.is_none() && looked & Types::of(value.kind()).0 != 0 {
            self.settle(value, shape);
        }
    }

    /// Returns the findings, for the next look.
    pub(crate) fn into_findings(self) -> Findings {
        self.findings.into_inner()
    }
}

impl FastCheck<'_> {
    #[inline]
    fn fits(&mut self, entry: &Entry<'_, '_>, id: ShapeId, depth: u32) -> bool {
        #[cfg(test)]
        crate::steps::count();
        let plan = self.keywords.plan(id);
        let (quick, kind) = (&plan.quick, entry.kind());
        let bit = bit(kind);
        if quick.free & bit != 0 {
            return true;
        }
        if quick.looked & bit == 0 {
            return false;
        }
        // The code below needs registers to be saved, which most values should not pay for.
        if (quick.asks | CONTAINERS) & bit != 0 {
            return self.fits_inside(entry, id, depth);
        }
        match kind {
            EntryKind::Integer => match quick.takes_integer(entry.bytes()) {
                Some(fits) => fits,
                None => self.ask(entry, id),
            },
            EntryKind::Float => quick.takes_fraction(entry.bytes()) || self.ask(entry, id),
            EntryKind::String if !entry.is_escaped() => self.text(entry, id, plan),
            EntryKind::String => self.ask(entry, id),
            _ => false,
        }
    }

    /// Checks containers, unions and values with further rules.
    #[inline(never)]
    fn fits_inside(&mut self, entry: &Entry<'_, '_>, id: ShapeId, depth: u32) -> bool {
        if self.resumes
            && let Some(known) = self.findings.known(entry.id(), id)
        {
            return known;
        }
        let shape = self.shapes.get(id);
        let fits = if let Some(union) = &shape.union {
            self.choice(entry, id, union, depth)
        } else {
            match (entry.kind(), &shape.array, &shape.object) {
                (EntryKind::Array, Some(list), _) => self.items(entry, list, depth),
                (EntryKind::Object, _, Some(object)) => self.members(entry, id, object, depth),
                _ => return self.ask(entry, id),
            }
        };
        fits || self.fails(entry, id)
    }

    /// Notes that a value does not fit, and how far it does.
    #[cold]
    fn fails(&mut self, entry: &Entry<'_, '_>, id: ShapeId) -> bool {
        let look = mem::replace(&mut self.stop, Look::FAILS);
        if bit(entry.kind()) & CONTAINERS != 0 {
            let cause = match self.strange {
                true => FailureCause::MayBeUndeclared,
                false => FailureCause::Any,
            };
            self.note(entry, id, look, cause);
        }
        false
    }

    /// Ends a look at a child that does not fit a shape. All children before it do.
    #[cold]
    fn stops_at(&mut self, child: &Entry<'_, '_>, shape: Option<ShapeId>) -> bool {
        if let Some(shape) = shape
            && bit(child.kind()) & CONTAINERS == 0
        {
            self.note(child, shape, Look::FAILS, FailureCause::Any);
        }
        self.stop = Look::fails_at(child.id());
        false
    }

    fn note(&mut self, entry: &Entry<'_, '_>, id: ShapeId, look: Look, cause: FailureCause) {
        if !self.resumes {
            self.findings.make_room(entry.nodes());
            self.resumes = true;
        }
        self.findings.note(entry.id(), id, look, cause);
    }

    /// Asks the closer checks about a scalar.
    #[cold]
    fn ask(&self, entry: &Entry<'_, '_>, id: ShapeId) -> bool {
        let (shape, value) = (self.shapes.get(id), entry.value());
        let settles = |check| {
            let text = value.as_str();
            text.is_none_or(|text| self.keywords.settles(check, &text, &self.work))
        };
        shape.agrees(value)
            && self.keywords.keeps(id, shape, value, &self.work)
            && self.keywords.plan(id).format.is_none_or(settles)
    }

    #[inline]
    fn text(&self, entry: &Entry<'_, '_>, id: ShapeId, plan: &Plan) -> bool {
        let Shape {
            literals, string, ..
        } = self.shapes.get(id);
        if let Some(literals) = literals
            && !literals.has_text(entry.raw())
        {
            return false;
        }
        let Some(rules) = string else { return true };
        let least = rules.min_length.unwrap_or(0);
        let most = rules.max_length.unwrap_or(u64::MAX);
        // A character takes one to four bytes, so the number of bytes mostly settles it.
        let length = entry.bytes().len() as u64;
        if length > most || length / 4 < least {
            let length = entry.raw().chars().count() as u64;
            if length < least || length > most {
                return false;
            }
        }
        let holds = |check: CheckId| self.keywords.holds(check, entry.raw(), &self.work);
        let settles = |check: CheckId| self.keywords.settles(check, entry.raw(), &self.work);
        plan.format.is_none_or(settles) && plan.pattern.is_none_or(holds)
    }

    #[inline(always)]
    fn items(&mut self, entry: &Entry<'_, '_>, rules: &ArrayRules, depth: u32) -> bool {
        if depth == 0
            || !rules.takes_count(entry.len())
            || (rules.unique && !equality::is_unique(entry.value()))
        {
            return false;
        }
        let mut prefix = rules.prefix.iter();
        entry.children().all(|item| {
            let shape = prefix.next().copied().or(rules.items);
            shape.is_none_or(|shape| {
                self.fits(&item, shape, depth - 1) || self.stops_at(&item, Some(shape))
            })
        })
    }

    #[inline(always)]
    fn members(
        &mut self,
        entry: &Entry<'_, '_>,
        id: ShapeId,
        rules: &ObjectRules,
        depth: u32,
    ) -> bool {
        if depth == 0 || !rules.takes_count(entry.len()) {
            return false;
        }
        let (mut seen, mut next) = (0u64, 0);
        for member in entry.children() {
            let (name, escaped) = member.name_bytes();
            if escaped {
                return self.stops_at(&member, None);
            }
            let shape = match find(rules, next, name) {
                Some(at) => {
                    seen |= 1 << at;
                    next = at + 1;
                    rules.properties[at].shape
                }
                None => match rules.additional {
                    Additional::Open(shape) => shape,
                    Additional::Silent if self.undeclared != Undeclared::Reject => continue,
                    Additional::Silent | Additional::Forbidden => {
                        self.strange |= rules.additional == Additional::Silent;
                        return self.stops_at(&member, None);
                    }
                },
            };
            if !self.fits(&member, shape, depth - 1) {
                return self.stops_at(&member, Some(shape));
            }
        }
        let required = &self.keywords.plan(id).required;
        required
            .first()
            .is_none_or(|required| required & !seen == 0)
    }

    /// A union fits if a branch surely does, and of `oneOf` surely no other.
    fn choice(&mut self, entry: &Entry<'_, '_>, id: ShapeId, union: &Union, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some((branch, alone)) = self.tagged(entry, id, union) {
            if alone {
                let fits = self.fits(entry, branch, depth - 1);
                if !fits {
                    // How far it fits the only branch that it may be was noted.
                    self.stop = Look::NOTED;
                }
                return fits;
            }
            // The branch that the tag names first: of `anyOf` it is enough that it fits.
            if !union.exclusive && self.try_branch(entry, branch, depth) {
                return true;
            }
        }
        let kind = bit(entry.kind());
        // `oneOf` asks that no other branch fits, and to show that takes more than a look.
        if union.exclusive && !self.is_alone(union, kind) {
            return false;
        }
        union.branches.iter().any(|branch| {
            let quick = &self.keywords.plan(*branch).quick;
            (quick.free | quick.looked) & kind != 0 && self.try_branch(entry, *branch, depth)
        })
    }

    /// The branch that the tag of an object names, and whether no other can hold.
    fn tagged(&self, entry: &Entry<'_, '_>, id: ShapeId, union: &Union) -> Option<(ShapeId, bool)> {
        let tag = union.tag.as_ref()?;
        if entry.kind() != EntryKind::Object {
            return None;
        }
        let is_tag =
            |member: &Entry<'_, '_>| member.name_bytes() == (tag.property.as_bytes(), false);
        let given = entry.children().find(is_tag)?;
        if given.kind() != EntryKind::String || given.is_escaped() {
            return None;
        }
        let place = tag.place(given.raw())?;
        let branch = tag.branches[place].1;
        let alone = self.keywords.plan(id).quick.alone.get(place)?;
        Some((*union.branches.get(branch as usize)?, *alone))
    }

    /// Returns `true` if no more than one branch takes values of that type.
    fn is_alone(&self, union: &Union, kind: u8) -> bool {
        // A number with a fraction of zero is an integer, too.
        let kind = if kind & Types::NUMBER.0 != 0 {
            Types::NUMBER.0
        } else {
            kind
        };
        let branches = union.branches.iter();
        let takes = |branch: &&ShapeId| self.shapes.get(**branch).types.0 & kind != 0;
        branches.filter(takes).take(2).count() < 2
    }

    /// Tries a branch as long as failing stays cheap.
    fn try_branch(&mut self, entry: &Entry<'_, '_>, branch: ShapeId, depth: u32) -> bool {
        if self.left == 0 {
            return false;
        }
        let fits = self.fits(entry, branch, depth - 1);
        if !fits {
            self.left = self.left.saturating_sub(entry.extent());
        }
        fits
    }
}

/// Returns the index of a name among the properties. Models mostly keep to the order of the
/// schema and leave optional members out, so the search begins at `next`.
#[inline]
fn find(rules: &ObjectRules, next: usize, name: &[u8]) -> Option<usize> {
    let is = |at: usize| {
        let property = rules.properties.get(at);
        property.is_some_and(|property| same(property.name.as_bytes(), name))
    };
    if is(next) {
        return Some(next);
    }
    let after = next + 1..rules.properties.len();
    after
        .chain(0..next.min(rules.properties.len()))
        .find(|&at| is(at))
}

/// Returns `true` if two names are the same. Most are short, and comparing words takes less than a
/// call.
#[inline]
fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    if left.len() > 16 {
        return left == right;
    }
    if let (Some(left_start), Some(right_start)) = (left.first_chunk::<8>(), right.first_chunk()) {
        return left_start == right_start && left.last_chunk::<8>() == right.last_chunk();
    }
    if let (Some(left_start), Some(right_start)) = (left.first_chunk::<4>(), right.first_chunk()) {
        return left_start == right_start && left.last_chunk::<4>() == right.last_chunk();
    }
    left.iter().zip(right).all(|(left, right)| left == right)
}

const CONTAINERS: u8 = Types::ARRAY.0 | Types::OBJECT.0;

const _: () = assert!(Types::NUMBER.0 == bit(EntryKind::Integer) | bit(EntryKind::Float));
