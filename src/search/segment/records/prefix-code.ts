/** Prefix codes (Huffman codes) of a limited length, as lists of code lengths; equal lengths give equal codes. */

/**
 * Returns the length of the code of each symbol, 0 for symbols that do not occur. Codes are those of Huffman's algorithm; where
 * they would be longer than `maxBits`, shorter ones make room.
 */
export function codeLengths(frequencies: ArrayLike<number>, maxBits: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length)
  const symbols: number[] = []
  for (let symbol = 0; symbol < frequencies.length; symbol++)
    if (frequencies[symbol]! > 0) symbols.push(symbol)
  if (symbols.length === 1) lengths[symbols[0]!] = 1
  if (symbols.length < 2) return lengths
  if (symbols.length > 1 << maxBits) throw new RangeError('a code of that length has fewer members')
  symbols.sort((a, b) => frequencies[a]! - frequencies[b]! || a - b)
  const counts = limitedCounts(depthsOf(symbols.map((symbol) => frequencies[symbol]!)), maxBits)
  // The rarest symbols have the longest codes.
  let at = 0
  for (let length = maxBits; length > 0; length--)
    for (let i = 0; i < counts[length]!; i++) lengths[symbols[at++]!] = length
  return lengths
}

/** Returns the depth of each leaf of the Huffman tree over weights in ascending order. */
function depthsOf(weights: readonly number[]): number[] {
  const leaves = weights.length
  const sums = [...weights]
  const parents = new Uint32Array(2 * leaves - 1)
  let [leaf, inner] = [0, leaves]
  const smallest = (): number => {
    const isLeaf = leaf < leaves && (inner >= sums.length || sums[leaf]! <= sums[inner]!)
    return isLeaf ? leaf++ : inner++
  }
  while (sums.length < 2 * leaves - 1) {
    const [one, other] = [smallest(), smallest()]
    parents[one] = parents[other] = sums.length
    sums.push(sums[one]! + sums[other]!)
  }
  const depths = new Array<number>(2 * leaves - 1).fill(0)
  for (let node = depths.length - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1
  return depths.slice(0, leaves)
}

/** Returns how many codes there are of each length, when none may be longer than `maxBits`. */
function limitedCounts(depths: readonly number[], maxBits: number): number[] {
  const counts = new Array<number>(maxBits + 1).fill(0)
  for (const depth of depths) counts[Math.min(depth, maxBits)]!++
  // Kraft's sum in units of the longest code; lengths are taken from shorter codes until it is met.
  let sum = 0
  for (let length = 1; length <= maxBits; length++) sum += counts[length]! << (maxBits - length)
  for (; sum > 1 << maxBits; sum--) {
    let length = maxBits - 1
    while (counts[length] === 0) length--
    counts[length]!--
    counts[length + 1]! += 2
    counts[maxBits]!--
  }
  return counts
}

/** Returns the canonical code of each symbol with its bits reversed, because streams are written from the lowest bit. */
export function reversedCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length)
  let code = 0
  for (let length = 1; length < 16; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length)
    code <<= 1
  }
  return codes
}

function reversed(code: number, length: number): number {
  let bits = 0
  for (let i = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i)
  return bits
}

/**
 * Calls back with each symbol and the entries of a decoding table that stand for it: `first`, `first + step` and so
 * on. Throws when the lengths are not those of a prefix code.
 */
export function eachTableEntry(
  lengths: Uint8Array,
  tableBits: number,
  call: (symbol: number, first: number, step: number) => void,
): void {
  let sum = 0
  for (const length of lengths) {
    if (length > tableBits) throw new RangeError('a code is too long')
    if (length > 0) sum += 1 << (tableBits - length)
  }
  if (sum > 1 << tableBits) throw new RangeError('a code has too many members')
  const codes = reversedCodes(lengths)
  for (let symbol = 0; symbol < lengths.length; symbol++)
    if (lengths[symbol]! > 0) call(symbol, codes[symbol]!, 1 << lengths[symbol]!)
}
