import { expect, it } from 'vitest'
import { jsonLines, OUT, run } from '../support/millrace.ts'

const config = `input { stdin { codec => json_lines } }
filter {
  mutate { copy => { "a%5B0%5D" => "copied" } }
  if [a%5B0%5D] == "x" { mutate { add_field => { "seen" => "%{a%5B0%5D}" } } }
} ${OUT}`

it.each([
  ['percent', { copied: 'x', seen: 'x' }],
  ['none', {}],
])('field references with the escape style %s', async (style, expected) => {
  const { events } = await run({
    config,
    stdin: jsonLines({ 'a[0]': 'x' }),
    args: ['--field-reference-escape-style', style],
  })
  const [{ copied, seen } = {}] = events as { copied?: string; seen?: string }[]
  expect({ copied, seen }).toEqual({ copied: undefined, seen: undefined, ...expected })
})
