/**
 * The filter `german_stem`: Caumanns, "A fast and simple stemming algorithm for German words". While endings are
 * looked at, one sign stands for letters that belong together, so that they count as one and none of them is cut off.
 */

/** What each sign stands for. */
const signs: readonly (readonly [letters: string, sign: string])[] = [
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
]
const signOf = new Map(signs)
const lettersOf = new Map(signs.map(([letters, sign]) => [sign, letters]))
const repeated = '*'

const plain: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' }

/** The word in signs, and how many letters these save. */
function shortForm(letters: string): { word: string; saved: number } {
  const word: string[] = []
  let saved = 0
  for (let at = 0; at < letters.length; ) {
    const letter = letters[at]!
    if (letter === word.at(-1)) {
      word.push(repeated)
      at++
    } else if (letter === 'ß') {
      word.push('s', repeated)
      saved++
      at++
    } else {
      const size = [3, 2].find((count) => signOf.has(letters.slice(at, at + count))) ?? 1
      word.push(size === 1 ? (plain[letter] ?? letter) : signOf.get(letters.slice(at, at + size))!)
      saved += size - 1
      at += size
    }
  }
  return { word: word.join(''), saved }
}

function stripped(given: string, saved: number): string {
  let word = given
  while (word.length > 3) {
    const length = word.length + saved
    if (length > 5 && word.endsWith('nd')) word = word.slice(0, -2)
    else if (length > 4 && /e[mr]$/.test(word.slice(-2))) word = word.slice(0, -2)
    else if (/[esnt]$/.test(word.slice(-1))) word = word.slice(0, -1)
    else break
  }
  return word
}

export function germanCaumanns(given: string): string {
  const lower = given.toLowerCase()
  if (!/^\p{L}*$/u.test(lower)) return lower
  const { word, saved } = shortForm(lower)
  let stem = stripped(word, saved)
  // The female form of a profession, and a sound that is written in two ways.
  if (stem.length > 5 && stem.endsWith(`erin${repeated}`)) stem = stripped(stem.slice(0, -1), saved)
  if (stem.endsWith('z')) stem = `${stem.slice(0, -1)}x`
  const letters: string[] = []
  for (const sign of stem)
    letters.push(sign === repeated ? (letters.at(-1)?.at(-1) ?? sign) : (lettersOf.get(sign) ?? sign))
  const result = letters.join('')
  return result.length > 4 ? result.replace('gege', 'ge') : result
}
