//! Effects of matchers, coercers, normalizers, renderers and reporters on binding.

mod coercers;
mod limits;
mod matchers;

use llmjson::syntax::ValueRef;
use llmjson::tools::{
    BindError, BindReport, Coerced, Coercer, Contextual, Contract, Extensions, Field,
    FieldCandidate, FieldMatcher, FieldStatus, Fuzzy, IssueReporter, Layer, MatchingMode,
    SchemaRenderer, Semantic, Tool,
};
use llmjson::{Policy, policy::Undeclared};
use serde_json::{Value, json};

fn contract_of(tool: Tool, extensions: Extensions, schema: &Value) -> Contract {
    let tool = tool.with_extensions(extensions);
    Contract::new(tool, schema).expect("a tool that can be used")
}

fn contract(extensions: Extensions, schema: &Value) -> Contract {
    contract_of(Tool::new("t", "A tool."), extensions, schema)
}

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn issues(report: &BindReport) -> Vec<String> {
    let issues = report.issues().iter();
    issues
        .map(|issue| format!("{} {}", issue.path, issue.code))
        .collect()
}

/// A matcher for pairs of an undeclared and a declared name, with a score.
struct Pairs(&'static [(&'static str, &'static str, f64)]);

impl FieldMatcher for Pairs {
    fn name(&self) -> &str {
        "pairs"
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<FieldCandidate> {
        let pairs = self.0.iter().filter(|(from, ..)| *from == name);
        let found = pairs.filter_map(|(_, to, score)| {
            let field = open.iter().position(|field| field.name() == *to)?;
            Some(FieldCandidate::new(field, *score))
        });
        found.collect()
    }
}

fn fuzzy() -> Extensions {
    Extensions::new().with_matcher(Fuzzy::new())
}
