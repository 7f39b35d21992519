//! `llmjson bind`: binds the arguments of one call and prints the result.

use llmjson::policy::FinishReason;
use llmjson::tools::{Arguments, BindError, BindReport, UnknownTool};
use serde_json::Value;

use crate::Verdict;
use crate::args::BindArgs;
use crate::commands::{pretty, write};
use crate::findings::{Findings, write_value};
use crate::input::{CommandError, InputText, Source};
use crate::terminal::tell;
use crate::tools::{Rules, ToolLookup, Tools};
use llmjson::syntax::ObjectWriter;

pub(crate) fn run(args: &BindArgs) -> Result<Verdict, CommandError> {
    let list = Source::new(Some(&args.tools));
    let source = Source::new(args.file.as_deref());
    source.is_apart_from(Some(&list), "the tools")?;
    let rules = Rules {
        policy: args.policy.clone(),
        ..Rules::default()
    };
    let tools = Tools::read(&list.read_whole()?, &rules);
    let tools = tools.map_err(|reasons| refuse(&list, &reasons))?;
    let found = tools.find(&args.tool);
    let kind = match found {
        ToolLookup::Broken => "",
        ToolLookup::Tool(_) | ToolLookup::Unknown(_) => "warning: ",
    };
    for lint in tools.lints() {
        tell(&format!("{}: {kind}{lint}", list.name()));
    }
    let bound = match found {
        ToolLookup::Broken => {
            let what = format!("the tool {:?} cannot be used", args.tool);
            return Err(CommandError::new(&list.name(), what));
        }
        ToolLookup::Unknown(unknown) => CallOutcome::Unknown(unknown),
        ToolLookup::Tool(contract) => {
            let InputText { text, cut } = source.read()?;
            let named = args.finish_reason.as_deref().map(FinishReason::named);
            let finish = if cut {
                Some(FinishReason::Length)
            } else {
                named
            };
            let arguments = with_finish(Arguments::from(&text), finish);
            CallOutcome::Known(Box::new(contract.report(arguments)))
        }
    };
    write(&pretty(bound.to_json(), args.pretty))?;
    Ok(Verdict::of(bound.is_ok()))
}

/// Prints all reasons why a list of tools cannot be used but the last, which it returns.
pub(crate) fn refuse(list: &Source, reasons: &str) -> CommandError {
    let (others, last) = reasons.rsplit_once('\n').unwrap_or(("", reasons));
    for reason in others.lines() {
        tell(&format!("{}: {reason}", list.name()));
    }
    CommandError::new(&list.name(), last)
}

/// Adds the reason why the model stopped writing to the arguments, if it is known.
pub(crate) fn with_finish(arguments: Arguments<'_>, finish: Option<FinishReason>) -> Arguments<'_> {
    match finish {
        Some(reason) => arguments.with_finish_reason(reason),
        None => arguments,
    }
}

/// The result of a call.
pub(crate) enum CallOutcome {
    /// The report of a call of a known tool.
    Known(Box<BindReport>),
    /// A call of a tool that does not exist.
    Unknown(UnknownTool),
}

impl CallOutcome {
    pub(crate) fn is_ok(&self) -> bool {
        matches!(self, Self::Known(report) if report.is_ok())
    }

    /// Returns the result as a JSON object.
    fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out);
        let report = match self {
            Self::Known(report) => {
                object.text("tool", report.contract().name());
                Some(report)
            }
            Self::Unknown(unknown) => {
                object.text("tool", &unknown.name);
                None
            }
        };
        object.boolean("ok", self.is_ok());
        match report {
            Some(report) => write_value(report.document(), object.member("arguments")),
            None => object.member("arguments").push_str("null"),
        }
        object.boolean("complete", report.is_none_or(|report| report.is_complete()));
        match report.filter(|report| report.document().root().is_some()) {
            Some(report) => object.text("certainty", report.certainty().name()),
            None => object.member("certainty").push_str("null"),
        }
        self.write(&mut object);
        match report {
            Some(report) => {
                Findings::of_report(report)
                    .report()
                    .write_repairs(&mut object);
            }
            None => object.member("repairs").push_str("[]"),
        }
        object.close();
        out
    }

    /// Writes the members `issues`, `explanation` and `fields`.
    pub(crate) fn write(&self, object: &mut ObjectWriter<'_>) {
        match self {
            Self::Known(report) => {
                object.list("issues", report.issues(), |issue, out| {
                    out.push_str(&issue.to_json())
                });
                match explanation(report) {
                    Some(text) => object.text("explanation", &text),
                    None => object.member("explanation").push_str("null"),
                }
                object.list("fields", report.fields(), |field, out| {
                    out.push_str(&field.to_json())
                });
            }
            Self::Unknown(unknown) => {
                let issue = unknown.issue().to_json();
                object.member("issues").push_str(&format!("[{issue}]"));
                let error = BindError::<Value>::UnknownTool(unknown.clone());
                object.text("explanation", &error.explain());
                object.member("fields").push_str("[]");
            }
        }
    }
}

/// Returns the feedback for the model, if there is any.
fn explanation(report: &BindReport) -> Option<String> {
    let silent = report.is_ok() && !report.is_uncertain();
    (!silent).then(|| report.explain())
}
