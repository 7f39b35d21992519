// Side by side with what else there is: node bench.mjs, after crates/llmjson-wasm/build.
//
// Texts come in, objects go out; records are not asked for. Times are the best of nine, in microseconds of
// the processor.
import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'

const require = createRequire(new URL('../../crates/llmjson-wasm/npm/package.json', import.meta.url))
const { jsonrepair } = require('jsonrepair')
const partial = require('partial-json')
const { parsePartialJson } = await import(require.resolve('ai'))
const llmjson = await import('../../crates/llmjson-wasm/npm/package/dist/syntax/node.js')

function record(at) {
  return {
    id: at, name: `Customer "${at}" Müller`, email: `user${at}@example.com`, active: at % 3 === 0, score: at * 1.25,
    tags: ['alpha', 'beta', `t${at}`], address: { street: `Main street ${at}`, city: 'Zürich', zip: String(8000 + at) }, note: null
  }
}

function clean(bytes) {
  const items = []
  for (let length = 0; length < bytes;) {
    items.push(record(items.length))
    length += JSON.stringify(items.at(-1), null, 1).length
  }
  return JSON.stringify({ items }, null, 1)
}

// What jsonrepair can mend as well: names without quotes, other quotes, commas before closers, Python's words.
function damaged(text) {
  return text.replace(/"(\w+)":/g, '$1:').replace(/: "([^"\\]*)"/g, ": '$1'").replace(/\btrue\b/g, 'True')
    .replace(/\bnull\b/g, 'None').replace(/\n(\s*)([}\]])/g, ',\n$1$2')
}

// Time of the processor, so that a busy machine is no excuse; nothing where the value is another one.
function time(act, text, value) {
  try {
    if (!isDeepStrictEqual(act(text), value)) return null
  } catch {
    return null
  }
  const turns = Math.max(2, Math.ceil(200_000 / text.length))
  for (let turn = 0; turn < turns; turn += 1) act(text)
  let best = Infinity
  for (let round = 0; round < 9; round += 1) {
    const start = process.cpuUsage()
    for (let turn = 0; turn < turns; turn += 1) act(text)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / turns)
  }
  return best
}

const shown = micros => (micros === null ? '-' : micros < 100 ? micros.toFixed(1) : String(Math.round(micros))).padStart(12)
const rows = {
  'JSON.parse': text => JSON.parse(text),
  llmjson: text => llmjson.parse(text).value,
  jsonrepair: text => JSON.parse(jsonrepair(text)),
  'partial-json': text => partial.parse(text)
}
console.log('text'.padEnd(20), ...Object.keys(rows).map(name => name.padStart(12)), '  by jsonrepair')
const sizes = process.argv.slice(2).map(Number)
for (const size of sizes.length > 0 ? sizes : [300, 1_000, 10_000, 100_000, 1_000_000]) {
  const given = clean(size)
  for (const [name, text] of [['clean', given], ['damaged', damaged(given)]]) {
    const times = Object.values(rows).map(act => time(act, text, JSON.parse(given)))
    const factor = times[2] === null ? '-' : (times[2] / times[1]).toFixed(1)
    console.log(`${name} ${Buffer.byteLength(text)}`.padEnd(20), ...times.map(shown), factor.padStart(15))
  }
}

const text = clean(124_000)
const pieces = text.match(/[^]{1,60}/g)
function spent(start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

let best = Infinity
for (let round = 0; round < 10; round += 1) {
  const start = process.cpuUsage()
  const stream = new llmjson.Stream()
  for (const piece of pieces) stream.push(piece).value
  best = Math.min(best, spent(start))
}
console.log(`\nstream of ${text.length} in ${pieces.length} pieces, the value after each: ${best.toFixed(0)} ms, the best of ten`)
let said = ''
const start = process.cpuUsage()
for (const piece of pieces.slice(0, 500)) await parsePartialJson(said += piece)
console.log(`parsePartialJson for the first 500 of them: ${spent(start).toFixed(0)} ms`)
