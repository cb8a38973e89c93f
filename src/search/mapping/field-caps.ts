/** The `_field_caps` of one index; responses of several indices are merged elsewhere. */

import { namesMatchingAny } from '../request/name-index.ts'
import { parentJoinName } from './definition/shown-defaults.ts'
import type { Mapping } from './mapping.ts'

interface FieldCapability {
  readonly name: string
  readonly type: string
  readonly isMetadata: boolean
  readonly isSearchable: boolean
  readonly isAggregatable: boolean
  readonly meta: Readonly<Record<string, string>> | undefined
}

/** Name, whether it is searchable, whether it is aggregatable, and the type if it is not the name. */
type Metadata = readonly [name: string, isSearchable: boolean, isAggregatable: boolean, type?: string]

const metadata: readonly Metadata[] = [
  ['_id', true, true],
  ['_ignored', true, true],
  ['_index', true, true],
  ['_routing', true, false],
  ['_seq_no', true, true],
  ['_source', false, false],
  ['_version', false, true],
]

const metadataOfOpenSearch: readonly Metadata[] = [
  ['_routing', true, false],
  ['_ignored', true, false],
  ['_seq_no', true, true],
  ['_doc_count', false, false, 'long'],
  ['_nested_path', true, false],
  ['_index', true, true],
  ['_field_names', true, false],
  ['_data_stream_timestamp', false, false],
  ['_feature', false, false],
  ['_source', false, false],
  ['_id', true, true],
  ['_version', false, false],
]

/** The metadata field of an index with a `join` field. */
const parentJoin: Metadata = [parentJoinName, false, false, 'parent_join']

/** The metadata fields that `GET _mapping/field` of OpenSearch shows. */
export function metadataNames(mapping: Mapping, patterns: readonly string[]): string[] {
  const names = metadataOf(mapping).map(([name]) => name)
  const matched = namesMatchingAny(names, patterns)
  return names.filter((name) => matched.has(name))
}

function metadataOf({ join }: Mapping): readonly Metadata[] {
  return join === undefined ? metadataOfOpenSearch : [...metadataOfOpenSearch, parentJoin]
}

/** Returns fields, objects and aliases that one of the patterns matches. */
export function fieldCapabilities(
  mapping: Mapping,
  patterns: readonly string[],
  isOpenSearch = false,
): FieldCapability[] {
  const ofIndex = isOpenSearch ? metadataOf(mapping) : metadata
  const names = [...mapping.fields.keys(), ...mapping.aliases.keys()]
  const prefixes = isOpenSearch ? prefixNames(mapping) : []
  const all = [...ofIndex.map(([name]) => name), ...names, ...prefixes, ...mapping.objects.keys()]
  const matched = namesMatchingAny(all, patterns)
  const wanted = (name: string) => matched.has(name)
  const found: FieldCapability[] = []
  for (const [name, isSearchable, isAggregatable, type = name] of ofIndex)
    if (wanted(name))
      found.push({ name, type, isMetadata: true, isSearchable, isAggregatable, meta: undefined })
  for (const name of names) {
    if (!wanted(name)) continue
    const field = mapping.field(name)!
    const { meta, isSearchable, isAggregatable } = field
    // OpenSearch shows what the tokens are counted in.
    const type = isOpenSearch && field.type === 'token_count' ? 'integer' : field.type
    found.push({ name, type, isMetadata: false, isSearchable, isAggregatable, meta })
  }
  for (const prefix of prefixes) {
    if (!wanted(prefix)) continue
    const base = { type: 'prefix', isMetadata: false, isSearchable: true, isAggregatable: false }
    found.push({ name: prefix, ...base, meta: undefined })
  }
  const parents = parentsOf(found)
  for (const [name, node] of mapping.objects) {
    // Parents of a matching field are included; in OpenSearch, objects without fields are not.
    if ((isOpenSearch || !wanted(name)) && !parents.has(name)) continue
    const type = node.definition.isNested ? 'nested' : 'object'
    found.push({ name, type, isMetadata: false, isSearchable: false, isAggregatable: false, meta: undefined })
  }
  return found
}

/** The fields behind `search_as_you_type` that OpenSearch shows. */
function prefixNames(mapping: Mapping): string[] {
  return [...mapping.fields.keys()]
    .filter((name) => mapping.field(name)?.type === 'search_as_you_type' && !/\._\dgram$/.test(name))
    .map((name) => `${name}._index_prefix`)
}

function parentsOf(found: readonly FieldCapability[]): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const { name } of found)
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
      parents.add(name.slice(0, dot))
  return parents
}
