//! Validation of a value: whether it satisfies a schema, and its violations.

use std::cell::Cell;

use llmjson_syntax::{ValueRef, Work};

use crate::base::path::Path;
use crate::base::report::{Found, Violation};
use crate::base::text::SharedText;
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, surely_fits};
use crate::check::keywords::KeywordChecks;
use crate::check::undeclared::Scope;
use crate::check::validator::Walker;
use crate::describe::expected;
use crate::describe::words::Words;
use crate::explain::violations::Collector;
use crate::ir::shape::ShapeId;
use crate::schema::{Compiled, Schema};

/// The work allowed for the verdict on a value, per byte of the text and of the schema: a step is a
/// question about a value and a subschema. Beyond that the value counts as invalid, and the
/// violation's keyword is `work`.
pub(crate) const VERDICT: u32 = 10;
/// The work per byte for finding the violations.
const WHY: u32 = 20;

impl Schema {
    /// Returns `true` if a value satisfies the schema, including formats and integer widths.
    ///
    /// Takes time linear in the value and the schema. A value that would need more work, because
    /// alternatives lead to ever more alternatives, does not satisfy the schema.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
    /// let document = llmjson_syntax::parse("[1, 2.0]");
    /// assert!(document.root().is_some_and(|root| schema.is_valid(root)));
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn is_valid(&self, value: ValueRef<'_>) -> bool {
        let mut work = self.compiled.account(VERDICT, value);
        let findings = &mut Findings::default();
        (self.compiled).verdict(value, Undeclared::Keep, findings, &mut work)
    }

    /// Returns every violation of a value, in document order; empty exactly if it satisfies the
    /// schema.
    ///
    /// For a union, only violations of the intended branch are reported: the branch that the tag
    /// names, the only one of the value's type, or else the nearest one. Takes time linear in the
    /// value and in the output.
    ///
    /// ```
    /// use llmjson_schema::{Schema, Undeclared};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}}"#,
    /// )?;
    /// let document = llmjson_syntax::parse(r#"{"age": -1}"#);
    /// let root = document.root().expect("there is a value");
    /// let violations = schema.violations(root, Undeclared::Keep);
    /// assert_eq!(violations[0].path.to_string(), "$input.age");
    /// assert_eq!(violations[0].expected, "integer & Minimum<0>");
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn violations(&self, value: ValueRef<'_>, undeclared: Undeclared) -> Vec<Violation> {
        let compiled = &self.allowing(undeclared).compiled;
        compiled.violations(value, undeclared, Findings::default(), &mut 0)
    }
}

impl Compiled {
    /// Returns the violations of a value for which there are earlier findings. `spent` counts the
    /// steps.
    pub(crate) fn violations(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        mut findings: Findings,
        spent: &mut usize,
    ) -> Vec<Violation> {
        if self.surely_fits(value, undeclared, &mut findings) {
            return Vec::new();
        }
        self.violations_looked_for(value, undeclared, findings, spent)
    }

    /// Returns the violations of a value that a fast check could not settle.
    pub(crate) fn violations_looked_for(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: Findings,
        spent: &mut usize,
    ) -> Vec<Violation> {
        let mut verdict = self.account(VERDICT, value);
        let mut why = self.account(WHY, value);
        let found = self.look_for(value, undeclared, findings, &mut verdict, &mut why);
        *spent = spent.saturating_add((verdict.spent() + why.spent()) as usize);
        found
    }

    fn look_for(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: Findings,
        verdict: &mut Work,
        why: &mut Work,
    ) -> Vec<Violation> {
        let mut findings = Some(findings);
        let mut collect = |undeclared, why: &mut Work| {
            let findings = findings.take().unwrap_or_default();
            let collector = Collector::new(self, undeclared, findings, *why);
            let violations;
            (violations, *why) = collector.collect(value);
            violations
        };
        // Most values that get here do not fit, so violations are searched for before a verdict.
        let mut violations = Vec::new();
        if undeclared != Undeclared::Reject {
            violations = collect(undeclared, why);
            if !violations.is_empty() && !why.is_used_up() {
                return violations;
            }
        }
        if self.closer_verdict(value, undeclared, &Findings::default(), verdict) {
            return Vec::new();
        }
        if !why.is_used_up() {
            violations = collect(undeclared, why);
        }
        if violations.is_empty() && undeclared == Undeclared::Reject && !why.is_used_up() {
            // Several branches of a `oneOf` hold, though only one of them declares every member.
            violations = collect(Undeclared::Keep, why);
        }
        if why.is_used_up() || verdict.is_used_up() {
            violations.insert(0, too_much(value));
        } else if violations.is_empty() {
            violations.push(unexplained(self, value));
        }
        violations
    }

    /// Returns the budget for examining a value once: the sum for the text and the schema.
    pub(crate) fn account(&self, per_byte: u32, value: ValueRef<'_>) -> Work {
        Work::for_bytes(per_byte, value.document_bytes() + self.tree.size())
    }

    /// Returns the data for validating, prepared when it is first needed.
    pub(crate) fn keywords(&self) -> &KeywordChecks {
        self.keywords
            .get_or_init(|| KeywordChecks::new(&self.shapes, self.formats))
    }

    /// Returns the shape of the first of a shape's patterns that a key matches, in the form for
    /// validation.
    pub(crate) fn by_pattern(
        &self,
        id: ShapeId,
        patterns: &[(Box<str>, ShapeId)],
        name: &str,
        work: &Cell<Work>,
    ) -> Option<ShapeId> {
        if patterns.is_empty() {
            return None;
        }
        let keywords = self.keywords();
        let found = keywords.plan(id).names.matching(keywords, name, work);
        found.first().map(|at| patterns[*at as usize].1)
    }

    /// Returns the words about each of the shapes, prepared on first use.
    pub(crate) fn words(&self) -> &[Words] {
        let shapes = self.shapes.shapes.iter();
        self.words
            .get_or_init(|| shapes.map(|_| Words::default()).collect())
    }

    /// Returns a walker over this schema for the values of one document.
    pub(crate) fn walker<'s, 'd>(&'s self, undeclared: Undeclared, work: Work) -> Walker<'s, 'd> {
        Walker::new(&self.shapes, self.keywords(), &self.tree, undeclared, work)
    }

    /// Returns `true` if a fast check shows that a value fits.
    pub(crate) fn surely_fits(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &mut Findings,
    ) -> bool {
        let goal = (value, self.shapes.root);
        let (shapes, work) = (&self.shapes, self.account(VERDICT, value));
        surely_fits(shapes, self.keywords(), goal, undeclared, findings, work)
    }

    /// Returns `true` if a value certainly fits a part of the schema without changes.
    pub(crate) fn part_surely_fits(&self, value: ValueRef<'_>, shape: ShapeId) -> bool {
        surely_fits(
            &self.shapes,
            self.keywords(),
            (value, shape),
            Undeclared::Reject,
            &mut Findings::default(),
            Work::default(),
        )
    }

    pub(crate) fn verdict(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &mut Findings,
        work: &mut Work,
    ) -> bool {
        self.surely_fits(value, undeclared, findings)
            || self.closer_verdict(value, undeclared, findings, work)
    }

    /// Returns the verdict on a value that a fast check could not settle. `findings` must be from a
    /// check with the same `undeclared`. The verdict is `false` if the budget is exhausted.
    pub(crate) fn closer_verdict(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &Findings,
        work: &mut Work,
    ) -> bool {
        let root = self.shapes.root;
        // Rejecting members may make the second branch of a `oneOf` fail; that excuses nothing.
        if undeclared == Undeclared::Reject
            && self.keywords().has_exclusive
            && !self.verdict(value, Undeclared::Keep, &mut Findings::default(), work)
        {
            return false;
        }
        let mut walker = self.walker(undeclared, *work).knowing(findings);
        let holds = walker.holds(value, root, Scope::Own);
        *work = walker.judge.work.get();
        holds
    }
}

/// The verdict was negative, so there must be a violation even if the reason is unknown.
fn unexplained(compiled: &Compiled, value: ValueRef<'_>) -> Violation {
    Violation {
        path: Path::root(),
        expected: expected::whole(&compiled.shapes, compiled.shapes.root).into(),
        found: Found::Value(value.id()),
        description: None,
        keyword: "schema",
        schema: SharedText::default(),
        meant: None,
    }
}

/// Returns the violation of a value that was not checked to the end, so that not all violations are
/// known.
fn too_much(value: ValueRef<'_>) -> Violation {
    Violation {
        path: Path::root(),
        expected: "a value that takes less work to check".into(),
        found: Found::Value(value.id()),
        description: Some(
            "The value at this path takes too much work to be checked, since too many alternatives \
             have to be tried, or a pattern has too many states.\n\nPlease make it shorter or nest it less deeply next time."
                .into(),
        ),
        keyword: "work",
        schema: SharedText::default(),
        meant: None,
    }
}
