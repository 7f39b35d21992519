//! Writes the page that is one file: `write GLUE.js MODULE.base64 OUT.html`. The command `build` runs it.

use std::env::args;
use std::error::Error;
use std::fs;

use llmjson_playground::page::{Engine, page};

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = args().skip(1).collect();
    let [glue, module, out] = given.as_slice() else {
        return Err(
            "give the JavaScript around the module, the module in Base64, and the file to write"
                .into(),
        );
    };
    let (glue, module) = (fs::read_to_string(glue)?, fs::read_to_string(module)?);
    let (glue, module) = (glue.as_str(), module.trim_end());
    fs::write(out, page(Engine::Module { glue, module }))?;
    Ok(())
}
