
// Answers the questions of the page, by the module, in a worker. The glue of the module stands above.
let ready = null;

async function begin(base64) {
  // A loop: calling a function for each of a million signs takes many times as long.
  const signs = atob(base64);
  const packed = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at += 1) packed[at] = signs.charCodeAt(at);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const headers = { "content-type": "application/wasm" };
  await __wbg_init({ module_or_path: new Response(unpacked, { headers }) });
}

self.onmessage = async ({ data: { id, question, module } }) => {
  try {
    ready ??= begin(module);
    await ready;
    self.postMessage({ id, answer: playground_ask(question) });
  } catch (error) {
    // An instance that has trapped is not asked again: the page makes a new worker.
    self.postMessage({ id, failed: String(error) });
  }
};
