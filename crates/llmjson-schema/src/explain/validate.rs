//! Validation of a value: whether it satisfies a schema, and its violations.

use llmjson_syntax::{Items, Kind, Members, ValueRef};

use crate::base::path::Path;
use crate::base::report::{Found, Violation};
use crate::base::text::SharedText;
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, surely_fits};
use crate::check::keywords::Judge;
use crate::check::undeclared::Scope;
use crate::check::validator::Walker;
use crate::describe::expected;
use crate::describe::words::Words;
use crate::explain::violations::Collector;
use crate::ir::shape::ShapeId;
use crate::schema::{Compiled, Schema};

/// `jsonschema` recurses, so it is not asked about values that nest deeper.
const ORACLE_DEPTH: usize = 128;

impl Schema {
    /// Returns whether a value satisfies the schema, with formats and integer widths asserted.
    ///
    /// Linear in the value. A value deeper than 128 levels is judged only if the schema does
    /// without rare keywords (`not`, `if`, `contains`, …) and does not satisfy it otherwise.
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
        (self.compiled).verdict(value, Undeclared::Allow, &mut Findings::default())
    }

    /// Returns every way in which a value does not satisfy the schema, in the order of the
    /// document; empty exactly if it does.
    ///
    /// Of a union only the branch that was meant is reported: the one that the tag names, the only
    /// one of that type, else the nearest one. Linear in the value and in what is reported.
    ///
    /// ```
    /// use llmjson_schema::{Schema, Undeclared};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}}"#,
    /// )?;
    /// let document = llmjson_syntax::parse(r#"{"age": -1}"#);
    /// let root = document.root().expect("there is a value");
    /// let violations = schema.violations(root, Undeclared::Allow);
    /// assert_eq!(violations[0].path.to_string(), "$input.age");
    /// assert_eq!(violations[0].expected, "integer & Minimum<0>");
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn violations(&self, value: ValueRef<'_>, undeclared: Undeclared) -> Vec<Violation> {
        (self.compiled).violations(value, undeclared, Findings::default())
    }
}

impl Compiled {
    /// The violations of a value, of which others have found out something before.
    pub(crate) fn violations(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        mut findings: Findings,
    ) -> Vec<Violation> {
        if self.surely_fits(value, undeclared, &mut findings) {
            return Vec::new();
        }
        self.violations_looked_for(value, undeclared, findings)
    }

    /// The violations of a value that a quick look could not settle.
    pub(crate) fn violations_looked_for(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: Findings,
    ) -> Vec<Violation> {
        let compiled = self;
        let mut findings = Some(findings);
        let mut collect = |undeclared| {
            let findings = findings.take().unwrap_or_default();
            Collector::new(compiled, undeclared, findings).collect(value)
        };
        // Most values that come here do not fit, so why not is asked before whether.
        if undeclared == Undeclared::Allow && !compiled.is_unusual() {
            let violations = collect(undeclared);
            if !violations.is_empty() {
                return violations;
            }
        }
        if compiled.closer_verdict(value, undeclared, &Findings::default()) {
            return Vec::new();
        }
        if compiled.is_too_deep(value) {
            return vec![too_deep(value)];
        }
        let mut violations = collect(undeclared);
        if violations.is_empty() && undeclared == Undeclared::Reject {
            // Several branches of a `oneOf` hold, though only one of them declares every member.
            violations = collect(Undeclared::Allow);
        }
        if violations.is_empty() {
            violations.push(unexplained(compiled, value));
        }
        violations
    }

    /// What validating needs, prepared when it is first needed.
    pub(crate) fn judge(&self) -> &Judge {
        self.judge.get_or_init(|| Judge::new(&self.shapes))
    }

    /// The shape of the first of a shape's patterns that a name matches, as validation sees it.
    pub(crate) fn by_pattern(
        &self,
        id: ShapeId,
        patterns: &[(Box<str>, ShapeId)],
        name: &str,
    ) -> Option<ShapeId> {
        if patterns.is_empty() {
            return None;
        }
        let judge = self.judge();
        let found = judge.plan(id).names.matching(judge, name);
        found.first().map(|at| patterns[*at as usize].1)
    }

    /// What is said about each of the shapes, prepared when something is first said.
    pub(crate) fn words(&self) -> &[Words] {
        let shapes = self.shapes.shapes.iter();
        self.words
            .get_or_init(|| shapes.map(|_| Words::default()).collect())
    }

    /// A walker over this schema for the values of one document.
    pub(crate) fn walker<'s, 'd>(&'s self, undeclared: Undeclared) -> Walker<'s, 'd> {
        Walker::new(&self.shapes, self.judge(), &self.normal, undeclared)
    }

    /// Returns whether a quick look shows that a value fits.
    pub(crate) fn surely_fits(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &mut Findings,
    ) -> bool {
        let goal = (value, self.shapes.root);
        !self.is_unusual() && surely_fits(&self.shapes, self.judge(), goal, undeclared, findings)
    }

    /// Returns whether a value surely fits a part of the schema as it stands.
    pub(crate) fn part_surely_fits(&self, value: ValueRef<'_>, shape: ShapeId) -> bool {
        let unusual = self.shapes.get(shape).unusual_below;
        let (goal, findings) = ((value, shape), &mut Findings::default());
        !unusual
            && surely_fits(
                &self.shapes,
                self.judge(),
                goal,
                Undeclared::Reject,
                findings,
            )
    }

    fn is_unusual(&self) -> bool {
        self.shapes.get(self.shapes.root).unusual_below
    }

    pub(crate) fn is_too_deep(&self, value: ValueRef<'_>) -> bool {
        self.is_unusual() && is_deeper_than(value, ORACLE_DEPTH)
    }

    pub(crate) fn verdict(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &mut Findings,
    ) -> bool {
        self.surely_fits(value, undeclared, findings)
            || self.closer_verdict(value, undeclared, findings)
    }

    /// The verdict on a value that a quick look could not settle, by someone who thinks of undeclared
    /// members as those do who made the findings.
    pub(crate) fn closer_verdict(
        &self,
        value: ValueRef<'_>,
        undeclared: Undeclared,
        findings: &Findings,
    ) -> bool {
        let root = self.shapes.root;
        // To reject members may make the second branch of a `oneOf` fail; that excuses nothing.
        if undeclared == Undeclared::Reject
            && self.judge().has_exclusive
            && !self.verdict(value, Undeclared::Allow, &mut Findings::default())
        {
            return false;
        }
        let walker = self.walker(undeclared);
        if !self.is_unusual() {
            return walker.knowing(findings).holds(value, root, Scope::Own);
        }
        !is_deeper_than(value, ORACLE_DEPTH)
            && self.judge().oracle.is_valid(self.normal.value(), value)
            && walker.trusting_whole().holds(value, root, Scope::Own)
    }

    /// The verdict of `jsonschema` alone; `None` for values too deep to ask.
    pub(crate) fn oracle_verdict(&self, value: ValueRef<'_>) -> Option<bool> {
        (!is_deeper_than(value, ORACLE_DEPTH))
            .then(|| self.judge().oracle.is_valid(self.normal.value(), value))
    }
}

/// The verdict was no, so silence would be wrong even where nobody can say why.
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

fn too_deep(value: ValueRef<'_>) -> Violation {
    Violation {
        path: Path::root(),
        expected: format!("a value that nests at most {ORACLE_DEPTH} levels deep").into(),
        found: Found::Value(value.id()),
        description: Some(
            "The value at this path nests too deeply to be checked.\n\nPlease nest it less deeply \
             next time."
                .into(),
        ),
        keyword: "depth",
        schema: SharedText::default(),
        meant: None,
    }
}

fn is_deeper_than(value: ValueRef<'_>, limit: usize) -> bool {
    enum Open<'d> {
        Items(Items<'d>),
        Members(Members<'d>),
    }
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(value) = next {
            match value.kind() {
                Kind::Array => open.push(Open::Items(value.items())),
                Kind::Object => open.push(Open::Members(value.members())),
                _ => {}
            }
            if open.len() > limit {
                return true;
            }
        }
        next = match open.last_mut() {
            Some(Open::Items(items)) => items.next(),
            Some(Open::Members(members)) => members.next_keyed().map(|(_, value)| value),
            None => return false,
        };
        if next.is_none() {
            open.pop();
        }
    }
}
