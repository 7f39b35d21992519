// Compiled, not run.
import { coerce, parse, Stream, type DeepPartial } from 'llmjson'
import * as syntax from 'llmjson/syntax'
import { jsonrepair } from 'llmjson/jsonrepair'
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
