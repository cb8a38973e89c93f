import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('the canonical text', () => {
  it.each([
    ['{ "b" : 1 , "a" : [ ] }', '{"a":[],"b":1}'],
    ['{"b":{"d":1,"c":2},"a":[3,{"f":1,"e":2}]}', '{"a":[3,{"e":2,"f":1}],"b":{"c":2,"d":1}}'],
    ['{"__proto__":{"x":1},"a":null}', '{"__proto__":{"x":1},"a":null}'],
    ['[1.10,12345678901234567890,1E5,-0]', '[1.10,12345678901234567890,1E5,-0]'],
    ['"\\u00fc\\/\\n"', '"ü/\\n"'],
    ['{"a":"\\\\","b":"\\""}', '{"a":"\\\\","b":"\\""}'],
    [' true ', 'true'],
    ['{"a":1,"a":2}', '{"a":1,"a":2}'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalJson(text)).toBe(canonical)
  })

  it('is the same for every order of members and all blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const shuffled = JSON.stringify(value, (_, one: unknown) =>
          typeof one === 'object' && one !== null && !Array.isArray(one)
            ? Object.fromEntries(Object.entries(one).reverse())
            : one,
        )
        expect(canonicalJson(JSON.stringify(value, null, 3))).toBe(canonicalJson(shuffled))
      }),
    )
  })

  it('has the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(canonicalJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('of a very deep value takes no deep stack', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(canonicalJson(deep)).toBe(deep)
  })

  it.each(['{', '[1,', '{"a"}', '{"a":1 "b"}', '["', '[1 2]', ''])('of %s is refused', (text) => {
    expect(() => canonicalJson(text)).toThrow('no valid JSON')
  })
})
