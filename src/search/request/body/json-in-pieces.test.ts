import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../storage/simulated-disk.ts'
import { jsonInPieces, NotInPieces } from './json-in-pieces.ts'

const limits = { parse: JSON.parse, maxBytes: 1e9 }

function read(text: string, pieceLength: number, maxBytes = 1e9): { value?: unknown; steps: number } {
  const steps = jsonInPieces(text, { ...limits, maxBytes, pieceLength })
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done === true) return { value: step.value, steps: count }
  }
}

function attempt(text: string, pieceLength: number): unknown {
  try {
    return { value: read(text, pieceLength).value }
  } catch (error) {
    if (error instanceof NotInPieces) return 'refused'
    throw error
  }
}

describe('jsonInPieces', () => {
  it('reads a long list in as many steps as it has pieces', () => {
    const list = Array.from({ length: 1000 }, (_, n) => ({ term: { kind: `k${n}` } }))
    const text = JSON.stringify({ query: { bool: { should: list } } })
    const { value, steps } = read(text, 1000)
    expect(value).toEqual(JSON.parse(text))
    expect(steps).toBeGreaterThan(text.length / 2000)
    expect(steps).toBeLessThan(text.length / 200)
  })

  it.each([
    ['a name twice in one run', '{"a":1,"b":[1,2,3,4,5,6,7,8,9],"a":2}', 400],
    ['a name twice in two runs', `{"a":1,"b":[${'1,'.repeat(100)}1],"a":2}`, 20],
    ['a name twice below', `{"a":[${'{"c":1,"c":2},'.repeat(9)}1]}`, 20],
    ['a comma before the end of a list', `[[${'1,'.repeat(50)}1],]`, 20],
    ['a comma before the end of an object', `{"a":[${'1,'.repeat(50)}1],}`, 20],
    ['two commas', `[[${'1,'.repeat(50)}1],,1]`, 20],
    ['the wrong bracket', `{"a":[${'1,'.repeat(50)}1}]`, 20],
    ['something behind the end', `[${'1,'.repeat(50)}1] 1`, 20],
    ['no end', `[${'1,'.repeat(50)}1`, 20],
    ['a text without end', `[${'1,'.repeat(50)}"abc\\"]`, 20],
    ['nothing', '', 20],
  ])('refuses %s', (_, text, pieceLength) => {
    expect(attempt(text, pieceLength)).toBe('refused')
  })

  it('refuses nesting beyond 1,000 levels wherever a piece begins', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const pieceLength of [10, 150, 1999, 2001, 5000]) {
      expect(attempt(nested(1000), pieceLength)).toEqual({ value: JSON.parse(nested(1000)) })
      expect(attempt(nested(1001), pieceLength)).toBe('refused')
    }
  })

  it('refuses values that would take more memory than allowed before it makes them', () => {
    const text = JSON.stringify(Array.from({ length: 10_000 }, () => []))
    let parsed = 0
    const parse = (run: string) => {
      parsed += run.length
      return JSON.parse(run) as unknown
    }
    const steps = jsonInPieces(text, { parse, maxBytes: 100_000, pieceLength: 1000 })
    expect(() => {
      while (steps.next().done !== true);
    }).toThrow(NotInPieces)
    expect(parsed).toBeLessThan(text.length / 4)
  })

  it('keeps __proto__ as a plain name', () => {
    const text = `{"a":[${'1,'.repeat(50)}1],"__proto__":{"x":1},"b":2}`
    const { value } = read(text, 20)
    expect(Object.keys(value as object)).toEqual(['a', '__proto__', 'b'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('gives what JSON.parse gives, for any text and any length of pieces', () => {
    const seed = Number(process.env['JSON_SEED'] ?? Date.now() % 2 ** 31)
    const random = seededRandom(seed)
    const upTo = (n: number) => Math.floor(random() * n)
    const texts = [
      '',
      'a',
      'quote " \\ \\\\',
      'ünï',
      '{[,:]}',
      'x'.repeat(80),
      '\\'.repeat(41),
      '__proto__',
      '😀',
    ]
    const make = (depth: number): unknown => {
      const kind = upTo(depth > 5 ? 5 : 9)
      if (kind === 0) return upTo(1e9) / 7
      if (kind === 1) return [null, true, false][upTo(3)]
      if (kind <= 4) return texts[upTo(texts.length)]
      if (kind <= 6) return Array.from({ length: upTo(9) }, () => make(depth + 1))
      return Object.fromEntries(
        Array.from({ length: upTo(9) }, (_, n) => [`${texts[upTo(texts.length)]}${n}`, make(depth + 1)]),
      )
    }
    for (let i = 0; i < 3000; i++) {
      const text = JSON.stringify(make(0), null, [0, 0, 1, '\t'][upTo(4)])
      const pieceLength = 1 + upTo(200)
      expect(attempt(text, pieceLength), `seed ${seed}`).toEqual({ value: JSON.parse(text) })
      const at = upTo(text.length)
      const damaged =
        text.slice(0, at) + ['', ',', ']', '}', '[', '{', '"', ':', '\\', '1'][upTo(10)] + text.slice(at + 1)
      let whole: unknown = 'refused'
      try {
        whole = { value: JSON.parse(damaged) }
      } catch {}
      const seen = attempt(damaged, pieceLength)
      // A name that stands twice is refused here and silently dropped there.
      if (seen === 'refused' && whole !== 'refused') expect(hasNameTwice(damaged), damaged).toBe(true)
      else expect(seen, `seed ${seed}: ${damaged}`).toEqual(whole)
    }
  })
})

function hasNameTwice(text: string): boolean {
  let members = 0
  JSON.parse(text, function (this: object, _, value: unknown) {
    if (!Array.isArray(this)) members++
    return value
  })
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1 > members - 1
}
