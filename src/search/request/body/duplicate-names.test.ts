/** Names that stand twice in an object, as Jackson reports them. */
import { describe, expect, it } from 'vitest'
import { duplicateNameError, hasDuplicateNames } from './duplicate-names.ts'

const isDuplicate = (text: string) => hasDuplicateNames(Buffer.from(text), JSON.parse(text))

describe('duplicate names', () => {
  it.each([
    ['{"size":1,"size":2}', 'size', 16],
    ['{"obj":{"count":1,"count":2}}', 'count', 25],
    ['{"é":[{"a\\"":1, "a\\"" : 2}]}', 'a"', 22],
    ['{"a":{"__proto__":1,"__proto__":2}}', '__proto__', 31],
  ])('finds the second name of %s', (text, name, at) => {
    expect(isDuplicate(text)).toBe(true)
    const { type, reason } = duplicateNameError(text, 'jackson3')!
    expect(type).toBe('json_parse_exception')
    expect(reason).toContain(`Duplicate Object property "${name}"\n at [Source`)
    expect(reason).toContain(`byte offset: #${at}]`)
    expect(duplicateNameError(text, 'jackson2')?.reason).toContain(`Duplicate field '${name}'\n at [Source`)
  })

  it.each(['{}', '[]', '"a:b"', '{"a":{"a":[{"a":":"},{"a":"\\":"}]},"b":1}', '5'])(
    'finds none in %s',
    (text) => {
      expect(isDuplicate(text)).toBe(false)
      expect(duplicateNameError(text, 'jackson3')).toBeUndefined()
    },
  )
})
