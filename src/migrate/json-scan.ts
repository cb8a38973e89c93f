/**
 * Reads JSON without making values of it: where members and elements begin and end. A number keeps its digits and a name
 * such as `__proto__` is a name. The texts come from a search API and are valid; what is not is an error, never a loop.
 */
import { backslash, quote } from '../text/ascii.ts'

export class BadJson extends Error {
  override readonly name = 'BadJson'

  constructor() {
    super('an answer is no valid JSON')
  }
}

export function skipSpace(text: string, at: number): number {
  let place = at
  for (;;) {
    const code = text.charCodeAt(place)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return place
    place += 1
  }
}

/** `at` is the opening quote; returns the place behind the closing one. */
export function skipString(text: string, at: number): number {
  let place = at + 1
  for (;;) {
    const end = text.indexOf('"', place)
    if (end < 0) throw new BadJson()
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash && end - 1 - slashes > at) slashes += 1
    if (slashes % 2 === 0) return end + 1
    place = end + 1
  }
}

/** `at` is the first character of a value; returns the place behind it. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === quote) return skipString(text, at)
  const isNested = first === 0x7b || first === 0x5b
  let depth = 0
  let place = at
  for (; place < text.length; ) {
    const code = text.charCodeAt(place)
    if (code === quote) {
      place = skipString(text, place)
      continue
    }
    if (isNested) {
      if (code === 0x7b || code === 0x5b) depth += 1
      else if (code === 0x7d || code === 0x5d) {
        depth -= 1
        if (depth === 0) return place + 1
      }
    } else if (code === 0x2c || code === 0x7d || code === 0x5d || code <= 0x20) return place
    place += 1
  }
  if (isNested) throw new BadJson()
  return place
}

/** Calls with each member of the object at `at`: its name, and where its value begins and ends. */
export function eachMember(
  text: string,
  at: number,
  visit: (name: string, start: number, end: number) => void,
): void {
  if (text[at] !== '{') throw new BadJson()
  let place = skipSpace(text, at + 1)
  if (text[place] === '}') return
  for (;;) {
    if (text[place] !== '"') throw new BadJson()
    const nameEnd = skipString(text, place)
    const name = JSON.parse(text.slice(place, nameEnd)) as string
    place = skipSpace(text, nameEnd)
    if (text[place] !== ':') throw new BadJson()
    const start = skipSpace(text, place + 1)
    const end = skipValue(text, start)
    visit(name, start, end)
    place = skipSpace(text, end)
    if (text[place] === '}') return
    if (text[place] !== ',') throw new BadJson()
    place = skipSpace(text, place + 1)
  }
}

/** Calls with the place of each element of the array at `at`. */
export function eachElement(text: string, at: number, visit: (start: number) => void): void {
  if (text[at] !== '[') throw new BadJson()
  let place = skipSpace(text, at + 1)
  if (text[place] === ']') return
  for (;;) {
    visit(place)
    place = skipSpace(text, skipValue(text, place))
    if (text[place] === ']') return
    if (text[place] !== ',') throw new BadJson()
    place = skipSpace(text, place + 1)
  }
}
