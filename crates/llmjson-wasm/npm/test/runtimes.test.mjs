// The installed package where JavaScript runs: each gives what Node gives.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { after, test } from 'node:test'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)
const folder = join(process.cwd(), 'made')
mkdirSync(folder, { recursive: true })
const put = (name, text) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

// Everything once, at the top of a module: also a pattern with look-ahead, for which nothing random may be asked.
const names = ['parse', 'Stream', 'Tools']
const USE = `
const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string', pattern: '^(?=.*x).*$' },
  d: { type: 'string', format: 'date' } } }
const stream = new Stream(schema)
stream.push("{a: '1', b: 'é")
const tools = new Tools([{ name: 'plan', input_schema: schema }])
const said = JSON.stringify([
  parse("{a: '1', b: 'x', d: '2025-01-01'", schema).value, stream.value, stream.push("x'}").finish().value,
  tools.bind('plan', "{a: '2'}").arguments, parse('{"a": "n"}', schema).violations.length, raw('[1, 2').value
])
`
const SAID = JSON.stringify([
  { a: 1, b: 'x', d: '2025-01-01' }, { a: 1, b: 'é' }, { a: 1, b: 'éx' }, { a: 2 }, 1, [1, 2]
])
const ESM = `import { ${names} } from 'llmjson'
import { parse as raw } from 'llmjson/syntax'
${USE}`

const run = (program, ...given) => execFileSync(program, given, { cwd: folder, encoding: 'utf8' }).trim()

const CJS = `const { ${names} } = require('llmjson')
const { parse: raw } = require('llmjson/syntax')
${USE}console.log(said)`

test('Node, import and require', () => {
  assert.equal(run('node', put('use.mjs', `${ESM}console.log(said)`)), SAID)
  assert.equal(run('node', put('use.cjs', CJS)), SAID)
})

test('a worker of Node', () => {
  put('worker.mjs', `import { parentPort } from 'node:worker_threads'\n${ESM}parentPort.postMessage(said)`)
  const main = `import { Worker } from 'node:worker_threads'
new Worker(new URL('worker.mjs', import.meta.url)).on('message', said => console.log(said))`
  assert.equal(run('node', put('threads.mjs', main)), SAID)
})

test('Deno', { skip: !existsSync('node_modules/@deno') }, () => {
  const [program] = ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64'].map(name => join(process.cwd(), 'node_modules/@deno', name, 'deno')).filter(existsSync)
  put('deno.mjs', `${ESM}console.log(said)`)
  assert.equal(run(program, 'run', '--quiet', '--no-lock', '--no-remote', '--node-modules-dir=manual', '--allow-read', 'deno.mjs'), SAID)
})

// Its own package has no program before its install script has run, which is not run here.
const BUN = ['linux-x64', 'linux-aarch64', 'darwin-aarch64', 'linux-x64-musl'].map(name => join(process.cwd(), 'node_modules/@oven', `bun-${name}`, 'bin/bun')).find(existsSync)

test('Bun, import and require', { skip: !BUN }, () => {
  assert.equal(run(BUN, 'run', put('bun.mjs', `${ESM}console.log(said)`)), SAID)
  assert.equal(run(BUN, 'run', put('bun.cjs', CJS)), SAID)
})

async function bundled(text, more) {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: process.cwd() }, bundle: true, write: false, minify: true, format: 'esm', logLevel: 'silent', ...more
  })
  return outputFiles[0].text
}

test('workerd', async () => {
  const { Miniflare } = require('miniflare')
  const wasm = []
  const plugin = {
    name: 'modules',
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        const name = `module${wasm.length}.wasm`
        wasm.push({ type: 'CompiledWasm', path: name, contents: readFileSync(join(resolveDir, path)) })
        return { path: `./${name}`, external: true }
      })
    }
  }
  const text = await bundled(`${ESM}export default { fetch: () => new Response(said) }`, { conditions: ['workerd'], plugins: [plugin] })
  assert.equal(wasm.length, 2)
  // Before 2025-05-05, nothing tells what was collected.
  for (const compatibilityDate of ['2024-01-01', '2025-09-01']) {
    const worker = new Miniflare({ modules: [{ type: 'ESModule', path: 'worker.js', contents: text }, ...wasm], compatibilityDate })
    try {
      assert.equal(await (await worker.dispatchFetch('http://localhost/')).text(), SAID)
    } finally {
      await worker.dispose()
    }
  }
})

test('edge runtimes, which import the module with ?module', async () => {
  const plugin = {
    name: 'modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.slice(0, -7)), namespace: 'module' }))
      onLoad({ filter: /./, namespace: 'module' }, ({ path }) => ({
        contents: `import { readFileSync } from 'node:fs'\nexport default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}))`
      }))
    }
  }
  const text = await bundled(`${ESM}console.log(said)`, { conditions: ['edge-light'], plugins: [plugin], external: ['node:*'] })
  assert.equal(run('node', put('edge.mjs', text)), SAID)
})

test('webpack', async () => {
  const webpack = require('webpack')
  put('page.mjs', `${ESM}globalThis.said = said`)
  const stats = await new Promise((done, failed) => webpack({
    mode: 'production', target: 'web', entry: join(folder, 'page.mjs'), context: process.cwd(), output: { path: folder, filename: 'webpack.js' },
    optimization: { minimize: false }, performance: false
  }, (error, stats) => (error ? failed(error) : done(stats))))
  assert.equal(stats.hasErrors(), false, stats.toString())
  assert.equal(run('node', '--input-type=commonjs', '-e', "require('./webpack.js'); console.log(said)"), SAID)
})

const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => path && existsSync(path))
let served
let browser
after(async () => {
  await browser?.close()
  served?.close()
})

async function page(path) {
  const types = { '.html': 'text/html', '.js': 'text/javascript' }
  served ??= await new Promise(done => {
    const server = createServer(({ url }, response) => {
      const file = join(folder, url)
      if (!existsSync(file)) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
    }).listen(0, '127.0.0.1', () => done(server))
  })
  browser ??= await require('playwright-core').chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const opened = await browser.newPage()
  const errors = []
  opened.on('pageerror', error => errors.push(error.message))
  await opened.goto(`http://127.0.0.1:${served.address().port}/${path}`)
  await opened.waitForFunction('globalThis.said', null, { timeout: 20_000 }).catch(error => errors.push(error.message))
  assert.deepEqual(errors, [])
  return opened.evaluate('said')
}

const skip = CHROMIUM ? false : 'there is no Chromium'

test('a page that Vite has built, in Chromium', { skip }, async () => {
  const { build: vite } = await import('vite')
  put('index.html', '<!doctype html><script type="module" src="./vite.mjs"></script>')
  put('vite.mjs', `${ESM}globalThis.said = said`)
  await vite({ root: folder, base: './', logLevel: 'silent', build: { outDir: 'vite', minify: false } })
  assert.equal(await page('vite/index.html'), SAID)
})

test('a worker of a page, in Chromium', { skip }, async () => {
  put('web-worker.js', await bundled(`${ESM}postMessage(said)`, { platform: 'browser', format: 'iife' }))
  put('worker.html', "<!doctype html><script>new Worker('web-worker.js').onmessage = ({ data }) => { globalThis.said = data }</script>")
  assert.equal(await page('worker.html'), SAID)
})

test('the modules themselves can be imported as files', () => {
  for (const name of ['llmjson/llmjson.wasm', 'llmjson/syntax/llmjson.wasm']) {
    assert.equal(readFileSync(require.resolve(name)).readUInt32LE(0), 0x6d736100)
  }
})
