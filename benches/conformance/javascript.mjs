// Peers in JavaScript over the suite: node javascript.mjs FOLDER [SUITE PEER START], where FOLDER has node_modules. Prints
// their names, or a line for each case from a position on: peer, id, nanoseconds, and value or error. An adapter is at most
// 20 lines.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const [folder, suite, peer, start] = process.argv.slice(2)
const require = createRequire(resolve(folder, 'package.json'))
const { jsonrepair } = require('jsonrepair')
const partial = require('partial-json')
const { parse: bestEffort, setErrorLogger } = require('best-effort-json-parser')
const untruncate = require('untruncate-json').default
const { parsePartialJson } = await import(require.resolve('ai'))
const { LlmJson } = await import(require.resolve('@typia/utils'))
setErrorLogger(() => {})

const peers = {
  jsonrepair: text => JSON.parse(jsonrepair(text)),
  'best-effort-json-parser': text => bestEffort(text),
  'partial-json': text => partial.parse(text),
  'AI SDK fix-json': async text => {
    const { state, value } = await parsePartialJson(text)
    if (state !== 'successful-parse' && state !== 'repaired-parse') throw new Error(state)
    return value
  },
  typia: text => {
    // The parser without a type. Its errors contain the part of the value that was found.
    const result = LlmJson.parse(text)
    if (!result.success) throw new Error(result.errors.map(one => one.description).join('; '))
    return result.data
  },
  'untruncate-json': text => JSON.parse(untruncate(text)),
}

const rounds = 3
async function asked({ id, input }) {
  let answer
  let ns = Infinity
  for (let round = 0; round < rounds; round++) {
    const begun = process.hrtime.bigint()
    try {
      answer = { value: await peers[peer](input) }
    } catch (error) {
      answer = { error: `${error.message ?? error}`.slice(0, 200) }
    }
    ns = Math.min(ns, Number(process.hrtime.bigint() - begun))
  }
  if (answer.value === undefined && !answer.error) answer = { error: 'undefined' }
  return { peer, id, ns, ...answer }
}

if (suite === undefined) {
  console.log(Object.keys(peers).join('\n'))
} else {
  const lines = readFileSync(suite, 'utf8').trimEnd().split('\n')
  for (const line of lines.slice(Number(start))) console.log(JSON.stringify(await asked(JSON.parse(line))))
}
