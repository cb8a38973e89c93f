/** The standard analyzer for segments: from bytes while they are ASCII, by way of a string otherwise. */
import type { Analyzer } from '../analysis/analyzer.ts'
import { ByteTokens, hashBytes, standardByteTokens } from '../analysis/standard-bytes.ts'
import { TokenBuffer } from '../analysis/token-buffer.ts'
import { TermScratch } from '../segment/term-scratch.ts'
import type { ByteAnalyzer, TokenSink } from '../segment/text-leaf.ts'

const tokens = new ByteTokens()
let lowerView = new DataView(tokens.lower.buffer)
const buffer = new TokenBuffer()
const scratch = new TermScratch()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class StandardByteAnalyzer implements ByteAnalyzer {
  readonly #analyzer: Analyzer

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  analyze(bytes: Uint8Array, from: number, to: number, out: TokenSink): void {
    if (!standardByteTokens(bytes, from, to, tokens)) {
      this.#analyzeText(decoder.decode(bytes.subarray(from, to)), out)
      return
    }
    const { lower, starts, ends, hashes, count } = tokens
    if (lowerView.buffer !== lower.buffer) lowerView = new DataView(lower.buffer)
    for (let i = 0; i < count; i++) out.token(lower, lowerView, starts[i]!, ends[i]!, hashes[i]!)
  }

  #analyzeText(text: string, out: TokenSink): void {
    this.#analyzer.analyze(text, buffer)
    for (let i = 0; i < buffer.length; i++) {
      const length = scratch.write(buffer.terms[i]!)
      out.token(scratch.bytes, scratch.view, 0, length, hashBytes(scratch.bytes, 0, length))
    }
  }
}
