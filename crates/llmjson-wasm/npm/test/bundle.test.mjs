// A bundle needs neither files nor top-level await, and drops nothing that it needs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
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

const BUN = ['linux-x64', 'linux-aarch64', 'darwin-aarch64', 'linux-x64-musl'].map(name => join(process.cwd(), 'node_modules/@oven', `bun-${name}`, 'bin/bun')).find(existsSync)

// Each bundles a program for Node into one file.
const BUNDLERS = {
  esbuild: (input, file) => build({ entryPoints: [input], outfile: file, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' }),
  rolldown: async (input, file) => (await rolldown({ input, platform: 'node' })).write({ file, format: 'esm', codeSplitting: false }),
  // Without a target, bun takes the files for browsers.
  bun: BUN && ((input, file) => execFileSync(BUN, ['build', input, '--target=node', `--outfile=${file}`], { stdio: 'pipe' }))
}

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  for (const entry of ['llmjson', 'llmjson/inline', 'llmjson/syntax', 'llmjson/syntax/inline'].filter(entry => name !== 'bun' || entry.endsWith('inline'))) {
    test(`${entry} in a bundle of ${name} for Node`, { skip: !bundle }, async () => {
      const input = join(process.cwd(), `${name}-${entry.replaceAll('/', '-')}.mjs`)
      const folder = mkdtempSync(join(tmpdir(), 'llmjson-bundle-'))
      try {
        writeFileSync(input, `import { parse } from '${entry}'\nconsole.log(JSON.stringify(parse('{a: 1').value))`)
        await bundle(input, join(folder, 'made.mjs'))
        assert.equal(execFileSync('node', [join(folder, 'made.mjs')], { encoding: 'utf8' }), '{"a":1}\n')
      } finally {
        for (const path of [folder, input]) rmSync(path, { recursive: true, force: true })
      }
    })
  }
}
