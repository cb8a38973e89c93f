/**
 * Writes sets of characters as JavaScript. For ASCII texts a set is evaluated to 128 flags and becomes a
 * short plain class. For other texts it becomes a class of the `u` flag: written out as ranges where it
 * has no properties, else composed of classes and look-aheads. (The `v` flag has intersections of its
 * own, but V8 up to 11.3 loses characters when such a class is repeated.)
 */
import { foldTable } from './case-fold.ts'
import { asciiMembers, type CharSet, contains, isAscii, withoutNegation } from './char-set.ts'
import { complement, intersected, joined, pairs } from './code-ranges.ts'

/**
 * A plain class. A set of ASCII characters is written by its members and right for every text; of another
 * set only the ASCII part is written, shorter by what it leaves out, and right for ASCII texts only.
 */
export function asciiClassText(set: CharSet, fold: boolean): string {
  const members = asciiMembers(set, fold)
  const inside = classRanges(members, true)
  if (inside === '') return '[]'
  if (inside === '0-9') return '\\d'
  if (inside === '0-9A-Z_a-z') return '\\w'
  if (isAscii(set)) return `[${inside}]`
  const outside = classRanges(members, false)
  return outside.length < inside.length ? `[^${outside}]` : `[${inside}]`
}

function classRanges(members: readonly boolean[], wanted: boolean): string {
  let text = ''
  for (let code = 0; code < 128; code++) {
    if (members[code] !== wanted) continue
    let last = code
    while (last < 127 && members[last + 1] === wanted) last++
    text += asciiClassChar(code)
    if (last > code) text += last === code + 1 ? asciiClassChar(last) : `-${asciiClassChar(last)}`
    code = last
  }
  return text
}

function asciiClassChar(code: number): string {
  const char = String.fromCharCode(code)
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  return '\\]^-'.includes(char) ? `\\${char}` : char
}

/** One character for the `u` flag; `flagged` says that the `i` flag will be set as well. */
export function unicodeClassText(set: CharSet, fold: boolean, flagged: boolean): string {
  if (!fold || (flagged && foldsByMember(set))) return oneCharacter(set)
  const { inner, negate } = withoutNegation(set)
  const variants: CharSet[] = []
  for (const code of foldTable().keys()) {
    if (contains(inner, code, true) && !contains(inner, code))
      variants.push({ kind: 'range', from: code, to: code })
  }
  return oneCharacter({ kind: 'union', negate, items: [inner, ...variants] })
}

function oneCharacter(set: CharSet): string {
  const ranges = rangesOf(set)
  if (ranges !== null) return rangeClass(ranges)
  const members = flatMembers(set)
  if (members !== null) return `[${members}]`
  if (set.kind === 'range' || set.kind === 'property') return `[${flatMembers(set)}]`
  if (set.negate) {
    const positive = { ...set, negate: false }
    const inside = flatMembers(positive)
    return inside === null ? `(?:(?!${oneCharacter(positive)})[^])` : `[^${inside}]`
  }
  if (set.kind === 'intersection') {
    const [first, ...others] = set.items.map(oneCharacter)
    return `(?:${others.map((item) => `(?=${item})`).join('')}${first ?? '[^]'})`
  }
  const flat = set.items.map(flatMembers).filter((text) => text !== null)
  const nested = set.items.filter((item) => flatMembers(item) === null).map(oneCharacter)
  return `(?:${[...(flat.length > 0 ? [`[${flat.join('')}]`] : []), ...nested].join('|')})`
}

/** The set as ranges of code points, or null when a property is in it. */
function rangesOf(set: CharSet): number[] | null {
  if (set.kind === 'range') return [set.from, set.to]
  if (set.kind === 'property') return null
  const items: number[][] = []
  for (const item of set.items) {
    const ranges = rangesOf(item)
    if (ranges === null) return null
    items.push(ranges)
  }
  const all = set.kind === 'union' ? joined(items) : intersected(items)
  return set.negate ? complement(all) : all
}

/** The set as members of a class, or null when it is more than a union. */
function flatMembers(set: CharSet): string | null {
  if (set.kind === 'property') return set.text
  const ranges = rangesOf(set)
  if (ranges !== null) return rangesText(ranges)
  if (set.kind !== 'union' || set.negate) return null
  let text = ''
  for (const item of set.items) {
    const members = flatMembers(item)
    if (members === null) return null
    text += members
  }
  return text
}

function rangeClass(ranges: number[]): string {
  const outside = complement(ranges)
  return outside.length < ranges.length ? `[^${rangesText(outside)}]` : `[${rangesText(ranges)}]`
}

function rangesText(ranges: number[]): string {
  return pairs(ranges)
    .map(([from, to]) => {
      if (from === to) return unicodeClassChar(from)
      return `${unicodeClassChar(from)}${to === from + 1 ? '' : '-'}${unicodeClassChar(to)}`
    })
    .join('')
}

function unicodeClassChar(code: number): string {
  return code >= 0x80 ? `\\u{${code.toString(16)}}` : asciiClassChar(code)
}

/** Whether the engine's `i` flag, which folds each member by itself, gives the same set. */
function foldsByMember(set: CharSet): boolean {
  const { inner } = withoutNegation(set)
  return inner.kind !== 'intersection' && (inner.kind !== 'union' || inner.items.every(isPositive))
}

function isPositive(set: CharSet): boolean {
  if (set.kind === 'range' || set.kind === 'property') return true
  return set.kind === 'union' && !set.negate && set.items.every(isPositive)
}
