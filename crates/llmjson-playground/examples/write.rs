//! Writes the page that is one file: `write GLUE.js MODULE.base64 OUT.html [PYTHON.json]`. The command `build` runs it.

use std::env::args;
use std::error::Error;
use std::fs;

use llmjson_playground::page::{Engine, page};

/// The element of the page that holds Python, if it is carried along.
const PYTHON: (&str, &str) = (
    "<script type=\"application/json\" id=\"python\">",
    "</script>",
);

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = args().skip(1).collect();
    let [glue, module, out, python @ ..] = given.as_slice() else {
        return Err(
            "give the JavaScript around the module, the module in Base64, and the file to write"
                .into(),
        );
    };
    let (glue, module) = (fs::read_to_string(glue)?, fs::read_to_string(module)?);
    let (glue, module) = (glue.as_str(), module.trim_end());
    let mut page = page(Engine::Module { glue, module });
    if let Some(python) = python.first() {
        let (begin, end) = PYTHON;
        let python = fs::read_to_string(python)?;
        page = page.replacen(
            &format!("{begin}{end}"),
            &format!("{begin}{python}{end}"),
            1,
        );
    }
    fs::write(out, page)?;
    Ok(())
}
