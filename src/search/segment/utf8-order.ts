/** Texts in the order of their UTF-8 bytes, which is the order of code points and not of JavaScript's units. */
const surrogate = /[\ud800-\udfff]/

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

/** Numbers 0 … n-1 of the texts, in their order. */
export function utf8Order(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts, (_, i) => i)
  if (texts.some((text) => surrogate.test(text))) {
    return order.sort((a, b) => compareUtf8(texts[a]!, texts[b]!))
  }
  // Sorting the texts natively and looking their places up beats a comparator by far.
  const places = new Map<string, number>()
  texts.forEach((text, i) => {
    places.set(text, i)
  })
  const sorted = [...texts].sort()
  for (let i = 0; i < sorted.length; i++) order[i] = places.get(sorted[i]!)!
  return order
}
