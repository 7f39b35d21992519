//! The state of a call while it is bound.

use llmjson_reply::Parsed;
use llmjson_reply::report::Issue;

use super::changed::Changed;
use super::rename::{Renamed, Unsettled};

/// The state of a call that is being bound.
pub(super) struct BindingDraft<'t> {
    pub(super) parsed: Parsed<'t>,
    /// Members that matchers renamed.
    pub(super) renamed: Vec<Renamed>,
    /// Members for which matchers found several candidates.
    pub(super) unsettled: Vec<Unsettled>,
    /// Values that extensions changed.
    pub(super) changed: Vec<Changed>,
    /// Issues that are not schema violations.
    pub(super) issues: Vec<Issue>,
}

impl<'t> BindingDraft<'t> {
    pub(super) fn of(parsed: Parsed<'t>) -> Self {
        Self {
            parsed,
            renamed: Vec::new(),
            unsettled: Vec::new(),
            changed: Vec::new(),
            issues: Vec::new(),
        }
    }
}
