/**
 * The filter `indic_normalization`: a vowel or consonant of an Indian script that is written as two or three code
 * points becomes the one that Unicode has for it. Offsets within the block of a script are alike for all of them.
 */
import { normalizing } from '../../filters/term-filters.ts'

/** Offsets of the code points in the block, and of the one that stands for them; `zz` is a zero-width joiner. */
const scripts: readonly (readonly [block: number, compositions: string])[] = [
  [
    // Devanagari
    0x0900,
    `053e45>11 053e46>12 053e47>13 053e48>14 053e>06 0545>72 0546>04 0549>11 054a>12 054b>13 054c>14
      0645>11 0646>12 0647>13 0648>14 0941>0a 0f45>0d 0f46>0e 0f47>10 153c>58 163c>59 173c>5a
      1c3c>5b 213c>5c 223c>5d 283c>29 2b3c>5e 2f3c>5f 303c>31 333c>34 3e45>49 3e46>4a 3e47>4b
      3e48>4c`,
  ],
  [
    // Bengali
    0x0980,
    `053e>06 213c>5c 223c>5d 244dzz>4e 2f3c>5f 473e>4b 4757>4c`,
  ],
  [
    // Gurmukhi
    0x0a00,
    `053e>06 0548>10 054c>14 163c>59 173c>5a 1c3c>5b 2b3c>5e 4141>42 723f>07 7240>08 7247>0f 7341>09
      7342>0a 734b>13`,
  ],
  [
    // Gujarati
    0x0a80,
    `053e45>11 053e47>13 053e48>14 053e>06 0545>0d 0547>0f 0548>10 0549>11 054b>13 054c>14 0645>11
      0647>13 0648>14 3e45>49 3e47>4b 3e48>4c`,
  ],
  [
    // Oriya
    0x0b00,
    `053e>06 0f57>10 1357>14 213c>5c 223c>5d 473e>4b 4757>4c`,
  ],
  [
    // Tamil
    0x0b80,
    `0957>0a 1257>14 463e>4a 4657>4c 473e>4b`,
  ],
  [
    // Telugu
    0x0c00,
    `124c>14 1255>13 2c4141>0b 3541>2e 4655>47 4656>48`,
  ],
  [
    // Kannada
    0x0c80,
    `124c>14 3f55>40 464255>4b 4642>4a 4655>47 4656>48 4a55>4b`,
  ],
  [
    // Malayalam
    0x0d00,
    `0757>08 0957>0a 0e46>10 123e>13 1257>14 234dzz>7a 284dzz>7b 304dzz>7c 324dzz>7d 334dzz>7e 463e>4a
      4646>48 4657>4c 473e>4b`,
  ],
]

const zeroWidthJoiner = '\u200d'

function codePoint(block: number, offset: string): string {
  return offset === 'zz' ? zeroWidthJoiner : String.fromCharCode(block + Number.parseInt(offset, 16))
}

const compositions: ReadonlyMap<string, string> = new Map(
  scripts.flatMap(([block, lines]) =>
    lines.split(/\s+/).map((line): [string, string] => {
      const [parts = '', whole = ''] = line.split('>')
      return [parts.replace(/../g, (offset) => codePoint(block, offset)), codePoint(block, whole)]
    }),
  ),
)

const indic = /[\u0900-\u0d7f]/

function composed(term: string): string {
  if (!indic.test(term)) return term
  let result = ''
  let at = 0
  while (at < term.length) {
    let size = 3
    while (size > 1 && !compositions.has(term.slice(at, at + size))) size--
    result += size === 1 ? term[at]! : compositions.get(term.slice(at, at + size))!
    at += size
  }
  return result
}

export const indicNormalization = normalizing(composed)
