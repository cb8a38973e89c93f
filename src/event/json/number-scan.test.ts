import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from '../equal.ts'
import { parseJsonExactly, parseJsonFast } from '../json-parse.ts'
import { mayHaveInexactNumber } from './number-scan.ts'

const scan = (text: string) => mayHaveInexactNumber(Buffer.from(text))

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.maxSafeNat().map(String),
  fc.bigInt().map(String),
  fc.stringMatching(/^-?[1-9]\d{0,18}(\.\d{1,18})?([eE][-+]?\d{1,3})?$/),
  fc.constantFrom(
    '1.0',
    '0.0',
    '1.00',
    '0.99999999999999999999',
    '1e5',
    '1E5',
    '1e+5',
    '10e-1',
    '12345678901234567890',
    '9007199254740993',
  ),
)

describe('one look at a chunk of JSON', () => {
  it('never calls a chunk clear that JSON.parse would read wrongly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 40 }), numbers), { maxLength: 12 }),
        fc.constantFrom('', ' ', '\t'),
        (members, blank) => {
          const text = `{${members.map(([name, number]) => `${JSON.stringify(name)}:${blank}${number}${blank}`).join(',')}}`
          if (!scan(text)) expect(deepEqual(parseJsonFast(text), parseJsonExactly(text))).toBe(true)
        },
      ),
      { numRuns: 5000 },
    )
  })

  it.each([
    '{"a":1.0}',
    '{"a":[1e5]}',
    '{"a": 12345678901234567890}',
    '[1.00 ]',
    '{"a":-2.0}',
    `{"pad":"${'x'.repeat(300_000)}","a":1.0}`,
  ])('finds what is inexact in %.40s', (text) => {
    expect(scan(text)).toBe(true)
  })

  it.each([
    '{"a":1,"b":1.5,"c":-0.25,"d":1700000000000,"e":0.05}',
    '{"id":"b43e8a907d0904e2c","v":"1.0","ip":"10.0.0.1","t":"2020-01-01T00:00:00.000Z"}',
    `{"pad":"${'x1.5'.repeat(100_000)}"}`,
  ])('calls %.40s clear', (text) => {
    expect(scan(text)).toBe(false)
  })
})
