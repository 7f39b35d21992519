//! What [`Policy::conservative`](crate::Policy::conservative) reads; see
//! [`policy::conservative`](crate::policy::conservative).

mod bind;
mod clean;
mod recovery;
mod regions;
mod search;

pub use clean::clean;
pub use recovery::recover;
pub use regions::regions;

pub(crate) use bind::bind;
pub(crate) use search::search;
