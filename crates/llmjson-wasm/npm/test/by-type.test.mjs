// What the types of schema libraries change is judged by the policy, and in every form of the result.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { coerce, parse, parseAll, parseArguments, retry, Schema, Stream } from 'llmjson'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import { z as z3 } from 'zod/v3'

const told = (schema, json = { type: 'object' }) => new Schema(schema, json)
const DAY = '2026-03-05'

/**
 * A type, what a model wrote, the value, its certainty, and the kinds of coercions; null for a value that does not fit. The last is
 * whether the policy `exact` takes it.
 */
const CASES = [
  // The schema says what z.coerce is for, so that the module judges it.
  [z.coerce.number(), '5', 5, 'certain', [], true],
  [z.coerce.number(), '"5"', 5, 'certain', ['text_to_number'], true],
  [z.coerce.number(), 'true', null],
  [z.coerce.number(), 'null', null],
  [z.coerce.number(), '""', null],
  [z.coerce.number(), '{}', null],
  [z.coerce.date(), `"${DAY}"`, new Date(DAY), 'certain', [], true],
  [z.coerce.date(), `"${DAY}T10:00:00Z"`, new Date(`${DAY}T10:00:00Z`), 'certain', [], true],
  [z.coerce.date(), '"March 5th, 2026"', new Date(DAY), 'likely', ['written_time'], false],
  [z.coerce.date(), '5', null],
  [z.coerce.date(), 'true', null],
  [z.coerce.date(), 'null', null],
  [z.coerce.date().optional(), '5', null],
  [z.coerce.bigint(), '7', 7n, 'certain', [], true],
  [z.coerce.bigint(), '"7"', 7n, 'certain', ['text_to_number'], true],
  [z.coerce.bigint(), 'true', null],
  [z.coerce.boolean(), '"false"', false, 'certain', ['text_to_boolean'], true],
  [z.coerce.string(), 'null', null],
  // What a type reads in its own way.
  [z.string().trim(), '" x "', 'x', 'certain', ['read_by_type'], true],
  [z.number().refine(n => n > 5).catch(9), '3', 9, 'certain', ['read_by_type'], true],
  [z.preprocess(Math.abs, z.number()), '-3', 3, 'certain', ['read_by_type'], true],
  [told(z.object({ a: z.coerce.number() })), 'true', 1, 'likely', ['read_by_type'], false],
  [told(z3.object({ a: z3.coerce.number() })), 'true', 1, 'likely', ['read_by_type'], false],
  [told(z3.object({ a: z3.coerce.date() })), '5', new Date(5), 'likely', ['read_by_type'], false],
  [told(v.object({ a: v.fallback(v.string(), 'q') })), 'true', 'q', 'likely', ['read_by_type'], false],
  [told(v.object({ a: v.pipe(v.unknown(), v.transform(Number)) })), '"5"', 5, 'likely', ['read_by_type'], false],
  // The output of a type is another type's value, which it would not take itself, or a default.
  [z.string().transform(Number), '"12"', 12, 'certain', ['read_by_type'], true],
  [z.string().transform(text => text.length), '"12"', 2, 'certain', ['read_by_type'], true],
  [z.array(z.string()).transform(list => new Set(list)), '["a"]', new Set(['a']), 'certain', [], true],
  [z.codec(z.iso.datetime(), z.date(), { decode: text => new Date(text), encode: date => date.toISOString() }),
    `"${DAY}T10:00:00Z"`, new Date(`${DAY}T10:00:00Z`), 'certain', [], true],
  [type({ a: 'string.numeric.parse' }), '"5"', 5, 'certain', ['read_by_type'], true],
  [type({ a: 'string.date.parse' }), `"${DAY}"`, new Date(DAY), 'certain', [], true],
  [z.string().default('none'), undefined, 'none', 'certain', [], true]
]

const nameOf = schema => schema.def?.type ?? schema['~standard']?.vendor ?? 'type'

for (const [given, written, value, certainty, kinds, isExact] of CASES) {
  const schema = given instanceof Schema || given['~standard'].vendor === 'arktype' ? given : z.object({ a: given })
  const text = written === undefined ? '{}' : `{"a": ${written}}`
  test(`${nameOf(given)} of ${written}: ${value === null ? 'refused' : kinds.join() || 'unchanged'}`, async () => {
    const streamed = () => new Stream(schema).push(text).finish()
    const ways = [() => parse(text, schema), () => parseArguments(text, schema), () => parseAll(text, schema)[0], streamed]
    if (written !== undefined) ways.push(() => coerce(JSON.parse(text), schema))
    for (const read of ways) {
      const parsed = read()
      assert.equal(parsed.ok, value !== null)
      assert.equal(parsed.report.ok, parsed.ok)
      if (value === null) continue
      assert.deepEqual(parsed.value.a, value)
      assert.equal(parsed.certainty, certainty)
      assert.equal(parsed.report.certainty, certainty)
      for (const { coercions } of [parsed, parsed.report]) assert.deepEqual(coercions.map(one => one.kind), kinds)
      if (kinds[0] === 'read_by_type') assert.equal(parsed.coercions[0].path, '$input.a')
    }
    // Types read nothing as a value of another kind under these.
    for (const policy of ['exact', 'tool', 'conservative', 'shape', 'strict']) {
      const parsed = parse(text, schema, { policy })
      const isOwn = kinds?.every(kind => kind === 'read_by_type')
      if (policy === 'exact' || isOwn) assert.equal(parsed.ok, value !== null && isExact, policy)
      if (!parsed.ok && parsed.found) assert.deepEqual([parsed.violations[0].path, /❌/.test(parsed.feedback)], ['$input.a', true])
    }
    if (value === null) return
    const answer = await retry(() => text, [], schema)
    assert.deepEqual([answer.value.a, answer.certainty], [value, certainty])
  })
}

test('items of a list are each a change', () => {
  const parsed = parse('[true, 1, "2"]', told(z.array(z.coerce.number()), { type: 'array' }))
  assert.deepEqual(parsed.value, [1, 1, 2])
  assert.deepEqual(parsed.coercions.map(({ path, before, after }) => [path, before, after]), [['$input[0]', true, 1], ['$input[2]', '2', 2]])
})

test('a change and a transformation in one value', () => {
  const schema = z.object({ name: z.string().trim(), size: z.string().transform(Number), list: z.array(z.string().trim()) })
  const parsed = parse('{"name": " a ", "size": "7", "list": ["b", " c"]}', schema)
  assert.deepEqual(parsed.value, { name: 'a', size: 7, list: ['b', 'c'] })
  const told = parsed.coercions.map(one => [one.path, one.class, one.before, one.after])
  assert.deepEqual(told, [['$input.name', 'certain', ' a ', 'a'], ['$input.size', 'certain', '7', 7], ['$input.list[1]', 'certain', ' c', 'c']])
})

test('many changes take linear time', () => {
  const schema = z.array(z.object({ a: z.string().trim(), b: z.string().transform(Number) }))
  const timed = count => {
    const text = JSON.stringify(Array.from({ length: count }, () => ({ a: ' x', b: '1' })))
    const start = process.cpuUsage().user
    assert.equal(parse(text, schema).coercions.length, 2 * count)
    return process.cpuUsage().user - start
  }
  timed(500)
  // Four times as many take about four times as long; in quadratic time it would be sixteen.
  assert.ok(timed(20_000) < 10 * timed(5000))
})

test('a bigint has all digits', () => {
  const schema = z.object({ a: z.coerce.bigint(), b: z.number() })
  const text = '{"a": 9007199254740993, "b": 1}'
  const value = { a: 9007199254740993n, b: 1 }
  for (const parsed of [parse(text, schema), parseAll(text, schema)[0], new Stream(schema).push(text).finish()]) {
    assert.deepEqual([parsed.value, parsed.coercions], [value, []])
  }
})

const boom = () => {
  throw new Error('boom')
}

test('a refinement that throws gives its error', () => {
  for (const schema of [
    z.object({ a: z.number().refine(boom) }), told(z3.object({ a: z3.number().refine(boom) })),
    told(v.object({ a: v.pipe(v.number(), v.check(boom)) })), z.object({ a: z.number().transform(boom) })
  ]) {
    for (const text of ['{"a": 1}', '{a: 1}']) {
      assert.throws(() => parse(text, schema), { name: 'Error', message: 'boom' })
      assert.throws(() => new Stream(schema).push(text).finish(), { message: 'boom' })
    }
  }
})

test('an asynchronous refinement is an error that says so, and no rejection is left behind', () => {
  const program = `
    const { parse, Schema } = await import('llmjson')
    const z = await import('zod')
    const { z: z3 } = await import('zod/v3')
    const v = await import('valibot')
    const late = async () => { throw new Error('late') }
    const json = { type: 'object' }
    for (const schema of [
      z.object({ a: z.number().refine(late) }), z.object({ a: z.number().transform(late) }),
      new Schema(z3.object({ a: z3.number().refine(async () => true) }), json),
      new Schema(v.objectAsync({ a: v.pipeAsync(v.number(), v.checkAsync(late)) }), json)
    ]) {
      for (const text of ['{"a": 1}', '{a: 1}']) try { parse(text, schema) } catch (error) { console.log(error.name, error.message) }
    }
    await new Promise(done => setTimeout(done, 10))
    console.log('alive')`
  const { stdout, stderr } = spawnSync('node', ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const lines = stdout.trim().split('\n')
  assert.equal(lines.length, 9, stderr)
  assert.equal(lines.pop(), 'alive')
  for (const line of lines) assert.match(line, /^TypeError the schema validates asynchronously; give its JSON Schema/)
})
