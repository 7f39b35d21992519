//! JSON as the text of a string, with its quotes as they are.

use crate::draft::{Draft, Kind};
use crate::value;
use llmjson_testutil::Rng;

/// A text is JSON whose quotes were not escaped, and so may be a text in that.
pub(crate) fn unescaped_json(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Text)?;
    let mut inside = Draft::new(&value::document(rng), rng);
    if rng.chance(20) {
        _ = unescaped_json(&mut inside, rng);
    }
    let json = inside.text().text;
    draft.replace(at, Kind::Text, &format!("\"{json}\""), &json);
    Some(())
}
