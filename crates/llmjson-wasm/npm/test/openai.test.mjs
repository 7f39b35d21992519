// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import * as theirs from 'openai/helpers/zod'
import * as ours from 'llmjson/openai'
import { repairingFetch } from 'llmjson/sse'
import * as z from 'zod'

const schema = z.object({ days: z.int().min(1), tags: z.array(z.string()) })
const VALUE = { days: 3, tags: ['a'] }
const REPLY = "Sure!\n```json\n{days: '3', tags: ['a',],}\n```"

function answering(body) {
  const fetch = async () => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  return new OpenAI({ apiKey: 'x', baseURL: 'http://localhost', fetch })
}

function chat(message, finish_reason = 'stop') {
  return answering({ id: '1', object: 'chat.completion', choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }] })
}

test('zodResponseFormat: SyntaxError before', async () => {
  const asked = helpers => chat({ content: REPLY }).chat.completions
    .parse({ model: 'x', messages: [], response_format: helpers.zodResponseFormat(schema, 'trip') })
  await assert.rejects(asked(theirs), SyntaxError)
  assert.deepEqual((await asked(ours)).choices[0].message.parsed, VALUE)
  assert.deepEqual(ours.zodResponseFormat(schema, 'trip'), theirs.zodResponseFormat(schema, 'trip'))
})

test('zodFunction: SyntaxError before', async () => {
  const tool_calls = [{ id: '1', type: 'function', function: { name: 'plan', arguments: '{days: "3", tags: "a",}' } }]
  const asked = helpers => chat({ content: null, tool_calls }, 'tool_calls').chat.completions
    .parse({ model: 'x', messages: [], tools: [helpers.zodFunction({ name: 'plan', parameters: schema })] })
  await assert.rejects(asked(theirs), SyntaxError)
  assert.deepEqual((await asked(ours)).choices[0].message.tool_calls[0].function.parsed_arguments, VALUE)
})

test('runTools: SyntaxError before', async () => {
  const answers = ["{days: '3', tags: ['a',]}", undefined].map(written => ({
    id: '1', object: 'chat.completion',
    choices: [{
      index: 0, finish_reason: written ? 'tool_calls' : 'stop',
      message: { role: 'assistant', ...(written ? { tool_calls: [{ id: '1', type: 'function', function: { name: 'plan', arguments: written } }] } : { content: 'Done.' }) }
    }]
  }))
  const run = async (helpers, wrapped) => {
    const [left, given] = [[...answers], []]
    const fetch = wrapped(async () => new Response(JSON.stringify(left.shift()), { headers: { 'content-type': 'application/json' } }))
    const tools = [helpers.zodFunction({ name: 'plan', parameters: schema, function: value => given.push(value) })]
    const client = new OpenAI({ apiKey: 'x', baseURL: 'http://localhost', fetch })
    await client.chat.completions.runTools({ model: 'x', messages: [], tools }).done()
    return given
  }
  await assert.rejects(run(theirs, fetch => fetch), /JSON/)
  // The runner parses arguments before it passes them to the function.
  assert.deepEqual(await run(ours, repairingFetch), [VALUE])
})

test('responses, their text and their tools: SyntaxError before', async () => {
  const output = [
    { type: 'message', id: '1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: REPLY, annotations: [] }] },
    { type: 'function_call', id: '2', call_id: '2', name: 'plan', arguments: "{days: '3', tags: ['a',]}", status: 'completed' }
  ]
  const asked = helpers => answering({ id: '1', object: 'response', output }).responses.parse({
    model: 'x', input: 'x', text: { format: helpers.zodTextFormat(schema, 'trip') },
    tools: [helpers.zodResponsesFunction({ name: 'plan', parameters: schema })]
  })
  await assert.rejects(asked(theirs), SyntaxError)
  const response = await asked(ours)
  assert.deepEqual(response.output_parsed, VALUE)
  assert.deepEqual(response.output[1].parsed_arguments, VALUE)
})

test('what does not fit is an error with feedback', () => {
  assert.throws(() => ours.zodResponseFormat(schema, 'trip').$parseRaw("{days: 'many'}"), /days/)
  const cut = '{"days": 3, "tags": ["a", "bc'
  assert.throws(() => ours.zodFunction({ name: 'plan', parameters: schema }).$parseRaw(cut), { name: 'ParseError' })
  const accepting = ours.zodFunction({ name: 'plan', parameters: schema }, { allowTruncated: true })
  assert.deepEqual(accepting.$parseRaw('{"days": 3, "tags": ["a"'), VALUE)
})
