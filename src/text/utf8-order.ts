/** Compares texts by their UTF-8 bytes, which is code point order; JavaScript compares UTF-16 units. */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    // Surrogates stand for code points above all others.
    if (a !== b) return lifted(a) - lifted(b)
  }
  return left.length - right.length
}

function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
