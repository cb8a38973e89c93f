import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findReference } from './reference.ts'

describe('a reference', () => {
  it.each<[string, { pattern: string; name: string; definition?: string; text?: string }]>([
    ['%{INT}', { pattern: 'INT', name: 'INT' }],
    ['%{INT:n}', { pattern: 'INT', name: 'INT:n' }],
    ['%{INT:n:int}', { pattern: 'INT', name: 'INT:n:int' }],
    ['%{IP:[source][ip]}', { pattern: 'IP', name: 'IP:[source][ip]' }],
    ['%{A:@metadata.x-y_z}', { pattern: 'A', name: 'A:@metadata.x-y_z' }],
    // `A-z` takes in what stands between the two alphabets.
    ['%{A_[\\]^`z9:f}', { pattern: 'A_[\\]^`z9', name: 'A_[\\]^`z9:f' }],
    ['%{X:f=[a-z]+}', { pattern: 'X', name: 'X:f', definition: '[a-z]+' }],
    ['%{X:f=a{2,3}b{1}}', { pattern: 'X', name: 'X:f', definition: 'a{2,3}b{1}' }],
    ['%{X=\\d}', { pattern: 'X', name: 'X', definition: '\\d' }],
    ['%{X:f=a\\}b}', { pattern: 'X', name: 'X:f', definition: 'a\\}b' }],
    ['%{X:f=%{INT}}', { pattern: 'X', name: 'X:f', definition: '%{INT}' }],
    ['%{X:f=}', { pattern: 'X', name: 'X:f' }],
    // What is not understood is passed over.
    ['%{INT:n what ever}', { pattern: 'INT', name: 'INT:n', text: '%{INT:n what ever}' }],
    ['%{INT-x}', { pattern: 'INT', name: 'INT', text: '%{INT-x}' }],
  ])('%s', (text, expected) => {
    expect(findReference(`a ${text} b`, 0)).toMatchObject({
      start: 2,
      end: 2 + text.length,
      text,
      ...expected,
    })
    expect(findReference(`a ${text} b`, 0)?.definition).toBe(expected.definition)
  })

  it.each(['%{}', '%{-}', '%{INT', '%INT', '%{ INT}', '{INT}', '', '%{X:f=a{b'])('is not in %s', (text) => {
    expect(findReference(text, 0)).toBeUndefined()
  })

  it('is the first behind the place asked for', () => {
    const text = '%{A}%{B:x}'
    expect(findReference(text, 0)?.pattern).toBe('A')
    expect(findReference(text, 1)?.pattern).toBe('B')
    expect(findReference('%{%{A}', 0)).toMatchObject({ start: 2, pattern: 'A' })
  })

  it('lies in the text, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('%', '{', '}', 'A', ':', '=', '\\', '[', ' ') }),
        (text) => {
          const found = findReference(text, 0)
          if (found !== undefined) expect(text.slice(found.start, found.end)).toBe(found.text)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
