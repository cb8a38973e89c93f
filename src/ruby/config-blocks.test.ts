/**
 * The Ruby of real configurations, where the collection is at hand: nearly all of it compiles, and what does not
 * names the construct that stands in the way.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../lang/ast.ts'
import { parse } from '../lang/parser.ts'
import { compileProgram, type ProgramText, UnsupportedRuby } from './program.ts'

const folder = fileURLToPath(new URL('../../../shared/conformance/configs', import.meta.url))

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

/** Every different pair of `init` and `code`. */
function collect(body: readonly Statement[], found: Map<string, ProgramText[]>): void {
  for (const statement of body) {
    if (statement.kind === 'branch') {
      for (const { body: inner } of statement.cases) collect(inner, found)
      collect(statement.otherwise ?? [], found)
    } else if (statement.name === 'ruby') {
      const text = (option: string): string => {
        const value = statement.attributes.find(({ name }) => name === option)?.value
        return value?.kind === 'string' ? value.text : ''
      }
      const [init, code] = [text('init'), text('code')]
      if (init + code === '') continue
      found.set(`${init}\0${code}`, [
        { label: 'ruby init', text: init, parameters: [] },
        { label: 'ruby code', text: code, parameters: ['event', 'new_event_block'] },
      ])
    }
  }
}

describe.skipIf(!existsSync(folder))(
  'Ruby of real configurations (skipped where the collection is missing)',
  () => {
    it('compiles', () => {
      const found = new Map<string, ProgramText[]>()
      for (const file of filesBelow(folder)) {
        try {
          for (const { body } of parse(readFileSync(file, 'utf8')).sections) collect(body, found)
        } catch {
          // Not a configuration: the parser's own test counts these.
        }
      }
      const refused: string[] = []
      for (const texts of found.values()) {
        try {
          compileProgram(texts, { className: 'LogStash::Filters::Ruby', logger: console })
        } catch (error) {
          expect(error).toBeInstanceOf(UnsupportedRuby)
          expect((error as UnsupportedRuby).problems[0]).toMatch(/^ruby (?:init|code) line \d+: \S/)
          refused.push((error as UnsupportedRuby).problems[0]!)
        }
      }
      const share = ((found.size - refused.length) / found.size) * 100
      process.stdout.write(
        `Ruby of real configurations: ${found.size - refused.length} of ${found.size} (${share.toFixed(1)} %)\n`,
      )
      for (const problem of refused) process.stdout.write(`  ${problem}\n`)
      expect(found.size).toBeGreaterThan(500)
      expect(share).toBeGreaterThanOrEqual(95)
    })
  },
)
