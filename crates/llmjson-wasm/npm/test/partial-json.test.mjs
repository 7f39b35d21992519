// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as theirs from 'partial-json'
import * as ours from 'llmjson/partial-json'

const outcome = (library, text, allow) => {
  try {
    return library.parse(text, allow)
  } catch (error) {
    return error instanceof library.PartialJSON ? 'PartialJSON' : error instanceof library.MalformedJSON ? 'MalformedJSON' : error.name
  }
}

test('the same names', () => {
  assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).filter(name => !/^(__|default)/.test(name)).sort())
  assert.deepEqual(ours.Allow, theirs.Allow)
})

test('every prefix of a text gives the same', () => {
  const text = '{"a": [1, {"b": "c\\u00e9\\n"}, true, null, -12.5], "d": {"e": false, "f": ""}, "g": "h"}'
  for (let at = 1; at <= text.length; at += 1) {
    const part = text.slice(0, at)
    // They drop a number that ends in a point.
    if (part.endsWith('-12.')) continue
    assert.deepEqual(outcome(ours, part), outcome(theirs, part), part)
  }
})

test('the same where something may not be partial', () => {
  const { STR, NUM, ARR, OBJ, NULL, BOOL, NAN, INFINITY, _INFINITY } = theirs.Allow
  const cases = [
    ['"', STR], ['"', ~STR], ['["', ARR], ['["', ARR | STR], ['[', STR], ['["', STR], ['[""', STR], ['["",', STR],
    ['{"": "', OBJ], ['{"": "', OBJ | STR], ['{', STR], ['{"', STR], ['{""', STR], ['{"":', STR], ['{"":"', STR], ['{"":""', STR],
    ['n', NULL], ['n', ~NULL], ['t', BOOL], ['t', ~BOOL], ['f', BOOL], ['f', ~BOOL], ['I', INFINITY], ['I', ~INFINITY],
    ['-I', _INFINITY], ['-I', ~_INFINITY], ['N', NAN], ['N', ~NAN], ['0', ~NUM], ['-1.25e+4', ~NUM], ['-1.25e+', NUM], ['-1.25e', NUM],
    ['[{"a": 1, "b": 2}, {"a": 3,', ARR], ['[{"a": 1, "b": 2}, {"a": 3,', ~OBJ], ['["complete string", "incompl', ~STR],
    ['[{"a": [1, "x', ARR | OBJ], ['[1, 2', ARR]
  ]
  for (const [text, allow] of cases) assert.deepEqual(outcome(ours, text, allow), outcome(theirs, text, allow), `${text} ${allow}`)
})

test('names without quotes, fences and Python: an error or less before, the value after', () => {
  for (const [text, value] of [
    ["{a: 'b', c: [1, 2", { a: 'b', c: [1, 2] }],
    ['```json\n{"a": [1,', { a: [1] }],
    ['{"a": True, "b": "c', { a: true, b: 'c' }]
  ]) {
    assert.notDeepEqual(outcome(theirs, text), value)
    assert.deepEqual(outcome(ours, text), value)
  }
})

test('a member __proto__ is its own: it changed the prototype before', () => {
  const text = '{"__proto__": {"polluted": 1}, "a": 1'
  assert.equal(theirs.parse(text).polluted, 1)
  assert.equal(ours.parse(text).polluted, undefined)
  assert.deepEqual(Object.keys(ours.parse(text)), ['__proto__', 'a'])
})
