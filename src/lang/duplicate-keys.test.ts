import { describe, expect, it } from 'vitest'
import { findDuplicateKeys } from './duplicate-keys.ts'
import { parse } from './parser.ts'

const find = (text: string) => findDuplicateKeys(parse(text), text)
const keys = (hash: string) =>
  find(`filter { mutate { a => ${hash} } }`).map(({ message }) => /\[(.*)\]\n/.exec(message)![1])

describe('findDuplicateKeys', () => {
  it("speaks Logstash's sentence", () => {
    const text = 'filter {\n  grok { match => { "message" => "é" "message" => "b" } }\n}'
    expect(find(text)).toEqual([
      {
        severity: 'error',
        code: 'duplicate_keys',
        message:
          'Duplicate keys found in your configuration: ["message"]\n' +
          'At line: 2, column 19 (byte 28)\n' +
          'after filter {\n  grok { match => {',
        line: 2,
        column: 19,
        start: 27,
        end: 28,
      },
    ])
  })

  it('compares keys as written', () => {
    expect(keys(`{ "a" => 1 'a' => 2 }`)).toEqual([])
    expect(keys('{ 1 => 1 1.0 => 2 }')).toEqual([])
    expect(keys('{ __proto__ => 1 constructor => 2 }')).toEqual([])
    expect(keys('{ bb => 1 "x" => 2 aa => 3 aa => 4 bb => 5 bb => 6 }')).toEqual(['bb, aa'])
  })

  it('checks each level on its own, also in lists, nested plugins and conditions', () => {
    expect(keys('{ "a" => { "a" => 1 } }')).toEqual([])
    expect(keys('[{ "a" => 1 "a" => 2 }, xx { y => { "b" => 1 "b" => 1 } }]')).toEqual(['"a"', '"b"'])
    expect(find('filter { if [a] in [1, { "c" => 1 "c" => 1 }] { } else { } }').length).toBe(1)
    expect(keys('{ "o" => { "i" => 1 "i" => 2 } "o" => 1 }')).toEqual(['"o"', '"i"'])
  })
})
