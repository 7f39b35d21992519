// The engines. Each has one method, ask(question), which promises an answer; both are objects.

// How long an answer may take.
const PATIENCE_MS = 20_000;

const element = (id) => document.getElementById(id);
const held = (id) => element(id).textContent;

function workerOf(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  // A worker that has begun needs its address no more; one that has not yet, does.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return worker;
}

// The server that the page comes from.
class ServerEngine {
  name = "this machine's llmjson";

  async ask(question) {
    const answer = await fetch("ask", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`the server said ${answer.status}: is it still the same one?`);
    return answer.json();
  }

  time(question) {
    return this.ask({ ...question, ask: "time" });
  }
}

// The module that the page carries along, in a worker.
class ModuleEngine {
  name = "WebAssembly in this page";
  #worker = null;
  #waiting = new Map();
  #next = 0;

  #begin() {
    const worker = workerOf(held("glue") + held("worker"));
    worker.onmessage = ({ data }) => {
      if (data.failed === undefined) this.#waiting.get(data.id)?.[0](JSON.parse(data.answer));
      else this.#giveUp(data.failed);
    };
    worker.onerror = (event) => this.#giveUp(event.message ?? "it could not begin");
    return worker;
  }

  // Gives the worker up, and with it everything that was asked.
  #giveUp(why) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const [, fail] of this.#waiting.values()) fail(new Error(`the module failed: ${why}`));
    this.#waiting.clear();
  }

  time(question) {
    return this.ask(question, true);
  }

  ask(question, time = false) {
    const first = this.#worker === null;
    this.#worker ??= this.#begin();
    const id = this.#next++;
    return new Promise((tell, fail) => {
      const late = setTimeout(() => this.#giveUp("it took too long"), PATIENCE_MS);
      const done = (then) => (what) => {
        clearTimeout(late);
        this.#waiting.delete(id);
        then(what);
      };
      this.#waiting.set(id, [done(tell), done(fail)]);
      this.#worker.postMessage({ id, question, time, module: first ? held("module") : undefined });
    });
  }
}

// Python with json_repair, where the page was built with it: its code, and its files in Base64.
const python = held("python") === "" ? null : JSON.parse(held("python"));
// How long llmjson and others together may take to read a reply. Python takes seconds to begin.
const PEERS_MS = python === null ? 5_000 : 30_000;

const hasModule = held("module").trim() !== "";
const engine = hasModule ? new ModuleEngine() : new ServerEngine();

// The worker in which llmjson and others read the same reply, and whether it is at that.
let racing = { worker: null, busy: false };

// What each makes of a reply, told one after the other.
function race(question, tell) {
  if (racing.busy) racing.worker.terminate();
  const first = racing.busy || racing.worker === null;
  const mine = racing = { worker: first ? workerOf(held("glue") + held("worker") + held("jsonrepair") + held("peers") + (python?.code ?? "")) : racing.worker, busy: true };
  const giveUp = (why) => {
    clearTimeout(late);
    mine.worker.terminate();
    if (racing !== mine) return;
    racing = { worker: null, busy: false };
    tell({ why });
  };
  const late = setTimeout(() => giveUp(`It had not ended after ${PEERS_MS / 1e3} seconds.`), PEERS_MS);
  mine.worker.onerror = (event) => giveUp(event.message ?? "The worker could not begin.");
  mine.worker.onmessage = ({ data }) => {
    if (racing !== mine) return clearTimeout(late);
    if (data.failed !== undefined) return giveUp(data.failed);
    if (!data.done) return tell(data);
    clearTimeout(late);
    mine.busy = false;
  };
  mine.worker.postMessage({ race: true, question, module: first && hasModule ? held("module") : undefined, python: first ? python?.files : undefined });
}

