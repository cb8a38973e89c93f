/** What a search knows of an index, from its metadata, its mapping and the settings of the node. */
import { defaultLimits, openLimits, type SearchIndex, type SearchLimits } from '../collect/search-index.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { DocumentPlace } from '../query/binding/binding.ts'
import { mappingContext } from '../query/binding/mapping-context.ts'
import type { StoredScripts } from '../script/script.ts'
import type { ShardReader } from '../segment/segment.ts'
import { type IndexMetadata, settingListOf, settingOf, shardCount } from './index-metadata.ts'

/** Settings of the node that searches depend on; plain data. */
export interface SearchEnvironment {
  /** Milliseconds. */
  readonly now: number
  readonly maxClauses: number
  readonly allowExpensive: boolean
  readonly isOpenSearch: boolean
  /** Applies Elasticsearch's default limits. */
  readonly isStrict: boolean
}

interface SearchedIndex {
  readonly metadata: IndexMetadata
  readonly mapping: Mapping
  readonly shards: readonly ShardReader[]
  readonly filters: readonly unknown[] | undefined
  readonly scripts: StoredScripts
  readonly lookUp: (place: DocumentPlace) => unknown
}

export function searchIndexOf(
  { metadata, mapping, shards, filters, scripts, lookUp }: SearchedIndex,
  { now, maxClauses, allowExpensive, isOpenSearch, isStrict }: SearchEnvironment,
): SearchIndex {
  const defaultFields = settingListOf(metadata, 'index.query.default_field')
  return {
    name: metadata.name,
    uuid: metadata.uuid,
    mapping,
    limits: limitsOf(metadata, isStrict),
    shardCount: shardCount(metadata),
    shards,
    filters,
    queries: mappingContext(mapping, {
      index: metadata.name,
      indexUuid: metadata.uuid,
      aliases: Object.keys(metadata.aliases),
      now,
      limits: {
        maxClauses,
        maxTerms: Number(settingOf(metadata, 'index.max_terms_count') ?? 65_536),
        maxRegexLength: Number(settingOf(metadata, 'index.max_regex_length') ?? 1000),
      },
      allowExpensive,
      ...(defaultFields !== undefined && { defaultFields }),
      scripts,
      ...(isOpenSearch && { scoreFactor: 1, isOpenSearch: true }),
      ...(isStrict && { isStrict }),
      lookUp,
    }),
  }
}

function limitsOf(metadata: IndexMetadata, strict: boolean): SearchLimits {
  const standard = strict ? defaultLimits : openLimits
  const number = (name: string, otherwise: number) =>
    Number(settingOf(metadata, `index.${name}`) ?? otherwise)
  const maxResultWindow = number('max_result_window', standard.maxResultWindow)
  return {
    maxResultWindow,
    maxRescoreWindow: number(
      'max_rescore_window',
      Math.max(standard.maxRescoreWindow, strict ? maxResultWindow : 0),
    ),
    maxDocvalueFields: number('max_docvalue_fields_search', standard.maxDocvalueFields),
    maxScriptFields: number('max_script_fields', standard.maxScriptFields),
    maxSlices: number('max_slices_per_scroll', standard.maxSlices),
    maxInnerResultWindow: number('max_inner_result_window', standard.maxInnerResultWindow),
    maxAnalyzedOffset: number('highlight.max_analyzed_offset', standard.maxAnalyzedOffset),
  }
}
