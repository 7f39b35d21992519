// Side by side with what else there is: node bench.mjs [BYTES]..., after crates/llmjson-wasm/build.
//
// Texts come in, objects go out; records are not asked for. Times are medians of rounds in which the contenders take
// turns, in microseconds of the processor. A contender whose value is another one has no figure, and one that takes
// longer than ten seconds is not asked for more.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

const require = createRequire(new URL('../../crates/llmjson-wasm/npm/package.json', import.meta.url))
const { jsonrepair } = require('jsonrepair')
const partial = require('partial-json')
const { parse: bestEffort, setErrorLogger } = require('best-effort-json-parser')
const z = require('zod')
const { parsePartialJson } = await import(require.resolve('ai'))
const llmjson = await import('../../crates/llmjson-wasm/npm/package/dist/syntax/node.js')
const schemas = await import('../../crates/llmjson-wasm/npm/package/dist/default/node.js')
setErrorLogger(() => {})
const PACKAGE = new URL('../../crates/llmjson-wasm/npm/package/dist/', import.meta.url)

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

const text = { type: 'string' }
const schema = new schemas.Schema({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' }, name: text, email: text, active: { type: 'boolean' }, score: { type: 'number' },
          tags: { type: 'array', items: text }, note: { type: ['string', 'null'] },
          address: { type: 'object', properties: { street: text, city: text, zip: text }, required: ['zip'] }
        },
        required: ['id', 'name']
      }
    }
  },
  required: ['items']
})

const zod = z.object({
  items: z.array(z.object({
    id: z.int(), name: z.string(), email: z.string(), active: z.boolean(), score: z.number(), tags: z.array(z.string()),
    note: z.string().nullable(), address: z.object({ street: z.string(), city: z.string(), zip: z.string() })
  }))
})

const contenders = {
  'JSON.parse': text => JSON.parse(text),
  llmjson: text => llmjson.parse(text).value,
  'llmjson, schema': text => schemas.parse(text, schema).value,
  zod: text => zod.parse(JSON.parse(text)),
  'llmjson, zod': text => schemas.parse(text, zod).value,
  jsonrepair: text => JSON.parse(jsonrepair(text)),
  'best-effort': text => bestEffort(text),
  'partial-json': text => partial.parse(text),
  'AI SDK': async text => (await parsePartialJson(text)).value
}

function spent(start) {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

async function once(act, text, turns) {
  const start = process.cpuUsage()
  for (let turn = 0; turn < turns; turn += 1) await act(text)
  return spent(start) / turns
}

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1]
const TOO_LONG = 10_000_000
const WARM = 1_000_000
const slow = new Set()

async function row(text, value) {
  const times = {}
  for (const [name, act] of Object.entries(contenders)) {
    if (slow.has(name)) continue
    try {
      const start = process.cpuUsage()
      const given = await act(text)
      if (spent(start) > TOO_LONG) slow.add(name)
      // Best efforts log what they cannot read, and give something else.
      if (!isDeepStrictEqual(given, value)) continue
      times[name] = []
      // Until the engines have optimized what they run.
      while (spent(start) < WARM) await act(text)
    } catch {
      // It is refused.
    }
  }
  const turns = Math.max(1, Math.ceil(100_000 / text.length))
  const rounds = text.length > 2_000_000 ? 3 : 15
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, all] of Object.entries(times)) {
      if (all.length > 0 && all[0] > TOO_LONG / 10) continue
      all.push(await once(contenders[name], text, turns))
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

const shown = micros => (micros === undefined ? '-' : micros < 100 ? micros.toFixed(1) : String(Math.round(micros))).padStart(12)
const over = (a, b) => (a === undefined || b === undefined ? '-' : (a / b).toFixed(1)).padStart(14)
const names = Object.keys(contenders)
console.log('text'.padEnd(18), ...names.map(name => name.padStart(12)), 'by JSON.parse'.padStart(14), 'jsonrepair by'.padStart(14))
const sizes = process.argv.slice(2).map(Number)
const factors = []
for (const size of sizes.length > 0 ? sizes : [300, 1_000, 10_000, 100_000, 1_000_000, 9_000_000]) {
  const given = clean(size)
  for (const [name, text] of [['clean', given], ['damaged', damaged(given)]]) {
    slow.clear()
    const times = await row(text, JSON.parse(given))
    const by = [over(times.llmjson, times['JSON.parse']), over(times.jsonrepair, times.llmjson)]
    if (times.jsonrepair) factors.push(times.jsonrepair / times.llmjson)
    console.log(`${name} ${Buffer.byteLength(text)}`.padEnd(18), ...names.map(name => shown(times[name])), ...by)
  }
}
// A program that only starts and reads one text: the least of rounds.
const STARTED = 'const { user, system } = process.cpuUsage(); console.log(user + system)'
const programs = {
  nothing: '',
  llmjson: `(await import('${PACKAGE}default/node.js')).parse('{a: 1')`,
  'llmjson/syntax': `(await import('${PACKAGE}syntax/node.js')).parse('{a: 1')`,
  jsonrepair: `(await import('file://${require.resolve('jsonrepair')}')).jsonrepair('{a: 1')`,
  'partial-json': `(await import('file://${require.resolve('partial-json')}')).parse('{"a": 1')`,
  zod: `(await import('file://${require.resolve('zod')}')).object({}).parse({})`
}
const least = {}
for (let round = 0; round < 9; round += 1) {
  for (const [name, code] of Object.entries(programs)) {
    const { stdout } = spawnSync('node', ['--input-type=module', '--eval', `${code}\n${STARTED}`], { encoding: 'utf8' })
    least[name] = Math.min(least[name] ?? Infinity, Number(stdout) / 1000)
  }
}
for (const [name, time] of Object.entries(least)) console.log(`${name}: starts and reads in ${time.toFixed(0)} ms`)
const packed = file => brotliCompressSync(readFileSync(new URL(file, PACKAGE))).length
for (const name of ['default', 'syntax']) console.log(`${name}/llmjson.wasm: ${packed(`${name}/llmjson.wasm`)} bytes by brotli`)
console.log(`jsonrepair over llmjson: least ${Math.min(...factors).toFixed(1)}, median ${median(factors).toFixed(1)}`)

const long = clean(124_000)
const pieces = long.match(/[^]{1,60}/g)
for (const [name, open] of [['stream', () => new llmjson.Stream()], ['stream with schema', () => new schemas.Stream(schema)]]) {
  const all = []
  for (let round = 0; round < 11; round += 1) {
    const start = process.cpuUsage()
    const stream = open()
    for (const piece of pieces) stream.push(piece).value
    all.push(spent(start) / 1000)
    stream.finish()
  }
  console.log(`${name} of ${long.length} in ${pieces.length} pieces, the value after each: ${median(all).toFixed(0)} ms, least ${all[0].toFixed(0)}`)
}
for (const [name, act] of [['AI SDK', parsePartialJson], ['partial-json', partial.parse], ['best-effort', bestEffort]]) {
  let said = ''
  const start = process.cpuUsage()
  for (const piece of pieces.slice(0, 500)) await act(said += piece)
  console.log(`${name} for the first 500 of them: ${(spent(start) / 1000).toFixed(0)} ms`)
}
