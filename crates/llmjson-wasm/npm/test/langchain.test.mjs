// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import * as theirs from '@langchain/core/output_parsers'
import { retry } from 'llmjson'
import * as ours from 'llmjson/langchain'
import * as z from 'zod'

const schema = z.object({ days: z.int().min(1), tags: z.array(z.string()) })
const VALUE = { days: 3, tags: ['a'] }
const REPLY = "Sure!\n```json\n{days: '3', tags: ['a',],}\n```"
const CUT = '{"days": 3, "tags": ["a"'

test('StructuredOutputParser: OutputParserException before', async () => {
  await assert.rejects(theirs.StructuredOutputParser.fromZodSchema(schema).parse(REPLY), theirs.OutputParserException)
  assert.deepEqual(await ours.StructuredOutputParser.fromZodSchema(schema).parse(REPLY), VALUE)
  const parser = new ours.StructuredOutputParser(schema)
  assert.ok(parser instanceof theirs.StructuredOutputParser)
  assert.equal(parser.getFormatInstructions(), new theirs.StructuredOutputParser(schema).getFormatInstructions())
  assert.deepEqual(await parser.invoke(REPLY), VALUE)
})

test('JsonOutputParser: an error before', async () => {
  const text = "```json\n{days: 3, tags: ['a',],}\n```"
  await assert.rejects(new theirs.JsonOutputParser().parse(text))
  assert.deepEqual(await new ours.JsonOutputParser().parse(text), VALUE)
})

test('a truncated reply is an error as before, with the feedback', async () => {
  for (const library of [ours, theirs]) {
    await assert.rejects(library.StructuredOutputParser.fromZodSchema(schema).parse(CUT), theirs.OutputParserException)
    await assert.rejects(new library.JsonOutputParser().parse(CUT))
  }
  await assert.rejects(new ours.JsonOutputParser().parse(CUT), error => /a value with an end/.test(error.observation))
})

test('parseJsonMarkdown: null before', () => {
  for (const [text, value] of [
    ['Sure, see [1]:\n```json\n{"a": 1}\n```', { a: 1 }], ['Sure, see [1]:\n```json\n{"a": [1, 2', { a: [1, 2] }],
    ['The value of {x} is:\n```json\n12\n```', 12], ['```\n"te', 'te'], ['[1]', [1]], ['12', 12], ['See [1].', null], ['', null]
  ]) assert.deepEqual(ours.parseJsonMarkdown(text), value, text)
})

test('parsePartialJson: what theirs returns for each beginning of JSON', () => {
  const text = '{"a": 1, "b": [true, 2.5e3, null], "c": {"d": "x"}} '
  for (let end = 0; end <= text.length; end += 1) {
    assert.deepEqual(ours.parsePartialJson(text.slice(0, end)), theirs.parsePartialJson(text.slice(0, end)), text.slice(0, end))
  }
})

test('what is wrong goes to the model', async () => {
  await assert.rejects(new ours.StructuredOutputParser(schema).parse('{"days": 0, "tags": []}'), error =>
    error instanceof theirs.OutputParserException && /❌/.test(error.observation) && error.sendToLLM)
  await assert.rejects(new ours.JsonOutputParser().parse('Sorry, no.'), theirs.OutputParserException)
})

test('a damaged stream: null before, the value so far after', async () => {
  const pieces = ["{days: 3, ", "tags: ['a', ", "'b']", '}']
  const last = async parser => {
    async function* coming() {
      for (const content of pieces) yield new AIMessageChunk(content)
    }
    const seen = []
    for await (const value of parser.transform(coming(), {})) seen.push(value)
    return seen
  }
  assert.deepEqual((await last(new theirs.JsonOutputParser())).filter(Boolean), [])
  const seen = await last(new ours.JsonOutputParser())
  assert.deepEqual(seen[0], { days: 3 })
  assert.deepEqual(seen.at(-1), { days: 3, tags: ['a', 'b'] })
})

test('a stream is read as it comes: values only grow, and whatever has not changed stays', async () => {
  const text = `Sure:\n\`\`\`json\n{"items": [${Array.from({ length: 2000 }, (_, at) => `{"n": ${at}, "name": "item ${at}"}`)}]}\n\`\`\`\nDone.`
  const pieces = text.match(/[^]{1,40}/g)
  async function* coming() {
    for (const content of pieces) yield new AIMessageChunk(content)
  }
  let last
  let steps = 0
  const start = process.cpuUsage()
  for await (const value of new ours.JsonOutputParser().transform(coming(), {})) {
    if (last?.items?.length > 2) {
      assert.equal(value.items[1], last.items[1])
      assert.ok(value.items.length >= last.items.length)
    }
    last = value
    steps += 1
  }
  assert.ok(steps > 1000)
  assert.equal(last.items.length, 2000)
  // A quarter of a minute where the whole text is read for each piece.
  assert.ok(process.cpuUsage(start).user < 4_000_000)
  const seen = []
  for await (const patch of new ours.JsonOutputParser({ diff: true }).transform(coming(), {})) seen.push(...patch)
  assert.deepEqual(seen[0].path, '')
  assert.deepEqual(seen.at(-1), { op: 'replace', path: '/items/1999/name', value: 'item 1999' })
})

test('retry asks again where a message is truncated', async () => {
  const messageOf = (content, finish_reason) => new AIMessage({ content, response_metadata: { finish_reason } })
  const replies = [messageOf('{"days": 3, "tags": []}', 'length'), messageOf([{ type: 'text', text: '{"days": 4, "tags": []}' }], 'stop')]
  const model = { invoke: async () => replies.shift() }
  const { value } = await retry(async messages => {
    const message = await model.invoke(messages)
    return { text: message.text, finishReason: message.response_metadata.finish_reason }
  }, [], z.object({ days: z.int(), tags: z.array(z.string()) }))
  assert.deepEqual(value, { days: 4, tags: [] })
})
