// Every operation of every entry on truncated text: what it does is the table of the package's README.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import * as main from 'llmjson'
import * as ai from 'llmjson/ai'
import * as jsonrepair from 'llmjson/jsonrepair'
import * as jsonrepairStream from 'llmjson/jsonrepair/stream'
import * as langchain from 'llmjson/langchain'
import * as mcp from 'llmjson/mcp'
import * as openai from 'llmjson/openai'
import * as partialJson from 'llmjson/partial-json'
import * as sse from 'llmjson/sse'
import * as syntax from 'llmjson/syntax'
import * as typia from 'llmjson/typia'
import * as theirLangchain from '@langchain/core/output_parsers'
import { LlmJson as theirLlmJson } from '@typia/utils'
import { parsePartialJson } from 'ai'
import * as theirJsonrepair from 'jsonrepair'
import * as theirJsonrepairStream from 'jsonrepair/stream'
import * as theirOpenai from 'openai/helpers/zod'
import * as theirPartialJson from 'partial-json'
import * as z from 'zod'

const SCHEMA = { type: 'object', properties: { to: { type: 'string' }, amount: { type: 'integer' }, note: {} }, required: ['to'] }
const zod = z.object({ to: z.string() })
const TOOLS = [{ name: 'pay', input_schema: SCHEMA }]
// Behind a bracket, in a number, in a string, behind a comma. Each begins a value that fits.
const TEXTS = ['{"to":"Ann","amount":1', '{"to":"Ann","note":[1]', '{"to":"Ann","note":"hel', '{"to":"Ann","amount":1,']
const ACCEPTED = { allowTruncated: true }

// What a result says: the value is refused, it is reported as truncated, or it is given as if it were whole.
const said = ({ ok, complete }) => (ok ? (complete ? 'given' : 'reported') : 'refused')

// A call that throws, or gives null, refuses.
async function given(act) {
  try {
    return (await act()) === null ? 'refused' : 'given'
  } catch (error) {
    assert.ok(error instanceof main.ParseError || error instanceof syntax.ParseError || error instanceof theirLangchain.OutputParserException, error.stack)
    return 'refused'
  }
}

// Whether there is a value, as for the peer. How much of it is the business of the peer's own test.
async function outcome(act) {
  try {
    return (await act()) ? 'a value' : 'none'
  } catch {
    return 'an error'
  }
}

const asTheirs = async (ours, theirs) => {
  assert.deepEqual(await outcome(ours), await outcome(theirs))
  return 'as the original'
}

async function throughMcp(text, options) {
  const inner = { start() {}, send() {} }
  const server = mcp.coercing(inner, options)
  const called = new Promise(done => {
    server.onmessage = message => {
      if (message.method === 'tools/call') done(message.params.arguments)
      else server.send({ id: message.id, result: { tools: [{ name: 'pay', inputSchema: SCHEMA }] } })
    }
  })
  server.start()
  inner.onmessage({ id: 1, method: 'tools/call', params: { name: 'pay', arguments: text } })
  return (await called) === text ? 'refused' : 'given'
}

async function byMiddleware(text, options) {
  const reply = { content: [{ type: 'text', text }], finishReason: 'length' }
  const { content } = await ai.jsonMiddleware(SCHEMA, options).wrapGenerate({ doGenerate: async () => reply, params: {} })
  return content[0].text === text ? 'refused' : 'given'
}

async function asked(text, options) {
  let count = 0
  const ask = () => {
    count += 1
    return text
  }
  const result = await given(() => main.retry(ask, [], SCHEMA, { maxRetries: 1, ...options }))
  assert.equal(count, result === 'refused' ? 2 : 1)
  return result
}

function mended(text) {
  assert.equal(typeof text, 'string')
  JSON.parse(text)
  return 'mended'
}

const through = (text, transform) => textOf(Readable.from([text]).pipe(transform))
const throughWeb = async (text, transform) => (await textOf(new Blob([text]).stream().pipeThrough(transform))).replace(/^data: /, '')
const theirStream = text => through(text, theirJsonrepairStream.jsonrepairTransform()).then(JSON.parse)

const EVENT = 'data: {"choices":[{"delta":{"content":"hel'

/** The effect of each operation on a text, by entry; null if it takes no text. */
const OPERATIONS = {
  llmjson: [main, {
    parse: (text, options) => said(main.parse(text, SCHEMA, options)),
    'parse().unwrap': (text, options) => given(() => main.parse(text, SCHEMA, options).unwrap()),
    parseAll: (text, options) => said(main.parseAll(text, SCHEMA, options)[0]),
    parseArguments: (text, options) => said(main.parseArguments(text, SCHEMA, options)),
    retry: asked,
    Stream: (text, options) => said(new main.Stream(SCHEMA, options).push(text).finish()),
    Tools: text => said(new main.Tools(TOOLS).bind('pay', text)),
    repair: text => mended(main.repair(text)),
    edits: text => mended(JSON.stringify(main.edits(text))),
    coerce: null, annotate: null, stringify: null, Schema: null, Parsed: null, ParseError: null, LlmJsonError: null
  }],
  'llmjson/syntax': [syntax, {
    parse: (text, options) => said(syntax.parse(text, options)),
    'parse().unwrap': (text, options) => given(() => syntax.parse(text, options).unwrap()),
    Stream: (text, options) => said(new syntax.Stream(options).push(text).finish()),
    repair: text => mended(syntax.repair(text)),
    edits: text => mended(JSON.stringify(syntax.edits(text))),
    Parsed: null, ParseError: null, LlmJsonError: null
  }],
  'llmjson/ai': [ai, {
    repairText: (text, options) => given(() => ai.repairText(SCHEMA, options)({ text })),
    repairToolCall: (text, options) => given(() => ai.repairToolCall(options)({ toolCall: { input: text }, inputSchema: async () => SCHEMA })),
    jsonMiddleware: byMiddleware,
    parsePartialJson: text => asTheirs(async () => (await ai.parsePartialJson(text)).value, async () => (await parsePartialJson(text)).value)
  }],
  'llmjson/openai': [openai, Object.fromEntries(Object.entries({
    zodResponseFormat: helpers => helpers.zodResponseFormat(zod, 'pay'),
    zodTextFormat: helpers => helpers.zodTextFormat(zod, 'pay'),
    zodFunction: helpers => helpers.zodFunction({ name: 'pay', parameters: zod }),
    zodResponsesFunction: helpers => helpers.zodResponsesFunction({ name: 'pay', parameters: zod })
  }).map(([name, make]) => [name, async text => {
    assert.throws(() => make(theirOpenai).$parseRaw(text))
    return given(() => make(openai).$parseRaw(text))
  }]))],
  'llmjson/langchain': [langchain, {
    JsonOutputParser: text => refusedByBoth(text, new langchain.JsonOutputParser(), new theirLangchain.JsonOutputParser()),
    StructuredOutputParser: text => refusedByBoth(text, new langchain.StructuredOutputParser(zod), new theirLangchain.StructuredOutputParser(zod)),
    parsePartialJson: text => asTheirs(() => langchain.parsePartialJson(text), () => theirLangchain.parsePartialJson(text)),
    parseJsonMarkdown: text => asTheirs(() => langchain.parseJsonMarkdown(text), () => theirLangchain.parseJsonMarkdown(text))
  }],
  'llmjson/mcp': [mcp, { coercing: throughMcp }],
  'llmjson/typia': [typia, { LlmJson: text => asTheirs(() => typia.LlmJson.parse(text).success, () => theirLlmJson.parse(text).success) }],
  'llmjson/jsonrepair': [jsonrepair, {
    jsonrepair: text => asTheirs(() => jsonrepair.jsonrepair(text), () => theirJsonrepair.jsonrepair(text)), JSONRepairError: null
  }],
  'llmjson/jsonrepair/stream': [jsonrepairStream, {
    jsonrepairTransform: text => asTheirs(() => through(text, jsonrepairStream.jsonrepairTransform()).then(JSON.parse), () => theirStream(text)),
    jsonrepairTransformStream: text => asTheirs(
      () => throughWeb(text, jsonrepairStream.jsonrepairTransformStream()).then(JSON.parse), () => theirStream(text)
    )
  }],
  'llmjson/partial-json': [partialJson, {
    parse: text => asTheirs(() => partialJson.parse(text), () => theirPartialJson.parse(text)),
    parseJSON: text => asTheirs(() => partialJson.parseJSON(text), () => theirPartialJson.parseJSON(text)),
    ...Object.fromEntries(Object.keys(partialJson).filter(name => !/^parse/.test(name)).map(name => [name, null]))
  }],
  'llmjson/sse': [sse, {
    repairEvents: async () => mended(await throughWeb(EVENT, sse.repairEvents())),
    repairingFetch: async () => {
      const response = new Response(EVENT, { headers: { 'content-type': 'text/event-stream' } })
      return mended((await (await sse.repairingFetch(async () => response)()).text()).replace(/^data: /, ''))
    }
  }],
  'npx llmjson': [{}, Object.fromEntries(['parse', 'explain', 'batch', 'repair'].map(name => [name, (text, options) => {
    const input = name === 'batch' ? JSON.stringify({ input: text }) : text
    const more = name === 'parse' && options?.allowTruncated ? ['--allow-truncated'] : []
    const { status, stdout } = spawnSync('node_modules/.bin/llmjson', [name, ...more], { input, encoding: 'utf8' })
    if (name === 'repair') return mended(stdout)
    if (name === 'batch') return said(JSON.parse(stdout))
    assert.match(stdout, /Ann/)
    return status === 0 ? (name === 'parse' ? 'given' : 'reported') : 'refused'
  }]))]
}

async function refusedByBoth(text, ours, theirs) {
  await assert.rejects(theirs.parse(text))
  return given(() => ours.parse(text))
}

// Those that give nothing but the value, and so no place to say that it is truncated.
const TAKING_WORD = ['given', 'reported']

const rows = []
for (const [entry, [exports, operations]] of Object.entries(OPERATIONS)) {
  test(`every operation of ${entry} is called`, () => {
    for (const name in exports) assert.ok(name in operations || name === 'default', `${entry} has ${name}`)
  })
  for (const [name, act] of Object.entries(operations)) {
    if (act === null) continue
    test(`${entry}: ${name} of truncated text`, async () => {
      const results = []
      for (const text of TEXTS) results.push(await act(text))
      assert.deepEqual(new Set(results).size, 1, `${results}`)
      rows.push([entry, name, results[0]])
      if (results[0] === 'refused' && act.length > 1) {
        for (const text of TEXTS) assert.ok(TAKING_WORD.includes(await act(text, ACCEPTED)), text)
      }
    })
  }
}

test('the README has the table', () => {
  const lines = ['| entry | refused | reported | mended | as the original |', '|---|---|---|---|---|']
  for (const entry of Object.keys(OPERATIONS)) {
    const named = what => rows.filter(([of, , result]) => of === entry && result === what).map(([, name]) => `\`${name}\``).join(', ')
    lines.push(`| \`${entry}\` | ${['refused', 'reported', 'mended', 'as the original'].map(named).join(' | ')} |`)
  }
  const table = lines.join('\n').replace(/ {2,}/g, ' ')
  const readme = readFileSync('node_modules/llmjson/README.md', 'utf8')
  assert.ok(readme.includes(table), `the README lacks this table:\n${table}`)
})
