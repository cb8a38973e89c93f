import { describe, expect, it } from 'vitest'
import { idempotencyKey } from './idempotency-key.ts'

const keyOf = (key: string | undefined, url = '/') =>
  idempotencyKey({ url, headers: { 'idempotency-key': key } })

describe('the key of a request', () => {
  it('is the same with and without the quotes of a structured field', () => {
    expect(keyOf('"8e03978e-40d5"')).toBe(keyOf('8e03978e-40d5'))
    expect(keyOf(' 8e03978e-40d5 ')).toBe(keyOf('8e03978e-40d5'))
  })

  it('counts for one path', () => {
    expect(keyOf('a', '/one')).not.toBe(keyOf('a', '/two'))
  })

  it.each([undefined, '', '  ', '""'])('is none when the header is %j', (key) => {
    expect(keyOf(key)).toBeUndefined()
  })
})
