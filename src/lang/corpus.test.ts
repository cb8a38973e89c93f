/**
 * Real configurations, where the collection is at hand: none may surprise the parser, and every one
 * it reads must survive printing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { meaningOf } from './arbitrary-config.ts'
import { findDuplicateKeys } from './duplicate-keys.ts'
import { grammarAccepts } from './expectation.ts'
import { diagnose } from './hints.ts'
import { parse } from './parser.ts'
import { print } from './printer.ts'
import { findQuirks } from './quirks.ts'
import { SyntaxFailure } from './syntax-failure.ts'

const folder = fileURLToPath(new URL('../../../shared/conformance/configs', import.meta.url))

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

describe.skipIf(!existsSync(folder))('real configurations (skipped where the collection is missing)', () => {
  it('reads them or says why not, and prints what it read faithfully', () => {
    let parsed = 0
    const refused: string[] = []
    for (const file of filesBelow(folder)) {
      const text = readFileSync(file, 'utf8')
      try {
        const config = parse(text)
        const printed = print(config)
        const again = parse(printed)
        expect(JSON.stringify(meaningOf(again)), file).toBe(JSON.stringify(meaningOf(config)))
        expect(again.comments.length, file).toBe(config.comments.length)
        expect(print(again), file).toBe(printed)
        findQuirks(config)
        findDuplicateKeys(config, text)
        parsed++
      } catch (failure) {
        if (!(failure instanceof SyntaxFailure)) throw failure
        expect(grammarAccepts(text), file).toBe(false)
        expect(diagnose(text, failure).message).toBe(failure.message)
        refused.push(file)
      }
    }
    process.stdout.write(`real configurations: ${parsed} parsed, ${refused.length} refused\n`)
    expect(parsed).toBeGreaterThan(1000)
    expect(refused.length).toBeLessThan(parsed / 20)
  })
})
