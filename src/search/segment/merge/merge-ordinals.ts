/** Merges a term list together with the column of ordinals that refers to it. */

import { SectionAlias, type WrittenSection } from '../segment-file.ts'
import { mergedOrdinalBlocks } from './merge-columns.ts'
import type { FieldPart, MergedField } from './merge-part.ts'
import { type MergedTexts, mergeTexts, type SectionOf, type TextVisitor } from './merge-texts.ts'
import { columnKey, listKey } from './merged-section-cache.ts'

/** A section of the parts and its name in the merged segment. */
interface Renamed {
  readonly sectionOf: SectionOf
  readonly name: string
}

/** Writes the term list, or an alias when the same list was just written. */
export function* mergeList(
  parts: readonly FieldPart[],
  { prefix, lists }: MergedField,
  list: Renamed,
  column: Renamed,
  visitor: () => TextVisitor,
): Generator<WrittenSection, MergedTexts> {
  const key = listKey(parts, list.sectionOf, column.sectionOf)
  const known = lists.list(key)
  if (known !== undefined) {
    yield [list.name, new SectionAlias(known.section)]
    return known.texts
  }
  const texts = yield* mergeTexts(parts, list.sectionOf, list.name, visitor())
  lists.addList({ key, section: `${prefix}.${list.name}`, texts })
  return texts
}

/**
 * Writes the ordinal column, or an alias when the same column was just written; returns the number of documents per
 * text.
 */
export function* mergeOrdinalColumn(
  parts: readonly FieldPart[],
  { prefix, docCount, lists }: MergedField,
  list: Renamed,
  column: Renamed,
  texts: MergedTexts,
): Generator<WrittenSection, Uint32Array> {
  const key = columnKey(parts, list.sectionOf, column.sectionOf)
  const known = lists.column(key)
  if (known !== undefined) {
    yield [column.name, new SectionAlias(known.section)]
    return known.counts
  }
  const counts = new Uint32Array(texts.size)
  yield* mergedOrdinalBlocks(column.name, parts, column.sectionOf, texts.ordinals, { counts, docCount })
  lists.addColumn({ key, section: `${prefix}.${column.name}`, counts })
  return counts
}
