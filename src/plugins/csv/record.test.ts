import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRecord } from './record.ts'

const read = compileRecord(',', '"')

describe('a record', () => {
  it.each<[string, (string | null)[] | undefined]>([
    ['big,bird,sesame street', ['big', 'bird', 'sesame street']],
    ['a,,c', ['a', null, 'c']],
    ['a,"",c', ['a', '', 'c']],
    [',', [null, null]],
    ['', undefined],
    ['\n', []],
    ['\r\na', []],
    ['"a ""b"" c",d', ['a "b" c', 'd']],
    ['"a,b",c', ['a,b', 'c']],
    ['"two\nlines",c\nnext', ['two\nlines', 'c']],
    ['a,b\nc,d', ['a', 'b']],
    ['a,b\r\nc,d', ['a', 'b']],
    ['a,b\rc,d', ['a', 'b']],
    ['a,b\r', ['a', 'b']],
    [' a , b ', [' a ', ' b ']],
  ])('of %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['a "b" c', 'Illegal quoting'],
    [' "a"', 'Illegal quoting'],
    ['"a"b,c', "Any value after quoted field isn't allowed"],
    ['"a', 'Unclosed quoted field'],
    ['"a""', 'Unclosed quoted field'],
    ['a\nb\rc'.replace('a\nb', '"x\n",b'), 'Unquoted fields do not allow new line'],
  ])('is not %j', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('is the same whether or not its line ends', () => {
    const part = fc.constantFrom('"', '""', ',', 'a', 'bc', ' ', '::', "'", '\u{1f600}')
    const outcome = (from: typeof read, text: string) => {
      try {
        return from(text)
      } catch (error) {
        return (error as Error).message
      }
    }
    const readers = [read, compileRecord('::', '"'), compileRecord('a', "'"), compileRecord('"', '"')]
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), fc.constantFrom(...readers), (parts, reader) => {
        const text = parts.join('')
        expect(outcome(reader, text)).toEqual(outcome(reader, `${text}\n`))
      }),
      { numRuns: 2000 },
    )
  })

  it('of many fields is read in time proportional to them, wherever its line ends', () => {
    const fields = 400_000
    const started = performance.now()
    const found = compileRecord(',', '"')(`"a"${',b'.repeat(fields)}\nc,d`)
    expect(found).toHaveLength(fields + 1)
    expect(found!.at(-1)).toBe('b')
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('has other separators and quotes', () => {
    expect(compileRecord('::', "'")("a::'b::c'::\"d")).toEqual(['a', 'b::c', '"d'])
    expect(compileRecord('\t', '"')('a\tb')).toEqual(['a', 'b'])
  })

  it('is refused for odd quotes', () => {
    expect(() => compileRecord(',', '\\x00')('a')).toThrow('single character')
    expect(() => compileRecord(',', '')('a')).toThrow('single character')
  })

  it('survives being written and read', () => {
    const field = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom('"', ',', '\n', '\r\n', 'é'))
    fc.assert(
      fc.property(fc.array(field, { minLength: 1 }), (fields) => {
        fc.pre(fields.length > 1 || fields[0] !== null)
        const text = fields
          .map((value) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`))
          .join(',')
        expect(read(text)).toEqual(fields)
      }),
    )
  })
})
