// Writes Python with json_repair as the page carries it: node carry.mjs PYODIDE WHEEL OUT.json, of a folder in which
// Pyodide's package was unpacked.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const [, , folder, wheel, out] = process.argv
const file = name => readFileSync(join(folder, name))
const base64 = bytes => bytes.toString('base64')

// Pages that are files may begin workers by plain scripts alone, which export nothing and have no address of their own.
const end = 'export default _createPyodideModule;'
const around = file('pyodide.asm.mjs').toString().trimEnd()
if (!around.endsWith(end)) throw new Error('Pyodide is made in another way')
const script = around.slice(0, -end.length).replaceAll('import.meta.url', 'self.location.href')
const loader = file('pyodide.js').toString().replace(/\/\/# sourceMappingURL=.*/, '')

const files = {
  info: JSON.parse(file('pyodide-lock.json')).info,
  module: base64(gzipSync(file('pyodide.asm.wasm'), { level: 9 })),
  library: base64(file('python_stdlib.zip')),
  packed: base64(readFileSync(wheel))
}
const code = `\n${script}\nconst createPyodideModule = _createPyodideModule;\n${loader}`
// The page holds it within an element that a closing tag would end.
writeFileSync(out, JSON.stringify({ code, files }).replaceAll('<', '\\u003c'))
