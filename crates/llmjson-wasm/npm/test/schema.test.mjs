import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import {
  coerce, edits, parse, parseAll, parseArguments, ParseError, repair, retry, Schema, Stream, stringify, Tools
} from 'llmjson'
import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'

const TRIP = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days']
}

test('repair takes a policy', () => {
  const message = 'not allowed: removed a stray comma (extra_comma) at line 2, column 2 (byte 5)'
  for (const made of [repair, edits]) {
    assert.throws(() => made('[1,\n2,]', { policy: 'strict' }), { name: 'LlmJsonError', message, position: 5 })
    assert.throws(() => made('[]', { polcy: 'strict' }), { message: 'unknown option polcy, did you mean policy?' })
  }
  assert.equal(repair('[1, // one\n2,]', { policy: 'tool', comments: 'keep' }), '[1, // one\n2]')
  assert.equal(repair('[1, 2', { policy: { truncated: 'accept' } }), '[1, 2]')
  assert.equal(edits('[1, 2,]', { policy: 'tool' }).length, 1)
})

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

test('members of enumerations are known by their names', () => {
  const level = z.object({ level: z.enum({ LOW: 1, HIGH: 3 }), size: z.enum(['small', 'large']) })
  const told = new Schema(level).toJSON().properties
  assert.deepEqual(told.level['x-enum-varnames'], ['LOW', 'HIGH'])
  assert.equal(told.size['x-enum-varnames'], undefined)
  assert.deepEqual(parse('{level: HIGH, size: "Small"}', level).value, { level: 3, size: 'small' })
})

test('dates and times stay as they are written where the policy says so', () => {
  const schema = { type: 'string', format: 'date-time' }
  const read = formats => parse('"2026-03-05 10:30"', schema, { policy: { formats } }).value
  assert.equal(read('lenient'), '2026-03-05T10:30:00')
  assert.equal(read('as_written'), '2026-03-05 10:30')
})

test('expectations are told in plain words on request', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 100 }
  const told = wording => parse('0', schema, { policy: { wording } }).violations[0].expected
  assert.equal(told('tags'), 'integer & Minimum<1>')
  assert.equal(told('plain'), 'a whole number of at least 1')
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

test('libraries that do not tell their JSON Schema say what to give', () => {
  const even = [days => days % 2 === 0, 'an even number of days']
  const small = mini.object({ city: mini.string(), days: mini.int().check(mini.refine(...even)) })
  const older = z3.object({ city: z3.string(), days: z3.number().int().refine(...even) })
  const valibot = v.object({ city: v.string(), days: v.pipe(v.number(), v.check(...even)) })
  for (const [schema, json, said] of [
    [small, z.toJSONSchema(small, { io: 'input' }), /new Schema\(schema, jsonSchema\).*z\.toJSONSchema/], [older, TRIP, /zod 3/],
    [valibot, toJsonSchema(valibot, { errorMode: 'ignore' }), /@valibot\/to-json-schema/]
  ]) {
    assert.throws(() => parse('{}', schema), said)
    const told = new Schema(schema, json)
    for (const text of ["{city: 'Oslo', days: '2'}", '{"city": "Oslo", "days": 2}']) {
      assert.deepEqual(parse(text, told).unwrap(), { city: 'Oslo', days: 2 })
      assert.match(parse(text.replace('2', '3'), told).feedback, /an even number of days/)
    }
  }
})

test('clean text gives by the library what it gives by the module', () => {
  const place = z.object({ city: z.string(), days: z.int().optional(), note: z.string().default('none') })
  const strict = z.strictObject({ city: z.string(), days: z.int().optional() })
  const loose = z.looseObject({ city: z.string() })
  const arktype = type({ city: 'string', 'days?': 'number.integer' })
  const date = z.object({ on: z.coerce.date() })
  const told = z.object({ city: z.string().meta({ minLength: 5 }) })
  const texts = [
    '{"city": "Oslo", "days": 2, "note": "x"}', '{"city": "Oslo"}', '{"city": "Oslo", "Days": 2}', '{"city": "Oslo", "days": "2"}',
    '{"days": 2, "city": "Oslo"}', '{"city": "Oslo", "other": {"a": [1]}}', '{"city": 1}', '{"city": "Oslo", "days": 2.0}',
    '{"city": "Oslo", "__proto__": {}}', '{"on": "2026-03-05"}', '{"city": "a", "city": "b"}', '[]'
  ]
  for (const schema of [place, strict, loose, arktype, date, told]) {
    for (const text of texts) {
      // A policy is a matter of the module.
      const [quick, module] = [parse(text, schema), parse(text, schema, { policy: 'lenient' })]
      for (const what of ['ok', 'value', 'complete', 'truncation', 'certainty', 'feedback', 'report']) {
        assert.deepEqual(quick[what], module[what], `${what} of ${text}`)
      }
    }
  }
})

test('options that are not known are errors', () => {
  for (const [act, said] of [
    [() => parse('{}', TRIP, { polcy: 'tool' }), 'unknown option polcy, did you mean policy?'],
    [() => parse('{}', undefined, { finish_reason: 'stop' }), 'unknown option finish_reason, did you mean finishReason?'],
    [() => parseAll('{}', TRIP, { integer: 'text' }), 'unknown option integer, did you mean integers?'],
    [() => coerce({}, TRIP, { x: 1 }), 'unknown option x, there are policy, finishReason, integers, allowTruncated'],
    [() => new Stream(TRIP, { Policy: 'tool' }), 'unknown option Policy, did you mean policy?'],
    [() => new Tools(LIST, { plicy: 'tool' }), 'unknown option plicy, did you mean policy?'],
    [() => new Tools(LIST).bind('plan', '{}', { finishreason: 'x' }), 'unknown option finishreason, did you mean finishReason?'],
    [() => parse('{}', TRIP, { policy: { truncatd: 'accept' } }), 'unknown policy setting truncatd, did you mean truncated?'],
    [() => parse('{}', TRIP, 'tool'), 'the options are an object, not string']
  ]) assert.throws(act, { name: 'TypeError', message: said })
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
  // A call after words on its line waits for the rest of the line.
  const text = 'é\n<tool_call>{"name": "plan", "arguments": {"city": "Oslo", "days": 2}}</tool_call>'
  const { calls } = tools.callsIn(text)
  assert.deepEqual(calls.map(call => call.name), ['plan'])
  assert.deepEqual(calls[0].binding.arguments, { city: 'Oslo', days: 2 })
  const stream = tools.callStream()
  const events = [...text].flatMap(unit => stream.push(unit))
  assert.equal(events[0].change, 'started')
  assert.deepEqual(events.at(-1), { change: 'finished', call: 0, complete: true, ok: true, reason: null })
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

test('a model that streams is asked until its reply fits', async () => {
  const replies = ['Sure: {"city": "Oslo"}', '{"city": "Os|lo", "days": "3"}']
  async function* coming() {
    yield* replies.shift().split('|')
  }
  const seen = []
  const parsed = await retry(coming, [], TRIP, { onPartial: (value, turn) => seen.push([turn, value]) })
  assert.deepEqual(parsed.value, { city: 'Oslo', days: 3 })
  assert.deepEqual(seen, [[0, { city: 'Oslo' }], [1, { city: 'Os' }], [1, { city: 'Oslo', days: 3 }]])
  await assert.rejects(retry([], coming, TRIP), /retry\(ask, messages, schema\)/)
  await assert.rejects(retry(coming, [], TRIP, { maxRetry: 1 }), /did you mean maxRetries/)
})

test('a model is asked again where its reply is truncated', async () => {
  const whole = '{"city": "Oslo", "days": 3}'
  const cut = '{"city": "Oslo", "days": 3'
  const stopped = (text, finishReason) => ({ text, finishReason })
  async function* pieces() {
    yield* [whole.slice(0, 9), whole.slice(9)]
  }
  for (const [first, isTruncated] of [
    [cut, true], [stopped(cut), true], [stopped(whole, 'length'), true], [stopped(pieces(), Promise.resolve('length')), true],
    [stopped(Promise.resolve(whole), Promise.resolve('stop')), false], [stopped(cut, 'stop'), false], [stopped(pieces(), 'stop'), false]
  ]) {
    const said = []
    const replies = [first, whole]
    const ask = messages => {
      said.push(messages.at(-1)?.content)
      return replies.shift()
    }
    const parsed = await retry(ask, [], TRIP)
    assert.deepEqual([parsed.value, parsed.complete, said.length], [{ city: 'Oslo', days: 3 }, true, isTruncated ? 2 : 1])
    if (isTruncated) assert.match(said[1], /❌/)
  }
  assert.equal((await retry(() => cut, [], TRIP, { allowTruncated: true })).unwrap().days, 3)
  assert.equal((await retry(() => cut, [], TRIP, { policy: { truncated: 'accept' } })).complete, false)
})

test('what is not a schema is refused', () => {
  class Model {}
  for (const [given, said] of [
    [new Map(), /plain object.*Map/], [Promise.resolve({}), /plain object.*Promise/], [new Tools([]), /plain object.*Tools/],
    [{ policy: 'tool' }, /without any keyword.*`policy`/], [{ n: 1 }, /without any keyword.*`n`/],
    [{ type: 'object', n: { type: 'integer' } }, /no keyword `n`.*`properties`/],
    [[Model], /not an array/], [[z.object({})], /not an array/], [Model, /class or function: Model/]
  ]) {
    assert.throws(() => parse('{}', given), said)
    assert.throws(() => new Stream(given).push('{}'), said)
  }
  for (const given of [{}, true, { description: 'any' }, { type: 'object' }]) assert.equal(parse('{"a": 1}', given).ok, true)
  const weather = { description: 'The weather.', inputSchema: TRIP }
  for (const given of [{ weather }, [{ type: 'web_search' }, { a: {} }], Model]) assert.throws(() => new Tools(given), `${given}`)
  assert.deepEqual(new Tools([]).names, [])
})

test('a format of zod is reported once, without its pattern', () => {
  const schema = z.object({ mail: z.email(), id: z.uuid(), at: z.iso.datetime(), code: z.string().regex(/^[a-z]+$/) })
  const { violations } = parse('{"mail": "x", "id": "x", "at": "x", "code": "X"}', schema)
  assert.deepEqual(violations.map(one => one.expected), [
    'string & Format<"email">', 'string & Format<"uuid">', 'string & Format<"date-time">', 'string & Pattern<"^[a-z]+$">'
  ])
})

test('CommonJS has the same', () => {
  const required = createRequire(import.meta.url)('llmjson')
  assert.deepEqual(required.parse("{city: 'Oslo', days: '1'}", TRIP).value, { city: 'Oslo', days: 1 })
})
