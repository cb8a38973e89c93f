import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryConfig, arbitraryNonsense, mutationsOf } from './arbitrary-config.ts'
import { grammarAccepts } from './expectation.ts'
import { parse, parseConfig } from './parser.ts'
import { print } from './printer.ts'
import { SyntaxFailure } from './syntax-failure.ts'

/** Parses or fails properly; anything else is thrown on. */
function accepts(text: string): boolean {
  try {
    parse(text)
    return true
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure
    expect(failure.message).toMatch(/^Expected .+ at line \d+, column \d+ \(byte \d+\)/)
    expect(failure.offset).toBeLessThanOrEqual(text.length)
    return false
  }
}

describe('the failure report', () => {
  it.each([
    ['foo', 'Expected one of [ \\t\\r\\n], "#", "input", "filter", "output" at line 1, column 1 (byte 1)'],
    [
      'filter { if a == "b" { } }',
      'Expected [A-Za-z0-9_] at line 1, column 14 (byte 14) after filter { if a',
    ],
    [
      'input { }\nfilter { if a == "b" { } }',
      'Expected [A-Za-z0-9_] at line 2, column 14 (byte 24) after filter { if a',
    ],
  ])('%s', (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message }))
  })

  it('agrees with the parser about nonsense', () => {
    fc.assert(
      fc.property(arbitraryNonsense, (text) => accepts(text) === grammarAccepts(text)),
      { numRuns: 2000 },
    )
  })

  it('agrees with the parser about damaged configurations', () => {
    fc.assert(
      fc.property(mutationsOf(arbitraryConfig.map(print)), (text) => accepts(text) === grammarAccepts(text)),
      { numRuns: 300 },
    )
  })
})

describe('the escape-aware attempt', () => {
  it('throws nothing but SyntaxFailure and accepts all that the exact rule accepts', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryNonsense, mutationsOf(arbitraryConfig.map(print))), (text) => {
        try {
          parseConfig(text, { escapeAware: true })
        } catch (failure) {
          expect(failure).toBeInstanceOf(SyntaxFailure)
          expect(accepts(text)).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
  })
})
