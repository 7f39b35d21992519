
// What llmjson and others make of a reply, one after the other in one worker, which the page gives up if it takes too
// long. jsonrepair and the worker that answers questions stand above.
async function compare(question, hasModule, python) {
  const tell = (name, read, clock) => {
    let told;
    try {
      told = { name, ok: true, text: read(), took: clock() };
    } catch (error) {
      told = { name, ok: false, text: error.message };
    }
    self.postMessage(told);
  };
  const repeated = (read) => () => timed((rounds) => { for (let at = 0; at < rounds; at += 1) read(); });
  const { reply } = question;
  const pretty = (text) => JSON.stringify(JSON.parse(text), null, 2);
  const { jsonrepair } = self.JSONRepair;
  if (hasModule) tell("llmjson", () => JSON.parse(playground_ask(JSON.stringify({ ...question, ask: "read" }))).value, () => timedAsk(question));
  tell("JSON.parse", () => pretty(reply), repeated(() => JSON.parse(reply)));
  tell("jsonrepair", () => pretty(jsonrepair(reply)), repeated(() => jsonrepair(reply)));
  if (python !== undefined) snake = beginPython(python);
  const { read, repeat } = await snake ?? {};
  if (read) tell("json_repair", () => pretty(read(reply)), () => timed((rounds) => repeat(reply, rounds)));
  self.postMessage({ done: true });
}

// Python, once it is asked for.
let snake = null;

// Pyodide fetches its files: here they are at hand, and nothing is fetched.
async function beginPython({ module, library, packed, info }) {
  self.fetch = async (address) => {
    if (`${address}`.endsWith(".wasm")) return moduleOf(module);
    if (`${address}`.endsWith(".zip")) return new Response(bytesOf(library));
    throw new Error(`nothing is fetched: ${address}`);
  };
  const lockFileContents = { info, packages: {} };
  const pyodide = await loadPyodide({ indexURL: "https://carried.invalid/", createPyodideModule, lockFileContents });
  pyodide.unpackArchive(bytesOf(packed), "wheel", { extractDir: "/carried" });
  pyodide.runPython(`
import json, sys
sys.path.insert(0, "/carried")
import json_repair

def read(text):
    return json.dumps(json_repair.loads(text))

def repeat(text, rounds):
    for _ in range(rounds):
        json_repair.loads(text)
`);
  return { read: pyodide.globals.get("read"), repeat: pyodide.globals.get("repeat") };
}
