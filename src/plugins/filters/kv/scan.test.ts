import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileScan, type Scan, type ScanOptions, searchingScan } from './scan.ts'

const standard: ScanOptions = {
  field_split: ' ',
  value_split: '=',
  field_split_pattern: undefined,
  value_split_pattern: undefined,
  include_brackets: true,
  whitespace: 'lenient',
}

function pairsOf(scan: Scan, text: string): [string, string][] {
  const pairs: [string, string][] = []
  scan(text, (key, value) => pairs.push([key, value]), 0)
  return pairs
}

function scanned(text: string, options: Partial<ScanOptions> = {}): [string, string][] {
  return pairsOf(compileScan({ ...standard, ...options }), text)
}

describe('pairs', () => {
  it('are found with quotes and brackets taken away', () => {
    const text = `hello=world foo="bar baz" single='a b' round=(a b) square=[c d] pointed=<e f> last=1`
    expect(scanned(text)).toEqual([
      ['hello', 'world'],
      ['foo', 'bar baz'],
      ['single', 'a b'],
      ['round', 'a b'],
      ['square', 'c d'],
      ['pointed', 'e f'],
      ['last', '1'],
    ])
  })

  it('keep brackets when asked', () => {
    expect(scanned('a=(b c', { include_brackets: false })).toEqual([['a', '(b']])
    expect(scanned('a=[b] c="d"', { include_brackets: false })).toEqual([
      ['a', '[b]'],
      ['c', 'd'],
    ])
  })

  it('take a quote that does not end the value as part of it', () => {
    expect(scanned('a="b"c d=1')).toEqual([
      ['a', '"b"c'],
      ['d', '1'],
    ])
    expect(scanned('a="b c=1')).toEqual([
      ['a', '"b'],
      ['c', '1'],
    ])
  })

  it('allow blanks around the separator unless strict', () => {
    expect(scanned('a = b c=d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(scanned('a= b c =d e=f', { whitespace: 'strict' })).toEqual([
      ['a', ''],
      ['e', 'f'],
    ])
  })

  it('take further separators into the value', () => {
    expect(scanned('url=http://x/?a=b c=d')).toEqual([
      ['url', 'http://x/?a=b'],
      ['c', 'd'],
    ])
  })

  it('let a backslash protect separators', () => {
    expect(scanned(String.raw`a=b\ c d=e`)).toEqual([
      ['a', String.raw`b\ c`],
      ['d', 'e'],
    ])
    expect(
      scanned(String.raw`IKE:=Quick\ Mode\ completion IKE\ IDs:=subnet:\ x`, { value_split: ':' }),
    ).toEqual([
      ['IKE', String.raw`=Quick\ Mode\ completion`],
      [String.raw`IKE\ IDs`, String.raw`=subnet:\ x`],
    ])
  })

  it('find nothing without a separator', () => {
    expect(scanned('nothing here')).toEqual([])
    expect(scanned('')).toEqual([])
    expect(scanned('===')).toEqual([])
  })

  it('may be separated by expressions', () => {
    expect(scanned('a=1!!b=2!c!!d=3', { field_split_pattern: '!!' })).toEqual([
      ['a', '1'],
      ['b', '2!c'],
      ['d', '3'],
    ])
    expect(scanned('a::1 b::2', { value_split_pattern: '::' })).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('may span lines, quoted ones end with their line', () => {
    expect(scanned('a="1"\nb=2\nc=3')).toEqual([
      ['a', '1'],
      ['\nb', '2\nc=3'],
    ])
    expect(scanned('a=1\nb="2"\nc=3', { field_split: String.raw`\n` })).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ])
  })
})

describe('the loop', () => {
  const letters = [...'ab= ,:"\'()[]<>\\\n', 'é', '😀']
  const texts = fc.array(fc.constantFrom(...letters), { maxLength: 24 }).map((list) => list.join(''))
  const variants: Partial<ScanOptions>[] = [
    {},
    { whitespace: 'strict' },
    { include_brackets: false },
    { field_split: ',', value_split: ':=' },
    { field_split: ', ', value_split: ': ' },
    { field_split: String.raw`\n,`, value_split: ' ' },
    { field_split: String.raw`\\`, value_split: '=' },
  ]

  it.each(variants)('finds the pairs of the expression: %j', (variant) => {
    const options = { ...standard, ...variant }
    const loop = compileScan(options)
    const expression = searchingScan(options)
    fc.assert(
      fc.property(texts, (text) => {
        expect(pairsOf(loop, text)).toEqual(pairsOf(expression, text))
      }),
      { numRuns: 2000 },
    )
  })
})
