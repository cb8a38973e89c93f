/**
 * The default standard analyzer for UTF-8 texts: directly on the bytes while they are ASCII, by way of a string
 * otherwise.
 */
import { standardAnalyzer } from './analyzer.ts'
import { TokenBuffer } from './token-buffer.ts'
import { ByteTokens, hashBytes, isByteToken, standardByteTokens } from './tokenizers/standard-bytes.ts'

/** Receives tokens; those of a text are at positions 0, 1, 2 … */
export interface TokenSink {
  /** Announces the hashes of the tokens to come, for prefetching. */
  expect(hashes: Int32Array, count: number): void
  /** `hash` is `hashBytes` of the bytes. */
  token(bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void
}

const analyzer = standardAnalyzer()
const tokens = new ByteTokens()
let lowerView = new DataView(tokens.lower.buffer)
const buffer = new TokenBuffer()
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function analyzeBytes(bytes: Uint8Array, from: number, to: number, out: TokenSink): void {
  if (!standardByteTokens(bytes, from, to, tokens)) {
    analyzeText(decoder.decode(bytes.subarray(from, to)), out)
    return
  }
  const { lower, starts, ends, hashes, count } = tokens
  if (lowerView.buffer !== lower.buffer) lowerView = new DataView(lower.buffer)
  out.expect(hashes, count)
  for (let i = 0; i < count; i++) out.token(lower, lowerView, starts[i]!, ends[i]!, hashes[i]!)
}

/** Returns true only if each text is a single token equal to itself; may return false where that is so. */
export function areTokens(bytes: Uint8Array, ends: Uint32Array): boolean {
  for (let i = 0, start = 0; i < ends.length; i++) {
    if (!isByteToken(bytes, start, ends[i]!)) return false
    start = ends[i]!
  }
  return true
}

function analyzeText(text: string, out: TokenSink): void {
  analyzer.analyze(text, buffer)
  for (let i = 0; i < buffer.length; i++) {
    const term = encoder.encode(buffer.terms[i]!)
    const view = new DataView(term.buffer, term.byteOffset, term.byteLength)
    out.token(term, view, 0, term.length, hashBytes(term, 0, term.length))
  }
}
