//! `llmjson bind`: binds the arguments of one call and prints the result.

use llmjson::policy::FinishReason;
use llmjson::tools::{Arguments, BindError, BindReport, UnknownTool};
use serde_json::Value;

use crate::Verdict;
use crate::args::BindArgs;
use crate::commands::{pretty, write};
use crate::findings::Findings;
use crate::input::{CommandError, InputText, Source, apart, each};
use crate::tools::{Rules, Tools};
use llmjson::syntax::{JsonOut, JsonText, Raw};

pub(crate) fn run(args: &BindArgs) -> Result<Verdict, CommandError> {
    let list = Source::new(Some(&args.tools));
    let sources = args.input.sources(|_| true)?;
    apart(&sources, Some(&list), "the tools")?;
    let rules = Rules::of_policy(&args.policy);
    let tools = Tools::of_file(
        &list.read_whole()?,
        &list,
        &rules,
        Tools::read,
        Some(&args.tool),
    )?;
    each(&sources, |source| one(args, source, &list, &tools))
}

fn one(
    args: &BindArgs,
    source: &Source,
    list: &Source,
    tools: &Tools,
) -> Result<Verdict, CommandError> {
    if tools.is_broken(&args.tool) {
        let what = format!("the tool {:?} cannot be used", args.tool);
        return Err(list.error(what));
    }
    let InputText { text, cut } = source.read()?;
    let named = args.finish_reason.as_deref().map(FinishReason::named);
    let finish = if cut {
        Some(FinishReason::Length)
    } else {
        named
    };
    let arguments = with_finish(Arguments::from(&text), finish);
    let bound = tools.bind(&args.tool, arguments);
    write(&pretty(bound.to_json(), args.pretty))?;
    Ok(Verdict::of(bound.is_ok()))
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

    /// Returns the feedback for the model, if there is any.
    pub(crate) fn explanation(&self) -> Option<String> {
        match self {
            Self::Known(report) if report.is_ok() && !report.is_uncertain() => None,
            Self::Known(report) => Some(report.explain()),
            Self::Unknown(unknown) => {
                Some(BindError::<Value>::UnknownTool(unknown.clone()).explain())
            }
        }
    }

    /// Returns the result as a JSON object.
    fn to_json(&self) -> String {
        JsonText::object_of(|out| {
            let (tool, report) = match self {
                Self::Known(report) => (report.contract().name(), Some(report)),
                Self::Unknown(unknown) => (&*unknown.name, None),
            };
            let value = report.and_then(|report| report.document().root());
            let certainty = report
                .filter(|_| value.is_some())
                .map(|report| report.certainty().name());
            out.member("tool", tool);
            if let Some(called) = report.and_then(|report| report.called()) {
                out.member("called", called);
            }
            out.member("ok", self.is_ok());
            out.member("arguments", value);
            out.member("complete", report.is_none_or(|report| report.is_complete()));
            out.member("certainty", certainty);
            self.write(out);
            match report {
                Some(report) => Findings::of_report(report).report().write_repairs(out),
                None => out.member("repairs", Raw("[]")),
            }
        })
    }

    /// Writes the members `issues`, `explanation` and `fields`.
    pub(crate) fn write(&self, out: &mut JsonText<'_>) {
        match self {
            Self::Known(report) => {
                out.member("issues", report.issues());
                out.member("explanation", self.explanation());
                out.member("fields", &report.fields()[..]);
            }
            Self::Unknown(unknown) => {
                out.member("issues", [unknown.issue()]);
                out.member("explanation", self.explanation());
                out.member("fields", Raw("[]"));
            }
        }
    }
}
