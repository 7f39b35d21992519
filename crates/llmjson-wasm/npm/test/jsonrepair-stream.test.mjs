// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { jsonrepair } from 'llmjson/jsonrepair'
import { jsonrepairTransform, jsonrepairTransformStream } from 'llmjson/jsonrepair/stream'
import * as theirs from 'jsonrepair/stream'

const node = (text, size, transform = jsonrepairTransform()) => {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
  return textOf(Readable.from(pieces).pipe(transform))
}

const web = (text, size) => {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))
  return textOf(ReadableStream.from(pieces).pipeThrough(jsonrepairTransformStream()))
}

const TEXTS = [
  "{a: 'b', c: [1, 2,], d: True, e: null,}", '[{"a": 1}, {"a": "b', 'Here:\n```json\n{"a": {"b/~": [], "": {}}}\n```\n',
  '{"😀": "ä\\"\\\\\\u0000", "__proto__": {"x": 12345678901234567890}}', '"text', '[1.5, -2e3, []]', '{"a": {"b": {"c": [[['
]

test('the value is that of the whole text, wherever it is cut', async () => {
  for (const text of TEXTS) {
    const value = JSON.parse(jsonrepair(text))
    for (const size of [1, 3, 1000]) {
      for (const out of [await node(text, size), await web(text, size)]) assert.deepEqual(JSON.parse(out), value, `${text} ${size}: ${out}`)
    }
  }
  assert.match(await node(TEXTS[3], 2), /12345678901234567890/)
})

test('what is known is written before the end', async () => {
  const transform = jsonrepairTransform()
  transform.setEncoding('utf8')
  transform.write("{items: [{name: 'one'}, {name: 'tw")
  const seen = await new Promise(done => transform.once('data', done))
  assert.equal(seen, '{"items":[{"name":"one"},{"name":"tw')
  transform.destroy()
})

test('a fence: not JSON before', async () => {
  const text = "Sure:\n```json\n{'a': 1}\n```\nDone."
  const before = await node(text, 5, theirs.jsonrepairTransform()).then(JSON.parse).catch(() => undefined)
  assert.notDeepEqual(before, { a: 1 })
  assert.deepEqual(JSON.parse(await node(text, 5)), { a: 1 })
})

test('a text without a value, and one that means another value at its end, are errors', async () => {
  const failing = text => new Promise(done => {
    const transform = jsonrepairTransform()
    transform.on('error', error => done(error.name)).on('end', () => done('end')).resume()
    transform.end(text)
  })
  assert.equal(await failing('no'), 'JSONRepairError')
  assert.equal(await failing('{"a": 1} {"b": 2}'), 'JSONRepairError')
  assert.equal(await failing('{a: 1}'), 'end')
})

test('chunks have the sizes that they have in the package', async () => {
  const text = `[${Array.from({ length: 500 }, (_, at) => `{"name":"item ${at}"}`)}]`
  const chunks = async transform => {
    const all = []
    for await (const chunk of Readable.from([text]).pipe(transform)) all.push(String(chunk))
    return all
  }
  for (const sizes of [{ chunkSize: 100 }, { chunkSize: 100, bufferSize: 1000 }, { chunkSize: 20_000 }]) {
    const [one, other] = [await chunks(jsonrepairTransform(sizes)), await chunks(theirs.jsonrepairTransform(sizes))]
    assert.deepEqual(one, other)
  }
  const all = []
  for await (const chunk of ReadableStream.from([text]).pipeThrough(jsonrepairTransformStream({ chunkSize: 1000 }))) all.push(chunk)
  assert.deepEqual([all.join(''), all[0].length], [text, 1000])
})

test('as long as nothing was written, the end may mean another value', async () => {
  const text = '{"a": 1} {"b": 2}'
  assert.deepEqual(JSON.parse(await node(text, 3, jsonrepairTransform({ bufferSize: 1000 }))), JSON.parse(jsonrepair(text)))
  assert.equal(await node("{a: 'b'}", 2, jsonrepairTransform({ bufferSize: 1000 })), '{"a":"b"}')
})
