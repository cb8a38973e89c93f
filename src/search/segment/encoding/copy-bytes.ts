/**
 * Copies from one memory to another in loops of JavaScript, which for few bytes is quicker than `set`: that needs an
 * object for them, and takes shared memory byte by byte.
 */

/** Any bytes. The last word is copied together with some that were copied before, so nothing else is touched. */
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
 * UTF-8, with up to three bytes behind it. Eight bytes go as one number, which is only safe because no eight bytes of
 * UTF-8 are a NaN.
 */
export function copyText(source: DataView, from: number, to: number, target: DataView, start: number): void {
  const shift = start - from
  let at = from
  for (const last = to - 8; at <= last; at += 8)
    target.setFloat64(at + shift, source.getFloat64(at, true), true)
  for (; at < to; at += 4) target.setInt32(at + shift, source.getInt32(at, true), true)
}
