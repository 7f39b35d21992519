//! Keys that add a unit to a declared name, `weight_kg`, if the member's schema states the same
//! unit.

use super::forms::names_unit;
use crate::ir::names::Claim;
use crate::ir::names::marks::bracketed;
use crate::ir::shape::ObjectRules;
use crate::schema::Compiled;

/// Maximum length of a key that is examined.
const BYTES_MAX: usize = 128;

/// Returns the member for a key that extends its key with a unit. No value is converted: the unit
/// is the one in the schema.
pub(super) fn measured(compiled: &Compiled, rules: &ObjectRules, name: &str) -> Option<Claim> {
    if name.len() > BYTES_MAX {
        return None;
    }
    let (own, said) = match bracketed(name) {
        Some(parts) => parts,
        None => last_word(name)?,
    };
    let slot = match rules.find(own) {
        Some(slot) => slot as u32,
        None => rules.names().claim(own)?.slot(),
    };
    let shape = compiled.shapes.get(rules.properties[slot as usize].shape);
    let says_so = names_unit(&compiled.tree, shape, said);
    says_so.then_some(Claim::Spelling(slot))
}

/// Returns the words of a key before its last one, without an `in`, and the last one.
fn last_word(name: &str) -> Option<(&str, &str)> {
    let is_sign = |letter: char| matches!(letter, '_' | '-' | ' ' | '.');
    let at = name.char_indices().rev().find(|&(at, letter)| {
        let before = name[..at].chars().next_back();
        is_sign(letter) || letter.is_uppercase() && before.is_some_and(char::is_lowercase)
    });
    let at = at.map(|(at, _)| at).filter(|at| *at > 0)?;
    let (own, said) = name.split_at(at);
    let own = own.trim_end_matches(is_sign);
    let less = ["_in", " in", "-in", "In"]
        .iter()
        .find_map(|word| own.strip_suffix(word));
    let own = less.unwrap_or(own);
    Some((own, said.trim_start_matches(is_sign)))
        .filter(|(own, said)| !own.is_empty() && !said.is_empty())
}
