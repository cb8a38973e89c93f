/**
 * Compression of payloads (`queue.compression`). Logstash uses Zstandard, which Node.js 20 does not have; the three
 * goals are levels of deflate here. A payload that does not get smaller is stored as it is; each record says which.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

export type CompressionGoal = 'none' | 'speed' | 'balanced' | 'size'

const codecs = { asIs: 0, deflate: 1 } as const
const levels: Readonly<Record<Exclude<CompressionGoal, 'none'>, number>> = { speed: 1, balanced: 6, size: 9 }
/** Smaller payloads are not worth the call. */
const minPacked = 64

export interface Packed {
  readonly codec: number
  readonly pieces: readonly Uint8Array[]
  readonly storedBytes: number
  readonly rawBytes: number
}

export function pack(pieces: readonly Uint8Array[], goal: CompressionGoal): Packed {
  let rawBytes = 0
  for (const { length } of pieces) rawBytes += length
  const asIs = { codec: codecs.asIs, pieces, storedBytes: rawBytes, rawBytes }
  if (goal === 'none' || rawBytes < minPacked) return asIs
  const packed = deflateRawSync(Buffer.concat(pieces, rawBytes), { level: levels[goal] })
  if (packed.length >= rawBytes) return asIs
  return { codec: codecs.deflate, pieces: [packed], storedBytes: packed.length, rawBytes }
}

/** Undefined when it is not what was packed. The size is known before, so that nothing can unfold to more. */
export function unpack(codec: number, stored: Uint8Array, rawBytes: number): Uint8Array | undefined {
  if (codec === codecs.asIs) return stored.length === rawBytes ? stored : undefined
  if (codec !== codecs.deflate) return undefined
  try {
    const raw = inflateRawSync(stored, { maxOutputLength: Math.max(1, rawBytes) })
    return raw.length === rawBytes ? raw : undefined
  } catch {
    return undefined
  }
}
