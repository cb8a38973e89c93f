/**
 * Columns of numbers as bytes. Whole numbers are written as their distance to the smallest one, in one, two or
 * four bytes each when that is enough; everything else as doubles. The first 16 bytes say which:
 * width (0 = doubles, else 1, 2, 4), 7 bytes of nothing, the smallest value as a double.
 */
const headBytes = 16

export function packNumbers(values: Float64Array): Uint8Array {
  let least = Infinity
  let most = -Infinity
  let whole = true
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value < least) least = value
    if (value > most) most = value
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      whole = false
      break
    }
  }
  const span = most - least
  const width =
    !whole || values.length === 0 ? 0 : span < 0x100 ? 1 : span < 0x1_0000 ? 2 : span <= 0xffff_ffff ? 4 : 0
  const bytes = new Uint8Array(headBytes + values.length * (width === 0 ? 8 : width))
  bytes[0] = width
  new DataView(bytes.buffer).setFloat64(8, width === 0 ? 0 : least, true)
  if (width === 0) new Float64Array(bytes.buffer, headBytes).set(values)
  else {
    const packed = arrayOf(bytes.buffer, width, values.length)
    for (let i = 0; i < values.length; i++) packed[i] = values[i]! - least
  }
  return bytes
}

export function unpackNumbers(bytes: Uint8Array): Float64Array {
  const aligned = alignedBuffer(bytes)
  const width = new Uint8Array(aligned)[0]!
  const count = (aligned.byteLength - headBytes) / (width === 0 ? 8 : width)
  if (width === 0) return new Float64Array(aligned, headBytes)
  const least = new DataView(aligned).getFloat64(8, true)
  const packed = arrayOf(aligned, width, count)
  const values = new Float64Array(count)
  for (let i = 0; i < count; i++) values[i] = packed[i]! + least
  return values
}

/** Small whole numbers, in as few bytes as the largest needs; the first 8 bytes say how many. */
export function packOrdinals(values: Uint32Array): Uint8Array {
  let most = 0
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!
  const width = most < 0x100 ? 1 : most < 0x1_0000 ? 2 : 4
  const bytes = new Uint8Array(8 + values.length * width)
  bytes[0] = width
  const packed =
    width === 1
      ? bytes.subarray(8)
      : width === 2
        ? new Uint16Array(bytes.buffer, 8)
        : new Uint32Array(bytes.buffer, 8)
  packed.set(values)
  return bytes
}

export function unpackOrdinals(bytes: Uint8Array): Uint32Array {
  const aligned = alignedBuffer(bytes)
  const width = new Uint8Array(aligned)[0]!
  if (width === 4) return new Uint32Array(aligned, 8)
  return Uint32Array.from(width === 1 ? new Uint8Array(aligned, 8) : new Uint16Array(aligned, 8))
}

function arrayOf(buffer: ArrayBuffer, width: number, count: number): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, headBytes, count)
  return width === 2 ? new Uint16Array(buffer, headBytes, count) : new Uint32Array(buffer, headBytes, count)
}

/** Memory in which typed arrays may begin at the first byte. */
export function alignedBuffer(bytes: Uint8Array): ArrayBuffer {
  if (bytes.byteOffset % 8 === 0 && bytes.byteLength === bytes.buffer.byteLength)
    return bytes.buffer as ArrayBuffer
  // Not `slice`: of a Buffer that is only another view.
  return new Uint8Array(bytes).buffer
}
