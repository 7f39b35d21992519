//! The error for parsing an unknown name.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The error for a name that is not in a list of names. Its message lists them.
///
/// ```
/// use llmjson_syntax::{Class, RepairKind};
///
/// assert_eq!("likely".parse(), Ok(Class::Likely));
/// assert_eq!("extra_comma".parse(), Ok(RepairKind::ExtraComma));
/// assert_eq!(
///     "Likely".parse::<Class>().unwrap_err().to_string(),
///     "unknown name \"Likely\", expected certain, likely or guess",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    given: String,
    known: Vec<&'static str>,
}

impl UnknownName {
    /// Returns the value for a name, or an error that lists all names.
    pub fn find<T: Copy>(given: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, Self> {
        let found = all.iter().copied().find(|one| name(*one) == given);
        found.ok_or_else(|| Self {
            given: given.into(),
            known: all.iter().map(|one| name(*one)).collect(),
        })
    }

    /// Returns the known names.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown name {:?}", self.given)?;
        for (place, name) in self.known.iter().enumerate() {
            let before = match place {
                0 => ", expected ",
                _ if place + 1 == self.known.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{name}")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::{Class, NoteKind, RepairKind};

    #[test]
    fn every_name_is_read_back() {
        for class in Class::ALL {
            assert_eq!(class.to_string().parse(), Ok(*class));
        }
        for kind in RepairKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
        }
        for kind in NoteKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
        }
        let error = "".parse::<NoteKind>().expect_err("no name");
        assert_eq!(error.known().len(), NoteKind::ALL.len());
    }
}
