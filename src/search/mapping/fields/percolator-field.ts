/**
 * `percolator`: a query, stored to be found by documents that it matches. Its text is a term with an ordinal, so that
 * equal queries are kept and run once for a segment. Whether it is a query of this index is checked by the store
 * (`query/percolator/stored-query.ts`): the mapping does not know queries.
 */
import { writeJson } from '../../answer/json-text.ts'
import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import { MappedField } from '../mapped-field.ts'

export class PercolatorField extends MappedField {
  override readonly family = 'opaque'
  override readonly spec: FieldSpec = { index: null, norms: false, ordinals: true }
  override readonly refusesNull = true

  override get isSearchable(): boolean {
    return false
  }

  override requireColumn(): void {
    throw illegalArgument(`Fielddata is not supported on field [${this.name}] of type [percolator]`)
  }

  override add(value: unknown, into: DocumentFields): void {
    if (into.fields.has(this.name))
      throw mapperParsing(
        'failed to parse',
        illegalArgument('a document can only contain one percolator query'),
      )
    into.reading.requireSpelling()
    into.reading.queries.push({ field: this.name, query: value })
    into.of(this.name, this.spec).addTerm(writeJson(value))
  }

  override fromSource(value: unknown): unknown {
    return value ?? undefined
  }
}
