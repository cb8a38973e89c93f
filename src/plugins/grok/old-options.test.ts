import { describe, expect, it } from 'vitest'
import { rawOptions, runFilter } from '../../plugin/testing.ts'
import { validateOptions } from '../../plugin/validate.ts'
import grok from '../filters/grok.ts'

describe('old options of grok', () => {
  it('pattern is a match on message', async () => {
    const events = [{ message: 'a 1' }]
    expect(await runFilter(grok, { pattern: '%{WORD:w} %{INT:n:int}', singles: true }, events)).toEqual([
      { message: 'a 1', w: 'a', n: 1 },
    ])
    const both = { pattern: ['%{INT:n}'], match: { message: '%{WORD:w}$', other: 'x' } }
    expect(await runFilter(grok, both, [{ message: '5 !' }])).toEqual([{ message: '5 !', n: '5' }])
  })

  it('say once that they are old', () => {
    const { warnings, problems } = validateOptions(
      grok,
      rawOptions({ pattern: 'x', singles: true, type: 't' }),
      {
        ecs: 'disabled',
      },
    )
    expect(problems).toEqual([])
    expect(warnings.map(({ option }) => option)).toEqual(['pattern', 'singles', 'type'])
  })
})
