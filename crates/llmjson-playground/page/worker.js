
// Answers the questions of the page, by the module, in a worker. The glue of the module stands above.
let ready = null;

// A clock of a worker may be coarse: rounds are added until they take so long.
const TIMED_MS = 5;
// What takes longer is not run once more for being warm.
const COLD_MS = 100;

function bytesOf(base64) {
  // A loop: calling a function for each of a million signs takes many times as long.
  const signs = atob(base64);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at += 1) bytes[at] = signs.charCodeAt(at);
  return bytes;
}

// A module as if it were fetched.
function moduleOf(base64) {
  const unpacked = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "content-type": "application/wasm" } });
}

async function begin(base64) {
  await __wbg_init({ module_or_path: moduleOf(base64) });
}

// The milliseconds that one round takes, without what `run` takes besides.
function timed(run) {
  const clock = (rounds) => {
    const begun = performance.now();
    run(rounds);
    return performance.now() - begun;
  };
  for (let rounds = 1; ; rounds *= 4) {
    const all = clock(rounds);
    if (all >= TIMED_MS && (rounds > 1 || all > COLD_MS)) return Math.max(0, all - clock(0)) / rounds;
  }
}

// The library's own time: what brings the question here is not in it.
const timedAsk = (question) => timed((rounds) => playground_ask(JSON.stringify({ ...question, ask: "time", rounds })));

self.onmessage = async ({ data: { id, question, module, python, time, race } }) => {
  try {
    if (module !== undefined) ready ??= begin(module);
    await ready;
    if (race) return await compare(question, ready !== null, python);
    const answer = time ? JSON.stringify({ took: timedAsk(question) }) : playground_ask(JSON.stringify(question));
    self.postMessage({ id, answer });
  } catch (error) {
    // An instance that has trapped is not asked again: the page makes a new worker.
    self.postMessage({ id, failed: String(error) });
  }
};
