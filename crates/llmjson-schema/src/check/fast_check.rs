//! The fast check: whether a whole value surely fits as it is.
//!
//! Nearly every reply fits, and of such a one nothing has to be found out but that. A yes here is
//! final, for coercion and for validation alike. Anything that takes more than a look is answered
//! with no, which only means that a closer check is needed: parts of `allOf`, names by
//! pattern, rare keywords, whole numbers written with a fraction, nesting beyond [`DEPTH`].
//!
//! - `plan`: what each shape asks for, laid out for looking
//! - `pattern`: texts of the usual form
//! - `findings`: what failed looks found out

mod findings;
mod pattern;
mod plan;

use std::cell::{Cell, RefCell};
use std::mem;

use llmjson_syntax::cursor::{Entry, EntryKind, Source};
use llmjson_syntax::{Kind, NodeId, ValueRef, Work};

use crate::base::equality;
use crate::base::undeclared::Undeclared;
use crate::check::keywords::KeywordChecks;
use crate::ir::shape::{ShapeId, Shapes, Types};
use findings::{FailureCause, Look};
use plan::{Choice, ListRule, Matcher, ObjectRule, Others, Rule, TextRule, bit};

pub(crate) use findings::{Findings, Settled};
pub(crate) use pattern::{Plain, Simple};
pub(crate) use plan::Plans;

/// Levels of values and of unions within unions that a look goes down. It recurses.
const DEPTH: u32 = 64;

/// Number of times the document may be looked at without success, all failed branches of unions
/// together.
const FAILED_LOOKS_PER_DOCUMENT: usize = 16;

/// A fast check of values of one document.
struct FastCheck<'s> {
    shapes: &'s Shapes,
    keywords: &'s KeywordChecks,
    rules: &'s [Rule],
    undeclared: Undeclared,
    /// Number of nodes that may still be looked at without success. Branches of unions are tried
    /// one after the other, so without a limit nested unions would multiply.
    left: usize,
    /// The findings about containers. Where one does not fit, it is noted how far it does.
    findings: &'s mut Findings,
    /// `true` if there are any findings.
    resumes: bool,
    /// The end of the present look, if it fails.
    stop: Look,
    /// `true` if an undeclared member was the reason why something does not fit.
    strange: bool,
    /// The account of patterns with many states: none for parts of a document, which are looked at again.
    work: Cell<Work>,
}

/// Returns `true` if a value surely fits a shape as it stands, and patterns with many states take no more work
/// than that.
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
        rules: &keywords.fast.rules,
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

/// Quick checks of parts of one document, for walks through a value that does not fit as a
/// whole: what fits they need not enter.
pub(crate) struct PartChecks<'s> {
    shapes: &'s Shapes,
    keywords: &'s KeywordChecks,
    undeclared: Undeclared,
    /// Number of nodes that may still be looked at without success, all looks together; `None`
    /// before the first one.
    left: Cell<Option<usize>>,
    findings: RefCell<Findings>,
}

impl<'s> PartChecks<'s> {
    /// Number of times the document may be looked at without success.
    const FAILED_LOOKS_PER_PART: usize = 2;

    /// Creates checks that go on from what others found with the same view of undeclared members.
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

    /// Returns `true` if a value surely fits a shape as it stands.
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
            rules: &self.keywords.fast.rules,
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
        // A container that fails has been noted.
        if fits || bit(entry.kind()) & CONTAINERS == 0 {
            findings.note(value.id(), shape, Look::of(fits), FailureCause::Any);
        }
        fits
    }

    /// The children at the beginning of a container that are known to fit.
    pub(crate) fn settled(&self, container: NodeId, shape: ShapeId) -> Settled {
        self.findings.borrow().settled(container, shape)
    }

    /// Notes that a value is known to fit.
    pub(crate) fn settle(&self, value: ValueRef<'_>, shape: ShapeId) {
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            let mut findings = self.findings.borrow_mut();
            findings.note(value.id(), shape, Look::FITS, FailureCause::Any);
        }
    }

    /// Returns `true` if a value is known to fit, where that takes no look at what is in it.
    pub(crate) fn is_settled(&self, value: ValueRef<'_>, shape: ShapeId) -> bool {
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            let known = self.findings.borrow().known(value.id(), shape);
            // Which branch of a union it is, that takes a look; that branch fits is known then.
            let chooses = || self.keywords.fast.rules[shape.0 as usize].choice.is_some();
            return known == Some(true) || known.is_none() && chooses() && self.fits(value, shape);
        }
        self.fits(value, shape)
    }

    /// Notes that a container fits, of which all children are known to fit and to be declared, and
    /// to be as many as are expected, unless something else is asked of it.
    pub(crate) fn settle_parts(&self, value: ValueRef<'_>, shape: ShapeId) {
        let rule = &self.keywords.fast.rules[shape.0 as usize];
        let alone = match value.kind() {
            Kind::Array => rule.list.as_ref().is_some_and(|list| !list.unique),
            Kind::Object => rule.object.is_some(),
            _ => false,
        };
        if alone && rule.choice.is_none() {
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
        let rule = &self.rules[id.0 as usize];
        let kind = entry.kind();
        let bit = bit(kind);
        if rule.free & bit != 0 {
            return true;
        }
        if rule.looked & bit == 0 {
            return false;
        }
        // What is below costs registers to be saved, which most values need not pay for.
        if (rule.asks | CONTAINERS) & bit != 0 || rule.choice.is_some() {
            return self.fits_inside(entry, id, depth);
        }
        match kind {
            EntryKind::Integer => match short_integer(entry.bytes()) {
                Some(number) => rule.low <= number && number <= rule.high,
                None => self.ask(entry, id),
            },
            EntryKind::Float => within(rule, entry.bytes()) || self.ask(entry, id),
            EntryKind::String => match &rule.text {
                Some(text) if !entry.is_escaped() => self.text(entry, text),
                _ => self.ask(entry, id),
            },
            _ => false,
        }
    }

    /// The same for containers, for unions and for what has to be asked about.
    #[inline(never)]
    fn fits_inside(&mut self, entry: &Entry<'_, '_>, id: ShapeId, depth: u32) -> bool {
        if self.resumes
            && let Some(known) = self.findings.known(entry.id(), id)
        {
            return known;
        }
        let rule = &self.rules[id.0 as usize];
        let fits = if let Some(choice) = &rule.choice {
            self.choice(entry, id, choice, depth)
        } else {
            match (entry.kind(), &rule.list, &rule.object) {
                (EntryKind::Array, Some(list), _) => self.items(entry, list, depth),
                (EntryKind::Object, _, Some(object)) => self.members(entry, object, depth),
                (EntryKind::Array | EntryKind::Object, ..) => false,
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
        shape.agrees(value) && self.keywords.keeps(id, shape, value, &self.work)
    }

    #[inline]
    fn text(&self, entry: &Entry<'_, '_>, rule: &TextRule) -> bool {
        let bytes = entry.bytes();
        if let Some(literals) = &rule.literals
            && !literals.iter().any(|literal| literal.as_bytes() == bytes)
        {
            return false;
        }
        // A character takes one to four bytes, so the number of bytes mostly settles it.
        let length = bytes.len() as u64;
        if length > rule.most || length / 4 < rule.least {
            let length = entry.raw().chars().count() as u64;
            if length < rule.least || length > rule.most {
                return false;
            }
        }
        let holds = |matcher: &Matcher| match matcher {
            Matcher::Simple(pattern) => pattern.matches(bytes),
            Matcher::Format(format, formats, check) => {
                let told = format.tells(bytes, *formats);
                told.unwrap_or_else(|| self.holds(*check, entry))
            }
            Matcher::Check(check) => self.holds(*check, entry),
        };
        rule.matchers.iter().all(holds)
    }

    #[inline]
    fn holds(&self, check: crate::check::keywords::CheckId, entry: &Entry<'_, '_>) -> bool {
        self.keywords.holds(check, entry.raw(), &self.work)
    }

    #[inline(always)]
    fn items(&mut self, entry: &Entry<'_, '_>, rule: &ListRule, depth: u32) -> bool {
        let count = entry.len() as u64;
        if depth == 0
            || count < rule.least
            || count > rule.most
            || (rule.unique && !equality::is_unique(entry.value()))
        {
            return false;
        }
        let mut prefix = rule.prefix.iter();
        entry.children().all(|item| {
            let shape = prefix.next().copied().or(rule.items);
            shape.is_none_or(|shape| {
                self.fits(&item, shape, depth - 1) || self.stops_at(&item, Some(shape))
            })
        })
    }

    #[inline(always)]
    fn members(&mut self, entry: &Entry<'_, '_>, rule: &ObjectRule, depth: u32) -> bool {
        let count = entry.len() as u64;
        if depth == 0 || count < rule.least || count > rule.most {
            return false;
        }
        let (mut seen, mut next) = (0u64, 0);
        for member in entry.children() {
            let (name, escaped) = member.name_bytes();
            if escaped {
                return self.stops_at(&member, None);
            }
            let shape = match rule.find(next, name) {
                Some(at) => {
                    seen |= 1 << at;
                    next = at + 1;
                    rule.properties[at].shape
                }
                None => match rule.others {
                    Others::Fit(shape) => shape,
                    Others::Silent if self.undeclared != Undeclared::Reject => continue,
                    Others::Silent | Others::Forbidden => {
                        self.strange |= matches!(rule.others, Others::Silent);
                        return self.stops_at(&member, None);
                    }
                },
            };
            if !self.fits(&member, shape, depth - 1) {
                return self.stops_at(&member, Some(shape));
            }
        }
        rule.required & !seen == 0
    }

    /// A union fits if a branch surely does, and of `oneOf` surely no other.
    fn choice(&mut self, entry: &Entry<'_, '_>, id: ShapeId, choice: &Choice, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let union = self.shapes.get(id).union.as_deref();
        if let Some((branch, alone)) = union.and_then(|union| choice.tagged(union, entry)) {
            if alone {
                let fits = self.fits(entry, branch, depth - 1);
                if !fits {
                    // How far it fits the only branch that it may be was noted.
                    self.stop = Look::NOTED;
                }
                return fits;
            }
            if !choice.exclusive && self.try_branch(entry, branch, depth) {
                return true;
            }
        }
        let kind = bit(entry.kind());
        if choice.exclusive && !choice.is_alone(self.shapes, kind) {
            return false;
        }
        choice.branches.iter().any(|branch| {
            let rule = &self.rules[branch.0 as usize];
            (rule.free | rule.looked) & kind != 0 && self.try_branch(entry, *branch, depth)
        })
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

/// A whole number of up to 18 digits.
#[inline]
fn short_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if digits.len() > 18 {
        return None;
    }
    let value = digits
        .iter()
        .fold(0i64, |sum, digit| sum * 10 + i64::from(digit & 0xF));
    Some(if negative { -value } else { value })
}

/// Returns `true` if a number with a fraction is surely between whole bounds: it lies between its
/// whole part and the next number away from zero.
fn within(rule: &Rule, text: &[u8]) -> bool {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if digits.len() > 18 {
        return false;
    }
    let (mut number, mut is_whole) = (0, true);
    for &byte in digits {
        match byte {
            b'0'..=b'9' if is_whole => number = number * 10 + i64::from(byte - b'0'),
            b'0'..=b'9' => {}
            b'.' => is_whole = false,
            _ => return false,
        }
    }
    let (least, most) = if negative {
        (-number - 1, -number)
    } else {
        (number, number + 1)
    };
    rule.low <= least && most <= rule.high
}

const CONTAINERS: u8 = Types::ARRAY.0 | Types::OBJECT.0;

const _: () = assert!(Types::NUMBER.0 == bit(EntryKind::Integer) | bit(EntryKind::Float));
