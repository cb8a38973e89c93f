import { describe, expect, it } from 'vitest'
import { checkFieldCount } from './field-count.ts'

const fields = (count: number, of: unknown = { type: 'keyword' }) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, of]))

describe('the number of fields of a mapping', () => {
  it('is accepted up to the limit', () => {
    checkFieldCount({ properties: fields(10) }, 10)
    checkFieldCount({ dynamic: false }, 0)
    checkFieldCount(undefined, 0)
  })

  it('is refused beyond the limit, objects and all levels counted', () => {
    const message = 'Limit of total fields [10] has been exceeded'
    expect(() => checkFieldCount({ properties: fields(11) }, 10)).toThrow(message)
    expect(() => checkFieldCount({ _doc: { properties: fields(11) } }, 10)).toThrow(message)
    const nested = { properties: fields(2, { properties: fields(5) }) }
    expect(() => checkFieldCount(nested, 10)).toThrow(message)
    checkFieldCount(nested, 12)
  })
})
