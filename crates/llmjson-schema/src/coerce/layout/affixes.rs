//! Keys that are declared names with words before or after them: `invoice_number` and
//! `invoice_total` for `number` and `total`.

use std::collections::HashMap;

use llmjson_syntax::Class;

use super::places::{Entry, Place, Target, WORDS_MAX};
use crate::coerce::state::Coercer;
use crate::ir::names::NAME_MAX;
use crate::ir::names::parts::{is_neutral, words_at};

impl Coercer<'_, '_> {
    /// Places the entries whose keys are names after words that they share, or before words that
    /// mean nothing: `invoice_number` and `invoice_total`. Returns the class.
    pub(super) fn share_words(&self, target: &Target<'_>, entries: &mut [Entry]) -> Class {
        let mut shared: HashMap<String, Vec<(usize, Place)>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let is_free = entry.stays() && entry.path.len() <= NAME_MAX;
            let found = match is_free && target.slot(&entry.path).is_none() {
                true => self.named_within(target, entry.name()),
                false => None,
            };
            if let Some((words, place)) = found {
                shared.entry(words).or_default().push((at, place));
            }
        }
        let is_own = |words: &str| words == "root" || self.is_wrapper(target.call.shape, words);
        let weight = |all: &(String, Vec<_>)| (is_own(&all.0), all.1.len());
        let mut groups: Vec<_> = shared.into_iter().collect();
        // Of equal groups the first by its words counts, whatever the order in the map.
        groups.sort_by(|one, other| {
            let by_weight = weight(other).cmp(&weight(one));
            by_weight.then_with(|| one.0.cmp(&other.0))
        });
        let Some((words, all)) = groups.first() else {
            return Class::Likely;
        };
        // `{"user name": …, "admin name": …}` for a name: none is chosen.
        let is_taken = |(_, place): &(usize, Place)| all.iter().any(|(_, own)| own == place);
        let is_rival = groups[1..]
            .iter()
            .any(|(_, others)| others.iter().any(is_taken));
        if !is_own(words) && (all.len() < 2 || is_rival) {
            return Class::Likely;
        }
        let class = match is_own(words) || words.starts_with('-') {
            true => Class::Likely,
            false => Class::Guess,
        };
        for (at, place) in groups.swap_remove(0).1 {
            entries[at].place = place;
        }
        class
    }

    /// Returns the place named by the last words of a key, and the words before them, or by the
    /// first ones, and the words after them.
    fn named_within(&self, target: &Target<'_>, name: &str) -> Option<(String, Place)> {
        let all = words_at(name);
        (1..all.len().min(WORDS_MAX)).find_map(|cut| {
            let (start, _) = all[cut];
            let (first, last) = all.split_at(cut);
            let rest = &name[start..];
            let named = target.named(rest).map(Place::Becomes);
            if let Some(place) = named.or_else(|| self.place_under(target, rest)) {
                let first: Vec<&str> = first.iter().map(|(_, word)| &**word).collect();
                return Some((first.join(" "), place));
            }
            let is_neutral = last.iter().all(|(_, word)| is_neutral(word, &[]));
            let slot = target.named(&name[..start]).filter(|_| is_neutral)?;
            Some((format!("-{}", rest.to_lowercase()), Place::Becomes(slot)))
        })
    }
}
