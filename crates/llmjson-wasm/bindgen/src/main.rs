//! Writes the JavaScript around a compiled module.
//!
//! `llmjson-wasm-bindgen MODULE.wasm FOLDER NAME`

use std::env::args;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = args().skip(1).collect();
    let [module, folder, name] = given.as_slice() else {
        return Err("give the module, the folder and the name".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false);
    bindgen
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.web(true)?.generate(folder)?;
    Ok(())
}
