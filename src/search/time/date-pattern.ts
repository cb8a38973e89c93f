/**
 * Compiles java.time patterns (`yyyy-MM-dd HH:mm:ss`) to elements. Repeated letters give the width, `[ ]` is
 * optional, `' '` quotes. Texts are English. Names in braces, which java.time reserves, are ours: elements of
 * built-in formats that no letter describes.
 */
import { monthNames, weekdayNames } from '../../time/english-names.ts'
import {
  type DateElement,
  fraction,
  gmtOffset,
  literal,
  name,
  numberElement,
  offset,
  optional,
  sequence,
  shortYear,
  zoneId,
  zoneOrOffset,
} from './date-elements.ts'
import { type Slot, slot } from './date-fields.ts'

export class DatePatternError extends Error {
  override readonly name = 'DatePatternError'
}

function short(names: readonly string[]): string[] {
  return names.map((full) => full.slice(0, 3))
}

function initials(names: readonly string[]): string[] {
  return names.map((full) => full.slice(0, 1))
}

/** Elements of built-in formats. */
const pieces = new Map<string, () => DateElement>([
  ['year', () => numberElement(slot.year, { min: 4, max: 9, sign: 'pad' })],
  ['lenient year', () => numberElement(slot.year, { min: 1, max: 9, sign: 'minus' })],
  ['four digits', () => numberElement(slot.year, { min: 4, max: 4, sign: 'none' })],
  ['week year', () => numberElement(slot.weekYear, { min: 4, max: 9, sign: 'pad' })],
  ['lenient week year', () => numberElement(slot.weekYear, { min: 1, max: 9, sign: 'minus' })],
  ['four week digits', () => numberElement(slot.weekYear, { min: 4, max: 4, sign: 'none' })],
  ['fraction', () => fraction(1, 9, true, 3)],
  ['millis', () => fraction(1, 3, true, 3)],
  ['zone', () => zoneOrOffset('yes')],
  ['basic zone', () => zoneOrOffset('no')],
])

/** Letters for one or two digits, with their slot. */
const plainNumbers = new Map<string, Slot>([
  ['d', slot.day],
  ['H', slot.hour],
  ['k', slot.clockHour],
  ['K', slot.halfDayHour],
  ['h', slot.clockHalfDayHour],
  ['m', slot.minute],
  ['s', slot.second],
  ['w', slot.week],
])

const years = new Map<string, Slot>([
  ['u', slot.year],
  ['y', slot.yearOfEra],
  ['Y', slot.weekYear],
])

const freeNumbers = new Map<string, Slot>([
  ['A', slot.milliOfDay],
  ['n', slot.nano],
  ['N', slot.nanoOfDay],
])

/** A pattern letter and its repeat count. */
interface Letters {
  readonly letter: string
  readonly count: number
}

type Part = Letters | DateElement

/** Throws DatePatternError with java.time's message. */
export function compileDatePattern(pattern: string, withPieces = false): DateElement {
  const groups: Part[][] = [[]]
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!
    const parts = groups.at(-1)!
    if (/[A-Za-z]/.test(character)) {
      let end = at
      while (pattern[end] === character) end++
      parts.push({ letter: character, count: end - at })
      at = end
    } else if (character === "'") {
      const { text, end } = readQuoted(pattern, at)
      parts.push(literal(text))
      at = end
    } else if (character === '[') {
      groups.push([])
      at++
    } else if (character === ']') {
      if (groups.length === 1)
        throw new DatePatternError('Pattern invalid as it contains ] without previous [')
      groups.pop()
      groups.at(-1)!.push(optional(sequence(compileParts(parts))))
      at++
    } else if (character === '{' && withPieces) {
      const end = pattern.indexOf('}', at)
      parts.push(pieces.get(pattern.slice(at + 1, end))!())
      at = end + 1
    } else {
      if ('{}#'.includes(character)) {
        throw new DatePatternError(`Pattern includes reserved character: '${character}'`)
      }
      parts.push(literal(character))
      at++
    }
  }
  while (groups.length > 1) {
    const parts = groups.pop()!
    groups.at(-1)!.push(optional(sequence(compileParts(parts))))
  }
  return sequence(compileParts(groups[0]!))
}

function readQuoted(pattern: string, start: number): { text: string; end: number } {
  let text = ''
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at]
    else if (pattern[at + 1] === "'") text += pattern[at++]
    else return { text: text === '' ? "'" : text, end: at + 1 }
  }
  throw new DatePatternError(`Pattern ends with an incomplete string literal: ${pattern}`)
}

function compileParts(parts: readonly Part[]): DateElement[] {
  return parts.map((part, index) => {
    if (!('letter' in part)) return part
    let reserved = 0
    for (let next = index + 1; next < parts.length; next++) {
      const width = fixedWidth(parts[next]!)
      if (width === 0) break
      reserved += width
    }
    return compileLetters(part, fixedWidth(part) > 0 ? 0 : reserved)
  })
}

/** Returns the number of digits of a fixed-width number; 0 for anything else. */
function fixedWidth(part: Part): number {
  if (!('letter' in part)) return 0
  const { letter, count } = part
  if (letter === 'S') return count
  if (plainNumbers.has(letter) || 'MLQq'.includes(letter)) return count === 2 ? 2 : 0
  return letter === 'D' && count === 3 ? 3 : 0
}

function compileLetters({ letter, count }: Letters, reserved: number): DateElement {
  const tooMany = new DatePatternError(`Too many pattern letters: ${letter}`)
  const year = years.get(letter)
  if (year !== undefined) return compileYear(year, count, reserved)
  const plain = plainNumbers.get(letter)
  if (plain !== undefined) {
    if (count > 2) throw tooMany
    return numberElement(plain, count === 2 ? two : one, reserved)
  }
  const free = freeNumbers.get(letter)
  if (free !== undefined) return numberElement(free, { min: count, max: 19, sign: 'none' }, reserved)
  const numberOrText = (of: Slot, names: readonly string[]) => {
    if (count > 5) throw tooMany
    return count < 3 ? numberElement(of, count === 2 ? two : one, reserved) : textOf(of, names, count)
  }
  switch (letter) {
    case 'G':
      if (count > 5) throw tooMany
      if (count === 5) return name(slot.era, ['B', 'A'], 0)
      return name(slot.era, count === 4 ? ['Before Christ', 'Anno Domini'] : ['BC', 'AD'], 0)
    case 'M':
    case 'L':
      return numberOrText(slot.month, monthNames)
    case 'Q':
    case 'q':
      if (count > 4) throw tooMany
      if (count < 3) return numberElement(slot.quarter, count === 2 ? two : one, reserved)
      return name(
        slot.quarter,
        count === 3 ? ['Q1', 'Q2', 'Q3', 'Q4'] : ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter'],
        1,
      )
    case 'D':
      if (count > 3) throw tooMany
      return numberElement(slot.dayOfYear, { min: count, max: count === 1 ? 19 : 3, sign: 'none' }, reserved)
    case 'E':
      if (count > 5) throw tooMany
      return textOf(slot.weekday, weekdayNames, Math.max(count, 3))
    case 'e':
    case 'c':
      return numberOrText(slot.weekday, weekdayNames)
    case 'a':
      if (count > 1) throw tooMany
      return name(slot.halfDay, ['AM', 'PM'], 0)
    case 'S':
      if (count > 9) {
        throw new DatePatternError(`Minimum width must be from 0 to 9 inclusive but was ${count}`)
      }
      return fraction(count, count, false)
    case 'V':
      if (count !== 2) throw new DatePatternError(`Pattern letter count must be 2: ${letter}`)
      return zoneId()
    case 'z':
    case 'v':
      if (count > 4) throw tooMany
      return zoneId()
    default:
      return compileOffset(letter, count, tooMany)
  }
}

const one = { min: 1, max: 19, sign: 'none' } as const
const two = { min: 2, max: 2, sign: 'none' } as const

function compileYear(field: Slot, count: number, reserved: number): DateElement {
  if (count === 2) return shortYear(field, 0)
  if (count < 4) return numberElement(field, { min: count, max: 19, sign: 'minus' }, reserved)
  return numberElement(field, { min: count, max: 19, sign: 'pad' }, reserved)
}

function textOf(field: Slot, names: readonly string[], count: number): DateElement {
  if (count === 5) return name(field, initials(names), 1)
  return name(field, count === 4 ? names : short(names), 1)
}

function compileOffset(letter: string, count: number, tooMany: DatePatternError): DateElement {
  if (!'XxZO'.includes(letter)) throw new DatePatternError(`Unknown pattern letter: ${letter}`)
  if (count > 5) throw tooMany
  if (letter === 'Z') {
    if (count === 5) return offset({ colons: 'yes', zero: 'Z', seconds: true })
    return count === 4 ? gmtOffset(true) : offset({ colons: 'no', zero: '+0000' })
  }
  if (letter === 'O') {
    if (count !== 1 && count !== 4)
      throw new DatePatternError(`Pattern letter count must be 1 or 4: ${letter}`)
    return gmtOffset(count === 4)
  }
  const colons = count === 3 || count === 5
  const zero = letter === 'X' ? 'Z' : count === 1 ? '+00' : colons ? '+00:00' : '+0000'
  return offset({ colons: colons ? 'yes' : 'no', zero, hoursAlone: count === 1, seconds: count > 3 })
}
