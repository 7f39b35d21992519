// Event streams as servers send them when something goes wrong, also through the clients that read them.
import assert from 'node:assert/strict'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import OpenAI from 'openai'
import { repairEvents, repairingFetch } from 'llmjson/sse'

const chunk = (content, finish_reason = null) =>
  JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] })
const HEAD = '{"id":"1","object":"chat.completion.c'
const CUT = '{"id":"1","choices":[{"index":0,"delta":{"content":"Hel'

const through = async (text, size) => {
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
  return textOf(ReadableStream.from(pieces).pipeThrough(repairEvents()))
}

// A call in a stream of Anthropic, whose input arrives in these pieces.
const input = partial_json => `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } })}\n\n`
const STOP = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n'
const called = (...pieces) => pieces.map(input).join('')

const CASES = [
  ['what is whole', `: ping\n\nevent: x\nid: 7\ndata: ${chunk('a "b" data: {c} ü')}\n\ndata: [DONE]\n\n`, null],
  ['other line ends', `data: ${chunk('a')}\r\n\r\ndata:{\r\ndata: "a": 1}\r\n\r\n`, null],
  ['what is no JSON', 'event: x\ndata: hello {\n\ndata:\n\n', null],
  ['what cannot be mended', 'data: {no} I cannot\n\n', null],
  ['a head that another event follows', `data: ${HEAD}data: ${chunk('I')}\n\n`, `data: ${chunk('I')}\n\n`],
  ['one that was cut in what it says', `data: ${CUT}data: ${chunk('I')}\n\n`, `data: ${CUT}"}}]}\n\ndata: ${chunk('I')}\n\n`],
  ['an end behind one', `data: ${chunk('I')}data: [DONE]\n\n`, `data: ${chunk('I')}\n\ndata: [DONE]\n\n`],
  ['no blank line between', `id: 7\ndata: ${chunk('a')}\ndata: ${chunk('b')}\n\n`, `id: 7\ndata: ${chunk('a')}\n\nid: 7\ndata: ${chunk('b')}\n\n`],
  ['quotes', 'data: {"choices":[{"delta":{"content":"say "hi" now"}}]}\n\n', 'data: {"choices":[{"delta":{"content":"say \\"hi\\" now"}}]}\n\n'],
  ['an end without a blank line', `data: ${chunk('a')}\n`, `data: ${chunk('a')}\n\n`],
  ['an end within an event', `data: ${chunk('a')}\n\ndata: ${CUT}`, `data: ${chunk('a')}\n\ndata: ${CUT}"}}]}\n\n`],
  ['an end within a head', `data: ${chunk('a')}\n\ndata: ${HEAD}`, `data: ${chunk('a')}\n\n`],
  ['the input of a call', called('', '{"city": "Os', 'lo", "id": 12345678901234567890}') + STOP, called('', '{"city":"Os', 'lo","id":12345678901234567890', '}') + STOP],
  ['a damaged input', called("{city: 'Oslo', ", "tags: ['a',]}") + STOP, called('{"city":"Oslo', '","tags":[', '"a"]}') + STOP],
  ['a truncated input', called("{city: 'Os") + STOP, called('{"city":"Os') + STOP],
  ['a call without an input', called('') + STOP, null]
]

for (const [name, given, wanted] of CASES) {
  test(name, async () => {
    for (const size of [1, 7, 10_000]) assert.equal(await through(given, size), wanted ?? given)
  })
}

test('a client: an error before', async () => {
  const body = `data: ${HEAD}data: ${chunk('Hel')}\n\ndata: ${chunk('lo')}\ndata: ${chunk('', 'stop')}\n\ndata: [DONE]\n\n`
  const theirs = async () => new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  const said = async fetch => {
    const stream = await new OpenAI({ apiKey: 'x', baseURL: 'http://localhost', fetch }).chat.completions.create({ model: 'x', messages: [], stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices[0].delta.content
    return text
  }
  await assert.rejects(said(theirs), SyntaxError)
  assert.equal(await said(repairingFetch(theirs)), 'Hello')
  const other = new Response('{"a": 1', { headers: { 'content-type': 'application/json' } })
  assert.equal(await repairingFetch(async () => other)('x'), other)
})
