
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

async function fragmentOf() {
  const text = JSON.stringify(PARTS.map((part) => state[part]));
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
  const parts = JSON.parse(text);
  if (!Array.isArray(parts)) return false;
  PARTS.forEach((part, at) => { if (typeof parts[at] === "string") state[part] = parts[at]; });
  return true;
}
