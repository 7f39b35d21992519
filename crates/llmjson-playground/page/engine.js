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

  ask(question) {
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
      this.#worker.postMessage({ id, question: JSON.stringify(question), module: first ? held("module") : undefined });
    });
  }
}

const engine = held("module").trim() === "" ? new ServerEngine() : new ModuleEngine();

// What JSON.parse and jsonrepair make of a reply, told one after the other.
let peers = null;
function askPeers(reply, tell) {
  peers?.terminate();
  const worker = peers = workerOf(held("jsonrepair") + held("peers"));
  const late = setTimeout(() => { worker.terminate(); tell({ late: true }); }, 3_000);
  worker.onmessage = ({ data }) => {
    if (!data.done) return tell(data);
    clearTimeout(late);
    worker.terminate();
  };
  worker.postMessage(reply);
}
