import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { coerce, parse, parseAll, parseArguments, ParseError, retry, Schema, Stream, stringify, Tools } from 'llmjson'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'

const TRIP = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days']
}

test('a reply is coerced to its schema', () => {
  const parsed = parse("Sure!\n```json\n{city: 'Paris', days: \"3\",}\n```", TRIP)
  assert.deepEqual(parsed.unwrap(), { city: 'Paris', days: 3 })
  assert.equal(parsed.coercions[0].kind, 'text_to_number')
  assert.equal(parsed.feedback, undefined)
})

test('what does not fit comes with feedback', () => {
  const parsed = parse('{"city": "Oslo", "days": "many"}', TRIP)
  assert.equal(parsed.ok, false)
  assert.deepEqual(parsed.violations.map(one => one.path), ['$input.days'])
  assert.match(parsed.feedback, /"days": "many" \/\/ ❌/)
  assert.equal(stringify(parsed), parsed.feedback)
  assert.throws(() => parsed.unwrap(), error => error instanceof ParseError && error.parsed === parsed)
})

test('zod tells its schema, and its refinements are asked', () => {
  const schema = z.object({ days: z.int().min(1), tags: z.array(z.string()) })
    .refine(({ days, tags }) => tags.length <= days, { path: ['tags'], message: 'at most one tag a day' })
  assert.deepEqual(parse("{days: '2', tags: 'food'", schema).value, { days: 2, tags: ['food'] })
  const parsed = parse("{days: '1', tags: ['a', 'b']}", schema)
  assert.equal(parsed.ok, false)
  assert.deepEqual(parsed.violations, [{ path: '$input.tags', expected: 'at most one tag a day' }])
  assert.match(parsed.feedback, /at most one tag a day/)
})

test('valibot and arktype tell their schemas too', () => {
  const days = v.pipe(v.number(), v.integer(), v.check(days => days % 2 === 0, 'an even number of days'))
  const valibot = toStandardJsonSchema(v.object({ city: v.string(), days }))
  const arktype = type({ city: 'string', days: 'number.integer >= 1' })
  for (const schema of [valibot, arktype]) {
    assert.deepEqual(parse("{city: 'Oslo', days: '2'", schema).value, { city: 'Oslo', days: 2 })
    assert.equal(parse("{city: 'Oslo', days: 'many'", schema).ok, false)
  }
  assert.match(parse("{city: 'Oslo', days: '3'", valibot).feedback, /an even number of days/)
})

test('large integers go in and out', () => {
  const large = 2n ** 64n
  const schema = { properties: { a: { type: 'integer' }, b: { type: 'string' } } }
  const parsed = coerce({ a: large, b: 'integer:1', c: 'integer::2' }, schema, { integers: 'bigint' })
  assert.deepEqual(parsed.value, { a: large, b: 'integer:1', c: 'integer::2' })
  assert.deepEqual(parsed.coercions, [])
  assert.equal(stringify(parsed), `{"a":${large},"b":"integer:1","c":"integer::2"}`)
})

test('policies refuse', () => {
  assert.equal(parse('{"city": "Oslo", "days": 3', TRIP, { policy: 'tool' }).ok, false)
  const policy = { preset: 'tool', truncated: 'accept' }
  assert.equal(parse('{"city": "Oslo", "days": 3', TRIP, { policy }).ok, true)
  assert.throws(() => parse('{}', TRIP, { policy: 'none such' }), /none such/)
  assert.throws(() => parse('{}', TRIP, { policy: { other: 'x' } }), /other/)
})

test('arguments, values, and several values', () => {
  assert.deepEqual(parseArguments('', { type: 'object' }).value, {})
  assert.deepEqual(coerce({ city: 'Rome', days: '4' }, TRIP).value, { city: 'Rome', days: 4 })
  assert.deepEqual(coerce('["1"]', { type: 'string' }).value, '["1"]')
  const text = 'ü {"city": "Oslo", "days": 1} and {"city": "Rome", "days": 2}'
  const all = parseAll(text, TRIP)
  assert.deepEqual(all.map(one => one.value.city), ['Oslo', 'Rome'])
  assert.equal(text[all[0].start], '{')
})

test('schemas that are none are errors', () => {
  assert.throws(() => new Schema({ type: 'no such type' }))
  assert.throws(() => parse('{}', 3), TypeError)
  const schema = new Schema(TRIP)
  schema.free()
  assert.throws(() => parse('{}', schema), /freed/)
})

test('patterns with look-ahead and formats need nothing of the host', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(?=.*x).*$' }, d: { type: 'string', format: 'date' } } }
  assert.equal(parse('{"a": "xyz", "d": "2025-01-01"}', schema).ok, true)
  assert.equal(parse('{"a": "abc"}', schema).ok, false)
})

test('a stream is coerced while it comes', () => {
  const stream = new Stream(TRIP)
  stream.push("Here: {city: 'Par")
  assert.deepEqual(stream.value, { city: 'Par' })
  assert.deepEqual(stream.push("is', days: '3'}").finish().value, { city: 'Paris', days: 3 })
})

const LIST = [{ type: 'function', function: { name: 'plan', description: 'Plans.', parameters: TRIP } }]

test('tools bind arguments and find calls', () => {
  const tools = new Tools(LIST)
  assert.deepEqual(tools.names, ['plan'])
  const bound = tools.bind('plan', '{"city": "Oslo", "days": "2"}')
  assert.deepEqual([bound.ok, bound.arguments], [true, { city: 'Oslo', days: 2 }])
  assert.equal(tools.bind('plam', '{}').known, false)
  assert.match(tools.bind('plan', '{}').feedback, /city/)
  const text = 'é <tool_call>{"name": "plan", "arguments": {"city": "Oslo", "days": 2}}</tool_call>'
  const { calls } = tools.callsIn(text)
  assert.deepEqual(calls.map(call => call.name), ['plan'])
  assert.deepEqual(calls[0].binding.arguments, { city: 'Oslo', days: 2 })
  const stream = tools.callStream()
  const events = [...text].flatMap(unit => stream.push(unit))
  assert.equal(events[0].change, 'started')
  assert.deepEqual(events.at(-1), { change: 'finished', call: 0, complete: true })
  assert.deepEqual(stream.finish().calls, calls)
})

test('a model is asked until its reply fits', async () => {
  const replies = ['{"city": "Oslo"}', '{"city": "Oslo", "days": "3"}']
  const seen = []
  const parsed = await retry(messages => {
    seen.push(messages)
    return replies.shift()
  }, [{ role: 'user', content: 'Plan.' }], TRIP)
  assert.deepEqual(parsed.value, { city: 'Oslo', days: 3 })
  assert.equal(seen[1].length, 3)
  assert.match(seen[1][2].content, /days/)
  await assert.rejects(retry(() => 'no', [], TRIP, { maxRetries: 1 }), ParseError)
})

test('CommonJS has the same', () => {
  const required = createRequire(import.meta.url)('llmjson')
  assert.deepEqual(required.parse("{city: 'Oslo', days: '1'}", TRIP).value, { city: 'Oslo', days: 1 })
})
