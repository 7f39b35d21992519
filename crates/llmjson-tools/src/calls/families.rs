//! The families that a caller expects, by family names or by a model name.

use std::fmt;
use std::str::FromStr;

use llmjson_syntax::UnknownName;

use super::family::Family;

/// A set of call formats: a model's formats, or families named by the caller.
///
/// Convert it from a [`Family`], or parse it from the name of a family or a model. Organisation
/// prefixes and size suffixes are ignored.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Families, Family};
///
/// let families: Families = "zai-org/GLM-4.6-FP8".parse()?;
/// assert_eq!(families.iter().map(Family::name).collect::<Vec<_>>(), ["glm"]);
/// let families = families.with("hermes".parse()?);
/// assert_eq!(families.iter().count(), 2);
/// # Ok::<(), llmjson::syntax::UnknownName>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Families(u64);

/// Additional formats of a family: those it writes when its marker is lost, or may omit.
static VARIANTS: &[(&str, &[&str])] = &[
    ("llama-function", &["qwen3-coder", "seed-oss"]),
    ("anthropic", &["minimax", "muse"]),
    ("json", &["xlam", "llama3", "hermes", "mistral-json"]),
    ("xlam", &["json"]),
];

impl Families {
    /// Adds a family to the set.
    #[must_use]
    pub const fn with(self, family: Family) -> Self {
        Self(self.0 | 1 << family.place())
    }

    /// Returns the union of the two sets.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns `true` if the set contains a family.
    #[must_use]
    pub const fn contains(self, family: Family) -> bool {
        self.0 & 1 << family.place() != 0
    }

    /// Returns the families in the set.
    pub fn iter(self) -> impl Iterator<Item = Family> {
        let places = (0..u64::BITS as u8).map(Family::at);
        places.filter(move |family| self.contains(*family))
    }

    /// Returns the families that were read from a response template.
    pub(super) fn own(self) -> impl Iterator<Item = Family> {
        let known = Family::all().len();
        self.iter()
            .filter(move |family| usize::from(family.place()) >= known)
    }

    /// Returns `true` if one of them may have written a call in the format of a family: rows share
    /// markers, and models omit their markers.
    pub(super) fn write(self, family: Family) -> bool {
        self.iter().any(|own| {
            let mut variants = VARIANTS.iter();
            own == family
                || own.shares_marker(family)
                || variants.any(|(name, families)| {
                    *name == family.name() && families.contains(&own.name())
                })
        })
    }
}

impl From<Family> for Families {
    fn from(family: Family) -> Self {
        Self::default().with(family)
    }
}

impl fmt::Debug for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromStr for Families {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let unknown = match name.parse::<Family>() {
            Ok(family) => return Ok(family.into()),
            Err(unknown) => unknown,
        };
        let model = name.rsplit('/').next().unwrap_or(name);
        let model = model.to_lowercase().replace(['_', ' '], "-");
        // The longest matching prefix counts, among `qwen3-coder` and `qwen`.
        let longest = Family::all().filter_map(|family| family.begins_model(&model));
        let longest = longest.max().ok_or(unknown)?;
        let families = Family::all().filter(|one| one.begins_model(&model) == Some(longest));
        Ok(families.fold(Self::default(), Self::with))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_lead_to_their_families() {
        for (model, families) in [
            ("glm-4.6", "{glm}"),
            ("qwen3-coder", "{qwen3-coder}"),
            ("Qwen/Qwen3-Coder-480B-A35B-Instruct", "{qwen3-coder}"),
            ("Qwen/Qwen2.5-7B-Instruct", "{hermes, qwen3-coder}"),
            ("moonshotai/Kimi-K2-Instruct", "{kimi}"),
            ("MiniMax-M3", "{minimax-m3}"),
            ("deepseek-ai/DeepSeek-V3.2", "{deepseek-dsml}"),
            (
                "meta-llama/Llama-3.1-8B-Instruct",
                "{llama3, llama-function}",
            ),
        ] {
            let parsed = model.parse::<Families>().map(|all| format!("{all:?}"));
            assert_eq!(parsed.as_deref(), Ok(families), "{model}");
        }
        assert!("gpt-7".parse::<Families>().is_err());
    }

    #[test]
    fn every_name_in_the_tables_is_one_of_a_family() {
        for name in VARIANTS.iter().flat_map(|(_, families)| *families) {
            assert!(name.parse::<Family>().is_ok(), "{name}");
        }
        assert!(Family::all().len() + super::super::family::OWN_MAX <= u64::BITS as usize);
    }
}
