import { describe, expect, it } from 'vitest'
import { Query } from './query.ts'

describe('Query', () => {
  it('tells a name without a value from one with an empty value', () => {
    expect(new Query('human').flag('human')).toBe(true)
    expect(new Query('human=').flag('human')).toBe(false)
    expect(new Query('').flag('human')).toBe(false)
  })

  it('knows the words for yes and no in any case, and nothing else', () => {
    for (const word of ['true', 'T', 'yes', 'Y', '1']) expect(new Query(`x=${word}`).flag('x')).toBe(true)
    for (const word of ['false', 'F', 'No', 'n', '0']) expect(new Query(`x=${word}`).flag('x')).toBe(false)
    for (const word of ['not', 'zz', '2', '%3Fx']) {
      expect(() => new Query(`x=${word}`).flag('x')).toThrow('invalid value for Boolean')
    }
  })

  it('lets the last of repeated names count and decodes both sides', () => {
    const query = new Query('a=1&a=2&b+c=%C3%BC+x&__proto__=p&bad=%zz')
    expect(query.text('a')).toBe('2')
    expect(query.text('b c')).toBe('ü x')
    expect(query.text('__proto__')).toBe('p')
    expect(query.text('bad')).toBe('%zz')
    expect(query.text('constructor')).toBeUndefined()
  })

  it('is pretty unless told not to be', () => {
    for (const text of ['pretty', 'pretty=', 'pretty=true', 'pretty=x'])
      expect(new Query(text).pretty).toBe(true)
    for (const text of ['', 'pretty=false', 'pretty=0', 'pretty=no'])
      expect(new Query(text).pretty).toBe(false)
  })
})
