//! `llmjson ask`: asks a model until its reply satisfies a schema.
//!
//! With tools instead of a schema, [`tools`] runs the conversation. The key is read from the environment and only sent with requests.

mod tools;

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use llmjson::retry::{Answer, ChatError, ChatModel, Progress, Retry, SchemaIn, Turn};
use llmjson::{Policy, Schema, stream::Stream};
use llmjson_wire::client::{Client, blocking};
use llmjson_wire::{Message, Request};

use crate::Verdict;
use crate::args::{AskArgs, preset};
use crate::commands::write;
use crate::input::{CommandError, InputText, Source, apart};
use crate::terminal::{picture_text, tell, write_feedback};

/// The environment variable that holds the key.
const KEY: &str = "OPENAI_API_KEY";

/// Number of characters of the growing value that a terminal shows.
const SHOWN_CHARS: usize = 70;

/// Time between two drawings of it on a terminal.
const REDRAW: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &AskArgs) -> Result<Verdict, CommandError> {
    let prompt = (args.prompt == "-").then_some(std::path::Path::new("-"));
    let list = args.tools.as_deref().or(args.schema.as_deref());
    let list = Source::new(list);
    let stdin = prompt.map(|path| Source::new(Some(path)));
    let name = if args.tools.is_some() {
        "the tools"
    } else {
        "the schema"
    };
    apart(stdin.as_slice(), Some(&list), name)?;
    let prompt = match prompt {
        Some(_) => read_prompt()?,
        None => args.prompt.clone(),
    };
    let system = args.system.as_deref().map(Message::system);
    let messages = system.into_iter().chain([Message::user(prompt)]).collect();
    if args.tools.is_some() {
        return tools::run(args, &list, messages);
    }
    let (_, schema) = list.read_schema()?;
    let policy = preset(args.policy.as_deref().unwrap_or("lenient"));
    let schema_in = match args.structured {
        true => SchemaIn::Request,
        false => SchemaIn::Prompt,
    };
    let retry = Retry::new(&schema)
        .with_policy(policy.clone())
        .with_max_retries(args.retries)
        .with_schema_in(schema_in);
    let request = Request {
        max_tokens: args.max_tokens,
        ..Request::new(&args.model, [])
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is one");
    bar.set_style(style);
    let mut shown = ShownValue::new(&schema, &policy, bar.clone());
    let model = ChatModel::new(client(args)?, request);
    let mut model = model.with_progress(move |progress| shown.take(progress));
    converse(&retry, &mut model, messages, &bar, args)
}

/// Runs the conversation to its end, and reports its progress.
fn converse(
    retry: &Retry,
    model: &mut ChatModel<blocking::Client>,
    messages: Vec<Message>,
    bar: &ProgressBar,
    args: &AskArgs,
) -> Result<Verdict, CommandError> {
    let asked = |turn: Turn<Message>| {
        if let Some((kind, feedback)) = turn.feedback() {
            let (attempts, kind) = (turn.attempts(), kind.name());
            tell(&format!(
                "reply {attempts} cannot be used ({kind}); feedback for the model:"
            ));
            write_feedback(feedback);
        }
        let reply = model.complete(&turn);
        bar.finish_and_clear();
        reply
    };
    let error = match retry.run(asked, messages) {
        Ok(answer) => return done(&answer, args.pretty),
        Err(error) => error,
    };
    if let Some(error) = error.model_error::<ChatError>() {
        return without_reply(error);
    }
    tell(&error.to_string());
    if let Some(failure) = error.failure() {
        write_feedback(&llmjson::stringify(failure));
    }
    Ok(Verdict::Differs)
}

fn done(answer: &Answer, pretty: bool) -> Result<Verdict, CommandError> {
    let value = answer.parsed.value().expect("an answer has a value");
    let json = match pretty {
        true => value.to_json_pretty(),
        false => value.to_json(),
    };
    if answer.attempts > 1 {
        tell(&format!("used reply {}", answer.attempts));
    }
    write(&json)?;
    Ok(Verdict::Conforms)
}

/// The verdict without a reply: a model that refuses was asked; a server that does not answer has
/// not.
fn without_reply(error: &ChatError) -> Result<Verdict, CommandError> {
    match error {
        ChatError::Declined(_) | ChatError::CallsTools(_) => {
            tell(&error.to_string());
            Ok(Verdict::Differs)
        }
        _ => Err(CommandError::new("the server", error)),
    }
}

fn client(args: &AskArgs) -> Result<blocking::Client, CommandError> {
    let mut builder = Client::builder().base_url(&args.base_url);
    match std::env::var(KEY) {
        Ok(key) if !key.trim().is_empty() => builder = builder.api_key(key.trim()),
        Ok(_) | Err(std::env::VarError::NotPresent) => {}
        Err(std::env::VarError::NotUnicode(_)) => {
            return Err(CommandError::new(KEY, "its value is not UTF-8"));
        }
    }
    blocking::Client::new(builder).map_err(|error| CommandError::new("--base-url", error))
}

fn read_prompt() -> Result<String, CommandError> {
    let source = Source::new(None);
    let InputText { text, cut } = source.read()?;
    if cut {
        return Err(CommandError::new(
            &source.name(),
            "the last character is truncated",
        ));
    }
    Ok(text)
}

/// The value of a reply that is coming, as a terminal shows it.
struct ShownValue {
    schema: Schema,
    policy: Policy,
    stream: Stream,
    /// Number of bytes of the reply that the stream has taken in.
    fed: usize,
    drawn: Option<Instant>,
    bar: ProgressBar,
}

impl ShownValue {
    fn new(schema: &Schema, policy: &Policy, bar: ProgressBar) -> Self {
        Self {
            schema: schema.clone(),
            policy: policy.clone(),
            stream: Stream::new(Some(schema)).with_policy(policy.clone()),
            fed: 0,
            drawn: None,
            bar,
        }
    }

    fn take(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Begun => {
                self.stream = Stream::new(Some(&self.schema)).with_policy(self.policy.clone());
                self.fed = 0;
                self.bar.reset();
                self.bar.set_message("");
            }
            Progress::Grown(reply) if !self.bar.is_hidden() => {
                let text = reply.text();
                self.stream.push(&text[self.fed..]);
                self.fed = text.len();
                self.draw();
            }
            Progress::Waiting(error, wait) => {
                let seconds = wait.as_secs_f32();
                let told = format!("{error}; retrying in {seconds:.1} s");
                self.bar.suspend(|| tell(&told));
            }
            Progress::StructuredOutputRefused(error) => {
                let told = format!(
                    "put the schema into the prompt, since the server rejected it: {error}"
                );
                self.bar.suspend(|| tell(&told));
            }
            _ => {}
        }
    }

    fn draw(&mut self) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        let value = self.stream.value();
        let json = value.map_or_else(String::new, |value| value.to_json());
        self.bar.set_message(picture_text(&end_of(&json)));
        self.bar.tick();
    }
}

/// The end of a text, with an ellipsis if that is not all of it.
fn end_of(text: &str) -> String {
    match text.char_indices().rev().nth(SHOWN_CHARS) {
        Some((before, first)) => format!("…{}", &text[before + first.len_utf8()..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_shown() {
        let exactly = "é".repeat(SHOWN_CHARS);
        assert_eq!(end_of(&exactly), exactly);
        assert_eq!(end_of(&format!("x{exactly}")), format!("…{exactly}"));
    }
}
