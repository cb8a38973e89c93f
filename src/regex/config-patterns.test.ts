import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

/** Pipeline files of public repositories, beside the project when it is developed. */
const configs = '../shared/conformance/configs'

describe.skipIf(!existsSync(configs))('patterns of public configs', () => {
  it('translates every =~ and !~ pattern', () => {
    const patterns = new Set<string>()
    for (const entry of readdirSync(configs, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      for (const found of text.matchAll(/[=!]~\s*\/((?:\\.|[^\\/\n])*)\//g)) patterns.add(found[1]!)
    }
    const failures: string[] = []
    for (const pattern of patterns) {
      try {
        compilePattern(pattern).test('x')
      } catch (error) {
        failures.push(String(error))
      }
    }
    expect(patterns.size).toBeGreaterThan(0)
    expect(failures).toEqual([])
  })
})
