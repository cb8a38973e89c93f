import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryConfig, meaningOf } from './arbitrary-config.ts'
import { parse } from './parser.ts'
import { print } from './printer.ts'

describe('print', () => {
  it('indents by two blanks and puts one option on a line', () => {
    const text =
      'input{stdin{codec=>json{charset=>"UTF-8"}}}filter{if [a]==1 and![b]{mutate{add_tag=>["x",y1] add_field=>{"a"=>"b" \'c\'=>{}}}}else if[c] not in["a","b"]{}else{drop{}}}'
    expect(print(parse(text))).toBe(
      [
        'input {',
        '  stdin {',
        '    codec => json {',
        '      charset => "UTF-8"',
        '    }',
        '  }',
        '}',
        '',
        'filter {',
        '  if [a] == 1 and ![b] {',
        '    mutate {',
        '      add_tag => ["x", y1]',
        '      add_field => {',
        '        "a" => "b"',
        "        'c' => { }",
        '      }',
        '    }',
        '  } else if [c] not in ["a", "b"] {',
        '  } else {',
        '    drop { }',
        '  }',
        '}',
        '',
      ].join('\n'),
    )
  })

  it('gives a long list a line per item', () => {
    const items = Array.from({ length: 12 }, (_, i) => `"field_number_${i}"`)
    const printed = print(parse(`filter { mutate { remove_field => [${items.join()}] } }`))
    expect(printed).toContain(`remove_field => [\n      ${items.join(',\n      ')}\n    ]\n`)
  })

  it('keeps comments where they were', () => {
    const text = [
      '# head',
      'input { # in',
      '  stdin {',
      '    # codec => json',
      '  }',
      '} # done',
      '',
      '# before filter',
      'filter {',
      '  mutate {',
      '    add_field => {',
      '      # first',
      '      "a" => 1 # one',
      '    }',
      '    # last',
      '  }',
      '  if [a] { # why',
      '    drop { }',
      '  } else { # or not',
      '    # nothing',
      '  }',
      '}',
      '',
      '# tail',
      '',
    ].join('\n')
    expect(print(parse(text))).toBe(text)
  })

  it('prints nothing for nothing, and comments alone', () => {
    expect(print(parse(' \n'))).toBe('')
    expect(print(parse('# a\n\n#b'))).toBe('# a\n#b\n')
  })

  it('keeps a list of one element a list', () => {
    const text = 'filter { if [a] in [ # x, y\n "b" ] { } }'
    const printed = print(parse(text))
    expect(meaningOf(parse(printed))).toEqual(meaningOf(parse(text)))
    expect(print(parse(printed))).toBe(printed)
  })

  it('is tried on every kind of node', () => {
    const kinds = new Set<string>()
    for (const config of fc.sample(arbitraryConfig, { numRuns: 300, seed: 1 })) {
      JSON.stringify(config, (key, value) => {
        if (key === 'kind') kinds.add(value)
        return value
      })
    }
    const values = ['plugin', 'string', 'bareword', 'number', 'array', 'hash']
    const expressions = ['branch', 'condition', 'group', 'not', 'in', 'compare', 'match', 'value']
    expect([...kinds].sort()).toEqual([...values, ...expressions, 'selector', 'regexp', 'method'].sort())
  })

  it('can be read back as the same tree, for any tree', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const printed = print(config)
        const again = parse(printed)
        expect(JSON.stringify(meaningOf(again))).toBe(JSON.stringify(meaningOf(config)))
        expect(print(again)).toBe(printed)
      }),
      { numRuns: 500 },
    )
  })

  it('loses no comment and settles at once, wherever comments stand', () => {
    const spots = fc.array(fc.record({ at: fc.nat(), own: fc.boolean() }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(arbitraryConfig, spots, (config, chosen) => {
        let text = print(config)
        let expected = parse(text).comments.length
        for (const [i, { at, own }] of chosen.entries()) {
          const commented = insertComment(text, at, own ? `\n# c${i}\n` : ` # c${i}\n`)
          if (commented === undefined) continue
          text = commented
          expected++
        }
        const printed = print(parse(text))
        const again = parse(printed)
        expect(JSON.stringify(meaningOf(again))).toBe(JSON.stringify(meaningOf(config)))
        expect(again.comments.length).toBe(expected)
        expect(print(again)).toBe(printed)
      }),
      { numRuns: 300 },
    )
  })
})

/** Puts a comment in place of some blank, unless that blank belongs to a string or a field name. */
function insertComment(text: string, at: number, comment: string): string | undefined {
  const blanks = [...text.matchAll(/[ \n]/g)].map((match) => match.index)
  const offset = blanks[at % Math.max(1, blanks.length)]
  if (offset === undefined) return undefined
  const commented = text.slice(0, offset) + comment + text.slice(offset)
  const before = parse(text)
  try {
    const after = parse(commented)
    const sameMeaning = JSON.stringify(meaningOf(after)) === JSON.stringify(meaningOf(before))
    return sameMeaning && after.comments.length === before.comments.length + 1 ? commented : undefined
  } catch {
    return undefined
  }
}
