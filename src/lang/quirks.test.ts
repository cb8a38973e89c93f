import { describe, expect, it } from 'vitest'
import { parse } from './parser.ts'
import { findQuirks } from './quirks.ts'

const quirks = (condition: string) => findQuirks(parse(`filter {\n  if ${condition} { }\n}`))
const messages = (condition: string): string[] => quirks(condition).map(({ message }) => message)

describe('findQuirks', () => {
  it.each([
    '[a] in [b]',
    '[a] in ["x", "y"]',
    '"x" in [tags]',
    '[a] == "${VAR}"',
    '[a] == "${VAR:default}" or [a] in ["${A}", "${B}"]',
    '[a] == "100 $"',
    '[a][0] == 1',
    '[a] and [b] or [c]',
  ])('is silent about %s', (condition) => {
    expect(quirks(condition)).toEqual([])
  })

  it('a list of one element is a field', () => {
    expect(quirks('[a] in ["x"]')).toEqual([
      {
        severity: 'warning',
        code: 'list_is_field_reference',
        message: '["x"] is the field named "x", not a list of one element',
        line: 2,
        column: 13,
        start: 21,
        end: 26,
        hint: 'compare with == "x", or give the list a second element: ["x", "x"]',
      },
    ])
    expect(quirks('[a] not in [5]')).toMatchObject([{ code: 'list_is_field_reference', line: 2, column: 17 }])
  })

  it('quotes in a field name belong to it', () => {
    expect(quirks('["a"]["b"] == 1')).toMatchObject([
      {
        code: 'quoted_field_name',
        message: 'The quotes in ["a"]["b"] belong to the name of the field',
        column: 6,
      },
    ])
    expect(quirks('!["a"]')).toMatchObject([{ code: 'quoted_field_name' }])
  })

  it('operators that group strangely, at any depth', () => {
    expect(quirks('[x] or !([a] and [b] and [c] or [d])')).toMatchObject([
      { code: 'operator_association', line: 2, column: 15 },
    ])
  })

  it('a constant is never found in a list', () => {
    expect(messages("'x' in ['x','y']")).toEqual([
      "'x' in ['x', 'y'] is always false: Logstash never finds a constant in a list",
    ])
    expect(messages("'x' not in ['x','y']")).toEqual([
      "'x' not in ['x', 'y'] is always true: Logstash never finds a constant in a list",
    ])
    expect(quirks("'x' in 'xyz'")).toMatchObject([{ code: 'constant_in_constant', line: 2, column: 6 }])
  })

  it('placeholders that are not replaced', () => {
    expect(quirks('[a] == "x-${VAR}"')).toMatchObject([
      { code: 'placeholder_in_longer_string', line: 2, column: 13 },
    ])
    expect(quirks('[a] in ["b", "${A}${B}"]')).toMatchObject([
      { code: 'placeholder_in_longer_string', column: 19 },
    ])
    expect(quirks('[a] =~ "${VAR}"')).toMatchObject([{ code: 'placeholder_in_pattern', column: 13 }])
    expect(quirks('[a] =~ /${VAR}/')).toMatchObject([{ code: 'placeholder_in_pattern', column: 13 }])
  })
})
