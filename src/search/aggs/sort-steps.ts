/** A bottom-up merge sort in steps: runs are sorted first and then merged pairwise. */
import type { Steps } from '../scheduling/steps.ts'

type Numbers = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** The length of a run. */
const runLength = 512
/** Numbers merged or tested per step. */
const stepNumbers = 2048

/** The sort is stable. The input array may be used as scratch space. */
export function* sortSteps<List extends Numbers>(
  list: List,
  compare: (one: number, other: number) => number,
): Steps<List> {
  const { length } = list
  if (length <= runLength) return list.sort(compare) as List
  for (let from = 0; from < length; from += runLength) {
    list.subarray(from, from + runLength).sort(compare)
    yield
  }
  let source: Numbers = list
  let target: Numbers = list instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length)
  for (let run = runLength; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const middle = Math.min(from + run, length)
      const end = Math.min(middle + run, length)
      let left = from
      let right = middle
      for (let at = from; at < end; at++) {
        if (at % stepNumbers === stepNumbers - 1) yield
        const takesLeft = left < middle && (right === end || compare(source[left]!, source[right]!) <= 0)
        target[at] = takesLeft ? source[left++]! : source[right++]!
      }
    }
    const joined: Numbers = target
    target = source
    source = joined
  }
  return source as List
}

/** Filters a list in steps. */
export function* filterSteps(
  list: Uint32Array<ArrayBuffer>,
  isKept: (number: number) => boolean,
): Steps<Uint32Array<ArrayBuffer>> {
  const kept = new Uint32Array(list.length)
  let count = 0
  for (let i = 0; i < list.length; i++) {
    if (i % stepNumbers === stepNumbers - 1) yield
    if (isKept(list[i]!)) kept[count++] = list[i]!
  }
  return kept.subarray(0, count)
}
