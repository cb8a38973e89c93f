/**
 * Buffered documents in a range as plain data, from which a segment is written. Everything but the fields and the
 * sources is here; fields are in `field-rows.ts`.
 */
import { BitSet } from '../encoding/bit-set.ts'
import type { Section, TextList } from '../encoding/sections.ts'
import type { FieldInfo } from '../field-info.ts'
import type { SegmentTable } from '../segment-reader.ts'
import type { FieldRows } from './field-rows.ts'
import { fieldSections } from './field-sections.ts'

export interface DocumentRows {
  readonly docCount: number
  readonly fields: readonly FieldRows[]
  readonly ids: TextList
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Uint32Array
  readonly nestedPaths: readonly string[]
  /** Indexed by document: 0 for a root, otherwise the index of its nested path plus one. */
  readonly nested: Uint32Array
  readonly routings: readonly (readonly [doc: number, routing: string])[]
}

/** Yields the sections; `fields` is complete when all were taken. */
export function* rowSections(rows: DocumentRows, fields: FieldInfo[]): Iterable<[name: string, Section]> {
  const { docCount } = rows
  for (const field of rows.fields) {
    const sections: [string, Section][] = []
    const prefix = `f${fields.length}`
    fields.push(
      fieldSections(field, docCount, (part, section) => sections.push([`${prefix}.${part}`, section])),
    )
    yield* sections
  }
  yield ['ids', rows.ids]
  yield ['seq.nos', rows.seqNos]
  yield ['versions', rows.versions]
  yield ['primary.terms', rows.primaryTerms]
  const roots = rootsOf(rows)
  if (roots === null) return
  yield ['roots', roots.words]
  yield ['nested', rows.nested]
}

/** Returns the root documents; null when all are. */
export function rootsOf({ docCount, nested, nestedPaths }: Omit<DocumentRows, 'fields'>): BitSet | null {
  if (nestedPaths.length === 0) return null
  const roots = new BitSet(docCount)
  for (let i = 0; i < nested.length; i++) if (nested[i] === 0) roots.add(i)
  return roots
}

export function rowTable(rows: DocumentRows, fields: readonly FieldInfo[]): SegmentTable {
  const { docCount, nestedPaths, routings } = rows
  return { docCount, fields, nestedPaths, routings }
}
