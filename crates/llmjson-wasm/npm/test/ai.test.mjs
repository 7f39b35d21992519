// Before and after, with the AI SDK itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateObject, generateText, isStepCount, Output, parsePartialJson as theirs, streamText, tool, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { retry } from 'llmjson'
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
  for (const text of ['{days: 3, tags: ["a"]', '{tags: ["a"], days: 3']) {
    assert.equal(await repairText(schema)({ text }), null)
    const stopped = await repairText(schema, { finishReason: 'stop' })({ text })
    assert.deepEqual(JSON.parse(stopped), { days: 3, tags: ['a'] }, 'only brackets are missing')
  }
})

test('Output.object: NoObjectGeneratedError before', async () => {
  const asked = model => generateText({ model, output: Output.object({ schema }), prompt: 'x' }).then(({ output }) => output)
  await assert.rejects(asked(saying(text)), { name: 'AI_NoObjectGeneratedError' })
  assert.deepEqual(await asked(wrapLanguageModel({ model: saying(text), middleware: jsonMiddleware(schema) })), VALUE)
})

const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }

function streaming(replies, unified = 'stop', size = 5) {
  const steps = [replies].flat()
  return new MockLanguageModelV4({
    doStream: async () => {
      const text = steps.shift()
      const deltas = text.match(new RegExp(`[^]{1,${size}}`, 'g')).map(delta => ({ type: 'text-delta', id: '1', delta }))
      const finish = { type: 'finish', finishReason: { unified, raw: unified }, usage: USAGE }
      return { stream: convertArrayToReadableStream([{ type: 'text-start', id: '1' }, ...deltas, { type: 'text-end', id: '1' }, finish]) }
    }
  })
}

const wrapped = (model, ...given) => wrapLanguageModel({ model, middleware: jsonMiddleware(...given) })

async function streamed(model) {
  const errors = []
  const result = streamText({ model, output: Output.object({ schema }), prompt: 'x', onError: ({ error }) => errors.push(error) })
  const partials = []
  for await (const partial of result.partialOutputStream) partials.push(partial)
  const output = await result.output.catch(error => error)
  return { partials, output, text: await result.text, errors }
}

const FENCED = 'Sure! Here you are:\n```json\n{"days": 3, "tags": ["mountain lakes", "food"]}\n```\nHave fun.'
const FENCED_VALUE = { days: 3, tags: ['mountain lakes', 'food'] }

test('streamText with Output.object: no partials of a fenced reply before', async () => {
  const before = await streamed(streaming(FENCED))
  assert.deepEqual(before.partials, [])
  assert.equal(before.output.name, 'AI_NoObjectGeneratedError')
  for (const middleware of [jsonMiddleware(), jsonMiddleware(schema)]) {
    for (const size of [1, 5, 1000]) {
      const after = await streamed(wrapLanguageModel({ model: streaming(FENCED, 'stop', size), middleware }))
      assert.deepEqual(after.output, FENCED_VALUE)
      assert.equal(after.text, JSON.stringify(FENCED_VALUE))
      assert.ok(size > 5 || after.partials.some(({ tags }) => tags?.[0] === 'mountain' || tags?.[0] === 'mountain l'), JSON.stringify(after.partials))
    }
  }
})

test('each part of a stream continues the JSON of the whole reply', async () => {
  const replies = [
    FENCED, "{days: '3', tags: ['a \"b\"', 'c',],}", '<think>{"days": 1}</think>{"days": 2, "tags": ["é😀\\n"]}', '{"tags": "a", "days": "2"}',
    'days: 3 and {"days": 4, "tags": []} as you like'
  ]
  for (const text of replies) {
    const { content } = await wrapped(saying({ type: 'text', text }), schema).doGenerate({})
    for (const size of [1, 3, 7, 1000]) {
      const { stream } = await wrapped(streaming(text, 'stop', size), schema).doStream({})
      let said = ''
      for await (const part of stream) {
        if (part.type === 'text-delta') assert.ok(content[0].text.startsWith(said += part.delta), `${said} of ${content[0].text}`)
      }
      assert.equal(said, content[0].text)
    }
  }
})

test('a stream that breaks off is never closed, but where brackets alone are missing and the model had stopped', async () => {
  const cut = '{"days": 3, "tags": ["a"'
  assert.deepEqual((await streamed(wrapped(streaming(cut, 'stop')))).output, VALUE)
  for (const [text, reason] of [[cut, 'length'], ['{"days": 3, "tags": ["a", "bc', 'stop'], ['{"days": 3, "tags": ["a", "bc', 'length']]) {
    const { output, partials } = await streamed(wrapped(streaming(text, reason)))
    assert.ok(output instanceof Error, `${text} ${reason}`)
    assert.equal(partials.at(-1).days, 3)
  }
  const said = 'I cannot help with [that].'
  assert.deepEqual([(await streamed(wrapped(streaming(said)))).text, (await streamed(wrapped(streaming('{"days": 3'), schema, { policy: 'exact' }))).errors.length], [said, 1])
})

test('text goes on as it comes where neither JSON nor tools are asked for', async () => {
  assert.equal(await streamText({ model: wrapped(streaming(FENCED)), prompt: 'x' }).text, FENCED)
  assert.equal((await generateText({ model: wrapped(saying({ type: 'text', text: FENCED })), prompt: 'x' })).text, FENCED)
})

const CALLS = [
  '<tool_call>\n{"name": "plan", "arguments": {"days": "3", "tags": ["a"]}}\n</tool_call>',
  '[plan(days=3, tags=["a"])]', '<function=plan>{"days": 3, "tags": ["a"]}</function>',
  'Action: plan\nAction Input: {"days": 3, "tags": ["a"]}', '[TOOL_CALLS]plan {"days": 3, "tags": ["a"]}'
]
const TOOLS = { plan: tool({ inputSchema: schema, execute: async given => given }) }
const ASK = { tools: TOOLS, prompt: 'x', stopWhen: isStepCount(3) }

test('calls in text: text before, run after, and the reply goes on', async () => {
  for (const call of CALLS) {
    for (const size of [1, 4, 1000]) {
      const replies = [`I plan it, I do [1].\n\n${call}`, 'There you are.']
      const before = streamText({ ...ASK, model: streaming(replies[0], 'stop', size) })
      assert.equal((await before.steps)[0].toolResults.length, 0)
      const after = streamText({ ...ASK, model: wrapped(streaming(replies, 'stop', size)) })
      const parts = []
      for await (const part of after.fullStream) parts.push(part)
      const [step] = await after.steps
      assert.deepEqual(step.toolResults.map(({ output }) => output), [VALUE], call)
      assert.equal(step.text.trim(), 'I plan it, I do [1].')
      assert.equal(step.finishReason, 'tool-calls')
      assert.equal(await after.text, 'There you are.')
      const ids = parts.filter(({ type }) => /^tool-(input-(start|end)|call)$/.test(type)).map(({ id, toolCallId }) => id ?? toolCallId)
      assert.deepEqual([ids.length, new Set(ids).size], [3, 1])
    }
  }
  const model = wrapped(saying({ type: 'text', text: `Now:\n${CALLS[0]}` }))
  const { steps } = await generateText({ ...ASK, model, stopWhen: isStepCount(1) })
  assert.deepEqual([steps[0].toolResults[0].output, steps[0].text.trim()], [VALUE, 'Now:'])
})

test('a call that is quoted or cut off is text, and JSON that is asked for is no call', async () => {
  for (const text of [`For example:\n\`\`\`\n${CALLS[0]}\n\`\`\`\nand so on.`, CALLS[0].slice(0, -24), 'No {call} at <all> [here], I plan.', 'x'.repeat(999)]) {
    for (const size of [1, 9, 2000]) {
      const [step] = await streamText({ ...ASK, model: wrapped(streaming(text, 'length', size)) }).steps
      assert.deepEqual([step.text, step.toolCalls.length], [text, 0])
    }
  }
  const asked = replies => streamText({ ...ASK, model: wrapped(streaming(replies)), output: Output.object({ schema }) })
  assert.deepEqual(await asked([FENCED]).output, FENCED_VALUE)
  const both = asked([`Let me see.\n${CALLS[0]}`, FENCED])
  assert.deepEqual([await both.output, (await both.steps)[0].toolResults.length], [FENCED_VALUE, 1])
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

test('retry takes a result of generateText, and asks again where it is truncated', async () => {
  const finished = ['length', 'stop']
  const asked = []
  const parsed = await retry(messages => {
    const finishReason = { unified: finished[asked.push(messages.length) - 1] }
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({ content: [{ type: 'text', text: '{"days": 3, "tags": []}' }], finishReason, warnings: [], usage: USAGE })
    })
    return generateText({ model, messages })
  }, [{ role: 'user', content: 'x' }], schema)
  assert.deepEqual([parsed.value, asked], [{ days: 3, tags: [] }, [1, 3]])
})

test('parsePartialJson: nothing of what is damaged before', async () => {
  const damaged = "{a: 'b', c: [1, 2,"
  assert.deepEqual((await theirs(damaged)).value, {})
  assert.equal((await theirs(`Here: ${damaged}`)).state, 'failed-parse')
  assert.deepEqual(await parsePartialJson(damaged), { value: { a: 'b', c: [1, 2] }, state: 'repaired-parse' })
  assert.deepEqual(await parsePartialJson('Here, see [1]: '), await theirs('Here, see [1]: '))
  for (const given of [undefined, '']) assert.deepEqual(await parsePartialJson(given), await theirs(given))
})

test('parsePartialJson: what theirs returns for each beginning of JSON', async () => {
  for (const text of ['{"a": 1, "b": [true, -2.5e3, null], "c": {"d": "x\\"y\\\\z \\u00e9"}} ', '[[1], {"k": {}}, "", false]', '-12.5', 'null']) {
    for (let end = 0; end <= text.length; end += 1) {
      const given = text.slice(0, end)
      assert.deepEqual(await parsePartialJson(given), await theirs(given), given)
    }
  }
})

test('a call that the policy refuses, that does not fit or that no tool takes stays text', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const tools = ['weather', 'pay'].map(name => ({ type: 'function', name, inputSchema: schema }))
  const { wrapGenerate, wrapStream } = jsonMiddleware()
  for (const [call, isCalled] of [
    ['{"name": "weather", "arguments": {"city": "Oslo"}}', true],
    // Two tools are named.
    ['{"name": "weather", "function": "pay", "arguments": {"city": "Oslo"}}', false],
    ['{"name": "weather", "arguments": {"city": {"a": 1}}}', false],
    ['{"name": "other", "arguments": {"city": "Oslo"}}', false]
  ]) {
    const text = `<tool_call>${call}</tool_call>`
    const reply = { content: [{ type: 'text', text }], finishReason: 'stop' }
    const { content } = await wrapGenerate({ doGenerate: async () => reply, params: { tools } })
    assert.deepEqual(content.map(({ type }) => type), [isCalled ? 'tool-call' : 'text'], call)
    if (!isCalled) assert.equal(content[0].text, text)
    const parts = [{ type: 'text-start', id: '1' }, ...[...text].map(delta => ({ type: 'text-delta', id: '1', delta })), { type: 'finish', finishReason: 'stop' }]
    const { stream } = await wrapStream({ doStream: async () => ({ stream: ReadableStream.from(parts) }), params: { tools } })
    const streamed = await all(stream)
    assert.equal(streamed.some(({ type }) => type === 'tool-call'), isCalled, call)
    const said = streamed.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta).join('')
    assert.equal(said, isCalled ? '' : text)
  }
})

async function all(stream) {
  const parts = []
  for await (const part of stream) parts.push(part)
  return parts
}
