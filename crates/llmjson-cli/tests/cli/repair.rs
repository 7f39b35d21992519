//! The document about `repair`.

use crate::support::run;

#[test]
fn the_table_beside_jsonrepair_shows_what_is_printed() {
    let table = include_str!("../../docs/repair.md");
    let spans = |cell: &str| -> Vec<String> {
        let is_code = |(place, part): (usize, &str)| (place % 2 == 1).then(|| part.to_owned());
        cell.split('`').enumerate().filter_map(is_code).collect()
    };
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let (inputs, outputs) = match &cells[..] {
            // In prose, code is only a part of the output.
            [text, _, repaired, _] if repaired.starts_with('`') => (spans(text), spans(repaired)),
            _ => continue,
        };
        for (input, output) in inputs.iter().zip(&outputs) {
            let ran = run(&["repair", "--unfinished", "complete", "--text"], input);
            assert_eq!((ran.code, ran.out.trim()), (Some(0), &**output), "{input}");
            count += 1;
        }
    }
    assert!(count >= 14, "{count}");
}
