// Puts the package together: assemble.mjs BUILT OUT
// BUILT holds the modules and their glue, OUT becomes the package.
import { transform } from 'esbuild'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [built, out] = process.argv.slice(2)
const here = fileURLToPath(new URL('.', import.meta.url))
const source = name => readFileSync(join(here, 'src', name), 'utf8')
const SYNTAX = ['border.js', 'coming.js', 'mirror.js', 'offsets.js', 'options.js', 'strict.js', 'syntax.js']
const ENTRIES = { default: [...SYNTAX, 'policies.js', 'reread.js', 'schema.js', 'index.js'], syntax: SYNTAX }

// Writes a string into the module's memory. encodeInto is ten times as fast as a loop over the code units, and
// most texts are ASCII.
const PASS = `function passStringToWasm0(arg, malloc, realloc) {
    let len = arg.length < 4096 ? arg.length * 3 : arg.length + (arg.length >> 4);
    let ptr = malloc(len, 1) >>> 0;
    let { read, written } = cachedTextEncoder.encodeInto(arg, getUint8ArrayMemory0().subarray(ptr, ptr + len));
    if (read < arg.length) {
        const rest = arg.slice(read);
        ptr = realloc(ptr, len, len = written + rest.length * 3, 1) >>> 0;
        written += cachedTextEncoder.encodeInto(rest, getUint8ArrayMemory0().subarray(ptr + written, ptr + len)).written;
    }
    if (written !== len) ptr = realloc(ptr, len, written, 1) >>> 0;
    WASM_VECTOR_LEN = written;
    return ptr;
}

`

/** Returns the glue without its asynchronous start, and with a start that can be run again. */
function glueOf(text) {
  const pass = text.indexOf('function passStringToWasm0(')
  const behind = text.indexOf('\n}\n', pass) + 4
  if (pass < 0 || behind < 4) throw new Error('the glue is not as expected')
  text = text.slice(0, pass) + PASS + text.slice(behind)
  const start = text.indexOf('async function __wbg_load')
  const end = text.indexOf('function initSync')
  const last = text.indexOf('async function __wbg_init')
  if (start < 0 || end < 0 || last < 0) throw new Error('the glue is not as expected')
  const glue = text.slice(0, start) + text.slice(end, last) + 'export { initSync };\n'
  const again = glue.replace(/if \(wasm !== undefined\) return wasm;/, '')
  if (again === glue || again.includes('import.meta')) throw new Error('the glue is not as expected')
  return again
}

async function commonJs(code) {
  const made = await transform(code, { format: 'cjs', platform: 'node', target: 'node20' })
  return made.code.replace(/require\("\.\/([\w-]+)\.js"\)/g, 'require("./$1.cjs")')
}

async function entry(name) {
  const folder = join(out, 'dist', name)
  mkdirSync(folder, { recursive: true })
  const put = (file, text) => writeFileSync(join(folder, file), text)
  const modules = { 'glue.js': glueOf(readFileSync(join(built, `${name}.js`), 'utf8')) }
  for (const file of ENTRIES[name]) modules[file] = source(file)
  modules['api.js'] = `export * from './${name === 'syntax' ? 'syntax' : 'index'}.js'\n`
  if (name === 'syntax') modules['api.js'] = "export { edits, LlmJsonError, parse, Parsed, ParseError, repair, Stream } from './syntax.js'\n"
  for (const [file, code] of Object.entries(modules)) {
    put(file, code)
    put(file.replace('.js', '.cjs'), await commonJs(code))
  }
  for (const platform of ['node', 'workerd', 'edge', 'inline']) put(`${platform}.js`, source(`platform.${platform}.js`))
  put('require.cjs', source('platform.require.cjs'))
  const module = readFileSync(join(built, `${name}_bg.wasm`))
  put('llmjson.wasm', module)
  put('inline-module.js', `export const base64 = '${module.toString('base64')}'\n`)
  const types = source(name === 'syntax' ? 'syntax.d.ts' : 'index.d.ts')
  put('index.d.ts', types)
  put('index.d.cts', types.replaceAll("'../syntax/index.js'", "'../syntax/index.cjs'"))
  if (name !== 'syntax') put('infer.d.ts', source('infer.d.ts'))
  const at = file => `./dist/${name}/${file}`
  return {
    workerd: { types: at('index.d.ts'), default: at('workerd.js') },
    'edge-light': { types: at('index.d.ts'), default: at('edge.js') },
    bun: { types: at('index.d.ts'), default: at('node.js') },
    deno: { types: at('index.d.ts'), default: at('node.js') },
    // Bundlers ask for this, also for Node: there is no file beside the bundle.
    module: { types: at('index.d.ts'), default: at('inline.js') },
    node: {
      import: { types: at('index.d.ts'), default: at('node.js') },
      require: { types: at('index.d.cts'), default: at('require.cjs') }
    },
    browser: { types: at('index.d.ts'), default: at('inline.js') },
    default: { types: at('index.d.ts'), default: at('inline.js') }
  }
}

async function dropIn(name) {
  const folder = join(out, 'dist', 'drop-ins')
  mkdirSync(folder, { recursive: true })
  for (const file of [name, 'writer']) {
    const code = source(`drop-ins/${file}.js`)
    writeFileSync(join(folder, `${file}.js`), code)
    writeFileSync(join(folder, `${file}.cjs`), await commonJs(code))
  }
  for (const kind of ['ts', 'cts']) writeFileSync(join(folder, `${name}.d.${kind}`), source(`drop-ins/${name}.d.ts`))
  const at = file => `./dist/drop-ins/${file}`
  return {
    import: { types: at(`${name}.d.ts`), default: at(`${name}.js`) },
    require: { types: at(`${name}.d.cts`), default: at(`${name}.cjs`) }
  }
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
manifest.exports = {}
for (const name of ['default', 'syntax']) {
  const exported = await entry(name)
  manifest.exports[name === 'default' ? '.' : `./${name}`] = exported
  const wasm = name === 'default' ? './llmjson.wasm' : `./${name}/llmjson.wasm`
  manifest.exports[wasm] = `./dist/${name}/llmjson.wasm`
  manifest.exports[wasm.replace('llmjson.wasm', 'inline')] = exported.module
}
for (const name of manifest.dropIns) manifest.exports[`./${name.replace('-stream', '/stream')}`] = await dropIn(name)
for (const name of ['cli.js', 'explained.js']) writeFileSync(join(out, 'dist', name), source(name), { mode: 0o755 })
delete manifest.dropIns
delete manifest.devDependencies
delete manifest.private
delete manifest.scripts
manifest.exports['./package.json'] = './package.json'
manifest.types = './dist/default/index.d.ts'
manifest.main = './dist/default/require.cjs'
writeFileSync(join(out, 'package.json'), JSON.stringify(manifest, null, 2) + '\n')
for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(here, '../../..', file), join(out, file))
cpSync(join(here, 'README.md'), join(out, 'README.md'))
