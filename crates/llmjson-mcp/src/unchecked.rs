//! Calls that cannot be checked: too long, nested too deep, or with a duplicate member, of which
//! the server may read either value.

use llmjson_syntax::{Class, RepairKind, ValueRef};

use super::answer;
use super::call::{Judged, batch_of};
use super::client::is_about_tools;
use super::shared::{Id, PAGES_MAX, Shared};
use super::skim::{Purpose, Skim};
use llmjson_reply::{Policy, policy::Handling};

/// Handles a line that cannot be read, with the reason. If it may be about tools, it
/// cannot be checked: it is reported, and forwarded only if the policy permits it.
pub(super) fn judge(
    line: &[u8],
    reason: &str,
    shared: &Shared,
    policy: &Policy,
    notices: &mut Vec<String>,
) -> Judged {
    let (mut requests, mut about_tools, mut skim) = (Vec::new(), false, Skim::default());
    skim.feed(line, |head| {
        requests.extend(head.request());
        let purpose = head.method.map(Purpose::Method);
        about_tools |= purpose.is_some_and(|purpose| is_about_tools(&purpose));
    });
    if about_tools {
        let done = done_with_calls(policy);
        notices.push(format!("a message was {done}, since {reason}"));
    }
    match about_tools && !are_forwarded(policy) {
        true => Judged::dropped(responses(requests, skim.is_batch(), reason, shared)),
        false => Judged::default(),
    }
}

/// Returns `true` if a policy forwards calls that cannot be checked.
pub(super) fn are_forwarded(policy: &Policy) -> bool {
    policy.truncated() == Handling::Accept
}

/// Returns a description of how calls that cannot be checked are handled, for messages.
pub(super) fn done_with_calls(policy: &Policy) -> &'static str {
    match are_forwarded(policy) {
        true => "forwarded unchecked",
        false => "answered with an error",
    }
}

/// Records that the server did not list its tools for the proxy. If calls require the list, the
/// next one requests it again. Returns the message for the operator.
pub(super) fn not_listed(shared: &Shared, policy: &Policy) -> String {
    if !are_forwarded(policy) {
        shared.lock().forget_own_list();
    }
    let done = done_with_calls(policy);
    format!("calls of tools are {done}, since the server did not list its tools")
}

/// Returns the message for the operator if calls wait for a list that has too many pages.
pub(super) fn endless(shared: &Shared, policy: &Policy) -> Option<String> {
    let done = done_with_calls(policy);
    let is_awaited = shared.lock().awaits_own_list();
    is_awaited
        .then(|| format!("calls of tools after page {PAGES_MAX} of the server's list are {done}"))
}

/// Returns the responses to the requests of a line that is not forwarded, a line each.
pub(super) fn responses(
    requests: Vec<Id>,
    is_batch: bool,
    reason: &str,
    shared: &Shared,
) -> Vec<String> {
    let mut state = shared.lock();
    let responses = requests.iter().map(|id| {
        state.answer(id);
        answer::unchecked(id, reason)
    });
    let responses: Vec<_> = responses.collect();
    match is_batch && !responses.is_empty() {
        true => vec![batch_of(&responses)],
        false => responses,
    }
}

/// Returns a duplicate key of a call that a policy does not accept, since a server may read the
/// other value. Even a policy that takes the last `arguments` does not accept two different tool
/// names.
pub(super) fn doubled(message: ValueRef<'_>, policy: &Policy) -> Option<&'static str> {
    let params: Vec<_> = named(message, "params").collect();
    let in_params = |name| params.iter().flat_map(move |params| named(*params, name));
    if policy.duplicate_keys() == Handling::Refuse {
        let mut outer = ["method", "params"].into_iter();
        let mut inner = ["name", "arguments"].into_iter();
        let outer = outer.find(|name| named(message, name).nth(1).is_some());
        return outer.or_else(|| inner.find(|name| in_params(name).nth(1).is_some()));
    }
    let mut names = in_params("name");
    let first = names.next()?;
    let takes_any = policy.allows_repair_as(RepairKind::ChosenValue, Class::Guess);
    (!takes_any && names.any(|name| name != first)).then_some("name")
}

/// Returns the members of an object with a key.
fn named<'d>(object: ValueRef<'d>, name: &str) -> impl Iterator<Item = ValueRef<'d>> {
    let members = object.members_written();
    members.filter_map(move |(key, value)| (key == name).then_some(value))
}
