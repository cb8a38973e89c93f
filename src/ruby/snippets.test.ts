/**
 * Over a thousand snippets, one or more for every method people use, with the answers a real Ruby gave
 * (its version stands in the file, and `JRuby` where Logstash's answers otherwise). `test/extra/ruby-differential.mjs` asks the Ruby of the machine again.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'

vi.stubEnv('TZ', 'UTC')
const { compileProgram, exceptionOf, inspectValue } = await import('./program.ts')

const { snippets } = JSON.parse(
  readFileSync(new URL('../../test/data/ruby-snippets.json', import.meta.url), 'utf8'),
) as { snippets: [code: string, answer: string, engine?: 'JRuby'][] }

function evaluate(code: string): string {
  try {
    const program = compileProgram([{ label: 'code', text: code, parameters: [] }], { className: 'Object' })
    return inspectValue(program.runs[0]!())
  } catch (error) {
    const exception = exceptionOf(error)
    return exception === undefined ? String(error) : `${exception.rubyClass.name}: ${exception.message}`
  }
}

describe('snippets answered by a real Ruby', () => {
  it('are many', () => {
    expect(snippets.length).toBeGreaterThan(1000)
    expect(new Set(snippets.map(([code]) => code)).size).toBe(snippets.length)
  })

  it.each(snippets)('%s', (code, answer) => {
    expect(evaluate(code)).toBe(answer)
  })
})
