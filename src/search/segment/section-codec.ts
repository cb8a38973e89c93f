/** How sections are written to a file: by their kind, and compressed when that is worth it. */
import { brotliDecompressSync } from 'node:zlib'
import { compress } from './compression.ts'
import { packDoubles, packWords, unpackDoubles, unpackWords } from './packed-numbers.ts'
import { packTexts, unpackTexts } from './packed-texts.ts'
import type { Section } from './sections.ts'

export interface SectionForm {
  readonly kind: 'bytes' | 'words' | 'doubles' | 'exact' | 'texts'
  readonly codec: 'raw' | 'brotli'
}

export interface EncodedSection {
  readonly form: SectionForm
  readonly pieces: readonly Uint8Array[]
}

const worthCompressing = 256
const leastGain = 0.95

export function encodeSection(section: Section): EncodedSection {
  // Texts are compressed block by block.
  if ('ends' in section) return { form: { kind: 'texts', codec: 'raw' }, pieces: packTexts(section) }
  const { kind, bytes } = packed(section)
  if (bytes.length < worthCompressing) return { form: { kind, codec: 'raw' }, pieces: [bytes] }
  const small = compress(bytes)
  return small.length < bytes.length * leastGain
    ? { form: { kind, codec: 'brotli' }, pieces: [small] }
    : { form: { kind, codec: 'raw' }, pieces: [bytes] }
}

function packed(section: Exclude<Section, { readonly ends: Uint32Array }>): {
  kind: SectionForm['kind']
  bytes: Uint8Array
} {
  if (section instanceof Uint8Array) return { kind: 'bytes', bytes: section }
  if (section instanceof Uint32Array) return { kind: 'words', bytes: packWords(section) }
  if (section instanceof Float64Array) return { kind: 'doubles', bytes: packDoubles(section) }
  const { buffer, byteOffset, byteLength } = section
  return { kind: 'exact', bytes: new Uint8Array(buffer, byteOffset, byteLength) }
}

export function decodeSection(bytes: Uint8Array, { kind, codec }: SectionForm): Section {
  const plain = codec === 'raw' ? bytes : brotliDecompressSync(bytes)
  if (kind === 'bytes') return plain
  if (kind === 'words') return unpackWords(plain)
  if (kind === 'doubles') return unpackDoubles(plain)
  return kind === 'texts' ? unpackTexts(plain) : new BigInt64Array(new Uint8Array(plain).buffer)
}
