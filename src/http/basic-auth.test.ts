import { describe, expect, it } from 'vitest'
import { basicAuth } from './basic-auth.ts'

const encode = (text: string) => Buffer.from(text).toString('base64')

describe('basicAuth', () => {
  const check = basicAuth('kim', 'pä:ss')

  it('accepts the right user and password', () => {
    expect(check(`Basic ${encode('kim:pä:ss')}`)).toBe('accepted')
    expect(check(`basic ${encode('kim:pä:ss')}`)).toBe('accepted')
  })

  it('refuses others, and nothing at all', () => {
    expect(check(undefined)).toBe('refused')
    for (const text of ['kim:', 'kim', ':pä:ss', 'kim:pä:ss ', ''])
      expect(check(`Basic ${encode(text)}`)).toBe('refused')
  })

  it('calls other schemes malformed', () => {
    for (const header of ['Bearer abc', 'Basic', 'Basic a b', '']) expect(check(header)).toBe('malformed')
  })
})
