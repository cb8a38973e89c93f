/**
 * Decides whether a merged text field keeps a value index. A part with written postings can join when a sibling
 * field of its segment, the keyword beside the text, has the distinct values: if all documents with the same value
 * have the same tokens, one document represents the value. Without this, one odd document would force all postings
 * to be written out.
 */

import { readWords } from '../encoding/sections.ts'
import type { FieldReader } from '../field-reader.ts'
import { PostingsCursor } from '../postings/postings-cursor.ts'
import { TokenFingerprints } from '../postings/token-fingerprints.ts'
import type { FieldPart } from './merge-part.ts'
import {
  type MergedTexts,
  mergeTexts,
  own,
  type SectionOf,
  type TextVisitor,
  UsedTexts,
} from './merge-texts.ts'

/** The merged field keeps its value index when distinct values are at most this share of its documents. */
const maxDistinctShare = 0.125

export interface ValueParts {
  readonly parts: readonly FieldPart[]
  /** Where the texts of the values are, and the values by document. */
  readonly list: SectionOf
  readonly column: SectionOf
  /** Indexed by part with written postings: the document that represents each value. */
  readonly representatives: readonly (Uint32Array | undefined)[]
}

/** Returns undefined when the postings of the merged field have to be written. */
export function valueParts(parts: readonly FieldPart[]): ValueParts | undefined {
  const ofValues = parts.filter(({ field }) => field.entry.postings === 'values')
  if (ofValues.length === 0) return undefined
  const list = own('values.text')
  const column = own('values')
  if (ofValues.length === parts.length) return { parts, list, column, representatives: [] }
  const docs = docsOf(parts)
  if (docsOf(ofValues) * 2 < docs || parts.some(({ field }) => field.keeps !== parts[0]!.field.keeps))
    return undefined
  const beside = siblingField(ofValues[0]!)
  if (beside === undefined) return undefined
  const others: (FieldReader | undefined)[] = []
  for (const part of parts) {
    if (part.field.entry.postings === 'values') others.push(undefined)
    else {
      const other = part.segment.freshField(beside)
      if (other === undefined || !hasValuesOf(other, part.field)) return undefined
      others.push(other)
    }
  }
  return checked(
    {
      parts,
      list: (part, place) =>
        others[place] === undefined ? list(part, place) : `${others[place].prefix}.text`,
      column: (part, place) =>
        others[place] === undefined ? column(part, place) : `${others[place].prefix}.ordinals`,
      representatives: [],
    },
    docs * maxDistinctShare,
  )
}

function docsOf(parts: readonly FieldPart[]): number {
  return parts.reduce((sum, { field }) => sum + field.docCount, 0)
}

/** Finds the field that has the same distinct values. */
function siblingField({ field, segment: { table } }: FieldPart): string | undefined {
  const { sections, prefix } = field
  const isSame = (one: string, other: string) =>
    sections.has(one) && sections.identity(one) === sections.identity(other)
  return table.fields.find(
    (_, place) =>
      isSame(`f${place}.text`, `${prefix}.values.text`) && isSame(`f${place}.ordinals`, `${prefix}.values`),
  )?.name
}

function hasValuesOf(other: FieldReader, field: FieldReader): boolean {
  if (other.entry.postings !== 'derived' || other.docCount !== field.docCount) return false
  if (other.sections.has(`${other.prefix}.ordinals.starts`)) return false
  const [one, two] = [other.present, field.present]
  if (one === null || two === null) return one === two
  return one.words.every((word, i) => word === two.words[i])
}

function checked(given: ValueParts, maxValues: number): ValueParts | undefined {
  const { parts, list, column } = given
  for (const [place, part] of parts.entries()) {
    if (part.field.sections.countOf(list(part, place)) > maxValues) return undefined
  }
  const values = finished(mergeTexts(parts, list, undefined, new UsedTexts(parts.map(() => null))))
  if (values.size > maxValues) return undefined
  const tokens = new PartTokens(given)
  finished(mergeTexts(parts, own('text'), undefined, tokens))
  const known = new TokenFingerprints(values.size)
  const representatives: (Uint32Array | undefined)[] = []
  for (const [place, part] of parts.entries()) {
    const hashes = tokens.hashes[place]!
    let shown: Uint32Array | undefined
    if (part.field.entry.postings !== 'values') {
      shown = representativesOf(
        readWords(part.field.sections, column(part, place)),
        values.ordinals[place]!.length,
        hashes,
      )
      if (shown === undefined) return undefined
    }
    representatives.push(shown)
    const ordinals = values.ordinals[place]!
    for (let value = 0; value < ordinals.length; value++) {
      if (!known.agree(ordinals[value]!, hashes, shown === undefined ? value : shown[value]!))
        return undefined
    }
  }
  return { ...given, representatives }
}

/** Picks a document per value; undefined when two documents with the same value have different tokens. */
function representativesOf(
  column: Uint32Array,
  count: number,
  hashes: TokenFingerprints,
): Uint32Array | undefined {
  const shown = new Uint32Array(count)
  const isKnown = new Uint8Array(count)
  for (let doc = 0; doc < column.length; doc++) {
    if (column[doc] === 0) continue
    const value = column[doc]! - 1
    if (isKnown[value] === 0) {
      isKnown[value] = 1
      shown[value] = doc
    } else if (!hashes.areSame(shown[value]!, doc)) return undefined
  }
  return isKnown.includes(0) ? undefined : shown
}

/** Runs a merge that writes nothing. */
function finished(merge: Generator<unknown, MergedTexts>): MergedTexts {
  for (;;) {
    const step = merge.next()
    if (step.done === true) return step.value
  }
}

/** Collects a fingerprint of the tokens of each value, or of each document where postings are written. */
class PartTokens implements TextVisitor {
  readonly isFull = false
  readonly hashes: readonly TokenFingerprints[]
  readonly #cursors: readonly PostingsCursor[]
  #term = 0

  constructor({ parts, list }: ValueParts) {
    this.#cursors = parts.map(({ field }) => new PostingsCursor(field))
    this.hashes = parts.map((part, place) => {
      const { field, segment } = part
      if (field.entry.postings !== 'values') return new TokenFingerprints(segment.docCount, field.norms)
      return new TokenFingerprints(field.sections.countOf(list(part, place)), field.valueNorms)
    })
  }

  visit(part: number, ordinal: number): void {
    const cursor = this.#cursors[part]!
    cursor.moveTo(ordinal)
    this.hashes[part]!.add(this.#term, cursor.read())
  }

  end(): boolean {
    this.#term += 1
    return true
  }

  take(): [] {
    return []
  }
}
