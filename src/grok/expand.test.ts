import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGrok } from './compile.ts'
import { expandGrok } from './expand.ts'
import { GrokError } from './grok-error.ts'
import { grokLibrary } from './library/index.ts'

const definitions = new Map([
  ['A', 'a+'],
  ['B', '%{A}b'],
  ['PAIR', '%{A:left}=%{B:right:int}'],
  ['SELF', '(?:x%{SELF})?'],
  ['PING', '%{PONG}'],
  ['PONG', '%{PING}'],
])

describe('expanding', () => {
  it.each([
    ['plain', 'plain'],
    ['%{A}', '(?:a+)'],
    ['%{A:x}', '(?<A:x>a+)'],
    ['<%{B:x}>', '<(?<B:x>(?:a+)b)>'],
    ['%{PAIR}', '(?:(?<A:left>a+)=(?<B:right:int>(?:a+)b))'],
    ['%{NEW:x=[0-9]{2}}-%{NEW:y}', '(?<NEW:x>[0-9]{2})-(?<NEW:y>[0-9]{2})'],
    ['%{A:x=z}%{B}', '(?<A:x>z)(?:(?:z)b)'],
    ['%{A}%{A:x=z}', '(?:a+)(?<A:x>z)'],
    ['100%{', '100%{'],
    // Also where a regular expression would not look for it.
    ['[%{A}]', '[(?:a+)]'],
  ])('%s', (expression, source) => {
    expect(expandGrok(expression, definitions)).toBe(source)
  })

  it('names every reference when asked to', () => {
    expect(expandGrok('%{B} %{A:x}', definitions, { namedCapturesOnly: false })).toBe(
      '(?<B>(?<A>a+)b) (?<A:x>a+)',
    )
  })

  it('refuses names it does not know, as they are written', () => {
    expect(() => expandGrok('%{A} %{NOPE:x:int}', definitions)).toThrow(
      new GrokError('pattern %{NOPE:x:int} not defined'),
    )
    expect(() => expandGrok('%{B}', new Map([['B', '%{GONE}']]))).toThrow('pattern %{GONE} not defined')
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(() => expandGrok(`%{${name}}`, definitions)).toThrow('not defined')
  })

  it('stops after ten thousand steps', () => {
    for (const endless of ['%{SELF}', '%{PING}'])
      expect(() => expandGrok(endless, definitions)).toThrow(
        `Deep recursion pattern compilation of "${endless}"`,
      )
    expect(expandGrok('%{A}'.repeat(10_000), definitions)).toHaveLength(60_000)
    expect(() => expandGrok('%{A}'.repeat(10_001), definitions)).toThrow('Deep recursion')
  })

  it('does not fill memory with definitions that double themselves', () => {
    const doubling = new Map([['D0', 'x'.repeat(1000)]])
    for (let i = 1; i < 40; i++) doubling.set(`D${i}`, `%{D${i - 1}}%{D${i - 1}}`)
    expect(() => expandGrok('%{D39}', doubling)).toThrow('Deep recursion')
  })

  it('either gives a text or refuses, whatever the expression and the definitions', () => {
    const part = fc.constantFrom(
      '%{',
      '}',
      '%{A}',
      '%{B:x}',
      '%{C:y=',
      '%{A:f:int}',
      '(',
      ')',
      '\\',
      'a',
      ':',
      '=',
      '{',
      '__proto__',
      '%',
    )
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, text, (expression, a, b) => {
        const names = new Map([
          ['A', a],
          ['B', b],
        ])
        try {
          expect(typeof expandGrok(expression, names)).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(GrokError)
        }
        try {
          compileGrok(expression, names)
        } catch (error) {
          expect(['GrokError', 'PatternError']).toContain((error as Error).name)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('compiling', () => {
  const library = grokLibrary('legacy')
  const fields = (expression: string, named = true) =>
    compileGrok(expression, library, { namedCapturesOnly: named }).captures.map(
      ({ field, cast }) => `${field}${cast === null ? '' : `:${cast}`}`,
    )

  it('knows what each group stores, in the order of the names', () => {
    expect(fields('%{INT:a} %{WORD:b} %{INT:a}')).toEqual(['a', 'a', 'b'])
    expect(fields('%{INT:a} %{WORD:a}')).toEqual(['a', 'a'])
    expect(fields('(?<x>a)(b)')).toEqual(['x'])
    expect(fields('%{WORD} %{INT:a}', false)).toEqual(['WORD', 'a'])
  })

  it('converts by int and float only, and the first of the very same name', () => {
    expect(fields('%{INT:a:int} %{INT:b:float} %{INT:c:long} %{INT:d:Int}')).toEqual([
      'a:int',
      'b:float',
      'c',
      'd',
    ])
    expect(fields('%{INT:a:int} %{INT:a:int} %{WORD:a:int}')).toEqual(['a:int', 'a', 'a:int'])
    expect(fields('%{INT:a:int:more}')).toEqual(['a:int'])
  })

  it('takes the pattern for the field when there is only a colon', () => {
    expect(fields('%{INT::} %{INT:a:}')).toEqual(['INT', 'a'])
  })

  it('lets the dot match newlines', () => {
    expect(compileGrok('a.b', library).pattern.search('a\nb')?.[0]).toBe('a\nb')
  })

  it('gives the same object for the same source', () => {
    expect(compileGrok('%{INT:a}', library).pattern).toBe(compileGrok('%{INT:a}', library).pattern)
  })
})
