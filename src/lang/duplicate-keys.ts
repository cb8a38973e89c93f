/**
 * A key written twice in one hash literal is an error in Logstash. Keys are compared as written,
 * so `"a"` and `'a'` are two keys; each level of nesting is checked on its own.
 */
import type { Config, HashNode } from './ast.ts'
import type { Diagnostic } from './diagnostic.ts'
import { LineIndex } from './line-index.ts'
import { walk } from './walk.ts'

/** In source order; Logstash stops at the first. */
export function findDuplicateKeys(config: Config, text: string): Diagnostic[] {
  const found: Diagnostic[] = []
  let index: LineIndex | undefined
  walk(config, {
    hash(hash) {
      const keys = repeatedKeys(hash, text)
      if (keys.length === 0) return
      index ??= new LineIndex(text)
      const { start, line, column } = hash.place
      found.push({
        severity: 'error',
        code: 'duplicate_keys',
        message:
          `Duplicate keys found in your configuration: [${keys.join(', ')}]\n` +
          `At line: ${line}, column ${column} (byte ${index.characterOf(start)})\n` +
          `after ${text.slice(0, start + 1)}`,
        line,
        column,
        start,
        end: start + 1,
      })
    },
  })
  return found
}

function repeatedKeys(hash: HashNode, text: string): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const written = hash.entries.map(({ key }) => text.slice(key.place.start, key.place.end))
  for (const key of written) (seen.has(key) ? repeated : seen).add(key)
  // in the order the keys first appear
  return [...seen].filter((key) => repeated.has(key))
}
