/** Analyses one field of a document again: its terms with frequencies, positions and offsets. */

import { compareUtf8 } from '../../text/utf8-order.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { TokenBuffer } from '../analysis/token-buffer.ts'
import { TextField } from '../mapping/fields/text-field.ts'
import type { MappedField } from '../mapping/mapped-field.ts'

/** One occurrence of a term. Offsets count UTF-16 units over all values of the field. */
export interface Occurrence {
  readonly position: number
  readonly start: number
  readonly end: number
}

/** Occurrences by term, in UTF-8 byte order. */
export type DocumentTerms = ReadonlyMap<string, readonly Occurrence[]>

const buffer = new TokenBuffer()

/** The offset gap between two values. */
const offsetGap = 1

/** The position gap between two values. */
function gapOf(field: MappedField, analyzer: Analyzer): number {
  return field instanceof TextField ? field.positionGap : analyzer.positionGap
}

/** `analyzer` replaces the field's own. */
export function documentTerms(
  field: MappedField,
  texts: readonly string[],
  analyzer: Analyzer | undefined = field.analyzer,
): DocumentTerms {
  const found = new Map<string, Occurrence[]>()
  const add = (term: string, occurrence: Occurrence) => {
    const known = found.get(term)
    if (known === undefined) found.set(term, [occurrence])
    else known.push(occurrence)
  }
  let position = 0
  let offset = 0
  for (const text of texts) {
    if (analyzer === undefined) {
      const term = field.normalizer?.normalize(text) ?? text
      add(term, { position, start: offset, end: offset + text.length })
      position += 1
    } else {
      analyzer.analyze(text, buffer)
      for (let i = 0; i < buffer.length; i++) {
        add(buffer.terms[i]!, {
          position: position + buffer.positions[i]!,
          start: offset + buffer.starts[i]!,
          end: offset + buffer.ends[i]!,
        })
      }
      position += buffer.endPosition + gapOf(field, analyzer)
    }
    offset += text.length + offsetGap
  }
  return new Map([...found].sort(([one], [other]) => compareUtf8(one, other)))
}
