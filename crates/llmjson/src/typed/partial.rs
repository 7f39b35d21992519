//! Types of values that are still streaming.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use serde::de::{Deserialize, DeserializeOwned, Deserializer};

/// A type of which a part can be read while the rest is still streaming. The derive macro of the
/// same name (feature `derive`) implements it.
///
/// For `struct Trip` it generates a type `PartialTrip`: the same members with the same serde
/// attributes, all optional. Members whose types also derive it have their partial types. A member
/// is `None` until it has arrived and can be read. `PartialTrip` implements `Deserialize` and
/// `Default`, and the traits in `#[partial(derive(…))]`.
///
/// ```
/// use llmjson::typed::{self, Partial};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
/// #[partial(derive(Debug, PartialEq))]
/// #[serde(rename_all = "camelCase")]
/// struct Trip {
///     home_town: String,
///     days: u32,
///     stops: Vec<Stop>,
///     #[partial(whole)] // a type of another crate
///     #[schemars(with = "String")]
///     from: std::net::IpAddr,
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
/// #[partial(derive(Debug, PartialEq))]
/// struct Stop {
///     name: String,
///     nights: u8,
/// }
///
/// let mut stream = typed::Stream::<Trip>::new()?;
/// stream.push("Sure: {from: '127.0.0.1', homeTown: 'Oslo', days: \"3\", stops: [{name: 'Ham");
/// let trip: PartialTrip = stream.partial().expect("it has begun")?;
/// let hamar = PartialStop { name: Some("Ham".to_owned()), nights: None };
/// assert_eq!((trip.days, trip.stops), (Some(3), Some(vec![hamar])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A type from another crate that does not implement it is read as a whole if the member says
/// `#[partial(whole)]`. Enums are shown once their tag has arrived, enums without data once
/// complete. An enum without data or with `untagged` is its own partial type; a struct around one
/// type (`struct Id(String)`) has the partial type of that type.
///
/// The members of a type that is converted from another one (`from`, `try_from`) are unknown, and
/// parts cannot be borrowed:
///
/// ```compile_fail
/// #[derive(serde::Deserialize, llmjson::typed::Partial)]
/// #[serde(from = "u8")]
/// struct Level {
///     of: u8,
/// }
/// # impl From<u8> for Level { fn from(of: u8) -> Self { Self { of } } }
/// ```
///
/// A member whose type does not implement it is one error, at the type:
///
/// ```compile_fail,E0277
/// #[derive(serde::Deserialize, llmjson::typed::Partial)]
/// struct Trip {
///     by: Vehicle, // `Vehicle` has no partial type: derive `llmjson::typed::Partial` for it
/// }
///
/// #[derive(serde::Deserialize)]
/// enum Vehicle {
///     Bus,
///     Train,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partial type",
    label = "this is not `Partial`",
    note = "derive `llmjson::typed::Partial` for it, or mark the member with `#[partial(whole)]`"
)]
pub trait Partial {
    /// The partial type: every member is optional.
    type Type: DeserializeOwned;
}

macro_rules! partial {
    ($([$($of:tt)*] $type:ty => $partial:ty;)*) => {$(
        impl<$($of)*> Partial for $type {
            type Type = $partial;
        }
    )*};
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl Partial for $type {
            type Type = Self;
        }
    )*};
}

whole! {
    bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    String serde_json::Value std::path::PathBuf
}

partial! {
    [] () => Self;
    [T: Partial] Option<T> => Option<T::Type>;
    [T: Partial] Box<T> => Box<T::Type>;
    [T: Partial] Vec<T> => Vec<T::Type>;
    [T: Partial] VecDeque<T> => Vec<T::Type>;
    [T: Partial] BTreeSet<T> => Vec<T::Type>;
    [T: Partial, S] HashSet<T, S> => Vec<T::Type>;
    [T: Partial, const N: usize] [T; N] => Vec<T::Type>;
    [K: DeserializeOwned + Ord, T: Partial] BTreeMap<K, T> => BTreeMap<K, T::Type>;
    [K: DeserializeOwned + Eq + Hash, T: Partial, S: BuildHasher + Default] HashMap<K, T, S> => HashMap<K, T::Type, S>;
    [T: ToOwned<Owned: Partial> + ?Sized] Cow<'static, T> => <T::Owned as Partial>::Type;
    [A: DeserializeOwned, B: DeserializeOwned] (A, B) => Self;
    [A: DeserializeOwned, B: DeserializeOwned, C: DeserializeOwned] (A, B, C) => Self;
}

/// Reads a member of a partial type. Returns `None` if the member is `null` or can't be read yet,
/// such as the beginning of a date.
///
/// # Errors
///
/// Never fails: the complete value is validated at the end.
pub fn when_whole<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::deserialize(value).unwrap_or(None))
}
