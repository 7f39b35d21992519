//! A case of the corpus that is a reply. Knows what its parts are, not what they mean.

use llmjson::{Parsed, Policy, Schema};

use crate::{cases, policy};

/// A reply, and perhaps a schema and a policy.
pub(crate) struct Case {
    source: cases::Case,
    pub(crate) text: String,
    pub(crate) schema: Option<Schema>,
    /// Lenient where the case says nothing.
    pub(crate) policy: Policy,
}

impl Case {
    pub(crate) fn of(source: &cases::Case) -> Self {
        let schema = source.get("schema").map(|schema| {
            Schema::from_text(schema).unwrap_or_else(|error| panic!("{}: {error}", source.name()))
        });
        Self {
            text: source.get("reply").expect("a case has a reply").to_owned(),
            schema,
            policy: source
                .get("policy")
                .map_or_else(Policy::default, policy::read),
            source: source.clone(),
        }
    }

    /// What the library makes of the reply.
    pub(crate) fn parse(&self) -> Parsed<'_> {
        self.policy.parse(&self.text, self.schema.as_ref())
    }

    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// The folders and the file that the case is in, from the outermost on.
    pub(crate) fn verdict(&self) -> Vec<&str> {
        self.source.verdict()
    }
}

/// Cases of tools, of calls in texts and of the field, which have separate tests.
const OTHERS: [&str; 3] = ["tools", "calls", "field"];

/// All files whose cases are replies.
pub(crate) fn files() -> Vec<cases::CaseFile> {
    let mut files = cases::read_all();
    files.retain(|file| !OTHERS.iter().any(|folder| file.is_in(folder)));
    files
}

/// All cases, in the order of their names.
pub(crate) fn all() -> Vec<Case> {
    files()
        .iter()
        .flat_map(|file| &file.cases)
        .map(Case::of)
        .collect()
}
