// Before and after, with the AI SDK itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateObject, generateText, Output, parsePartialJson as theirs, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { jsonMiddleware, parsePartialJson, repairText, repairToolCall } from 'llmjson/ai'
import * as z from 'zod'

const schema = z.object({ days: z.int().min(1), tags: z.array(z.string()) })
const REPLY = "Here:\n```json\n{days: '3', tags: ['a',],}\n```"
const VALUE = { days: 3, tags: ['a'] }

function saying(...content) {
  const unified = content[0].type === 'tool-call' ? 'tool-calls' : 'stop'
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content, finishReason: { unified, raw: unified }, warnings: [],
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    })
  })
}

const text = { type: 'text', text: REPLY }

test('generateObject: NoObjectGeneratedError before', async () => {
  await assert.rejects(generateObject({ model: saying(text), schema, prompt: 'x' }), { name: 'AI_NoObjectGeneratedError' })
  const given = { model: saying(text), schema, prompt: 'x', experimental_repairText: repairText(schema) }
  assert.deepEqual((await generateObject(given)).object, VALUE)
  assert.equal(await repairText(schema)({ text: '{"days": 3, "tags": ["a' }), null, 'a text that was cut off')
  for (const cut of ['{days: 3, tags: ["a"]', '{tags: ["a"], days: 3']) {
    assert.deepEqual(JSON.parse(await repairText(schema)({ text: cut })), { days: 3, tags: ['a'] }, 'brackets alone are missing')
  }
})

test('Output.object: NoObjectGeneratedError before', async () => {
  const asked = model => generateText({ model, output: Output.object({ schema }), prompt: 'x' }).then(({ output }) => output)
  await assert.rejects(asked(saying(text)), { name: 'AI_NoObjectGeneratedError' })
  assert.deepEqual(await asked(wrapLanguageModel({ model: saying(text), middleware: jsonMiddleware(schema) })), VALUE)
})

test('a tool call: tool-error before, its result after', async () => {
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'plan', input: '{days: "3", tags: "a",}' }
  const tools = { plan: tool({ inputSchema: schema, execute: async given => given }) }
  const asked = async more => {
    const { steps } = await generateText({ model: saying(call), tools, prompt: 'x', ...more })
    return steps[0].content.find(part => part.type !== 'tool-call')
  }
  assert.equal((await asked({})).type, 'tool-error')
  const after = await asked({ experimental_repairToolCall: repairToolCall() })
  assert.deepEqual([after.type, after.output], ['tool-result', VALUE])
  call.input = '{"days": 3, "tags": ["a", "bc'
  assert.equal((await asked({ experimental_repairToolCall: repairToolCall() })).type, 'tool-error', 'a call that was cut off')
})

test('parsePartialJson: nothing of what is damaged before', async () => {
  const damaged = "{a: 'b', c: [1, 2,"
  assert.deepEqual((await theirs(damaged)).value, {})
  assert.equal((await theirs(`Here: ${damaged}`)).state, 'failed-parse')
  assert.deepEqual(await parsePartialJson(damaged), { value: { a: 'b', c: [1, 2] }, state: 'repaired-parse' })
  for (const given of [undefined, '{"a": 1}', '{"a": "b', '']) assert.deepEqual(await parsePartialJson(given), await theirs(given))
})
