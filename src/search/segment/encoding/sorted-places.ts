/** Where in a rising list of numbers a value stands. */

/** The first place at or after `from` that holds no less than `value`. */
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

/** As `lowerBound`, for a place that is likely near. */
export function gallop(list: Uint32Array, value: number, from: number): number {
  let step = 1
  let low = from
  while (low + step < list.length && list[low + step]! < value) {
    low += step
    step *= 2
  }
  return lowerBound(list, value, low, Math.min(list.length, low + step + 1))
}
