// What lives in the module, and what becomes of it when the module fails.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { LlmJsonError, parse, Schema, Stream, Tools } from 'llmjson'
import { call, memorySize } from '../package/dist/default/border.js'

const SCHEMA = { type: 'object', properties: { a: { type: 'integer' } } }
const TOOLS = [{ name: 'plan', input_schema: SCHEMA }]
const policy = { preset: 'lenient', maxDepth: 100 }

// No text has this length: the module cannot get the memory for it.
function trap() {
  assert.throws(() => call('raw_read', { length: -2 }), error =>
    error instanceof LlmJsonError && /the module failed/.test(error.message) && error.cause instanceof WebAssembly.RuntimeError)
}

test('a module that failed is replaced: schemas, policies and tools are made again', () => {
  const schema = new Schema(SCHEMA)
  const tools = new Tools(TOOLS)
  const parsed = parse("{a: '1'}", schema, { policy })
  for (let turn = 0; turn < 3; turn += 1) {
    trap()
    assert.deepEqual(parse("{a: '1'}", schema, { policy }).value, { a: 1 })
    assert.equal(parse('['.repeat(101) + ']'.repeat(101), schema, { policy }).ok, false)
    assert.deepEqual(tools.bind('plan', "{a: '1'}").arguments, { a: 1 })
    assert.equal(parsed.coercions.length, 1)
  }
})

test('streams are made again too', () => {
  const pieces = ["Here: {a: '1", "2', b: [1, {c: 'x", "\ud83d", "\ude00'}, nul", 'l]} and more']
  const whole = new Stream(SCHEMA)
  const broken = new Stream(SCHEMA)
  const calls = new Tools(TOOLS).callStream()
  calls.push('<tool_call>{"name": "plan", "argum')
  for (const piece of pieces) {
    whole.push(piece)
    broken.push(piece)
    assert.deepEqual(broken.value, whole.value)
    assert.deepEqual(broken.events(), whole.events())
    // A stream that is opened after it gets the number of the one that went.
    trap()
    new Stream(SCHEMA).push('{a: "2')
  }
  assert.deepEqual(broken.finish().value, parse(pieces.join(''), SCHEMA).value)
  assert.equal(calls.push('ents": {"a": "1"}}</tool_call>').at(-1).complete, true)
  assert.deepEqual(calls.finish().calls[0].binding.arguments, { a: 1 })
})

test('what was not used for long is released, and made again where it is used', () => {
  const schema = new Schema(SCHEMA)
  const tools = new Tools(TOOLS)
  const stream = new Stream(schema).push("{a: '")
  const calls = tools.callStream()
  calls.push('<tool_call>{"name": "plan", ')
  schema.free()
  tools.free()
  const size = at => {
    new Stream({ ...SCHEMA, description: String(at) }).push(`{b: '${'x'.repeat(at % 100)}`)
    return memorySize()
  }
  let before
  for (let at = 0; at < 2000; at += 1) before = size(at)
  for (let at = 0; at < 10_000; at += 1) size(at)
  assert.ok(memorySize() - before < 2_000_000, `${memorySize() - before}`)
  assert.deepEqual(stream.push("12'}").finish().value, { a: 12 })
  calls.push('"arguments": {a: 1}}</tool_call>')
  assert.deepEqual(calls.finish().calls[0].binding.arguments, { a: 1 })
  assert.throws(() => parse("{a: '1'}", schema), /freed/)
  assert.throws(() => tools.names, /freed/)
})

test('what is freed twice is freed once', () => {
  const one = new Schema(SCHEMA)
  one.free()
  const other = new Schema({ type: 'object', properties: { a: { type: 'string' } } })
  one.free()
  assert.deepEqual(parse("{a: '1'}", other).value, { a: '1' })
  const stream = new Stream(SCHEMA).push('{a: "1"}')
  stream.finish()
  stream.free()
  stream[Symbol.dispose ?? Symbol.for('Symbol.dispose')]()
  assert.deepEqual(stream.value, { a: 1 })
})

test('without a registry of what was collected, an instance that is full is given up', () => {
  const program = `
    delete globalThis.FinalizationRegistry
    const { parse, Schema } = await import('llmjson')
    const { memorySize } = await import('./package/dist/default/border.js')
    const first = new Schema({ properties: { a: { type: 'integer' } } })
    let most = 0
    for (let turn = 0; turn < 6000; turn += 1) {
      const enums = Array.from({ length: 100 }, (_, at) => 'value ' + turn + ' ' + at)
      parse("{b: 'x'}", { properties: { b: { enum: enums } } })
      most = Math.max(most, memorySize())
    }
    console.log(most < 100_000_000, JSON.stringify(parse("{a: '1'}", first).value))`
  const { stdout, stderr } = spawnSync('node', ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.equal(stdout, 'true {"a":1}\n', stderr)
})

test('what nobody holds is freed', { skip: globalThis.gc ? false : 'needs --expose-gc' }, async () => {
  const rest = () => new Promise(done => setTimeout(done, 5))
  const turn = async () => {
    for (let at = 0; at < 2000; at += 1) {
      const schema = { ...SCHEMA, description: String(at) }
      parse("{a: '1'}", schema, { policy: { preset: 'lenient', maxDepth: 100 + at } })
      new Stream(schema).push('{a: "x')
      new Tools(TOOLS).callStream().push('<tool_call>')
    }
    globalThis.gc()
    await rest()
    globalThis.gc()
    await rest()
  }
  for (let at = 0; at < 3; at += 1) await turn()
  const before = process.memoryUsage().rss
  for (let at = 0; at < 5; at += 1) await turn()
  assert.ok(process.memoryUsage().rss - before < 20_000_000, `${process.memoryUsage().rss - before}`)
})
