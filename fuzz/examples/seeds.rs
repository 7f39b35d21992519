//! Writes the replies of the corpus into a folder, one to a file, for fuzzers to begin with:
//! `cargo run --manifest-path fuzz/Cargo.toml --example seeds -- fuzz/corpus/parse`.

#[expect(dead_code, reason = "tests need more of it")]
#[path = "../../crates/llmjson/tests/support/cases.rs"]
mod cases;

// Built with counters, as the targets are, it needs what takes them.
use libfuzzer_sys as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder to write to"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    for case in cases::read_all().iter().flat_map(|file| &file.cases) {
        if let Some(reply) = case.get("reply") {
            let name = case.name().replace('/', "-") + ".txt";
            fs::write(folder.join(name), reply).expect("the folder can be written to");
        }
    }
}
