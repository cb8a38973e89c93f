/**
 * Every configuration of the golden table through the config check: what Logstash's grammar accepts is
 * no syntax error here, what it refuses is refused with the same text. A sample goes through the real
 * program, to see the message printed and the exit code.
 */
import { describe, expect, it } from 'vitest'
import { golden, type ParseRow } from '../support/golden.ts'
import { check } from '../support/in-process.ts'
import { run } from '../support/millrace.ts'

describe('the config check on the golden table', () => {
  it.each(golden.parse)('$config', async ({ config, ok, message }) => {
    const errors = (await check(config)).filter(({ severity }) => severity === 'error')
    if (ok) {
      expect(errors.filter(({ code }) => code === 'syntax')).toEqual([])
    } else {
      expect(errors.map((error) => error.message)).toEqual([message])
      expect(errors[0]!.code).toBe('syntax')
    }
  })
})

/** Rows spread over the table, so that different kinds of errors are among them. */
function sample(rows: ParseRow[], count: number): ParseRow[] {
  return Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!)
}

/** Accepted by the grammar and by every plugin in it: nothing but sections and known plugins. */
const complete = ['input { stdin { } } output { stdout { } } filter { }', 'input{stdin{}}output{stdout{}}']

describe('-t of the program', () => {
  it.each(
    sample(
      golden.parse.filter(({ ok }) => !ok),
      8,
    ),
  )('refuses $config', async ({ config, message }) => {
    const { code, stdout, stderr } = await run({ config, args: ['-t'] })
    expect(`${stdout}${stderr}`).toContain(message)
    expect(stdout).not.toContain('Configuration OK')
    expect(code).toBe(1)
  })

  it.each(golden.parse.filter(({ config }) => complete.includes(config)))(
    'accepts $config',
    async ({ config, ok }) => {
      expect(ok).toBe(true)
      const { code, stdout } = await run({ config, args: ['-t'] })
      expect(stdout).toContain('Configuration OK')
      expect(code).toBe(0)
    },
  )
})
