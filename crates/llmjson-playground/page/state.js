
// The state, and how it stands in the fragment of an address.

// A link with more in it is not made: browsers and mail cut it off.
const FRAGMENT_MAX = 60_000;
// A fragment may unpack to no more than this.
const UNPACKED_MAX = 5_000_000;

const PARTS = ["reply", "schema", "tools", "policy", "tab"];
const state = { reply: "", schema: "", tools: "", policy: "lenient", tab: "value" };

function wellFormed(text) {
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}

async function through(bytes, stream, most = Infinity) {
  const parts = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("the link holds too much");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const partsOf = () => PARTS.map((part) => state[part]);

async function fragmentOf() {
  const text = JSON.stringify(partsOf());
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let signs = "";
  for (let at = 0; at < packed.length; at += 8192) signs += String.fromCharCode(...packed.subarray(at, at + 8192));
  return `1.${btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// Takes over what a fragment says; returns whether it says anything.
async function takeFragment(fragment) {
  if (!fragment.startsWith("1.")) return false;
  const signs = atob(fragment.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  const text = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"), UNPACKED_MAX));
  return takeParts(JSON.parse(text));
}

function takeParts(parts) {
  if (!Array.isArray(parts)) return false;
  PARTS.forEach((part, at) => { if (typeof parts[at] === "string") state[part] = parts[at]; });
  return true;
}

// Longer texts are not held by the browser's history, which a reload reads, but by this page alone.
const HISTORY_MAX = 1_000_000;

// What was given in each entry of the history, so that Back brings it again, whatever its length.
const entries = new Map();
let entry = null;

// Lets the open entry, or a new one, hold what is given.
function hold(anew = false) {
  if (anew || entry === null) entry = `${performance.timeOrigin} ${entries.size}`;
  const parts = partsOf();
  entries.set(entry, parts);
  const isShort = parts.reduce((sum, part) => sum + part.length, 0) <= HISTORY_MAX;
  history[anew ? "pushState" : "replaceState"]({ entry, parts: isShort ? parts : null }, "");
}

// Puts what the open entry holds into the address, if it is short enough.
async function putAddress() {
  const mine = entry;
  const fragment = await fragmentOf();
  if (mine === entry) history.replaceState(history.state, "", `#${fragment.length > FRAGMENT_MAX ? "" : fragment}`);
}

// Takes over what an entry of the history or, where it holds nothing, the address says; returns whether that is anything.
async function takeEntry(held) {
  entry = held?.entry ?? null;
  return takeParts(entries.get(entry) ?? held?.parts) || await takeFragment(location.hash.slice(1)).catch(() => false);
}
