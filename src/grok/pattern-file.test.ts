import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPatternFile } from './pattern-file.ts'

describe('a pattern file', () => {
  it('has a definition a line', () => {
    const text = [
      '# a comment',
      '   # and one further in',
      '',
      'NAME regex',
      '  INDENTED\t \tab c  ',
      'WINDOWS x\r',
      'ALONE',
      'TRAILING   ',
      'NAME second # no comment',
      'LAST end',
    ].join('\n')
    expect(readPatternFile(text)).toEqual([
      ['NAME', 'regex'],
      ['INDENTED', 'ab c  '],
      ['WINDOWS', 'x'],
      ['NAME', 'second # no comment'],
      ['LAST', 'end'],
    ])
  })

  it('may be empty or nonsense', () => {
    expect(readPatternFile('')).toEqual([])
    expect(readPatternFile('\n\n  \n#\n')).toEqual([])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const [name, definition] of readPatternFile(text)) {
          expect(name).toMatch(/^\S+$/)
          expect(definition).not.toContain('\n')
        }
      }),
    )
  })
})
