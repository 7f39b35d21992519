// What the peers in JavaScript make of texts: lists of lists of texts come in, and for each peer what it gives to each.
// benches/python/recovery.py judges it.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const require = createRequire(new URL('../../crates/llmjson-wasm/npm/package.json', import.meta.url))
const { jsonrepair } = require('jsonrepair')
const partial = require('partial-json')
const { parse: bestEffort, setErrorLogger } = require('best-effort-json-parser')
const { parsePartialJson } = await import(require.resolve('ai'))
setErrorLogger(() => {})

const peers = {
  jsonrepair: text => JSON.parse(jsonrepair(text)),
  'best-effort': text => bestEffort(text),
  'partial-json': text => partial.parse(text),
  'AI SDK': async text => (await parsePartialJson(text)).value
}

const rows = JSON.parse(readFileSync(0, 'utf8'))
const all = {}
for (const [name, read] of Object.entries(peers)) {
  all[name] = []
  for (const row of rows) {
    const given = []
    for (const text of row) {
      try {
        given.push({ value: (await read(text)) ?? null })
      } catch {
        // It is refused.
        given.push({ value: null })
      }
    }
    all[name].push(given)
  }
}
console.log(JSON.stringify(all))
