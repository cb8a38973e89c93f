import fc from 'fast-check'
import { expect, it } from 'vitest'
import { definitionsIn, filterOf, segmentsOf } from './segments.ts'

const capture = (field: string, start: number, end: number) => ({ field, cast: null, text: '', start, end })

it('cuts a line at captures, the innermost wins', () => {
  const captures = [capture('all', 0, 9), capture('inner', 2, 4)]
  expect(segmentsOf('abcdefghij', captures)).toEqual([
    { text: 'ab', capture: 0 },
    { text: 'cd', capture: 1 },
    { text: 'efghi', capture: 0 },
    { text: 'j', capture: undefined },
  ])
})

it('loses and repeats no character', () => {
  const place = fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => capture('f', Math.min(a, b), Math.max(a, b)))
  fc.assert(
    fc.property(fc.string({ maxLength: 25 }), fc.array(place, { maxLength: 6 }), (line, captures) => {
      expect(
        segmentsOf(line, captures)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line)
    }),
  )
})

it('reads patterns of one’s own as pattern files have them', () => {
  expect(definitionsIn('# mine\nORDER [A-Z]{2}\\d+ x\n\n  NAME  .+ \nbroken')).toEqual({
    ORDER: '[A-Z]{2}\\d+ x',
    NAME: '.+',
  })
})

it('writes a filter with quotes that fit', () => {
  expect(filterOf('%{WORD:w}', {})).toContain('match => { "message" => "%{WORD:w}" }')
  expect(filterOf('"%{WORD:w}"', { A: 'b' })).toContain(`'"%{WORD:w}"'`)
  expect(filterOf('"%{WORD:w}"', { A: 'b' })).toContain('"A" => "b"')
})
