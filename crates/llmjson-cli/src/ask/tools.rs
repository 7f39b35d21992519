//! `llmjson ask --tools`: asks a model until it calls tools in a way that can be run.

use llmjson::policy::FinishReason;
use llmjson::syntax::{JsonOut, JsonText, Raw};
use llmjson::tools::{Arguments, CallReader};
use llmjson_wire::{Message, Request, Response};

use crate::Verdict;
use crate::args::AskArgs;
use crate::bind::{CallOutcome, with_finish};
use crate::calls::{explanation_of, write_call};
use crate::commands::{pretty, write};
use crate::input::{CommandError, Source};
use crate::terminal::{tell, write_feedback};
use crate::tools::{Rules, Tools};

/// A call that the model makes.
struct Called {
    /// The id, of a call that the server took out of the text.
    id: Option<String>,
    /// The output line of the call.
    json: String,
    /// Feedback for the model, if it cannot be run.
    explanation: Option<String>,
}

pub(super) fn run(
    args: &AskArgs,
    list: &Source,
    messages: Vec<Message>,
) -> Result<Verdict, CommandError> {
    let rules = Rules::of_policy(args.policy.as_deref().unwrap_or("tool"));
    let tools = Tools::of_file(&list.read_whole()?, list, &rules, Tools::read, None)?;
    let client = super::client(args)?;
    let offered = serde_json::from_str(&tools.registry().to_openai_json());
    let mut request = Request {
        tools: Some(offered.map_err(|error| list.error(error))?),
        max_tokens: args.max_tokens,
        ..Request::new(&args.model, messages)
    };
    for attempt in 1..=args.retries.saturating_add(1) {
        let response = client.chat(&request);
        let response = response.map_err(|error| CommandError::new("the server", error))?;
        let Some(message) = response.message().cloned() else {
            return Err(CommandError::new(
                "the server",
                "the response contains no message",
            ));
        };
        let calls = calls_of(&message, &response, &tools);
        let mut explained = calls.iter().filter_map(|call| call.explanation.as_deref());
        let Some(first) = explained.next() else {
            return done(&calls, &message, args.pretty);
        };
        tell(&format!(
            "reply {attempt} cannot be used; feedback for the model:"
        ));
        let others = explained.fold(String::new(), |all, one| all + "\n\n" + one);
        let all = first.to_owned() + &others;
        write_feedback(&all);
        request.messages.push(message);
        let answers = calls.iter().filter_map(answer).collect::<Vec<_>>();
        match answers.is_empty() {
            true => request.messages.push(Message::user(all)),
            false => request.messages.extend(answers),
        }
    }
    tell(&format!(
        "none of {} replies could be used",
        args.retries.saturating_add(1)
    ));
    Ok(Verdict::Differs)
}

/// Returns the answer to a call, which each call needs that the server took out of the text.
fn answer(call: &Called) -> Option<Message> {
    let other = "This call is valid, but it was not run, because another call in the same reply cannot be run. Repeat it.";
    let text = call.explanation.as_deref().unwrap_or(other);
    Some(Message::tool(call.id.as_deref()?, text))
}

/// Prints the calls, all of which can be run.
fn done(calls: &[Called], message: &Message, several: bool) -> Result<Verdict, CommandError> {
    for call in calls {
        write(&pretty(call.json.clone(), several))?;
    }
    if calls.is_empty() {
        let said = message.content.as_text().unwrap_or_default();
        tell(&format!("the model called no tool: {said}"));
    }
    Ok(Verdict::of(!calls.is_empty()))
}

/// Binds the calls of a reply: the calls that the server extracted, or the calls in its text.
fn calls_of(message: &Message, response: &Response, tools: &Tools) -> Vec<Called> {
    let choice = response.choices.first();
    let finish = choice.and_then(|choice| choice.finish_reason.as_deref());
    let finish = finish.map(FinishReason::named);
    let given = message.tool_calls.as_deref().unwrap_or_default();
    if !given.is_empty() {
        let functions = given
            .iter()
            .map(|call| (call.id.clone(), call.function.clone()));
        return functions
            .map(|(id, function)| {
                let function = function.unwrap_or_default();
                let name = function.name.unwrap_or_default();
                let text = function.arguments.unwrap_or_default();
                bind(id, &name, text.as_str(), finish.clone(), tools)
            })
            .collect();
    }
    let text = message.content.as_text().unwrap_or_default();
    let found = CallReader::new(tools.registry()).read(text);
    let calls = found.calls().iter().map(|call| Called {
        id: None,
        json: JsonText::object_of(|out| write_call(call, out)),
        explanation: explanation_of(call),
    });
    calls.collect()
}

fn bind(
    id: Option<String>,
    name: &str,
    text: &str,
    finish: Option<FinishReason>,
    tools: &Tools,
) -> Called {
    // Tools that cannot be used are not offered.
    if tools.is_broken(name) {
        return Called {
            id,
            json: String::new(),
            explanation: Some(format!("The tool {name} cannot be used.")),
        };
    }
    let outcome = tools.bind(name, with_finish(Arguments::from(text), finish));
    let bound = match &outcome {
        CallOutcome::Known(report) => report.document().to_json(),
        CallOutcome::Unknown(_) => None,
    };
    Called {
        json: JsonText::object_of(|out| {
            out.member("name", name);
            out.member("arguments", Raw(bound.as_deref().unwrap_or("null")));
            if let Some(id) = &id {
                out.member("id", id.as_str());
            }
        }),
        id,
        explanation: outcome.explanation().filter(|_| !outcome.is_ok()),
    }
}
