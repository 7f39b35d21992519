//! Replies within what a server or a framework puts around them.

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use crate::coerce::state::Laid;
use crate::coerce::state::{Call, Coercer};
use crate::ir::shape::Types;

/// One step towards the text of a reply: into a member, or, without a name, into the first item that
/// leads on.
const ITEM: &str = "";

/// The paths at which a reply stands as text.
const PATHS: [&[&str]; 11] = [
    // Chat completions.
    &["choices", ITEM, "message", "content"],
    &["choices", ITEM, "message", "content", ITEM, "text"],
    &["choices", ITEM, "text"],
    // Responses.
    &["output", ITEM, "content", ITEM, "text"],
    // Gemini.
    &["candidates", ITEM, "content", "parts", ITEM, "text"],
    // Ollama.
    &["message", "content"],
    &["response"],
    // Anthropic.
    &["content", ITEM, "text"],
    // LangChain.
    &["kwargs", "content"],
    &["generations", ITEM, ITEM, "text"],
    &["content"],
];

/// Maximum number of items that are looked at.
const ITEMS_MAX: usize = 64;

impl Coercer<'_, '_> {
    /// The value in the reply that an object at the root holds as text.
    pub(in crate::coerce) fn reply_within(&mut self, call: Call, wanted: Types) -> Option<Laid> {
        if !call.has(Call::ROOT) || !self.may_lay_out(call) {
            return None;
        }
        let value = self.value(call.node);
        let rules = self.shapes.get(call.shape).object.as_deref();
        let declares = |name: &str| rules.is_some_and(|rules| rules.declares(name));
        let paths = PATHS.iter().filter(|path| !declares(path[0]));
        let texts: Vec<NodeId> = paths
            .filter_map(|path| Some(text_at(value, path)?.id()))
            .collect();
        let node = *texts.first()?;
        self.charge(ITEMS_MAX);
        let (root, _) = self.container_in_text(Call { node, ..call }, wanted)?;
        Some((root, Class::Likely))
    }
}

fn text_at<'d>(value: ValueRef<'d>, path: &[&str]) -> Option<ValueRef<'d>> {
    let Some((step, rest)) = path.split_first() else {
        return (value.kind() == Kind::String).then_some(value);
    };
    match *step {
        ITEM => value
            .items()
            .take(ITEMS_MAX)
            .find_map(|item| text_at(item, rest)),
        name => text_at(value.get(name)?, rest),
    }
}
