//! Missing members that have a default.

use super::member_scan::MemberScan;
use super::state::{Call, Coercer, Filled};
use crate::ir::shape::ObjectRules;

impl Coercer<'_, '_> {
    /// Writes the defaults of missing declared members. A default that violates its own schema is
    /// left out.
    pub(super) fn fill(
        &mut self,
        call: &Call,
        rules: &ObjectRules,
        scan: &mut MemberScan,
    ) -> Vec<Filled> {
        let mut filled = Vec::new();
        if !self.options.fills() || call.has(Call::JUDGE) {
            return filled;
        }
        for (slot, property) in (0u32..).zip(&rules.properties) {
            let shape = self.shapes.get(property.shape);
            let Some(default) = &shape.default else {
                continue;
            };
            if scan.present[slot as usize] || self.is_spent() {
                continue;
            }
            let default = default.to_string();
            self.charge(default.len());
            let text = self.editor.string(&default);
            let Some(inner) = self.editor.parse_string(text, &self.options.limits) else {
                continue;
            };
            let value = self.value(inner.root);
            if shape.agrees(value) && shape.is_within_bounds(value) {
                scan.present[slot as usize] = true;
                let node = inner.root;
                filled.push(Filled { slot, node });
            }
        }
        scan.complete = scan.has_all(rules);
        filled
    }
}
