// A bundle for browsers needs neither files nor top-level await, and drops nothing that it needs.
import assert from 'node:assert/strict'
import { build } from 'esbuild'
import { test } from 'node:test'
import vm from 'node:vm'

for (const [entry, code] of [
  ['llmjson', "parse('{a: \"1\"}', { properties: { a: { type: 'integer' } } }).value"],
  ['llmjson/syntax', "parse('{a: 1').value"]
]) {
  test(`${entry} as one script`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: `import { parse } from '${entry}'\nglobalThis.made = JSON.stringify(${code})`, resolveDir: process.cwd() },
      bundle: true, write: false, minify: true, format: 'iife', platform: 'browser', logLevel: 'silent'
    })
    const page = { WebAssembly, TextEncoder, TextDecoder, FinalizationRegistry, atob }
    vm.runInNewContext(outputFiles[0].text, page)
    assert.equal(page.made, '{"a":1}')
  })
}
