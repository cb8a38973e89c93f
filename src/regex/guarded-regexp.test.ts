import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { compileGuarded, hasBacktrackLimit } from './guarded-regexp.ts'
import { runWithin, TimeLimitReached } from './slow-lane.ts'

describe('compileGuarded', () => {
  it('gives up at the limit on this engine', () => {
    expect(hasBacktrackLimit()).toBe(true)
    const expression = compileGuarded('^(?:a+)+$', '', 10_000)
    expect(expression.test('aaaa')).toBe(true)
    expect(expression.exec(`${'a'.repeat(500)}!`)).toBeNull()
  })
  it('leaves the engine flag off and still works when bytecode was thrown away', () => {
    expect(() => new Function('%NewRegExpWithBacktrackLimit("a", "", 1)')).toThrow(SyntaxError)
    setFlagsFromString('--expose-gc')
    setFlagsFromString('--stress-flush-code')
    const collect = runInNewContext('gc') as () => void
    for (let i = 0; i < 3; i++) collect()
    setFlagsFromString('--no-stress-flush-code')
    const expression = compileGuarded('^(?:a+)+$', 'u', 10_000)
    expect(expression.exec(`${'a'.repeat(500)}!`)).toBeNull()
  })
  it('throws for what is no RegExp', () => {
    expect(() => compileGuarded('(', '', 1000)).toThrow(SyntaxError)
  })
})

describe('runWithin', () => {
  it('returns, passes errors on, and stops what takes too long', () => {
    expect(runWithin(1000, () => 7)).toBe(7)
    expect(runWithin(0, () => 8)).toBe(8)
    expect(() =>
      runWithin(1000, () => {
        throw new RangeError('mine')
      }),
    ).toThrow('mine')
    expect(() => runWithin(20, () => /^(?:a|a)+$/.test(`${'a'.repeat(60)}!`))).toThrow(TimeLimitReached)
    expect(runWithin(1000, () => 9)).toBe(9)
  })
})
