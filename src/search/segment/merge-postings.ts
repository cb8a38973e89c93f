/** Merges inverted indices whose postings are written out, also those of values next to such. */

import { postingsSections } from './field-entry.ts'
import { dropped, type FieldPart } from './merge-part.ts'
import { type MergedTexts, mergeTexts, type UsedTerms } from './merge-texts.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { Postings } from './segment.ts'
import type { WrittenSection } from './segment-file.ts'

export interface MergedPostings {
  readonly texts: MergedTexts
  readonly sums: { readonly sumDocFreq: number; readonly sumTotalFreq: number }
  sections(): Iterable<WrittenSection>
}

export function mergeWritten(
  parts: readonly FieldPart[],
  keeps: 'docs' | 'freqs' | 'positions',
): MergedPostings {
  const writer = new PostingsWriter(keeps)
  // Those of an index of values are of values, not of documents.
  const written = parts.map(({ field }) =>
    field.entry.postings === 'written' ? field.writtenPostings() : undefined,
  )
  const texts = mergeTexts(parts, 'text', usedTerms(parts), {
    begin() {},
    visit(part, ordinal) {
      const { base, numbers, field } = parts[part]!
      const own = written[part]
      if (own !== undefined && numbers === null && own.keeps === keeps) writer.addMoved(own, ordinal, base)
      else addKept(writer, field.terms!.postings(ordinal), base, numbers)
    },
    end: () => writer.end(),
  })
  const { sumDocFreq, sumTotalFreq } = writer
  return {
    texts,
    sums: { sumDocFreq, sumTotalFreq },
    *sections() {
      yield ['text', texts.packed]
      yield* postingsSections(writer.finish())
    },
  }
}

function addKept(
  writer: PostingsWriter,
  { docs, freqs, positions }: Postings,
  base: number,
  numbers: Uint32Array | null,
): void {
  for (let i = 0; i < docs.length; i++) {
    const to = numbers === null ? base + docs[i]! : numbers[docs[i]!]!
    if (to === dropped) continue
    const freq = freqs?.[i] ?? 1
    if (positions === null) writer.add(to, freq)
    else writer.add(to, freq, positions.values, positions.starts[i], positions.starts[i + 1])
  }
}

/** A term whose documents are all deleted goes with them. */
function usedTerms(parts: readonly FieldPart[]): UsedTerms {
  return parts.map(({ field, numbers }) => {
    const { terms } = field
    if (numbers === null || terms === null) return null
    const used = new Uint8Array(terms.size)
    for (let ordinal = 0; ordinal < terms.size; ordinal++) {
      const { docs } = terms.postings(ordinal)
      for (let i = 0; i < docs.length && used[ordinal] === 0; i++) {
        if (numbers[docs[i]!] !== dropped) used[ordinal] = 1
      }
    }
    return used
  })
}
