/**
 * The word-break classes of ASCII as bits, for the loops that process nearly all text. A letter, digit or `_` joins
 * any other; `.` and `'` join two letters or two digits, `:` two letters, `,` and `;` two digits.
 */
const asciiLetter = 1
const asciiDigit = 2
const asciiConnector = 4
/** Joins two letters; shifted right by three it is the bit of what it joins. */
const asciiMidLetter = 8
const asciiMidNumber = 16
/** Letters, digits, `_`: what a token may start with. */
export const asciiWord = asciiLetter | asciiDigit | asciiConnector
export const asciiContent = asciiLetter | asciiDigit

export const asciiClasses = new Uint8Array(256)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[A-Za-z]/.test(character)) asciiClasses[code] = asciiLetter
  else if (/[0-9]/.test(character)) asciiClasses[code] = asciiDigit
  else if (character === '_') asciiClasses[code] = asciiConnector
  else if (character === '.' || character === "'") asciiClasses[code] = asciiMidLetter | asciiMidNumber
  else if (character === ':') asciiClasses[code] = asciiMidLetter
  else if (character === ',' || character === ';') asciiClasses[code] = asciiMidNumber
}
