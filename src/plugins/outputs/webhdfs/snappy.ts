/**
 * Snappy's raw format: the length as a varint, then literals and copies of what came before. Matches of four bytes
 * are found through a hash table, within 64 KB. https://github.com/google/snappy/blob/main/format_description.txt
 */
const blockSize = 1 << 16
const tableBits = 14

export function snappy(data: Buffer): Buffer {
  const parts: Buffer[] = [varint(data.length)]
  for (let at = 0; at < data.length; at += blockSize) block(data.subarray(at, at + blockSize), parts)
  return Buffer.concat(parts)
}

function block(data: Buffer, parts: Buffer[]): void {
  const table = new Int32Array(1 << tableBits).fill(-1)
  let from = 0
  let at = 0
  while (at + 4 <= data.length) {
    const word = data.readUInt32LE(at)
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - tableBits)
    const known = table[slot]!
    table[slot] = at
    if (known < 0 || data.readUInt32LE(known) !== word) {
      at += 1
      continue
    }
    if (at > from) parts.push(literal(data.subarray(from, at)))
    let length = 4
    while (at + length < data.length && data[known + length] === data[at + length]) length += 1
    parts.push(copies(at - known, length))
    at += length
    from = at
  }
  if (from < data.length) parts.push(literal(data.subarray(from)))
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** Tag 00: the length less one in the tag, or in one or two bytes after it. */
function literal(bytes: Buffer): Buffer {
  const length = bytes.length - 1
  const tag =
    length < 60 ? [length << 2] : length < 256 ? [60 << 2, length] : [61 << 2, length & 0xff, length >> 8]
  return Buffer.concat([Buffer.from(tag), bytes])
}

/** Tag 10: up to 64 bytes, offset in two bytes. */
function copies(offset: number, length: number): Buffer {
  const bytes: number[] = []
  for (let left = length; left > 0; ) {
    const part = Math.min(left, 64)
    bytes.push(((part - 1) << 2) | 2, offset & 0xff, offset >> 8)
    left -= part
  }
  return Buffer.from(bytes)
}
