/**
 * Fragments of the fast vector highlighter, as Lucene makes them: a window of `fragment_size` characters with the
 * marked phrases in its middle, moved to the next boundary on either side.
 */
import { illegalArgument } from '../../request/errors.ts'
import { sentenceBoundaries, wordBoundaries } from './boundaries.ts'

/** Parts of a text that are marked together: one term, or the terms of a phrase. */
export type Unit = readonly { readonly start: number; readonly end: number }[]

interface Window {
  start: number
  end: number
  readonly units: Unit[]
}

export type FindBoundary = (text: string, offset: number, isStart: boolean) => number

const margin = 6
const minSize = margin * 3

/** Throws for windows without room for a margin, whatever there is to mark. */
export function checkWindow(size: number): void {
  if (size >= minSize) return
  throw illegalArgument(`fragCharSize(${size}) is too small. It must be ${minSize} or higher.`)
}

export function vectorFragments(units: readonly Unit[], size: number): Window[] {
  const windows: Window[] = []
  let from = 0
  let at = 0
  while (at < units.length) {
    const start = startOf(units[at]!)
    if (start < from) {
      at++
      continue
    }
    let end = endOf(units[at]!)
    const limit = Math.max(end, Math.max(start - margin, from) + size)
    const inside: Unit[] = []
    const take = (unit: Unit) => {
      if (unit.length <= 1 || endOf(unit) - start <= size) inside.push(unit)
    }
    take(units[at++]!)
    for (; at < units.length && endOf(units[at]!) <= limit; at++) {
      end = endOf(units[at]!)
      take(units[at]!)
    }
    if (inside.length === 0) continue
    const length = end - start
    const spanStart = Math.max(start - Math.max(0, Math.floor((size - length) / 2)), from)
    const spanEnd = spanStart + Math.max(length, size)
    from = spanEnd
    windows.push({ start: spanStart, end: spanEnd, units: inside })
  }
  return windows
}

function startOf(unit: Unit): number {
  return unit[0]!.start
}

function endOf(unit: Unit): number {
  return unit.at(-1)!.end
}

/** Looks for one of several characters, up to a number of steps. */
export function characterBoundary(characters: string, steps: number): FindBoundary {
  return (text, offset, isStart) => {
    if (offset > text.length || offset < (isStart ? 1 : 0)) return offset
    let at = offset
    for (let left = steps; left > 0; left--) {
      if (isStart && at === 0) break
      // Lucene writes a space behind each value.
      if (!isStart && at === text.length) return characters.includes(' ') ? at : offset
      if (characters.includes(text[isStart ? at - 1 : at]!)) return at
      at += isStart ? -1 : 1
    }
    return isStart && at === 0 ? 0 : offset
  }
}

export function breakBoundary(kind: 'word' | 'sentence'): FindBoundary {
  const boundariesOf = kind === 'word' ? wordBoundaries : sentenceBoundaries
  return (text, offset, isStart) => {
    if (offset > text.length || offset < (isStart ? 1 : 0)) return offset
    if (isStart) return boundariesOf(text.slice(0, offset)).preceding(offset)
    return offset + boundariesOf(text.slice(offset)).following(0)
  }
}
