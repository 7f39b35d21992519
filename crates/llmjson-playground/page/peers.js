
// What others make of a reply, in a worker that the page gives up if it takes too long. jsonrepair stands above.
self.onmessage = ({ data: reply }) => {
  const tell = (name, read) => {
    const begun = performance.now();
    try {
      const value = read();
      self.postMessage({ name, ok: true, text: JSON.stringify(value, null, 2), took: performance.now() - begun });
    } catch (error) {
      self.postMessage({ name, ok: false, text: error.message, took: performance.now() - begun });
    }
  };
  tell("JSON.parse", () => JSON.parse(reply));
  tell("jsonrepair", () => JSON.parse(self.JSONRepair.jsonrepair(reply)));
  self.postMessage({ done: true });
};
