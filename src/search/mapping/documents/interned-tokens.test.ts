import { expect, it } from 'vitest'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { FieldSpec } from '../../segment/document.ts'
import { CollectedField } from './document-fields.ts'

const spec: FieldSpec = { index: 'positions', norms: true, ordinals: false }

function buffer(...terms: string[]): TokenBuffer {
  const tokens = new TokenBuffer()
  terms.forEach((term, i) => {
    tokens.push(term, i, 0, 0, 0)
  })
  tokens.endPosition = terms.length
  return tokens
}

function listed(field: CollectedField): (readonly [string, number])[] {
  return [...field.tokens!.entries()]
}

it('interns each term and returns the tokens of a plain list', () => {
  const [few, many] = [new CollectedField(spec), new CollectedField(spec)]
  for (const [field, areMany] of [
    [few, false],
    [many, true],
  ] as const) {
    field.addTokens(buffer('a', 'b', 'a', '__proto__'), 0, areMany)
    field.addTokens(buffer('b', 'a'), 100, areMany)
  }
  expect(listed(many)).toEqual(listed(few))
  expect(many.tokens!.terms).toEqual(['a', 'b', '__proto__'])
  const [fewOfBoth, manyOfBoth] = [new CollectedField(spec), new CollectedField(spec)]
  for (const [field, other] of [
    [fewOfBoth, few],
    [manyOfBoth, many],
  ] as const) {
    field.addAll(other)
    field.addAll(other)
  }
  expect(listed(manyOfBoth)).toEqual(listed(fewOfBoth))
  expect(manyOfBoth.tokens!.length).toBe(12)
})
