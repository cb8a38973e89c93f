// Finishes the build: characters beyond Latin-1 become escapes, because one of them doubles the memory the engine keeps
// for the text of a whole file; then tells the launcher that the build is complete.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

for (const name of readdirSync('dist', { recursive: true })) {
  if (!name.endsWith('.js')) continue
  const path = join('dist', name)
  const text = readFileSync(path, 'utf8')
  // Strings, templates and expressions read the escape as the character; nothing else holds such characters.
  const plain = text.replace(/[^\0-\xff]/g, escaped)
  if (plain !== text) writeFileSync(path, plain)
}
writeFileSync('dist/.complete', `${process.version}\n`)
