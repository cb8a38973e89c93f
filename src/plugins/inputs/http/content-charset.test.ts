import { describe, expect, it } from 'vitest'
import { inUtf8 } from './content-charset.ts'

describe('the charset of a content type', () => {
  it.each<[string | undefined, string, string]>([
    ['text/plain; charset=iso-8859-1', '63e9', 'cé'],
    ['text/plain;charset="ISO-8859-1"', '80', '\u0080'],
    ['text/plain; charset=windows-1252; x=y', '80', '€'],
    ['application/json; Charset=utf-16le', '6100e900', 'aé'],
    ['text/plain; charset=Shift_JIS', '93fa967b', '日本'],
  ])('%s', (type, hex, text) => {
    expect(inUtf8(Buffer.from(hex, 'hex'), type).toString()).toBe(text)
  })

  it('leaves UTF-8, unknown names and no name alone', () => {
    const body = Buffer.from([0x63, 0xe9])
    for (const type of [undefined, 'text/plain', 'text/plain; charset=utf-8', 'text/plain; charset=klingon'])
      expect(inUtf8(body, type)).toBe(body)
  })
})
