/** Lower case as Greek, Irish and Turkish have it: `language` of the filter `lowercase`. */
import { toLower } from './letter-case.ts'
import { normalizing } from './term-filters.ts'

/** Greek letters lose their accents, and a final sigma becomes a plain one. */
const greekLetters = new Map(
  ['ΆάΑα', 'ΈέΕε', 'ΉήΗη', 'ΊΪίϊΐΙι', 'ΌόΟο', 'ΎΫύϋΰΥυ', 'ΏώΩω', 'ςΣσ'].flatMap((letters) =>
    [...letters].map((letter): [string, string] => [letter, letters.at(-1)!]),
  ),
)

export const greekLowercase = normalizing((term) =>
  toLower(term.replace(/[\u0386-\u03ce]/g, (letter) => greekLetters.get(letter) ?? letter)),
)

/** A prefixed `n` or `t` gets a hyphen before a capital vowel. Letters beyond the basic plane stay. */
export const irishLowercase = normalizing((term) =>
  term.replace(/^([nt])(?=[AEIOUÁÉÍÓÚ])/, '$1-').replace(/[^\ud800-\udfff]+/g, toLower),
)

const dot = '\u0307'

/** A capital without a dot becomes one without; a combining dot behind it, maybe among other marks, belongs to it. */
export const turkishLowercase = normalizing((term) =>
  toLower(
    term.replace(/I(\p{Mn}*)/gu, (_all, marks: string) =>
      marks.includes(dot) ? `i${marks.replaceAll(dot, '')}` : `ı${marks}`,
    ),
  ),
)
