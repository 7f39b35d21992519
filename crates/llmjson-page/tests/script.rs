//! The hash by which a page names its script.

use std::fmt::Write as _;

use llmjson_page::hash::{base64, sha256};

#[test]
fn the_hash_names_the_script() {
    let hex = sha256(b"abc").iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes it");
        hex
    });
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hex, known);
    let script = include_bytes!("../src/page.js");
    let kept = include_str!("../src/page.js.sha256");
    assert_eq!(
        base64(&sha256(script)),
        kept.trim_end(),
        "see page.js.sha256"
    );
}
