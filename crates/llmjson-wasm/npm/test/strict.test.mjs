// Where JSON.parse answers, the module would have given the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'llmjson/syntax'
import { call } from '../package/dist/syntax/border.js'
import { opened } from '../package/dist/syntax/syntax.js'
import { OTHERWISE, strict } from '../package/dist/syntax/strict.js'

function random(seed) {
  return () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32
}

function value(next, depth) {
  const kind = Math.floor(next() * (depth > 4 ? 6 : 8))
  const list = () => Array.from({ length: Math.floor(next() * 4) }, () => value(next, depth + 1))
  const words = ['', 'a', '__proto__', '1', 'é', '😀', 'a"b\\', '</think>', '{"a":1}', 'null', '\u2028', '```json', '// x']
  const word = () => words[Math.floor(next() * words.length)]
  switch (kind) {
    case 0: return null
    case 1: return next() < 0.5
    case 2: return Math.floor(next() * 1000) - 500
    case 3: return Math.round(next() * 1e6) / 1e3
    case 4: return word()
    case 5: return word() + word()
    case 6: return list()
    default: return Object.fromEntries(list().map(item => [word(), item]))
  }
}

test('random values are the same both ways', () => {
  const next = random(20)
  let taken = 0
  for (let turn = 0; turn < 3000; turn += 1) {
    const given = next() < 0.5 ? [value(next, 0)] : { a: value(next, 0), b: value(next, 0) }
    const text = JSON.stringify(given, null, turn % 3)
    const quick = strict(text)
    const answer = opened(call('raw_read', text))
    if (quick !== OTHERWISE) {
      taken += 1
      assert.deepEqual(quick, answer.value, text)
    }
    assert.deepEqual(answer.value, given, text)
    assert.equal(answer.ok && answer.complete, true, text)
  }
  assert.ok(taken > 2000)
})

test('texts on which the two may differ are read by the module', () => {
  const texts = [
    '{"a": "\\ud800"}', '"{\\"a\\": 1}"', 'true', '',
    '{"a": 1', '{a: 1}', '{"a": "\ud800"}', '\ufeff{"a": 1}', '['.repeat(600) + ']'.repeat(600)
  ]
  for (const text of texts) assert.equal(strict(text), OTHERWISE, text)
})

test('numbers are rounded the same both ways', () => {
  for (const number of ['12345678901234567890', '1e400', '-1E5', '0.1234567890123456789', '1.7976931348623159e308', '-0', '5e-325']) {
    const text = `{"a": ${number}}`
    assert.ok(Object.is(strict(text).a, opened(call('raw_read', text)).value.a), number)
  }
})

test('a member __proto__ is its own', () => {
  for (const text of ['{"__proto__": {"a": 1}}', '{__proto__: {a: 1}}']) {
    const { value } = parse(text)
    assert.deepEqual(Object.keys(value), ['__proto__'])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
  }
})

test('of members with the same name the last counts, and certainty tells', () => {
  const parsed = parse('{"a": 1, "a": 2}')
  assert.deepEqual(parsed.value, { a: 2 })
  assert.equal(parsed.repairs.length + parsed.notes.length > 0, true)
})
