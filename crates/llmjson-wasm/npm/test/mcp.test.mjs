// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { coercing } from 'llmjson/mcp'
import * as z from 'zod'

const shape = { days: z.int().min(1), tags: z.array(z.string()) }

async function connected(wrap) {
  const server = new McpServer({ name: 'x', version: '1' })
  const tool = async given => ({ content: [{ type: 'text', text: JSON.stringify(given) }] })
  server.registerTool('plan', { inputSchema: shape }, tool)
  const [one, other] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'c', version: '1' })
  await Promise.all([server.connect(wrap(one)), client.connect(other)])
  const call = async (name, given) => {
    const result = await client.callTool({ name, arguments: given }).catch(error => ({ isError: true, content: [{ text: error.message }] }))
    return result.isError ? result.content[0].text : JSON.parse(result.content[0].text)
  }
  return { server, client, call, tool }
}

test('arguments in strings: -32602 before', async () => {
  const given = { days: '3', tags: '["a"]' }
  const before = await connected(transport => transport)
  assert.match(await before.call('plan', given), /-32602|Input validation error/)
  await before.client.close()
  const after = await connected(coercing)
  assert.deepEqual(await after.call('plan', given), { days: 3, tags: ['a'] })
  // Whole lists are asked for once.
  const all = await Promise.all([1, 2, 3].map(days => after.call('plan', { days: String(days), tags: 'a' })))
  assert.deepEqual(all.map(({ days }) => days), [1, 2, 3])
  await after.client.close()
})

test('what does not fit is refused by the server as before, and so is what is not known', async () => {
  const before = await connected(transport => transport)
  const after = await connected(coercing)
  for (const [name, given] of [['plan', { days: 'many', tags: [] }], ['other', {}]]) {
    assert.equal(await after.call(name, given), await before.call(name, given))
  }
  await Promise.all([before.client.close(), after.client.close()])
})

test('tools that are added later are known', async () => {
  const { server, client, call, tool } = await connected(coercing)
  await call('plan', { days: 1, tags: [] })
  server.registerTool('more', { inputSchema: { n: z.int() } }, tool)
  assert.deepEqual(await call('more', { n: '7' }), { n: 7 })
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['plan', 'more'])
  await client.close()
})

test('calls go on where a schema cannot be read or no list is given', async () => {
  for (const inputSchema of [{ type: 'object', $ref: 'https://example.com/schema' }, undefined]) {
    const server = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {} } })
    server.onerror = () => {}
    if (inputSchema) server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: 'plan', inputSchema }] }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }))
    const [one, other] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'c', version: '1' })
    await Promise.all([server.connect(coercing(one)), client.connect(other)])
    const { content } = await client.callTool({ name: 'plan', arguments: { a: '1' } })
    assert.equal(content[0].text, '{"a":"1"}')
    await client.close()
  }
})
