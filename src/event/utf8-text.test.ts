import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Text } from './utf8-text.ts'

describe('text of bytes', () => {
  it('is the text where the bytes are UTF-8', () => {
    for (const text of ['', 'abc', 'é "q" \\ \n', '日本語 😀', 'a \ufffd b'])
      expect(utf8Text(Buffer.from(text))).toBe(text)
    expect(utf8Text(Buffer.from('xéy'), 1, 3)).toBe('é')
  })

  // Answers of JRuby 9.4 to `bytes.force_encoding("UTF-8").inspect[1..-2]`.
  it.each<[string, string]>([
    ['ed 01 61 62 22 5c 0a 23', '\\xED\\u0001ab\\"\\\\\\n#'],
    ['6f 6b e9 78 f0 9f 98 80 1b 07 e2 80 8b', 'ok\\xE9x😀\\e\\a\u200b'],
    ['63 61 66 e9 20 6f 6b', 'caf\\xE9 ok'],
    ['7f ff c2 80 c2 ad e2 80 a8 ee 80 80', '\\u007F\\xFF\\u0080\u00ad\\u2028\ue000'],
    ['e2 82 61 f0 9f 98', '\\xE2\\x82a\\xF0\\x9F\\x98'],
    ['ff 23 7b 78 7d 20 23 24 78 20 23 61', '\\xFF\\#{x} \\#$x #a'],
  ])('shows %s as Ruby does', (hex, shown) => {
    const told: string[] = []
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    expect(utf8Text(bytes, 0, bytes.length, (text) => told.push(text))).toBe(shown)
    expect(told).toEqual([shown])
  })

  it('loses no byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (given) => {
        const bytes = Buffer.from(given)
        if (isUtf8(bytes)) return
        const back = utf8Text(bytes).replace(
          /\\(?:x([0-9A-F]{2})|u\{([0-9A-F]+)\}|u([0-9A-F]{4})|(.))|[^\\]+/gsu,
          (plain, byte, long, short, letter: string) => {
            if (byte !== undefined) return Buffer.from(byte as string, 'hex').toString('latin1')
            const code = (long ?? short) as string | undefined
            const letters: Record<string, string> = {
              n: '\n',
              t: '\t',
              r: '\r',
              a: '\x07',
              b: '\b',
              v: '\v',
              f: '\f',
              e: '\x1b',
            }
            const text =
              code !== undefined
                ? String.fromCodePoint(Number.parseInt(code, 16))
                : letter !== undefined
                  ? (letters[letter] ?? letter)
                  : plain
            return Buffer.from(text).toString('latin1')
          },
        )
        expect(Buffer.from(back, 'latin1')).toEqual(bytes)
      }),
      { numRuns: 1000 },
    )
  })
})
