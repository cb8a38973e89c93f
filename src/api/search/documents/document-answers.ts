/** Renders the answers of single-document writes and gets. */

import { RawJson } from '../../../search/answer/json-text.ts'
import type { WriteAnswer } from '../../../search/index/documents/document-writes.ts'
import {
  filterSource,
  parseSourceFilter,
  type SourceFilter,
} from '../../../search/index/documents/source-request.ts'
import type { MappedStore } from '../../../search/index/shards/embedded-stores.ts'
import type { StoredDocument } from '../../../search/index/shards/shard-operations.ts'
import { parseExactJson } from '../../../search/request/json-literals.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'

type Success = Exclude<WriteAnswer, { readonly error: unknown }>

export function writeBody(answer: Success, showsType: boolean): JsonObject {
  const { index, id, version, result, seqNo, primaryTerm, copies, isForced, document } = answer
  return {
    _index: index,
    ...(showsType && { _type: '_doc' }),
    _id: id,
    _version: version,
    result,
    ...(isForced && { forced_refresh: true }),
    _shards: { total: copies, successful: copies === 0 ? 0 : 1, failed: 0 },
    ...(primaryTerm > 0 && { _seq_no: seqNo, _primary_term: primaryTerm }),
    ...(document !== undefined && { get: updatedBody(document, answer.shownSource) }),
  }
}

function updatedBody(document: StoredDocument, shown: unknown): JsonObject {
  return {
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    found: true,
    ...sourceMember(document, parseSourceFilter(shown)),
  }
}

/** `{ _source }`, filtered; empty when it is not requested or not stored. */
export function sourceMember({ source }: StoredDocument, filter: boolean | SourceFilter): JsonObject {
  if (filter === false || source.length === 0) return {}
  if (filter === true) return { _source: RawJson.of(source) }
  const parsed = parseExactJson(source)
  return { _source: isObject(parsed) ? filterSource(parsed, filter) : parsed }
}

export interface GetView {
  readonly source: boolean | SourceFilter
  readonly storedFields: readonly string[]
  readonly showsType: boolean
}

export function getBody(
  index: string,
  id: string,
  document: StoredDocument | undefined,
  store: MappedStore,
  { source, storedFields, showsType }: GetView,
): JsonObject {
  const head = { _index: index, ...(showsType && { _type: '_doc' }), _id: id }
  if (document === undefined) return { ...head, found: false }
  const names = storedFields.filter((name) => name !== '_source' && name !== '_none_' && name !== '_routing')
  const fields = names.length === 0 ? {} : store.storedFields(document, names)
  return {
    ...head,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    ...(document.routing !== undefined && { _routing: document.routing }),
    found: true,
    ...sourceMember(document, source),
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}
