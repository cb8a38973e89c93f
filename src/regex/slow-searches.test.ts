import { describe, expect, it } from 'vitest'
import { compileJavaPattern } from './java-pattern.ts'
import { PatternTimeout } from './pattern.ts'
import { SlowSearches } from './slow-searches.ts'

/** Time passes only when a search says so. */
function budget() {
  let now = 0
  const searches = new SlowSearches(() => now)
  return {
    /** Slow at the first try only. */
    searchOnce: (millis: number, called: () => void) => {
      let left = millis
      return searches.run(
        '',
        (timeout) => {
          called()
          now += left
          left = 0
          return timeout
        },
        () => new Error('exhausted'),
      )
    },
    wait: (millis: number) => (now += millis),
    search: (millis: number, text = '') =>
      searches.run(
        text,
        (timeout) => {
          now += Math.min(millis, timeout)
          return timeout
        },
        () => new Error('exhausted'),
      ),
  }
}

describe('slow searches of a thread', () => {
  it('take two seconds together, and then fail', () => {
    const { search } = budget()
    let spent = 0
    expect(() => {
      for (let i = 0; i < 1000; i++) {
        search(400)
        spent += 400
      }
    }).toThrow('exhausted')
    expect(spent).toBeGreaterThan(1500)
    expect(spent).toBeLessThan(4000)
  })

  it('have shorter limits the less is left', () => {
    const { search } = budget()
    expect(search(900)).toBe(1000)
    expect(search(900)).toBe(1000)
    const last = search(0)
    expect(last).toBeLessThan(600)
    expect(last).toBeGreaterThanOrEqual(50)
  })

  it('do not hinder quick ones, and may be slow again when time has passed', () => {
    const { search, wait } = budget()
    expect(() => {
      for (;;) search(900)
    }).toThrow('exhausted')
    for (let i = 0; i < 1000; i++) search(0.01)
    expect(() => search(100)).toThrow('exhausted')
    wait(20_000)
    expect(search(900)).toBe(1000)
  })

  it('are those that are slow twice, because a thread may be stopped in any search', () => {
    const searches = budget()
    let calls = 0
    for (let i = 0; i < 1000; i++) expect(searches.searchOnce(500, () => calls++)).toBe(1000)
    expect(calls).toBe(2000)
  })

  it('may take long for long texts', () => {
    const { search } = budget()
    const text = 'x'.repeat(1_000_000)
    for (let i = 0; i < 100; i++) expect(search(400, text)).toBe(1000)
  })
})

it('a pattern that is slow again and again holds its thread for seconds, not for as many as there are texts', () => {
  const pattern = compileJavaPattern('^(?:a|aa)+$', [])
  const started = performance.now()
  let failed = 0
  for (let i = 0; i < 40; i++) {
    try {
      pattern.matchAll(`${'a'.repeat(34)}!${i}`)
    } catch (error) {
      expect(error).toBeInstanceOf(PatternTimeout)
      failed++
    }
  }
  expect(failed).toBeGreaterThan(0)
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(
    compileJavaPattern('\\d+', [])
      .matchAll('a1b22')
      .map(({ groups }) => groups[0]),
  ).toEqual(['1', '22'])
})
