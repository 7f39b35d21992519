//! stub
use crate::{Verdict, args::ExplainArgs, input::Problem};
pub(crate) fn run(_args: &ExplainArgs) -> Result<Verdict, Problem> { Ok(Verdict::Conforms) }
