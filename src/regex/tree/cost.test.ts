import { describe, expect, it } from 'vitest'
import { translate } from '../translate.ts'
import { safeLength } from './cost.ts'

const safe = (source: string, singleLine = true): number => {
  const { tree, start } = translate(source)
  return safeLength(tree, start, 1_000_000, singleLine)
}

describe('safeLength', () => {
  it('is far beyond any line for an anchored pattern with one loop', () => {
    expect(safe('^foo.*bar')).toBeGreaterThan(10_000)
    expect(safe('\\A\\d{3}')).toBe(Infinity)
    expect(safe('.*bar')).toBeGreaterThan(10_000)
  })
  it('shrinks with each loop and without an anchor', () => {
    expect(safe('^\\w+ \\w+')).toBeLessThan(safe('^\\w+ x'))
    expect(safe('\\w+ x')).toBeLessThan(safe('^\\w+ x'))
    expect(safe('^\\w+ x', false)).toBeLessThan(safe('^\\w+ x', true))
  })
  it('trusts no length where the ways have no bound', () => {
    expect(safe('^(?:a|ab)*c')).toBe(0)
    expect(safe('^(?:a+,)*c')).toBe(0)
    expect(safe('^(?:(?:a|ab)(?:c|bc))*x')).toBe(0)
  })
})
