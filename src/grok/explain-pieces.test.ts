import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Piece, splitExpression } from './explain-pieces.ts'

function texts(expression: string): string[][] {
  return splitExpression(expression).map((pieces) => pieces.map(({ text }) => text))
}

function joined(alternatives: readonly (readonly Piece[])[]): string {
  return alternatives
    .map((pieces) =>
      pieces
        .map((piece) =>
          piece.kind === 'group'
            ? `${piece.open}${joined(piece.alternatives)})${piece.text.slice(piece.core.length)}`
            : piece.text,
        )
        .join(''),
    )
    .join('|')
}

describe('the pieces of an expression', () => {
  it.each<[string, string[][]]>([
    ['%{IP:client} - %{USER:user}', [['%{IP:client}', ' - ', '%{USER:user}']]],
    [String.raw`\[%{HTTPDATE:ts}\] "x"`, [[String.raw`\[`, '%{HTTPDATE:ts}', String.raw`\] "x"`]]],
    ['a|b%{INT}', [['a'], ['b', '%{INT}']]],
    ['%{INT}?x+yz{2}', [['%{INT}?', 'x+', 'y', 'z{2}']]],
    ['^[^]"[:alpha:]]+$', [['^', '[^]"[:alpha:]]+', '$']]],
    ['[a[b]c]d', [['[a[b]c]', 'd']]],
    [
      String.raw`\d+\.\x41b\u{62}\k<n>`,
      [[String.raw`\d+`, String.raw`\.`, String.raw`\x41`, 'b', String.raw`\u{62}`, String.raw`\k<n>`]],
    ],
    ['(?i)a(?#no)b(?<!x)(?:c|d)*', [['(?i)', 'a', '(?#no)', 'b', '(?<!x)', '(?:c|d)*']]],
    ['%{X:f=a{2}}b', [['%{X:f=a{2}}', 'b']]],
    ['%{not closed', [['%{not closed']]],
    ['', [[]]],
  ])('of %s', (expression, expected) => {
    expect(texts(expression)).toEqual(expected)
  })

  it('know what is inside a group, and how often it must be there', () => {
    const [[group]] = splitExpression('(?<n>%{INT}|-){3}') as [[Piece]]
    expect(group).toMatchObject({ kind: 'group', open: '(?<n>', min: 3 })
    expect(group.kind === 'group' && group.alternatives.map((list) => list.map(({ text }) => text))).toEqual([
      ['%{INT}'],
      ['-'],
    ])
    for (const [text, min] of [
      ['a+', 1],
      ['a*', 0],
      ['a?', 0],
      ['a{,3}', 0],
      ['a{2,}', 2],
      ['a', 1],
    ] as const)
      expect(splitExpression(text)[0]![0]!.min, text).toBe(min)
  })

  it('put together are the expression, whatever it is', () => {
    const parts = fc.constantFrom(
      '(',
      '(?:',
      ')',
      '|',
      '[',
      ']',
      '^',
      '\\',
      'a',
      '{',
      '}',
      '2',
      ',',
      '%{INT:x}',
      '%{',
      '+',
      '?',
      ' ',
      '-',
      '🙂',
      '(?=',
      '(?<n>',
      '(?i)',
      '\\[',
      ':',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        const expression = list.join('')
        const rebuilt = joined(splitExpression(expression))
        // Text behind an unmatched `)` is left, and unmatched groups are closed.
        if (!expression.includes(')') && !expression.includes('(')) expect(rebuilt).toBe(expression)
        expect(typeof rebuilt).toBe('string')
      }),
      { numRuns: 2000 },
    )
  })
})
