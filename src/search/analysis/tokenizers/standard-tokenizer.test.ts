/** The rules of UAX #29 as the standard tokenizer applies them, and what holds for any text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzerFor } from '../analysis.ts'
import { tokensOf } from '../analyzer.ts'
import { toLower } from '../filters/letter-case.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { ByteTokens, hashBytes, isByteToken, standardByteTokens } from './standard-bytes.ts'
import { standardTokens } from './standard-tokenizer.ts'

function tokens(text: string, maxLength?: number): string[] {
  const out = new TokenBuffer()
  standardTokens(text, text, out, maxLength)
  return out.tokens().map(({ token, type }) => (type === '<ALPHANUM>' ? token : `${token} ${type}`))
}

describe('words in Latin script', () => {
  it.each([
    // WB5-7: letters, and single marks between letters
    ["can't stop.Now a..b a.b. .c", ["can't", 'stop.Now', 'a', 'b', 'a.b', 'c']],
    ['a:b a::b a·b a‧b', ['a:b', 'a', 'b', 'a·b', 'a‧b']],
    ['l’été l‘été', ['l’été', 'l‘été']],
    // WB8-12: digits and marks between digits
    ['1,5 1;5 1.5 1:5', ['1,5 <NUM>', '1;5 <NUM>', '1.5 <NUM>', '1 <NUM>', '5 <NUM>']],
    ["1'000 1,,5 ,5 5,", ["1'000 <NUM>", '1 <NUM>', '5 <NUM>', '5 <NUM>', '5 <NUM>']],
    ['a1.5b a.1 1.a 3a4', ['a1.5b', 'a', '1 <NUM>', '1 <NUM>', 'a', '3a4']],
    ['٣٫١٤ ٣٬٠٠٠', ['٣٫١٤ <NUM>', '٣٬٠٠٠ <NUM>']],
    // WB13a, 13b: connectors
    ['_ __ _a a_ _1_ 1_2 a_.b', ['_a', 'a_', '_1_ <NUM>', '1_2 <NUM>', 'a_', 'b']],
    ['テ_キ a‿b', ['テ_キ', 'a‿b']],
    // WB13: Katakana is not joined to letters
    ['テキストabc abcテ', ['テキスト <KATAKANA>', 'abc', 'abc', 'テ <KATAKANA>']],
    // WB4: marks and format characters belong to what they follow
    ['e\u0301te\u0301 a\u00adb a\u200db \u0301x', ['e\u0301te\u0301', 'a\u00adb', 'a\u200db', 'x']],
    ['1\u0301.\u03012', ['1\u0301.\u03012 <NUM>']],
    // WB7a-c: Hebrew
    ['צה"ל ג\' א"', ['צה"ל', "ג'", 'א']],
    ['a"b', ['a', 'b']],
  ])('tokenizes %s', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })
})

describe('other scripts', () => {
  it.each([
    ['ひらがな', ['ひ <HIRAGANA>', 'ら <HIRAGANA>', 'が <HIRAGANA>', 'な <HIRAGANA>']],
    ['らーめん', ['ら <HIRAGANA>', 'ー <KATAKANA>', 'め <HIRAGANA>', 'ん <HIRAGANA>']],
    ['ｶﾞｷﾞ', ['ｶﾞｷﾞ <KATAKANA>']],
    ['𠮷野家', ['𠮷 <IDEOGRAPHIC>', '野 <IDEOGRAPHIC>', '家 <IDEOGRAPHIC>']],
    ['한국어 한국어a', ['한국어 <HANGUL>', '한국어a']],
    ['１２３', ['１２３ <NUM>']],
    ['สวัสดีครับ ภาษาไทย', ['สวัสดีครับ <SOUTHEAST_ASIAN>', 'ภาษาไทย <SOUTHEAST_ASIAN>']],
    ['ไทย2', ['ไทย <SOUTHEAST_ASIAN>', '2 <NUM>']],
    ['ខ្មែរ', ['ខ្មែរ <SOUTHEAST_ASIAN>']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['Привет, мир! Ελλάδα', ['Привет', 'мир', 'Ελλάδα']],
    ['𝒜𝒷 𐐷', ['𝒜𝒷', '𐐷']],
    ['½ → € §', []],
  ])('tokenizes %s', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })
})

describe('emoji', () => {
  it.each([
    ['💩 💩💩', ['💩 <EMOJI>', '💩 <EMOJI>', '💩 <EMOJI>']],
    ['poo💩poo', ['poo', '💩 <EMOJI>', 'poo']],
    ['👩‍❤️‍👩', ['👩‍❤️‍👩 <EMOJI>']],
    ['👨🏼‍⚕️', ['👨🏼‍⚕️ <EMOJI>']],
    ['🇺🇸🇩🇪', ['🇺🇸 <EMOJI>', '🇩🇪 <EMOJI>']],
    ['3️⃣ #️⃣ 3', ['3️⃣ <EMOJI>', '#️⃣ <EMOJI>', '3 <NUM>']],
    [
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} <EMOJI>'],
    ],
    ['© ™ Acme® ©\ufe0f', ['© <EMOJI>', '™ <EMOJI>', 'Acme', '® <EMOJI>', '©\ufe0f <EMOJI>']],
    ['✓', []],
    ['#tag *bold*', ['tag', 'bold']],
  ])('tokenizes %s', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })
})

describe('the maximum token length', () => {
  it('counts characters, and never splits a surrogate pair', () => {
    expect(tokens('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
    expect(tokens('ab.cd', 3)).toEqual(['ab', 'cd'])
    expect(tokens('a𝒷𝒸', 2)).toEqual(['a', '𝒷', '𝒸'])
    expect(tokens('1'.repeat(5), 2)).toEqual(['11 <NUM>', '11 <NUM>', '1 <NUM>'])
  })
})

/** Texts that exercise the rules: marks, joiners, surrogate pairs, scripts. */
const pieces = fc.constantFrom(
  ...'aZ09_.\':,;# "*ße\u0301\u200d\u00ad\ufe0f\u20e3日ひカ한ไทא©Σİ·’',
  '👩',
  '🏽',
  '🇩',
  '𠮷',
  '\ud83d',
  '\ude00',
  'x'.repeat(130),
)
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

describe('any text', () => {
  it('gives tokens that are in the text, in order and without overlap', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 300 }), (text, maxLength) => {
        const out = new TokenBuffer()
        standardTokens(text, text, out, maxLength)
        let last = 0
        for (let index = 0; index < out.length; index++) {
          const start = out.starts[index]!
          const end = out.ends[index]!
          expect(out.positions[index]).toBe(index)
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end - start).toBeLessThanOrEqual(maxLength)
          expect(out.terms[index]).toBe(text.slice(start, end))
          last = end
        }
        expect(out.endPosition).toBe(out.length)
      }),
      { numRuns: 600 },
    )
  })

  it('keeps its length when it is lower-cased', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lower = toLower(text)
        expect(lower.length).toBe(text.length)
        const one = [...text].map((character) => toLower(character)).join('')
        expect(lower).toBe(one)
      }),
    )
  })

  it('every code point keeps its length when it is lower-cased', () => {
    for (let code = 0; code < 0x20000; code++) {
      const character = String.fromCodePoint(code)
      if (toLower(character).length !== character.length) expect.fail(code.toString(16))
    }
  })
})

describe('the byte tokenizer', () => {
  const standard = analyzerFor('standard')
  const encoder = new TextEncoder()

  it('gives the tokens of the string path, or refuses the text', () => {
    const words = fc.constantFrom(
      'a',
      'Zb',
      '1',
      '_',
      '.',
      "'",
      ':',
      ',',
      ';',
      ' ',
      '#',
      '-',
      'x'.repeat(90),
      'é',
    )
    const found = new ByteTokens()
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), fc.nat(5), (parts, lead) => {
        const text = parts.join('')
        const bytes = encoder.encode('.'.repeat(lead) + text)
        const expected = tokensOf(standard, text)
        if (!standardByteTokens(bytes, lead, bytes.length, found)) {
          expect(/é|[\w.',:;]{256}/.test(text)).toBe(true)
          return
        }
        expect(found.count).toBe(expected.length)
        expected.forEach(({ token, start_offset, end_offset }, index) => {
          const term = found.lower.subarray(start_offset, end_offset)
          expect([found.starts[index], found.ends[index]]).toEqual([start_offset, end_offset])
          expect(Buffer.from(term).toString('latin1')).toBe(token)
          expect(found.hashes[index]).toBe(hashBytes(term, 0, term.length))
        })
      }),
      { numRuns: 400 },
    )
  })
  it('recognises single tokens exactly when the string path does', () => {
    const parts = fc.constantFrom('a', 'zb', 'Z', '1', '_', '.', "'", ':', ',', ';', ' ', '-', 'x'.repeat(90))
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), fc.nat(5), (given, lead) => {
        const text = given.join('')
        const bytes = encoder.encode('a'.repeat(lead) + text)
        const tokens = tokensOf(standard, text)
        expect(isByteToken(bytes, lead, bytes.length)).toBe(tokens.length === 1 && tokens[0]!.token === text)
      }),
      { numRuns: 1000 },
    )
    expect(isByteToken(encoder.encode('né'), 0, 3)).toBe(false)
  })
})
