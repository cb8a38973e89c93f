/**
 * Selections and orders of a list's items, bounded in number.
 */
import type { RubyValue } from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { maxItems, tooMany } from './items.ts'

type List = RubyValue[]

export function combinations(list: List, size: number): List[] {
  if (size < 0 || size > list.length) return []
  if (size === 0) return [[]]
  const found: List[] = []
  const pick = (from: number, chosen: List): void => {
    tick()
    if (chosen.length === size) {
      if (found.length >= maxItems) tooMany()
      found.push(chosen)
      return
    }
    for (let i = from; i < list.length; i++) pick(i + 1, [...chosen, list[i]!])
  }
  pick(0, [])
  return found
}

export function permutations(list: List, size: number): List[] {
  const found: List[] = []
  const pick = (chosen: number[]): void => {
    tick()
    if (chosen.length === size) {
      if (found.length >= maxItems) tooMany()
      found.push(chosen.map((i) => list[i]!))
      return
    }
    for (let i = 0; i < list.length; i++) if (!chosen.includes(i)) pick([...chosen, i])
  }
  pick([])
  return found
}

export function shuffled(list: List): List {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const kept = copy[i]!
    copy[i] = copy[j]!
    copy[j] = kept
  }
  return copy
}
