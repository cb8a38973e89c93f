/**
 * Which characters are the same letter when case is ignored. Ruby folds over all of Unicode: `k` also
 * matches the Kelvin sign, `s` the long s, and `ss` the single letter `ß`. The table is built on first
 * use from the case mappings of the JavaScript engine; ASCII letters need no table.
 */

const lastCased = 0x1e943
/** The dotless i has an upper case `I`, yet Unicode's folding keeps it apart from `i`. */
const notFolded = new Set([0x130, 0x131])

let orbits: Map<number, number[]> | undefined

/** All characters equal to `code` when case is ignored, `code` first. */
export function caseVariants(code: number): number[] {
  if (code < 0x80) {
    const lower = code | 0x20
    if (lower < 0x61 || lower > 0x7a) return [code]
    const variants = [code, code ^ 0x20]
    if (lower === 0x6b) variants.push(0x212a)
    if (lower === 0x73) variants.push(0x17f)
    return variants
  }
  const orbit = foldTable().get(code)
  return orbit === undefined ? [code] : [code, ...orbit.filter((other) => other !== code)]
}

/** Every character that has a variant, mapped to its group of variants. */
export function foldTable(): Map<number, number[]> {
  if (orbits !== undefined) return orbits
  const table = new Map<number, number[]>()
  for (let code = 0x41; code <= lastCased; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || notFolded.has(code)) continue
    const text = String.fromCodePoint(code)
    for (const mapped of [text.toLowerCase(), text.toUpperCase()]) {
      if (mapped === text) continue
      const other = mapped.codePointAt(0)!
      if (String.fromCodePoint(other) === mapped) join(table, code, other)
    }
  }
  orbits = table
  return table
}

function join(table: Map<number, number[]>, a: number, b: number): void {
  const left = table.get(a) ?? [a]
  const right = table.get(b) ?? [b]
  if (left === right) return
  const all = [...new Set([...left, ...right])]
  for (const member of all) table.set(member, all)
}

/** Letter pairs and triples that Ruby also accepts as one character, longest first. */
export const ligatures: ReadonlyArray<{ letters: string; singles: readonly number[] }> = [
  { letters: 'ffi', singles: [0xfb03] },
  { letters: 'ffl', singles: [0xfb04] },
  { letters: 'ff', singles: [0xfb00] },
  { letters: 'fi', singles: [0xfb01] },
  { letters: 'fl', singles: [0xfb02] },
  { letters: 'ss', singles: [0xdf, 0x1e9e] },
  { letters: 'st', singles: [0xfb05, 0xfb06] },
]

export function lettersOfLigature(code: number): string | undefined {
  return ligatures.find(({ singles }) => singles.includes(code))?.letters
}
