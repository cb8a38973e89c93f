import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryConfig, meaningOf } from './arbitrary-config.ts'
import { format } from './format.ts'
import { parse } from './parser.ts'
import { print } from './printer.ts'

describe('format', () => {
  it('keeps comments, and leaves a formatted text alone', () => {
    const text = '# a\ninput{stdin{}} # b\nfilter{ # c\n if [x]{drop{}} # d\n}\n'
    const formatted = format(text)
    for (const comment of ['# a', '# b', '# c', '# d']) expect(formatted).toContain(comment)
    expect(format(formatted)).toBe(formatted)
  })

  it('changes no meaning, whatever the configuration', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const text = print(config).replaceAll('\n', '\n\n  ')
        const before = parse(text)
        const formatted = format(text)
        expect(meaningOf(parse(formatted))).toEqual(meaningOf(before))
        expect(format(formatted)).toBe(formatted)
      }),
      { numRuns: 200 },
    )
  })
})
