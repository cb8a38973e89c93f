import { expect, it } from 'vitest'
import { tokensOf } from './config-tokens.ts'

const shown = (line: string) => tokensOf(line).map(({ kind, from, to }) => `${kind} ${line.slice(from, to)}`)

it('colours a configuration', () => {
  expect(shown('filter { mutate { add_field => { "a" => 3 } } } # why')).toEqual([
    'section filter',
    'name mutate',
    'option add_field',
    'string "a"',
    'number 3',
    'comment # why',
  ])
  expect(shown('if [a][b] =~ /x y/ and "#" not in [c] {')).toEqual([
    'section if',
    'field [a][b]',
    'regexp /x y/',
    'section and',
    'string "#"',
    'section not',
    'section in',
    'field [c]',
  ])
})

it('takes a string that is not closed up to the end of its line', () => {
  expect(shown('match => "abc { x')).toEqual(['option match', 'string "abc { x'])
})
