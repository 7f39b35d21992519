//! What was counted, as tables, and what follows from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use llmjson_syntax::internal::why::lead_of;
use llmjson_syntax::{Class, RepairKind};

use crate::{LEADS, Read, SORTS};

/// Right values for which a lead is lowered, and wrong ones for which it is raised, at least: fewer tell nothing.
const FEW: usize = 30;
const LEAST: usize = 4;

/// Leads that one step goes over, at most, and steps.
const STEPS: usize = 3;
const STEPS_MOST: usize = 60;

/// Right and wrong values of each sort of damage.
type BySort = [[usize; 2]; SORTS.len()];

/// Right and wrong values, by the index of a lead.
type ByLead = [[usize; 2]; LEADS.len()];

/// The values with a kind of repair, by sort of damage and by the smallest lead with which it was made, without those
/// that are a guess for another reason.
fn by_kind(all: &[Read]) -> BTreeMap<&'static str, (RepairKind, [ByLead; SORTS.len()])> {
    let mut kinds = BTreeMap::new();
    for one in all {
        let mut least: BTreeMap<&str, (RepairKind, u32)> = BTreeMap::new();
        for made in &one.made {
            if let Some(lead) = made.lead {
                let least = least.entry(made.kind.name()).or_insert((made.kind, lead));
                least.1 = least.1.min(lead);
            }
        }
        for (name, (kind, lead)) in least {
            let others = |other| if other == kind { 0 } else { lead_of(other) };
            if one.class(others) == Class::Guess {
                continue;
            }
            let index = LEADS.iter().rposition(|one| *one <= lead).unwrap_or(0);
            let empty = || (kind, [ByLead::default(); SORTS.len()]);
            let (_, counts) = kinds.entry(name).or_insert_with(empty);
            counts[one.sort][index][usize::from(!one.right)] += 1;
        }
    }
    kinds
}

/// How many values with a kind of repair were right and wrong, by lead.
pub(crate) fn kinds(all: &[Read]) -> String {
    let mut out = String::from("wrong of all values with a repair, by the lead of its reading\n");
    let leads = LEADS.map(|lead| format!("{lead:>9}")).concat();
    let _ = writeln!(out, "{:<20}{:<18}{leads}", "repair", "damage");
    for (name, (_, counts)) in by_kind(all) {
        for ((sort, _), counts) in SORTS.iter().zip(counts) {
            if counts.iter().flatten().sum::<usize>() == 0 {
                continue;
            }
            let cells = counts.map(|[right, wrong]| match right + wrong {
                0 => format!("{:>9}", ""),
                all => format!("{:>9}", format!("{wrong}/{all}")),
            });
            let _ = writeln!(out, "{name:<20}{sort:<18}{}", cells.concat());
        }
    }
    out
}

/// A table of leads: those of the kinds that were found, and the values that each of them decides about.
struct Table<'a> {
    all: &'a [Read],
    kinds: Vec<(RepairKind, u32, Vec<usize>)>,
}

impl<'a> Table<'a> {
    /// The table as it is.
    fn new(all: &'a [Read]) -> Self {
        let mut kinds: Vec<(RepairKind, u32, Vec<usize>)> = Vec::new();
        for (at, one) in all.iter().enumerate() {
            for made in one.made.iter().filter(|made| made.lead.is_some()) {
                match kinds.iter_mut().find(|(kind, ..)| *kind == made.kind) {
                    Some((.., reads)) if reads.last() == Some(&at) => {}
                    Some((.., reads)) => reads.push(at),
                    None => kinds.push((made.kind, lead_of(made.kind), vec![at])),
                }
            }
        }
        kinds.sort_by_key(|(kind, ..)| kind.name());
        Self { all, kinds }
    }

    fn lead(&self, kind: RepairKind) -> u32 {
        let found = self.kinds.iter().find(|(other, ..)| *other == kind);
        found.map_or_else(|| lead_of(kind), |(_, lead, _)| *lead)
    }

    /// The right and wrong values of each sort that are no guess.
    fn sure(&self) -> BySort {
        let mut sure = BySort::default();
        for one in self.all {
            let counts = one.class(|kind| self.lead(kind)) != Class::Guess;
            sure[one.sort][usize::from(!one.right)] += usize::from(counts);
        }
        sure
    }

    /// The right and wrong values of each sort that become a guess, or are none any more, if this lead is that of
    /// the kind.
    fn change(&self, index: usize, lead: u32) -> BySort {
        let (changed, _, reads) = &self.kinds[index];
        let mut change = BySort::default();
        for one in reads.iter().map(|at| &self.all[*at]) {
            let with = |kind| {
                if kind == *changed {
                    lead
                } else {
                    self.lead(kind)
                }
            };
            let (before, after) = (one.class(|kind| self.lead(kind)), one.class(with));
            let counts = (before == Class::Guess) != (after == Class::Guess);
            change[one.sort][usize::from(!one.right)] += usize::from(counts);
        }
        change
    }

    /// The step that turns most wrong values of these sorts into guesses for each right one that it costs.
    fn raised(&self, over: &[usize]) -> Option<(usize, u32)> {
        let mut best = (0, None);
        for (index, (_, now, _)) in self.kinds.iter().enumerate() {
            let higher = LEADS.iter().filter(|lead| *lead > now);
            for lead in higher.take(STEPS) {
                let change = self.change(index, *lead);
                let wrong: usize = over.iter().map(|sort| change[*sort][1]).sum();
                let right: usize = change.iter().map(|one| one[0]).sum();
                let worth = wrong * 1000 / (right + 1);
                if wrong >= LEAST && worth > best.0 {
                    best = (worth, Some((index, *lead)));
                }
            }
        }
        best.1
    }

    /// A step that costs nothing: right values that are no guess any more, with few wrong ones among them.
    fn lowered(&self) -> Option<(usize, u32)> {
        let steps = self
            .kinds
            .iter()
            .enumerate()
            .flat_map(|(index, (_, now, _))| {
                let lower = LEADS.iter().rev().filter(move |lead| *lead < now);
                lower.take(STEPS).map(move |lead| (index, *lead))
            });
        let mut steps = steps.filter(|(index, lead)| {
            let change = self.change(*index, *lead);
            let few = |((_, limit), [right, wrong]): (&(_, usize), &[usize; 2])| {
                wrong * 2000 <= (right + wrong) * limit
            };
            let right: usize = change.iter().map(|one| one[0]).sum();
            right >= FEW && SORTS.iter().zip(&change).all(few)
        });
        steps.next()
    }
}

/// Leads of kinds with which few enough of the values that are called certain or likely are wrong, in every sort of
/// damage: step by step from those of today, each where it costs the fewest right values.
pub(crate) fn proposals(all: &[Read]) -> Vec<(RepairKind, u32)> {
    let mut table = Table::new(all);
    for _ in 0..STEPS_MOST {
        let sure = table.sure();
        let over = |sort: &usize| {
            let ([right, wrong], limit) = (sure[*sort], SORTS[*sort].1);
            wrong * 1000 > (right + wrong) * limit
        };
        let over: Vec<usize> = (0..SORTS.len()).filter(over).collect();
        let step = match over.is_empty() {
            true => table.lowered(),
            false => table.raised(&over),
        };
        let Some((index, lead)) = step else { break };
        table.kinds[index].1 = lead;
    }
    let leads = table.kinds.iter();
    leads.map(|(kind, lead, _)| (*kind, *lead)).collect()
}

/// How often values of each class are wrong, and the shares of the right ones, where repairs are no guess from these
/// leads on.
pub(crate) fn counted(all: &[Read], least: impl Fn(RepairKind) -> u32) -> String {
    let mut out = String::from(
        "damage              certain: all  wrong     likely: all  wrong      guess: all  wrong   right: certain  or likely\n",
    );
    for (index, (sort, _)) in SORTS.iter().enumerate() {
        let mut counts = [[0_usize; 2]; 3];
        for one in all.iter().filter(|one| one.sort == index) {
            counts[one.class(&least) as usize][usize::from(!one.right)] += 1;
        }
        let _ = write!(out, "{sort:<18}");
        for [right, wrong] in counts {
            let share = wrong as f64 * 100.0 / (right + wrong).max(1) as f64;
            let _ = write!(out, "{:>8} {share:>6.2} %", right + wrong);
        }
        let right = |upto: usize| counts[..=upto].iter().map(|one| one[0]).sum::<usize>();
        for upto in [0, 1] {
            let share = right(upto) as f64 * 100.0 / right(2).max(1) as f64;
            let _ = write!(out, "{share:>8.1} %");
        }
        out.push('\n');
    }
    out
}
