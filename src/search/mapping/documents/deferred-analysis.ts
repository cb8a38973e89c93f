/**
 * Defers the analysis of a large document's texts until the document is parsed, and then runs it in steps: a text of
 * many megabytes, or very many short ones, would block the thread. Values of a field keep their order, because
 * positions depend on it.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import { chunkChars, chunkEnd } from '../../analysis/text-chunks.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { CollectedField } from './document-fields.ts'

/** The overhead of a value, in characters. */
const valueCost = 32

interface Waiting {
  readonly analyzer: Analyzer
  readonly gap: number
  readonly texts: string[]
}

export class DeferredAnalysis {
  readonly #waiting = new Map<CollectedField, Waiting>()

  add(field: CollectedField, text: string, analyzer: Analyzer, gap: number): void {
    const waiting = this.#waiting.get(field)
    if (waiting === undefined) this.#waiting.set(field, { analyzer, gap, texts: [text] })
    else waiting.texts.push(text)
  }

  /** Analyses all texts into their fields. */
  *steps(): Steps<void> {
    const buffer = new TokenBuffer()
    let left = chunkChars
    for (const [field, { analyzer, gap, texts }] of this.#waiting) {
      for (const text of texts) {
        let isFirst = true
        for (let from = 0; from < text.length || isFirst; ) {
          const to = chunkEnd(analyzer, text, from)
          analyzer.analyze(from === 0 && to === text.length ? text : text.slice(from, to), buffer)
          field.addTokens(buffer, isFirst ? gap : 0, true)
          isFirst = false
          left -= to - from + valueCost
          from = to
          if (left > 0) continue
          yield
          left = chunkChars
        }
      }
    }
  }
}
