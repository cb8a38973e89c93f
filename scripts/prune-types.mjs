// Keeps the declarations that the package's entry points reach and removes the others: the compiler writes one for
// every source file, and nobody outside can import those.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve('dist', 'types')
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))

const reached = new Set()
const waiting = Object.values(exports).map(({ types }) => resolve(types))
while (waiting.length > 0) {
  const file = waiting.pop()
  if (reached.has(file)) continue
  reached.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g)) {
    const target = resolve(dirname(file), `${specifier}.d.ts`)
    if (!existsSync(target)) throw new Error(`${file} imports ${specifier}, which has no declaration`)
    waiting.push(target)
  }
}

// Deepest first, so that a folder is looked at after what it held.
const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
  .sort((a, b) => b.path.length - a.path.length)
for (const { path, isFolder } of entries) {
  if (!isFolder && !reached.has(path)) rmSync(path)
  if (isFolder && readdirSync(path).length === 0) rmdirSync(path)
}
