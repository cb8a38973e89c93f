/** A number in groups of seven bits, the lowest first, as Protocol Buffers and Avro write it; at most 64 bits of it. */
export function writeVarint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest > 0n)
  return Buffer.from(bytes)
}
