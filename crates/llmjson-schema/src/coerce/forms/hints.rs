//! A schema's hints about a number's unit: the member's name, its description, `x-unit`.

use super::unit::{self, Unit, Units};
use crate::ir::names::parts::words;
use crate::normal::tree::{NodeIx, Tree};

/// The units expected at a place.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The units that are stated.
    stated: Units,
    /// The units that are merely mentioned.
    spoken_of: Units,
}

/// The meaning of the hints for a number with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Agrees,
    Silent,
    /// A different unit of the same quantity is expected.
    Disagrees,
}

/// The punctuation around words of a description.
const MARKS: [char; 10] = ['(', ')', '[', ']', ',', '.', ';', ':', '"', '`'];

/// Length beyond which descriptions are not searched.
const DESCRIPTION_BYTES_MAX: usize = 1024;

impl Hints {
    /// Takes what a schema says about a place: its unit, its description and its title.
    pub(super) fn hear(&mut self, tree: &Tree, node: NodeIx) {
        for (name, value) in tree.members(node) {
            match (name, tree.text(value)) {
                ("x-unit", Some(unit)) => self.read_unit(unit),
                ("description" | "title", Some(text)) => self.read_description(text),
                _ => {}
            }
        }
    }

    fn read_unit(&mut self, unit: &str) {
        self.stated.extend(unit::named_in_any_case(unit.trim()));
    }

    /// The last word of a key is a unit, possibly as a symbol: `weight_kg`, `priceUsd`.
    pub(super) fn read_name(&mut self, name: &str) {
        let mut words = words(name);
        // `"area_m2": "5"`
        if let [.., unit, power] = &mut words[..]
            && matches!(&**power, "2" | "3" | "²" | "³")
        {
            unit.push_str(power);
            words.pop();
        }
        let Some((last, others)) = words.split_last() else {
            return;
        };
        // In `plan_b` and `field_a` the letter is not a unit.
        if last.len() == 1 && !"cfghklmsvw".contains(&**last) {
            return;
        }
        // A key that consists only of a symbol means something else.
        match others.is_empty() && last.len() <= 3 {
            true => self.stated.extend(unit::in_words(last)),
            false => self.stated.extend(unit::named_in_any_case(last)),
        }
        for word in others.iter().filter(|word| word.len() >= 4) {
            self.spoken_of.extend(unit::in_words(word));
        }
    }

    /// Words for units anywhere, symbols in brackets or after `in`, currency codes.
    fn read_description(&mut self, text: &str) {
        if text.len() > DESCRIPTION_BYTES_MAX {
            return;
        }
        let mut before = "";
        for word in text.split_ascii_whitespace() {
            let bare = word.trim_matches(MARKS);
            let in_brackets = word.starts_with(['(', '[']) && word.contains([')', ']']);
            if in_brackets || before.eq_ignore_ascii_case("in") {
                self.stated.extend(unit::named(bare));
            }
            let is_code = bare.len() == 3 && bare.bytes().all(|letter| letter.is_ascii_uppercase());
            let is_sign = match bare.as_bytes() {
                [b'%' | b'$'] => true,
                [first, ..] => !first.is_ascii() && bare.chars().nth(1).is_none(),
                [] => false,
            };
            if is_code || is_sign {
                self.spoken_of.extend(unit::named(bare));
            } else if bare.len() >= 4 {
                self.spoken_of.extend(unit::in_words(bare));
            }
            before = bare;
        }
    }

    /// Returns `true` if these units are named, and no other unit of their quantity.
    pub(super) fn name_only(&self, units: &[Unit]) -> bool {
        let rivals = || {
            let all = self.stated.iter().chain(&self.spoken_of);
            all.filter(|hint| units.iter().any(|unit| unit.measure == hint.measure))
        };
        rivals().next().is_some() && rivals().all(|hint| units.contains(hint))
    }

    /// Returns the meaning of the hints for a number with one of these units.
    pub(super) fn about(&self, units: &[Unit]) -> Hint {
        let all = || self.stated.iter().chain(&self.spoken_of);
        if all().any(|hint| units.contains(hint)) {
            return Hint::Agrees;
        }
        let measures = |hint: &Unit| units.iter().any(|unit| unit.measure == hint.measure);
        match self.stated.iter().any(measures) {
            true => Hint::Disagrees,
            false => Hint::Silent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions_state_units() {
        use Hint::*;
        let cases = [
            ("weight_kg", "", "kg", Agrees),
            ("weightKg", "", "kilograms", Agrees),
            ("weight_lb", "", "kg", Disagrees),
            ("weight", "", "kg", Silent),
            ("m", "", "m", Silent),
            ("weight", "Weight in kg", "kg", Agrees),
            ("weight", "Weight in grams.", "kg", Disagrees),
            ("height", "Height (cm)", "m", Disagrees),
            ("height", "Height (cm)", "cm", Agrees),
            ("price", "Price in USD", "$", Agrees),
            ("price_eur", "", "$", Disagrees),
            ("price_eur", "", "€", Agrees),
            ("percent", "", "%", Agrees),
            ("completion_percentage", "", "%", Agrees),
            ("probability", "", "%", Disagrees),
            ("price_min", "", "€", Silent),
            ("time", "Minutes spent per day", "min", Agrees),
            ("time", "Time spent per day", "min", Silent),
        ];
        for (name, description, text, hint) in cases {
            let mut hints = Hints::default();
            hints.read_name(name);
            hints.read_description(description);
            assert_eq!(
                hints.about(&unit::named(text)),
                hint,
                "{name} {description} {text}"
            );
        }
        let mut named = Hints::default();
        named.read_unit("kg");
        assert_eq!(named.about(&unit::named("kg")), Agrees);
    }
}
