// Compiled, not run.
import { coerce, parse, Schema, Stream, type DeepPartial } from 'llmjson'
import * as syntax from 'llmjson/syntax'
import { jsonrepair } from 'llmjson/jsonrepair'
import { jsonrepairTransformStream } from 'llmjson/jsonrepair/stream'
import * as partial from 'llmjson/partial-json'
import { repairText } from 'llmjson/ai'
import { zodResponseFormat } from 'llmjson/openai'
import { StructuredOutputParser } from 'llmjson/langchain'
import { coercing } from 'llmjson/mcp'
import { LlmJson } from 'llmjson/typia'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._: Same<A, B> extends true ? [] : [never]) => {}

const trip = parse('', {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
  required: ['city']
})
same<typeof trip.value, { city: string; days?: number; tags?: ('a' | 'b')[] }>()

const schema = z.object({ days: z.int(), tags: z.array(z.string()).optional() })
const read = coerce({}, schema)
same<typeof read.value, { days: number; tags?: string[] | undefined }>()

const plain = parse('')
same<typeof plain.value, unknown>()

const stream = new Stream<{ a: { b: string }[] }>({ type: 'object' })
same<typeof stream.value, DeepPartial<{ a: { b: string }[] }> | undefined>()
const text: string = jsonrepair(syntax.repair('{}'))
void text

const valibot = parse('', toStandardJsonSchema(v.object({ a: v.string() })))
same<typeof valibot.value, { a: string }>()
const arktype = parse('', type({ a: 'string' }))
same<typeof arktype.value, { a: string }>()
const inferred = new Stream(schema)
same<typeof inferred.value, { days?: number; tags?: string[] | undefined } | undefined>()
const compiled = new Schema(schema)
const again = parse('', compiled)
same<typeof again.value, { days: number; tags?: string[] | undefined }>()
const literal = coerce(1, { enum: ['a', 'b', 3] })
same<typeof literal.value, 'a' | 'b' | 3>()

const format = zodResponseFormat(schema, 'trip')
same<typeof format.__output, { days: number; tags?: string[] | undefined }>()
const trip2: Promise<{ days: number }> = new StructuredOutputParser(schema).parse('')
const data: number | undefined = LlmJson.coerce<{ a: number }>({}, {}).a
void [trip2, data, coercing, repairText, partial.Allow.STR, jsonrepairTransformStream]
