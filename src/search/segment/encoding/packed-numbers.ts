/**
 * Encodes columns of numbers for a file. Integers of up to 32 bits take one of three forms: frame of reference
 * (distance to the minimum, bit-packed to the width of the largest), varints, or varints of deltas. Bit packing is
 * the fastest; a sample decides whether a varint form is smaller after compression. Doubles are stored as integers
 * when they are whole, or whole after scaling by a power of ten (few decimals), otherwise as they are.
 * Words: form (u8), bits (u8), 2 bytes of padding, count (u32), minimum (u32), then the values.
 * Doubles: form (u8; 0 plain, 1 whole numbers, 2 whole numbers that were rounded to 32 bits), power of ten (u8), 6
 * bytes of padding, minimum (f64), then doubles or words as above.
 */
import { compress } from './compression.ts'

const headBytes = 12
const forms = { packed: 0, values: 1, distances: 2 } as const
/** The compression ratio assumed for varints when there are too few values for a sample. */
const assumedRatio = 0.55
/** How many values a sample has, and from how many places they are taken. */
const sampleSize = 4096
const samplePlaces = 4
/** Another form must be at most this fraction of the packed size, because it is slower to write and to read. */
const minGain = 0.95

export function packWords(values: Uint32Array): Uint8Array {
  const count = values.length
  const { min, max, isAscending } = range(values)
  const bits = 32 - Math.clz32(max - min)
  const form = formOf(values, bits, isAscending)
  const body =
    form === forms.packed
      ? Math.ceil((count * bits) / 32) * 4
      : form === forms.values
        ? varintBytes(values)
        : distanceVarintBytes(values)
  const bytes = new Uint8Array(headBytes + body)
  bytes[0] = form
  bytes[1] = bits
  const view = new DataView(bytes.buffer)
  view.setUint32(4, count, true)
  view.setUint32(8, min, true)
  if (form === forms.packed) packBits(values, min, bits, view)
  else writeVarints(values, form === forms.distances, bytes)
  return bytes
}

function formOf(values: Uint32Array, bits: number, isAscending: boolean): number {
  const count = values.length
  const isLong = count > sampleSize * 2
  const some = isLong ? sampleOf(values) : values
  const packedBytes = (some.length * bits) / 8
  // A varint takes at least a byte.
  if (packedBytes <= assumedRatio * some.length) return forms.packed
  const valueBytes = varintBytes(some)
  const distanceBytes = isAscending ? distanceVarintBytes(some) : Infinity
  const form = valueBytes <= distanceBytes ? forms.values : forms.distances
  const bytes = Math.min(valueBytes, distanceBytes)
  if (!isLong) return packedBytes > assumedRatio * bytes ? form : forms.packed
  const varints = new Uint8Array(headBytes + bytes)
  writeVarints(some, form === forms.distances, varints)
  return compress(varints).length < packedBytes * minGain ? form : forms.packed
}

function sampleOf(values: Uint32Array): Uint32Array {
  const sample = new Uint32Array(sampleSize)
  const size = sampleSize / samplePlaces
  const step = Math.floor((values.length - size) / (samplePlaces - 1))
  for (let i = 0; i < samplePlaces; i++) sample.set(values.subarray(i * step, i * step + size), i * size)
  return sample
}

function range(values: Uint32Array): { min: number; max: number; isAscending: boolean } {
  let min = values.length === 0 ? 0 : 0xffff_ffff
  let max = 0
  let previous = 0
  let falls = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value < min) min = value
    if (value > max) max = value
    if (value < previous) falls++
    previous = value
  }
  return { min, max, isAscending: falls === 0 }
}

function varintBytes(values: Uint32Array): number {
  let bytes = 0
  for (let i = 0; i < values.length; i++) bytes += varintSize(values[i]!)
  return bytes
}

function distanceVarintBytes(values: Uint32Array): number {
  let bytes = 0
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    bytes += varintSize(values[i]! - previous)
    previous = values[i]!
  }
  return bytes
}

function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5
}

function packBits(values: Uint32Array, min: number, bits: number, view: DataView): void {
  if (bits === 0) return
  let at = headBytes
  let word = 0
  let used = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! - min
    word |= value << used
    used += bits
    if (used < 32) continue
    view.setInt32(at, word, true)
    at += 4
    used -= 32
    word = used === 0 ? 0 : value >>> (bits - used)
  }
  if (used > 0) view.setInt32(at, word, true)
}

function writeVarints(values: Uint32Array, distances: boolean, bytes: Uint8Array): void {
  let at = headBytes
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    let rest = distances ? values[i]! - previous : values[i]!
    previous = values[i]!
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[at++] = rest
  }
}

/** Decodes into memory that is given, which has room for the values of the block, or into memory of their own. */
export function unpackWords(bytes: Uint8Array, into?: Uint32Array): Uint32Array {
  const form = bytes[0]!
  const bits = bytes[1]!
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(4, true)
  const values = into === undefined ? new Uint32Array(count) : into.subarray(0, count)
  const min = view.getUint32(8, true)
  if (form === forms.packed) unpackBits(bytes, min, bits, values)
  else readVarints(bytes, form === forms.distances, values)
  return values
}

function unpackBits(bytes: Uint8Array, min: number, bits: number, values: Uint32Array): void {
  if (bits === 0) {
    values.fill(min)
    return
  }
  const words = new Uint32Array(new Uint8Array(bytes.subarray(headBytes)).buffer)
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  let at = 0
  let used = 0
  for (let i = 0; i < values.length; i++) {
    let value = words[at]! >>> used
    used += bits
    if (used > 32) value |= words[at + 1]! << (bits - (used - 32))
    values[i] = (value & mask) + min
    if (used >= 32) {
      used -= 32
      at++
    }
  }
}

function readVarints(bytes: Uint8Array, distances: boolean, values: Uint32Array): void {
  let at = headBytes
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    let byte = bytes[at++]!
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
    }
    previous = distances ? previous + value : value
    values[i] = previous
  }
}

const doubleHeadBytes = 16
const maxDecimals = 6
const doubleForms = { plain: 0, whole: 1, rounded: 2 } as const

export function packDoubles(values: Float64Array): Uint8Array {
  const isFloat = areFloats(values)
  for (let power = 0, scale = 1; power <= maxDecimals; power++, scale *= 10) {
    const scaled =
      scaledWords(values, scale, false) ?? (isFloat ? scaledWords(values, scale, true) : undefined)
    if (scaled === undefined) continue
    const words = packWords(scaled.words)
    const bytes = new Uint8Array(doubleHeadBytes + words.length)
    bytes[0] = scaled.isRounded ? doubleForms.rounded : doubleForms.whole
    bytes[1] = power
    new DataView(bytes.buffer).setFloat64(8, scaled.min, true)
    bytes.set(words, doubleHeadBytes)
    return bytes
  }
  const bytes = new Uint8Array(doubleHeadBytes + values.byteLength)
  new Float64Array(bytes.buffer, doubleHeadBytes).set(values)
  return bytes
}

function areFloats(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (Math.fround(values[i]!) !== values[i]!) return false
  return true
}

interface ScaledWords {
  readonly min: number
  readonly words: Uint32Array
  readonly isRounded: boolean
}

/**
 * Returns the values times the scale, as distances to the minimum; undefined unless that restores every value to the
 * last bit.
 */
function scaledWords(values: Float64Array, scale: number, isRounded: boolean): ScaledWords | undefined {
  if (values.length === 0) return undefined
  let min = Infinity
  let max = -Infinity
  for (let i = 0; i < values.length; i++) {
    const scaled = Math.round(values[i]! * scale)
    // This also refuses NaN, infinities and numbers that are too large; -0 would come back as 0.
    if (!(Math.abs(scaled) <= Number.MAX_SAFE_INTEGER)) return undefined
    const back = scaled / scale
    if ((isRounded ? Math.fround(back) : back) !== values[i]!) return undefined
    if (scaled === 0 && Object.is(values[i], -0)) return undefined
    if (scaled < min) min = scaled
    if (scaled > max) max = scaled
  }
  if (max - min > 0xffff_ffff) return undefined
  const words = new Uint32Array(values.length)
  for (let i = 0; i < values.length; i++) words[i] = Math.round(values[i]! * scale) - min
  return { min, words, isRounded }
}

/** Decodes into memory that is given, or into memory of their own; `scratch` has room for a block of words. */
export function unpackDoubles(bytes: Uint8Array, into?: Float64Array, scratch?: Uint32Array): Float64Array {
  if (bytes[0] === doubleForms.plain) {
    const plain = new Float64Array(new Uint8Array(bytes.subarray(doubleHeadBytes)).buffer)
    into?.set(plain)
    return into ?? plain
  }
  const scale = 10 ** bytes[1]!
  const min = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(8, true)
  const words = unpackWords(bytes.subarray(doubleHeadBytes), scratch)
  const values = into === undefined ? new Float64Array(words.length) : into.subarray(0, words.length)
  if (bytes[0] === doubleForms.rounded)
    for (let i = 0; i < values.length; i++) values[i] = Math.fround((words[i]! + min) / scale)
  else if (scale === 1) for (let i = 0; i < values.length; i++) values[i] = words[i]! + min
  else for (let i = 0; i < values.length; i++) values[i] = (words[i]! + min) / scale
  return values
}
