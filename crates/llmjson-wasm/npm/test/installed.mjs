// Packs the package, installs it into an empty folder, and runs the tests there: npm test [-- NAME...].
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'llmjson-npm-'))
const run = (program, ...given) => execFileSync(program, given, { cwd: folder, stdio: 'inherit' })
try {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(here, 'package'), encoding: 'utf8' })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  // Nothing but the package itself: it has no dependencies and no install script.
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, packed.trim()))
  const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
  if (installed.join() !== 'llmjson') throw new Error(`installed: ${installed}`)
  // The packages that it is compared with.
  for (const name of readdirSync(join(here, 'node_modules')).filter(name => !name.startsWith('.'))) {
    symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  }
  mkdirSync(join(folder, 'package'))
  symlinkSync(join(folder, 'node_modules/llmjson/dist'), join(folder, 'package/dist'))
  cpSync(join(here, 'test'), join(folder, 'test'), { recursive: true })
  const tests = readdirSync(join(folder, 'test')).filter(name => name.endsWith('.test.mjs'))
  const asked = process.argv.slice(2)
  const chosen = asked.length > 0 ? tests.filter(name => asked.includes(name.slice(0, -'.test.mjs'.length))) : tests
  // The tables that the tests of all languages read.
  process.env.LLMJSON_REPOSITORY ??= join(here, '../../..')
  run('node', '--expose-gc', '--test', ...chosen.map(name => join('test', name)))
  const types = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,esnext.disposable', '--module', 'nodenext']
  run('node', join(here, 'node_modules/typescript/bin/tsc'), ...types, 'test/types.test.mts', 'test/types.test.cts')
  // The modules have no types, and the inline entries only ES modules: a program that imports one has a bundler.
  const modules = ['llmjson.wasm', 'syntax/llmjson.wasm', 'inline', 'syntax/inline']
  run(
    'node', join(here, 'node_modules/@arethetypeswrong/cli/dist/index.js'), packed.trim(), '--quiet', '--profile', 'node16',
    '--exclude-entrypoints', ...modules
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
