//! What is compared with what: one function per group of tables.

use serde_json_plain::Value;

use crate::contenders::{
    self, Contender, JITER, JSONREPAIR_RS, LLM_JSON, LLMJSON, LLMJSON_FRESH, LLMJSON_READ,
    LLMJSON_STRICT, SERDE_JSON, SONIC_RS,
};
use crate::inputs::Input;
use crate::rounds::{Times, measure};
use crate::table::{Cell, Table};
use crate::tree::Damage;

/// Prints the tables of one group, of so many rounds each.
type Group = fn(usize);

/// The names that `--only` takes, and what they measure.
pub(crate) const GROUPS: [(&str, Group); 3] = [
    ("clean", clean),
    ("leniency", leniency),
    ("damaged", damaged),
];

/// Valid JSON: speeds over serde_json, then ours over the others.
fn clean(rounds: usize) {
    let rows = [
        &SERDE_JSON,
        &SONIC_RS,
        &JITER,
        &LLMJSON,
        &LLMJSON_FRESH,
        &LLMJSON_READ,
        &LLMJSON_STRICT,
    ];
    let inputs = Input::all();
    let texts: Vec<_> = inputs
        .iter()
        .map(|input| input.text(Damage::Valid))
        .collect();
    let columns: Vec<_> = inputs.iter().map(|input| input.name.to_string()).collect();
    let measured: Vec<Vec<Option<Times>>> = texts
        .iter()
        .map(|text| compare(&rows, text, |value| same(value, text), rounds).0)
        .collect();

    let title = "Valid JSON: speed as a multiple of serde_json::from_str::<Value>";
    let mut table = Table::new(title, columns.clone());
    for (index, contender) in rows.iter().enumerate() {
        let cells = measured
            .iter()
            .map(|times| ratio(times, index, 0))
            .collect();
        table.row(contender.name, cells, contender.later);
    }
    table.print();

    let mut table = Table::new("Valid JSON: llmjson as a multiple of others", columns);
    for (own, base) in [(3, 1), (5, 1), (3, 2), (5, 2), (6, 3)] {
        let cells = measured
            .iter()
            .map(|times| ratio(times, own, base))
            .collect();
        let name = format!("{} / {}", rows[own].name, rows[base].name);
        table.row(name, cells, rows[own].later);
    }
    table.print();
}

/// What damage costs ourselves: time per byte of the damaged text over that of the valid one.
fn leniency(rounds: usize) {
    let columns = Damage::ALL.map(|damage| damage.name().to_string());
    let title = "llmjson: speed per byte on damaged text as a multiple of its own on valid text";
    let mut table = Table::new(title, columns.into());
    for input in Input::all() {
        let texts = Damage::ALL.map(|damage| input.text(damage));
        let pairs: Vec<_> = texts.iter().map(|text| (&LLMJSON, text.as_str())).collect();
        let times = measure(&pairs, rounds);
        let cells = texts
            .iter()
            .zip(Damage::ALL)
            .enumerate()
            .map(|(index, (text, damage))| {
                let value = (LLMJSON.value)(text);
                let per_byte = text.len() as f64 / texts[0].len() as f64;
                judge(
                    value.as_ref(),
                    |value| fits(value, damage, &texts[0]),
                    || times[index].speed_over(&times[0]) * per_byte,
                )
            });
        table.row(input.name, cells.collect(), LLMJSON.later);
    }
    table.print();
}

/// Damaged JSON: speeds over llm_json, where the value is the right one.
fn damaged(rounds: usize) {
    let rows = [&LLM_JSON, &JSONREPAIR_RS, &JITER, &LLMJSON, &LLMJSON_READ];
    for input in Input::all() {
        let valid = input.text(Damage::Valid);
        let mut measured = Vec::new();
        for damage in Damage::ALL {
            let text = input.text(damage);
            measured.push(compare(
                &rows,
                &text,
                |value| fits(value, damage, &valid),
                rounds,
            ));
        }
        let title = format!(
            "{}, {} bytes, damaged: speed as a multiple of llm_json \
             (x: refused, n: another value, y: right, but llm_json was not)",
            input.name,
            valid.len()
        );
        let columns = Damage::ALL.map(|damage| damage.name().to_string());
        let mut table = Table::new(title, columns.into());
        for (index, contender) in rows.iter().enumerate() {
            let cells = measured
                .iter()
                .map(|(times, refused)| match (&times[index], &times[0]) {
                    (Some(own), Some(base)) => Cell::Ratio(own.speed_over(base)),
                    (Some(_), None) => Cell::Alone,
                    _ if refused[index] => Cell::Refused,
                    _ => Cell::Another,
                });
            table.row(contender.name, cells.collect(), contender.later);
        }
        table.print();
    }
}

/// Times those of `contenders` whose value is right; also says which of them refused the text.
fn compare(
    contenders: &[&Contender],
    text: &str,
    right: impl Fn(&Value) -> bool,
    rounds: usize,
) -> (Vec<Option<Times>>, Vec<bool>) {
    let values: Vec<_> = contenders
        .iter()
        .map(|contender| (contender.value)(text))
        .collect();
    let rights: Vec<_> = values
        .iter()
        .map(|value| value.as_ref().is_some_and(&right))
        .collect();
    let pairs = contenders.iter().zip(&rights).filter(|(_, right)| **right);
    let pairs: Vec<_> = pairs.map(|(&contender, _)| (contender, text)).collect();
    let mut times = measure(&pairs, rounds).into_iter();
    let times = rights
        .iter()
        .map(|&right| if right { times.next() } else { None })
        .collect();
    (times, values.iter().map(Option::is_none).collect())
}

fn ratio(times: &[Option<Times>], own: usize, base: usize) -> Cell {
    match (&times[own], &times[base]) {
        (Some(own), Some(base)) => Cell::Ratio(own.speed_over(base)),
        _ => Cell::Another,
    }
}

fn judge(value: Option<&Value>, right: impl Fn(&Value) -> bool, speed: impl Fn() -> f64) -> Cell {
    match value {
        None => Cell::Refused,
        Some(value) if right(value) => Cell::Ratio(speed()),
        Some(_) => Cell::Another,
    }
}

/// Whether `value` is what `valid` says; of a text that was cut, whether it holds something.
fn fits(value: &Value, damage: Damage, valid: &str) -> bool {
    match (damage, value) {
        (Damage::Cut, Value::Object(members)) => !members.is_empty(),
        (Damage::Cut, Value::Array(items)) => !items.is_empty(),
        (Damage::Cut, _) => false,
        _ => same(value, valid),
    }
}

fn same(value: &Value, valid: &str) -> bool {
    (contenders::SERDE_JSON.value)(valid).as_ref() == Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_right() {
        for input in Input::all() {
            let valid = input.text(Damage::Valid);
            for contender in contenders::ALL {
                let value = (contender.value)(&valid);
                let right = value.as_ref().is_some_and(|value| same(value, &valid));
                assert!(right, "{} reads {} wrongly", contender.name, input.name);
            }
            for damage in Damage::ALL {
                let value = (LLMJSON.value)(&input.text(damage));
                let right = value
                    .as_ref()
                    .is_some_and(|value| fits(value, damage, &valid));
                assert!(
                    right,
                    "llmjson reads {}:{} wrongly",
                    input.name,
                    damage.name()
                );
            }
        }
    }
}
