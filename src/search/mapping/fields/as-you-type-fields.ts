/**
 * The subfields of `search_as_you_type`: `x._2gram` and longer ones with runs of words as terms, and
 * `x._index_prefix` with the beginnings of such runs, which answers for the last word of what somebody types.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer, tokenType } from '../../analysis/token-buffer.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { FieldSetup } from '../field-setup.ts'
import type { MappedField } from '../mapped-field.ts'
import { analyzersOf, TextField } from './text-field.ts'

/** The lengths of indexed beginnings, in characters. */
const minPrefix = 1
export const maxPrefix = 20

/**
 * Wraps an analyzer: every run of `size` words becomes one term, joined by spaces. With `isOpen` the text is
 * followed by empty words, so that its last words begin a run too.
 */
function shingles(of: Analyzer, size: number, isOpen = false): Analyzer {
  return withTerms(of, (words, out) => {
    const runs = isOpen ? words.length : words.length - size + 1
    for (let first = 0; first < runs; first++) {
      const run = words.terms.slice(first, Math.min(first + size, words.length))
      const end = words.ends[first + run.length - 1]!
      while (run.length < size) run.push('')
      out.push(run.join(' '), words.positions[first]!, words.starts[first]!, end, tokenType.shingle)
    }
  })
}

/** Wraps an analyzer: a term becomes its beginnings of 1 to 20 characters, and itself when it is longer. */
function beginnings(of: Analyzer): Analyzer {
  return withTerms(of, (terms, out) => {
    for (let at = 0; at < terms.length; at++) {
      const characters = [...terms.terms[at]!]
      const push = (term: string) =>
        out.push(term, terms.positions[at]!, terms.starts[at]!, terms.ends[at]!, terms.types[at]!)
      for (let length = minPrefix; length <= Math.min(maxPrefix, characters.length); length++)
        push(characters.slice(0, length).join(''))
      if (characters.length > maxPrefix) push(terms.terms[at]!)
    }
  })
}

/** Wraps an analyzer: `make` turns its terms into others. */
function withTerms(of: Analyzer, make: (terms: TokenBuffer, out: TokenBuffer) => void): Analyzer {
  const terms = new TokenBuffer()
  return {
    positionGap: of.positionGap,
    analyze(text, out) {
      out.clear()
      of.analyze(text, terms)
      make(terms, out)
      out.endPosition = terms.endPosition
    },
    normalize: (term) => of.normalize(term),
  }
}

/** `x._2gram` */
export function shingleField(setup: FieldSetup, size: number): TextField {
  const { index, search, quote } = analyzersOf(setup)
  return new TextField(setup, {
    index: shingles(index, size),
    search: shingles(search, size),
    quote: shingles(quote, size),
  })
}

/** `x._index_prefix`; texts that are searched are not cut, only joined. */
export class PrefixField extends TextField {
  override readonly type = 'prefix'
  override readonly spec: FieldSpec = {
    index: this.isIndexed ? 'positions' : null,
    norms: false,
    ordinals: false,
  }

  constructor(setup: FieldSetup, size: number) {
    const { index, search, quote } = analyzersOf(setup)
    super(setup, { index: beginnings(shingles(index, size, true)), search: shingles(search, size), quote })
  }
}

/** The subfields of a `search_as_you_type` field; undefined for other fields. */
interface AsYouType {
  /** Returns the sub-field of shingles with so many words, at least two. */
  shingle(words: number): MappedField | undefined
  readonly maxShingle: number
  readonly prefix: MappedField
}

export function asYouTypeOf(field: MappedField): AsYouType | undefined {
  if (field.type !== 'search_as_you_type') return undefined
  const prefix = field.multiFields.find((one) => one instanceof PrefixField)
  if (prefix === undefined) return undefined
  const ofSize = (words: number) =>
    field.multiFields.find(({ name }) => name === `${field.name}._${words}gram`)
  let maxShingle = 1
  while (ofSize(maxShingle + 1) !== undefined) maxShingle++
  return { shingle: ofSize, maxShingle, prefix }
}
