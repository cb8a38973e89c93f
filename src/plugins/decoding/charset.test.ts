import { describe, expect, it } from 'vitest'
import { bytesToText, charsetNames } from './charset.ts'

describe('charsets', () => {
  it.each([
    ['CP1252', [0x80, 0xe9, 0x93], '€é“'],
    ['Windows-1252', [0x81, 0x41], '\ufffdA'],
    ['ISO-8859-1', [0x80, 0xe9], '\x80é'],
    ['ISO-8859-15', [0xa4], '€'],
    ['US-ASCII', [0x41, 0xe9], 'A\ufffd'],
    ['ASCII-8BIT', [0x41, 0xe9], 'A\ufffd'],
    ['IBM437', [0x82, 0xe1, 0xff], 'éß\xa0'],
    ['CP850', [0x82, 0xd5], 'éı'],
    ['IBM852', [0x88, 0xfd], 'łř'],
    ['CP866', [0x8f], 'П'],
    ['KOI8-R', [0xf0], 'П'],
    ['Windows-1251', [0xcf], 'П'],
    ['Shift_JIS', [0x93, 0xfa], '日'],
    ['EUC-JP', [0xc6, 0xfc], '日'],
    ['GBK', [0xc8, 0xd5], '日'],
    ['Big5', [0xa4, 0xe9], '日'],
    ['EUC-KR', [0xb0, 0xa1], '가'],
    ['UTF-16BE', [0x65, 0xe5], '日'],
    ['UTF-16LE', [0xe5, 0x65], '日'],
  ])('%s', (charset, bytes, text) => {
    expect(bytesToText(charset)!(new Uint8Array(bytes))).toBe(text)
  })

  it('leaves UTF-8 to the reader', () => {
    expect(bytesToText('UTF-8')).toBeUndefined()
  })

  it('says which charset it cannot read', () => {
    expect(() => bytesToText('UTF-7')).toThrow('The charset UTF-7 is not supported')
  })

  it('has an answer for every name', () => {
    for (const name of charsetNames) {
      try {
        bytesToText(name)?.(new Uint8Array([65, 66]))
      } catch (error) {
        expect((error as Error).message).toBe(`The charset ${name} is not supported`)
      }
    }
  })
})
