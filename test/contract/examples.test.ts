import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseJson } from '../../src/event/json-parse.ts'
import type { Fields } from '../../src/event/value.ts'
import { run } from '../support/millrace.ts'

const folder = 'examples'
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

/** The fields of an event without those every event has. */
function own(line: string): Fields {
  const { '@timestamp': _time, '@version': _version, host: _host, ...fields } = parseJson(line) as Fields
  return fields
}

it.each(readdirSync(folder))('example %s gives what it promises', async (name) => {
  const at = (file: string) => join(folder, name, file)
  const { stdout, code } = await run({
    config: readFileSync(at('pipeline.conf'), 'utf8'),
    stdin: readFileSync(at('input.jsonl'), 'utf8'),
    args: ['-w', '1', '--pipeline.ecs_compatibility', 'disabled'],
  })
  expect(code).toBe(0)
  const events = lines(stdout).filter((line) => line.startsWith('{'))
  expect(events.map(own)).toEqual(
    lines(readFileSync(at('expected.jsonl'), 'utf8')).map((line) => parseJson(line)),
  )
})
