//! The choice among the candidates of a reply.

use llmjson_schema::{Refusal, Schema};
use llmjson_syntax::internal::price;
use llmjson_syntax::{Class, Document, Kind, Parser, Repair, RepairKind, Span, ValueRef};

use crate::anchored;
use crate::policy::Policy;
use crate::reply::echo::repeats_schema;
use crate::reply::parsed::{Fitted, Parsed};

/// Maximum number of violations that count.
const VIOLATIONS_MAX: usize = 512;

/// Chooses among the candidates of a reply, and coerces the chosen one.
pub fn fit<'t>(document: Document<'t>, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    let mut best = Fitted::unread(document, Vec::new());
    best.choose(schema, policy);
    best
}

impl<'t> Fitted<'t> {
    /// Chooses among the candidates of a document that has not been coerced yet.
    #[inline]
    fn choose(&mut self, schema: Option<&Schema>, policy: &Policy) {
        let mut repeated = self.fit_candidate(schema, policy);
        let Some(schema) = schema else {
            return;
        };
        let mut fails = repeated || !self.is_valid();
        if fails && self.fit_source(schema, policy) {
            (repeated, fails) = (false, false);
        }
        if (fails || self.is_doubtful(schema)) && self.fit_whole(schema, policy) {
            self.leave_out_invalid(schema, policy);
        } else if repeated {
            self.refuse_schema(policy);
        } else {
            self.fit_rest(schema, policy);
        }
        self.schema = Some(policy.asks(schema).clone());
    }

    /// Fits the best candidate. Returns `true` if it repeats the schema.
    #[inline]
    fn fit_candidate(&mut self, schema: Option<&Schema>, policy: &Policy) -> bool {
        match self.document.reading_count_with_drafts() {
            0 | 1 if schema.is_some_and(|schema| self.repeats(schema)) => true,
            0 | 1 => {
                self.fit(schema, policy);
                false
            }
            _ => choose(self, schema, policy),
        }
    }

    /// Fits the best candidate of a document. Returns `true` if it conforms.
    fn best(document: Document<'t>, schema: &Schema, policy: &Policy) -> (Self, bool) {
        let mut fitted = Self::unread(document, Vec::new());
        let repeated = fitted.fit_candidate(Some(schema), policy);
        let usable = fitted.is_usable() && !repeated;
        (fitted, usable)
    }

    /// Takes the value of another source of the reply, if one conforms. Returns `true` if so.
    #[cold]
    fn fit_source(&mut self, schema: &Schema, policy: &Policy) -> bool {
        let work = self.document.work();
        // Reading candidates stops once half of the work is spent, and may exceed that by a step.
        if self.document.limit().is_some()
            || self.document.is_only_source()
            || work.left() < work.spent() / 2
            || !policy.allows_some(RepairKind::TransportEncoding)
            || self.is_wanted_json(schema)
        {
            return false;
        }
        let names = schema.names().clone();
        let mut parser = Parser::expecting(policy.limits(), Some(names));
        let own = self.cost() + price::NO_FIT;
        let judged = parser.parse_judged(&self.document, own, |document| {
            let (mut fitted, usable) = Fitted::best(document, schema, policy);
            let unfit = if usable { 0 } else { price::NO_FIT };
            (fitted.cost() + unfit, *fitted.document.work_mut())
        });
        let document = match judged {
            Ok(document) => document,
            Err(work) => {
                *self.document.work_mut() = work;
                return false;
            }
        };
        let (mut other, usable) = Fitted::best(document, schema, policy);
        let work = *other.document.work_mut();
        if usable {
            *self = other;
        }
        *self.document.work_mut() = work;
        usable
    }

    /// Returns the cost of the changes and violations.
    fn cost(&self) -> u32 {
        let coercions = self.coercions.iter();
        let coercions: u32 = coercions.map(|one| price::of_coercion(one.class)).sum();
        coercions
            + match self.violations.len() {
                0 => 0,
                count => price::NO_FIT + price::VIOLATION * count.min(VIOLATIONS_MAX) as u32,
            }
    }

    /// Tries the text around the value, or the rest of it, if the value does not conform.
    #[inline]
    fn fit_rest(&mut self, schema: &Schema, policy: &Policy) {
        // JSON that is the whole reply is judged by itself, if its kind is expected.
        let judged = !self.is_usable() && self.is_wanted_json(schema);
        if judged {
            return self.leave_out_invalid(schema, policy);
        }
        if !self.is_valid() && policy.takes_text_verbatim() {
            fit_verbatim(self, schema, policy);
        }
        if !self.is_usable()
            && policy.allows_some(RepairKind::Notation)
            && let Some(mut read) = anchored::read(&mut self.document, schema, |document| {
                let read = Self::of(document, Some(schema), policy);
                let work = read.document.work();
                (read.is_usable().then_some(read), work)
            })
        {
            *read.document.work_mut() = self.document.work();
            *self = read;
        }
        self.leave_out_invalid(schema, policy);
    }

    /// Returns `true` if the whole reply is an object or an array, of a kind that the schema
    /// accepts.
    #[cold]
    fn is_wanted_json(&self, schema: &Schema) -> bool {
        let plain =
            |one: &Repair| one.class == Class::Certain && one.kind != RepairKind::SurroundingText;
        let root = self.document.root();
        let is_container = |kind| matches!(kind, Kind::Array | Kind::Object);
        root.is_some_and(|root| is_container(root.kind()) && schema.takes(root.kind()))
            && self.document.repairs().iter().all(plain)
    }

    /// Returns `true` if the value is truncated and not certain, or a guess with undeclared
    /// members.
    fn is_doubtful(&self, schema: &Schema) -> bool {
        let document = &self.document;
        let strays = |root| has_strays(root, &schema.members());
        match document.certainty() {
            Class::Certain => false,
            _ if !document.is_complete() => document.root().is_some(),
            Class::Likely => false,
            Class::Guess => document.root().is_some_and(strays),
        }
    }

    /// Takes the last strict JSON object or array in the reply that conforms without changes, if
    /// the parsed value does not conform or is ambiguous: damage before it may have swallowed it.
    /// Returns `true` if the policy allows one.
    #[cold]
    fn fit_whole(&mut self, schema: &Schema, policy: &Policy) -> bool {
        let document = &self.document;
        if document.limit().is_some() || document.root().is_some() && document.repairs().is_empty()
        {
            return false;
        }
        let (spans, known) = (self.document.whole_values(), schema.members());
        let read = self.document.span_read().unwrap_or_default();
        let judge = policy.judges_by(schema);
        let is_cut = !self.document.is_complete() && self.is_valid();
        let text = self.document.text();
        let mut parser = Parser::new().with_limits(policy.limits());
        let (mut chosen, mut alone) = (None::<(bool, Span)>, true);
        for span in spans {
            if is_cut && is_part(&text[..span.start as usize]) {
                continue;
            }
            let document = parser.parse(&text[span.range()]);
            let within = read.start < span.start && span.end <= read.end;
            let conforms = |root: &ValueRef<'_>| {
                let fits = || !self.is_valid() || within && !has_strays(*root, &known);
                judge.is_valid(*root) && !repeats_schema(*root, schema) && fits()
            };
            let strict = document.root().filter(|_| document.repairs().is_empty());
            if let Some(root) = strict.filter(conforms) {
                let holds = !root.is_empty();
                alone &= chosen.is_none_or(|(held, _)| !held);
                if chosen.is_none_or(|(held, _)| holds || !held) {
                    chosen = Some((holds, span));
                }
            }
            parser.recycle(document);
        }
        let Some((_, span)) = chosen else {
            return false;
        };
        let document = match self.document.borrowed_text() {
            Some(text) => parser.parse_part(text, span.range()),
            None => parser
                .parse_part(self.document.text(), span.range())
                .into_owned(),
        };
        let mut fitted = Self::of(document, Some(schema), policy);
        let sure = alone && self.document.certainty() == Class::Guess;
        let class = if sure { Class::Likely } else { Class::Guess };
        let beaten = match read.start < span.start {
            true => Span::new(read.start, read.end.min(span.start)),
            false => Span::new(span.end, read.end.max(span.end)),
        };
        fitted.document.record_choice(beaten, class);
        fitted.refused = policy.refusals(&fitted.document);
        let usable = fitted.is_usable();
        if usable {
            *fitted.document.work_mut() = self.document.work();
            *self = fitted;
        }
        usable
    }

    /// Returns whether the value conforms, and only the text around it is refused.
    fn is_refused_by_context(&self) -> bool {
        let is_context = |one: &Refusal| match one {
            Refusal::Repair(repair) => repair.kind == RepairKind::SurroundingText,
            _ => false,
        };
        self.is_valid() && self.refused.iter().all(is_context)
    }

    /// Returns `true` if the current candidate is the schema.
    fn repeats(&self, schema: &Schema) -> bool {
        let root = self.document.root();
        root.is_some_and(|root| repeats_schema(root, schema))
    }

    /// Drops the value, which is the schema.
    #[cold]
    fn refuse_schema(&mut self, policy: &Policy) {
        policy.inform(&mut self.document);
        let span = self.document.span_read().unwrap_or_default();
        let refused = policy.refusals(&self.document);
        self.refused = [Refusal::Schema(span)].into_iter().chain(refused).collect();
        self.document.forget_value();
        self.coercions.clear();
        self.violations.clear();
        self.feedback_bytes = policy.limits().feedback_bytes;
        self.allows_truncated = policy.allows_truncated();
    }
}

/// Returns `true` if a value after this text is part of a larger one: an item, or the value of a
/// quoted key.
fn is_part(before: &str) -> bool {
    let before = before.trim_end();
    let name = before.strip_suffix(':').map(str::trim_end);
    before.ends_with(['[', ',']) || name.is_some_and(|name| name.ends_with(['"', '\'']))
}

/// Returns `true` if an object has undeclared members under a schema that declares some.
fn has_strays(root: ValueRef<'_>, known: &[&str]) -> bool {
    let mut members = root.members();
    !known.is_empty() && members.any(|(name, _)| !known.contains(&&*name))
}

/// Coerces the best candidate. Candidates that the policy allows come first. Returns `true` if even
/// the best one repeats the schema.
#[cold]
fn choose(best: &mut Fitted<'_>, schema: Option<&Schema>, policy: &Policy) -> bool {
    if let Some(schema) = schema {
        return cheapest(best, schema, policy);
    }
    first_allowed(best, best.document.reading_count(), policy);
    false
}

/// Takes the first of the candidates that the policy allows, otherwise the first of all: without a
/// schema they are already in order, and the first is chosen.
fn first_allowed(tried: &mut Fitted<'_>, readings: usize, policy: &Policy) {
    tried.fit(None, policy);
    if tried.refused.is_empty() {
        return;
    }
    let first = tried.document.clone();
    for reading in 1..readings {
        if !tried.document.may_try_reading(reading) {
            break;
        }
        tried
            .document
            .choose_reading(reading, |_| Some(Class::Guess));
        tried.fit(None, policy);
        if tried.refused.is_empty() {
            return;
        }
    }
    tried.document = first;
    tried.fit(None, policy);
}

/// Chooses the candidate that conforms with the fewest changes, or otherwise the one with the
/// fewest violations. If an array is expected, the array of all values of the reply is a candidate,
/// before each single value. A draft of a value truncated by the end of the reply is a candidate
/// only if it conforms.
fn cheapest(tried: &mut Fitted<'_>, schema: &Schema, policy: &Policy) -> bool {
    let list = if schema.wants_array() {
        tried.document.read_as_list()
    } else {
        None
    };
    let drafts = tried.document.reading_count();
    let readings = tried.document.reading_count_with_drafts();
    // The items of an evident array that conforms are not coerced by themselves.
    let mut evident = list.as_ref().filter(|list| list.is_evident).map(|list| {
        (
            list.reading,
            Tried::of(tried, list.reading, drafts, (schema, policy)),
        )
    });
    let mut is_item = vec![false; readings];
    if let (Some(list), Some((_, Tried { usable: true, .. }))) = (&list, &evident) {
        for &item in &list.items {
            is_item[item] = true;
        }
    }
    let mut all = Vec::with_capacity(readings);
    for (reading, is_item) in is_item.into_iter().enumerate() {
        if reading > 0 && !tried.document.may_try_reading(reading) {
            break;
        }
        all.push(match evident.take_if(|(list, _)| *list == reading) {
            Some((_, list)) => list,
            None if is_item => Tried::default(),
            None => Tried::of(tried, reading, drafts, (schema, policy)),
        });
    }
    let usable = |reading: usize| all.get(reading).is_some_and(|one| one.usable);
    if let Some(list) = list.filter(|list| list.is_evident || usable(list.reading)) {
        let tried = all.len();
        for item in list.items.into_iter().filter(|&item| item < tried) {
            all[item].rank.is_listed = true;
        }
    }
    let best = (0..all.len()).min_by_key(|&one| all[one].rank).unwrap_or(0);
    let classes: Vec<Option<Class>> = (0..all.len())
        .map(|other| choice(&tried.document, &all, best, other))
        .collect();
    // The remaining candidates were not tried, or are drafts of a truncated value.
    let beyond = if all.len() < readings {
        Class::Guess
    } else {
        Class::Likely
    };
    let class = |other: usize| classes.get(other).copied().unwrap_or(Some(beyond));
    tried.document.choose_reading(best, class);
    tried.fit(Some(schema), policy);
    let Tried { rank, is_empty, .. } = &all[best];
    let any_repeats = || all.iter().any(|one| one.rank.is_schema);
    rank.is_schema || (rank.is_mistyped || *is_empty) && any_repeats()
}

/// A coerced candidate.
#[derive(Default)]
struct Tried {
    root: Option<llmjson_syntax::NodeId>,
    usable: bool,
    /// `true` if it makes the choice of another candidate a guess.
    rivals: bool,
    /// `true` if it is almost empty.
    is_empty: bool,
    /// The price of its place in the reply.
    price: u32,
    rank: Rank,
}

impl Tried {
    /// Coerces a candidate. From `drafts` on, they are drafts of a truncated value.
    fn of(
        tried: &mut Fitted<'_>,
        reading: usize,
        drafts: usize,
        (schema, policy): (&Schema, &Policy),
    ) -> Self {
        match policy.allows_all() {
            true => tried.document.try_reading(reading),
            false => tried.document.choose_reading(reading, |_| None),
        }
        let repeated = tried.repeats(schema);
        tried.fit(Some(schema), policy);
        let usable = tried.is_usable() && !repeated;
        let drafted = reading >= drafts && !usable;
        Self {
            root: tried.document.root().map(|root| root.id()),
            usable,
            rivals: usable || !repeated && tried.is_refused_by_context(),
            is_empty: tried.document.is_next_to_nothing(reading),
            price: tried.document.reading_price(reading),
            rank: Rank::of(tried, reading, (repeated, drafted)),
        }
    }
}

/// Returns the class of choosing one candidate over another, or `None` if the other one does not
/// count. If several conform, their places decide: a change of a value says nothing about its rivals.
fn choice(document: &Document<'_>, all: &[Tried], best: usize, other: usize) -> Option<Class> {
    let (chosen, beaten) = (&all[best], &all[other]);
    if !chosen.usable {
        return Some(Class::Guess);
    }
    if !beaten.rivals {
        let trivial = beaten.is_empty && !chosen.is_empty;
        return (!trivial).then_some(Class::Likely);
    }
    let value = |one: &Tried| one.root.map(|root| document.node(root));
    let fuller = beaten.is_empty && !chosen.is_empty;
    match value(chosen) == value(beaten) {
        true => None,
        false if fuller => Some(Class::Likely),
        false => Some(price::class_of_choice(chosen.price, beaten.price)),
    }
}

/// The reasons against a candidate, the strongest first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_schema: bool,
    /// A draft that does not conform.
    is_draft: bool,
    is_refused: bool,
    /// The schema expects another type at its root.
    is_mistyped: bool,
    /// An item of an array that the reply evidently is.
    is_listed: bool,
    /// An almost empty, incomplete or nonconforming value.
    is_unfit: bool,
    /// The price of the value and of its changes.
    cost: u32,
}

impl Rank {
    fn of(fitted: &Fitted<'_>, place: usize, (is_schema, is_draft): (bool, bool)) -> Self {
        let document = &fitted.document;
        let is_mistyped = fitted
            .violations
            .iter()
            .any(|one| one.keyword == "type" && one.path.steps().is_empty());
        // If the answer was truncated, no other value of the reply is the answer.
        let is_refused = (fitted.refused.iter()).any(|one| !matches!(one, Refusal::Truncated(_)));
        let is_whole = document.is_complete() && !document.is_next_to_nothing(place);
        Self {
            is_schema,
            is_draft,
            is_refused,
            is_mistyped,
            is_listed: false,
            is_unfit: !is_whole || !fitted.violations.is_empty(),
            cost: document.reading_price(place) + fitted.cost(),
        }
    }
}

/// Tries the reply itself, because the parsed value does not conform: where a string is expected,
/// the whole reply may be the string, and it may contain an enumerated value or a number without
/// quotes.
fn fit_verbatim(fitted: &mut Fitted<'_>, schema: &Schema, policy: &Policy) {
    let document = &fitted.document;
    if document.limit().is_some() || document.text().trim().is_empty() || !schema.takes_scalar() {
        return;
    }
    let verbatim = Fitted::of_text(document, schema, policy);
    if verbatim.is_valid() {
        *fitted = verbatim;
    }
}
