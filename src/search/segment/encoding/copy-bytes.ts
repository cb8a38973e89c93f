/**
 * Copies bytes between memories in JavaScript loops. For a few bytes that is quicker than `TypedArray.set`, which
 * needs a view object and copies shared memory byte by byte.
 */

/**
 * Copies any bytes. The last word overlaps words that were copied before, so nothing outside of the range is
 * touched.
 */
export function copyBytes(source: DataView, from: number, to: number, target: DataView, start: number): void {
  const shift = start - from
  const last = to - 4
  let at = from
  if (last >= from) {
    for (; at < last; at += 4) target.setInt32(at + shift, source.getInt32(at, true), true)
    target.setInt32(last + shift, source.getInt32(last, true), true)
  } else for (; at < to; at++) target.setUint8(at + shift, source.getUint8(at))
}

/**
 * Copies UTF-8 and up to three bytes behind it. Eight bytes travel as one double, which is only safe because no
 * eight bytes of UTF-8 are a NaN.
 */
export function copyText(source: DataView, from: number, to: number, target: DataView, start: number): void {
  const shift = start - from
  let at = from
  for (const last = to - 8; at <= last; at += 8)
    target.setFloat64(at + shift, source.getFloat64(at, true), true)
  for (; at < to; at += 4) target.setInt32(at + shift, source.getInt32(at, true), true)
}
