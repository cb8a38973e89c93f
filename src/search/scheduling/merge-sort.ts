/** A stable merge sort that yields: short runs are sorted first and then merged. */
import type { Steps } from './steps.ts'

type Compare<Item> = (one: Item, other: Item) => number

const runLength = 1024
/** How many items are merged in one step. */
const itemsPerStep = 4096

export function* sortedSteps<Item>(items: readonly Item[], compare: Compare<Item>): Steps<Item[]> {
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += runLength) {
    runs.push(items.slice(from, from + runLength).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const [one, other] = [runs[i]!, runs[i + 1]]
      longer.push(other === undefined ? one : yield* mergedSteps(one, other, compare))
    }
    runs = longer
  }
  return runs[0] ?? []
}

/** Merges two sorted lists; of equal items those of the first list come first. */
function* mergedSteps<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: Compare<Item>,
): Steps<Item[]> {
  const merged: Item[] = []
  let left = 0
  let right = 0
  while (left < one.length || right < other.length) {
    const takesOther = left === one.length || (right < other.length && compare(other[right]!, one[left]!) < 0)
    merged.push(takesOther ? other[right++]! : one[left++]!)
    if (merged.length % itemsPerStep === 0) yield
  }
  return merged
}
