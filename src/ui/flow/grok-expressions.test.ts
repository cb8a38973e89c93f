import { expect, it } from 'vitest'
import { expressionsIn } from './grok-expressions.ts'

it.each([
  ['{ "message" => "%{WORD:a}" }', ['%{WORD:a}']],
  [
    `{ "message" => ["a => %{INT:n}", 'say "%{WORD:w}"'] "host" => "%{IP:ip}" }`,
    ['a => %{INT:n}', 'say "%{WORD:w}"', '%{IP:ip}'],
  ],
  ['["message", "%{WORD:a}"]', ['%{WORD:a}']],
  ['{ message => "\\[%{WORD:a}\\]" }', ['\\[%{WORD:a}\\]']],
  ['{ }', []],
])('of %s', (match, expressions) => {
  expect(expressionsIn(match)).toEqual(expressions)
})
