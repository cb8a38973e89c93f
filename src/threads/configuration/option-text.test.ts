import { expect, it } from 'vitest'
import { parseConfig } from '../../lang/parser.ts'
import type { PlannedPlugin } from '../../pipeline/plan/plan.ts'
import { writtenOptions } from './option-text.ts'

function optionsOf(text: string, kinds: Record<string, string> = {}) {
  const node = parseConfig(text).config.sections[0]?.body[0]
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, { kind, doc: `Of ${name}.` }]),
  )
  return writtenOptions({ node, part: { text }, definition: { options } } as unknown as PlannedPlugin)
}

it('shows options as they are written, with what is known of them', () => {
  const text =
    'output { http { url => "http://h/x" headers => { "a" => "b" } codec => json { charset => "UTF-8" } } }'
  expect(optionsOf(text, { url: 'string' })).toEqual([
    { name: 'url', value: '"http://h/x"', doc: 'Of url.' },
    { name: 'headers', value: '{ "a" => "b" }' },
    { name: 'codec', value: 'json { charset => "UTF-8" }' },
  ])
})

it('hides what is a password, looks like one, or stands in a URL', () => {
  const text = `output { http {
    code => "hunter2"
    api_key => 'k-1'
    url => "https://me:pa55@h/x"
    headers => { "x-token" => "t0k" }
    codec => plain { secret_word => "sesame" }
    password => "\${ES_PWD}"
  } }`
  const shown = JSON.stringify(optionsOf(text, { code: 'password', password: 'password' }))
  for (const secret of ['hunter2', 'k-1', 'pa55', 't0k', 'sesame']) expect(shown).not.toContain(secret)
  expect(shown).toContain('https://me:<password>@h/x')
})

it('cuts what is too long to read', () => {
  const [option] = optionsOf(`filter { x { lines => "${'y'.repeat(9000)}" } }`)
  expect(option?.value.length).toBeLessThan(4100)
  expect(option?.value).toMatch(/9002 characters$/)
})
