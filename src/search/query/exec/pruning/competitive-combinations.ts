/** What a document must hold of several lists for the most they add to be above a score. */

/** Lists, as bits: those that hold the document, and of them those that hold it with a repeated term. */
export interface Way {
  readonly held: number
  readonly repeated: number
}

/** Beyond this looking at each document costs less than telling the ways apart. */
const maxWays = 24
/** Sums of bounds in another order may differ by less. */
const slack = 1 + 1e-9

/**
 * The smallest ways to be above `least`. `once` and `most` hold what each list adds at most to documents with its term
 * once, and to any; both negative infinity when it holds none.
 */
export function waysAbove(once: Float64Array, most: Float64Array, least: number): readonly Way[] {
  if (least < 0) return eachList(once)
  const ways: Way[] = []
  const rests = new Float64Array(once.length + 1)
  for (let i = once.length - 1; i >= 0; i--) rests[i] = rests[i + 1]! + Math.max(0, most[i]!)
  // Smaller ways come before all that hold them.
  const add = (list: number, sum: number, held: number, repeated: number): void => {
    if (ways.length > maxWays) return
    // Rounded as scores are.
    if (Math.fround(sum) > least) {
      if (!ways.some((way) => isWithin(way, held, repeated))) ways.push({ held, repeated })
      return
    }
    if (list === once.length || Math.fround((sum + rests[list]!) * slack) <= least) return
    add(list + 1, sum, held, repeated)
    if (once[list] === Number.NEGATIVE_INFINITY) return
    const bit = 1 << list
    add(list + 1, sum + once[list]!, held | bit, repeated)
    if (most[list]! > once[list]!) add(list + 1, sum + most[list]!, held | bit, repeated | bit)
  }
  add(0, 0, 0, 0)
  return ways.length <= maxWays ? ways : eachList(once)
}

function isWithin(way: Way, held: number, repeated: number): boolean {
  return (held & way.held) === way.held && (repeated & way.repeated) === way.repeated
}

function eachList(once: Float64Array): Way[] {
  return Array.from(once, (_, list) => ({ held: 1 << list, repeated: 0 }))
}
