/** Searches in ascending lists: binary search and galloping (exponential) search. */

/** Returns the first index in `[from, to)` whose element is at least `value`, or `to`. */
export function lowerBound(list: Uint32Array, value: number, from: number, to = list.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the first index in `[from, to)` for which `isBelow` is false, or `to`: the end of the part for which it holds. */
export function partitionPoint(from: number, to: number, isBelow: (index: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Like `lowerBound`, by galloping: faster when the result is near `from`. */
export function gallop(list: Uint32Array, value: number, from: number, to = list.length): number {
  let step = 1
  let low = from
  while (low + step < to && list[low + step]! < value) {
    low += step
    step *= 2
  }
  return lowerBound(list, value, low, Math.min(to, low + step + 1))
}
