/** Merges a list of texts together with the column of the places documents have in it. */

import { SameSection, type WrittenSection } from '../segment-file.ts'
import { mergedPlaces } from './merge-columns.ts'
import type { FieldPart, MergedField } from './merge-part.ts'
import { type MergedTexts, mergeTexts, type SectionOf, type TextVisitor } from './merge-texts.ts'
import { columnKey, listKey } from './merged-lists.ts'

/** A section of the parts, and what it is called in the merged segment. */
interface Renamed {
  readonly sectionOf: SectionOf
  readonly name: string
}

/** Writes the list, or names the one that is the same. */
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
    yield [list.name, new SameSection(known.section)]
    return known.texts
  }
  const texts = yield* mergeTexts(parts, list.sectionOf, list.name, visitor())
  lists.addList({ key, section: `${prefix}.${list.name}`, texts })
  return texts
}

/** Writes the column, or names the one that is the same; returns how many documents have each text. */
export function* mergePlaces(
  parts: readonly FieldPart[],
  { prefix, docCount, lists }: MergedField,
  list: Renamed,
  column: Renamed,
  texts: MergedTexts,
): Generator<WrittenSection, Uint32Array> {
  const key = columnKey(parts, list.sectionOf, column.sectionOf)
  const known = lists.column(key)
  if (known !== undefined) {
    yield [column.name, new SameSection(known.section)]
    return known.counts
  }
  const counts = new Uint32Array(texts.size)
  yield* mergedPlaces(column.name, parts, column.sectionOf, texts.ordinals, { counts, docCount })
  lists.addColumn({ key, section: `${prefix}.${column.name}`, counts })
  return counts
}
