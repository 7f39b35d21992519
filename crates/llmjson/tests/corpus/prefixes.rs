//! The laws on a case and on what is left of it when it is cut.

use llmjson::laws;

use crate::case::Case;

/// Texts up to this length are cut at every character.
const WHOLE: usize = 1_500;

/// Longer ones at every this many, and at no more than [`CUTS`] places.
const STEP: usize = 7;

/// Maximum number of cuts of a long text.
const CUTS: usize = 100;

/// Every this many of the prefixes is read under every policy, too.
const POLICIES: usize = 5;

/// Checks all laws on the case and on its prefixes.
pub(crate) fn check(case: &Case) {
    laws::a_cut_is_noticed(&case.text);
    llmjson::syntax::laws::closed_strings_stay_closed(&case.text);
    llmjson::syntax::laws::beginnings_are_truncated(&case.text);
    if let Some(schema) = &case.schema {
        laws::every_notation(&case.text, schema);
    }
    let text = &*case.text;
    let step = if text.len() <= WHOLE {
        1
    } else {
        STEP.max(text.len() / CUTS)
    };
    let cuts = (0..text.len())
        .step_by(step)
        .filter(|cut| text.is_char_boundary(*cut));
    for (at, cut) in cuts.chain([text.len()]).enumerate() {
        if at % POLICIES == 0 || cut == text.len() {
            laws::every_policy(&text[..cut], case.schema.as_ref());
            laws::policy_is_kept(&text[..cut], case.schema.as_ref(), &case.policy);
        }
        laws::every_text(&text[..cut]);
        laws::records_lead_to_the_value(&text[..cut]);
        if let Some(schema) = &case.schema {
            laws::every_text_with_schema(&text[..cut], schema);
        }
    }
}
