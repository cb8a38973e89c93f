/** Errors about indices in the words of Elasticsearch, with the members their bodies carry. */
import { SearchError } from './search-error.ts'

export function indexNotFound(
  name: string,
  reason = `no such index [${name}]`,
  kind = 'index_or_alias',
): SearchError {
  return new SearchError('index_not_found_exception', reason, {
    details: { 'resource.type': kind, 'resource.id': name, index_uuid: '_na_', index: name },
  })
}

/** A write whose index must not be created. */
export function indexNotCreated(name: string, why: string): SearchError {
  return new SearchError('index_not_found_exception', `no such index [${name}] and ${why}`, {
    details: { index_uuid: '_na_', index: name },
  })
}

export function indexClosed(index: string, uuid: string): SearchError {
  return new SearchError('index_closed_exception', 'closed', { details: { index_uuid: uuid, index } })
}

export function alreadyExists(index: string, uuid: string): SearchError {
  return new SearchError('resource_already_exists_exception', `index [${index}/${uuid}] already exists`, {
    details: { index_uuid: uuid, index },
  })
}

export function invalidIndexName(name: string, what: string): SearchError {
  return new SearchError('invalid_index_name_exception', `Invalid index name [${name}], ${what}`, {
    details: { index_uuid: '_na_', index: name },
  })
}

export function resourceNotFound(reason: string, cause?: Error): SearchError {
  return new SearchError('resource_not_found_exception', reason, { cause })
}

/** Index blocks, by the name of their setting. */
const blockTexts = {
  'index.blocks.read_only': ['FORBIDDEN/5/index read-only (api)', 403],
  'index.blocks.read': ['FORBIDDEN/7/index read (api)', 403],
  'index.blocks.write': ['FORBIDDEN/8/index write (api)', 403],
  'index.blocks.metadata': ['FORBIDDEN/9/index metadata (api)', 403],
  'index.blocks.read_only_allow_delete': [
    'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    429,
  ],
} as const

type BlockSetting = keyof typeof blockTexts

export function clusterBlock(index: string, blocks: readonly BlockSetting[]): SearchError {
  const texts = blocks.map((block) => `[${blockTexts[block][0]}];`)
  const status = Math.min(...blocks.map((block) => blockTexts[block][1]))
  return new SearchError('cluster_block_exception', `index [${index}] blocked by: ${texts.join('')}`, {
    status,
  })
}
