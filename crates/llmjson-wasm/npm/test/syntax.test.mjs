import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { edits, LlmJsonError, parse, ParseError, repair, Stream } from 'llmjson/syntax'

test('a reply is read and its records are told', () => {
  const text = "Sure 😀:\n```json\n{name: 'Zoë', tags: ['a',],}\n```"
  const parsed = parse(text)
  assert.deepEqual(parsed.value, { name: 'Zoë', tags: ['a'] })
  assert.equal(parsed.ok, true)
  assert.equal(parsed.complete, true)
  const key = parsed.repairs.find(repair => repair.kind === 'unquoted_key')
  assert.equal(text.slice(key.start, key.end), 'name')
})

test('a text without a value is no error before it is unwrapped', () => {
  const parsed = parse('Sorry, no.')
  assert.equal(parsed.ok, false)
  assert.equal(parsed.value, undefined)
  assert.equal(parsed.certainty, null)
  assert.throws(() => parsed.unwrap(), ParseError)
})

test('repair keeps the layout, and its edits lead to it', () => {
  const text = "{\n  name: 'Ädä',\n  n: 1.50,\n}"
  const repaired = repair(text)
  assert.equal(repaired, '{\n  "name": "Ädä",\n  "n": 1.50\n}')
  let made = ''
  let at = 0
  for (const { start, end, replacement } of edits(text)) {
    made += text.slice(at, start) + replacement
    at = end
  }
  assert.equal(made + text.slice(at), repaired)
  assert.equal(repair('{"a": 1, "b":', { unfinished: 'complete' }), '{"a": 1, "b":null}')
  assert.throws(() => repair(' '), LlmJsonError)
  assert.equal(repair('{a: 1, // one\n# two\n}', { comments: 'keep' }), '{"a": 1 // one\n// two\n}')
  assert.deepEqual(edits('[1, // one\n2]', { comments: 'keep' }), [])
  assert.throws(() => repair('[]', { comments: 'all' }), { name: 'TypeError', message: 'comments is drop or keep, not all' })
  assert.throws(() => repair('[]', { policy: 'strict' }), { name: 'TypeError', message: /unknown option policy/ })
})

test('large integers are kept where they are asked for', () => {
  const text = '{a: 12345678901234567890, b: 1, c: "integer:12345678901234567890", d: -12345678901234567890}'
  const large = 12345678901234567890n
  assert.deepEqual(parse(text, { integers: 'bigint' }).value, { a: large, b: 1, c: `integer:${large}`, d: -large })
  assert.equal(parse(text, { integers: 'text' }).value.a, '12345678901234567890')
  assert.equal(parse(text).value.a, 12345678901234567000)
  assert.throws(() => parse(text, { integers: 'other' }), TypeError)
  const others = '[0.12345678901234567, 1e-0000000000000000001, 1.5e+12345678901234567, -12345678901234567.0]'
  assert.deepEqual(parse(others, { integers: 'bigint' }).value, JSON.parse(others))
})

test('a stream shows what is known, and keeps what has not changed', () => {
  const stream = new Stream()
  assert.equal(stream.value, undefined)
  stream.push("Here: {city: 'Par")
  assert.deepEqual(stream.value, { city: 'Par' })
  stream.push("is', stops: [{n: 1}, {n: 2")
  const before = stream.value
  stream.push('}, {n: 3}]')
  const after = stream.value
  assert.equal(before.stops[0], after.stops[0])
  assert.notEqual(before.stops, after.stops)
  const parsed = stream.push('}').finish()
  assert.deepEqual(parsed.value, { city: 'Paris', stops: [{ n: 1 }, { n: 2 }, { n: 3 }] })
  assert.equal(stream.superseded, false)
  assert.throws(() => stream.push('x'), LlmJsonError)
})

test('a stream gives at its end what the whole text gives, wherever it is cut', () => {
  const text = "Zoë: ```json\n{\"a\": 'x\\u00e9', __proto__: [1, 2.5, tru, null], 'b/~': {c: \"d\ne\"}} ```"
  const whole = parse(text)
  for (let at = 0; at <= text.length; at += 1) {
    const stream = new Stream().push(text.slice(0, at)).push(text.slice(at))
    assert.deepEqual(stream.finish().value, whole.value)
  }
})

test('names of members are what they are in a stream too', () => {
  const text = '{"a~1": {"b/~": [1]}, "__proto__": {"c": "d"}, "": [[], {}], "0": "é"} '
  const stream = new Stream()
  for (const unit of text) stream.push(unit)
  assert.deepEqual(Object.keys(stream.value), Object.keys(JSON.parse(text)))
  assert.deepEqual(stream.value, JSON.parse(text))
})

test('a pair of surrogates may be cut', () => {
  const text = '{"a": "😀😀", "😀": 1}'
  const stream = new Stream()
  for (const unit of text.split('')) stream.push(unit)
  assert.deepEqual(stream.finish().value, JSON.parse(text))
  assert.deepEqual(new Stream().push('["\ud83d').finish().value, ['\ufffd'])
})

test('CommonJS has the same', () => {
  const required = createRequire(import.meta.url)('llmjson/syntax')
  assert.deepEqual(required.parse('{a: 1').value, { a: 1 })
  assert.equal(required.parse('{a: 1').complete, false)
})

test('other things than text are errors', () => {
  assert.throws(() => parse(undefined), TypeError)
  assert.throws(() => new Stream().push(1), TypeError)
})

test('memory that one large text took is given back', () => {
  const text = `{items: [${'"0123456789",'.repeat(700_000)}]}`
  const before = process.memoryUsage().arrayBuffers
  assert.equal(parse(text).value.items.length, 700_000)
  assert.deepEqual(parse('{a: 1').value, { a: 1 })
  globalThis.gc?.()
  assert.ok(process.memoryUsage().arrayBuffers - before < 100_000_000)
})

test('memory stays flat', () => {
  const text = "{a: 'b', c: [1, 2, 3], d: 'integer:12'}"
  for (let turn = 0; turn < 20_000; turn += 1) parse(text)
  const before = process.memoryUsage().rss
  for (let turn = 0; turn < 100_000; turn += 1) parse(text)
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
})
