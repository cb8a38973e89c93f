/** Renders settings, aliases and mappings of an index. */

import { defaultSettings, shownSettings } from '../../../search/index/admin/index-settings.ts'
import type { Cluster } from '../../../search/index/cluster.ts'
import type { FlatSettings, IndexMetadata } from '../../../search/index/index-metadata.ts'
import { streamOf } from '../../../search/index/templates/data-streams.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'

export function fullSettings(cluster: Cluster, index: IndexMetadata, isHuman = false): FlatSettings {
  const all: Record<string, string | readonly string[]> = {
    ...(cluster.compat.isOpenSearch && { 'index.replication.type': 'DOCUMENT' }),
    ...index.settings,
    'index.creation_date': String(index.creationDate),
    'index.uuid': index.uuid,
    'index.version.created': String(cluster.compat.versionId),
    'index.provided_name': index.name,
    ...(index.isOpen ? {} : { 'index.verified_before_close': 'true' }),
    ...(isHuman && {
      'index.creation_date_string': new Date(index.creationDate).toISOString(),
      'index.version.created_string': cluster.compat.number,
    }),
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** OpenSearch shows `doc_values` of every wildcard field, because the default has changed. */
export function shownMappings(cluster: Cluster, index: IndexMetadata): JsonObject {
  const own = cluster.mappingsOf(index)
  const mappings =
    streamOf(cluster, index.name) === undefined ? own : { _data_stream_timestamp: { enabled: true }, ...own }
  return cluster.compat.isOpenSearch ? withDocValues(mappings) : mappings
}

/** The answer of `GET _mapping/field`, in the same way. */
export function shownFields(cluster: Cluster, fields: JsonObject): JsonObject {
  if (!cluster.compat.isOpenSearch) return fields
  const entries = Object.entries(fields).map(([name, field]): [string, unknown] => {
    const mapping = isObject(field) ? own(field, 'mapping') : undefined
    if (!isObject(field) || !isObject(mapping)) return [name, field]
    const shown = Object.entries(mapping).map(([leaf, json]) => [
      leaf,
      isObject(json) ? withDocValues(json) : json,
    ])
    return [name, { ...field, mapping: Object.fromEntries(shown) }]
  })
  return Object.fromEntries(entries)
}

/** OpenSearch shows all parameters of a completion field. */
const completionDefaults = {
  analyzer: 'simple',
  preserve_separators: true,
  preserve_position_increments: true,
  max_input_length: 50,
}

function withDocValues(json: JsonObject): JsonObject {
  const shown: Record<string, unknown> = { ...json }
  for (const name of ['properties', 'fields']) {
    const children = own(json, name)
    if (!isObject(children)) continue
    const entries = Object.entries(children)
    shown[name] = Object.fromEntries(
      entries.map(([key, child]) => [key, isObject(child) ? withDocValues(child) : child]),
    )
  }
  if (own(json, 'type') === 'wildcard') return { doc_values: true, ...shown }
  if (own(json, 'type') === 'completion') return { ...completionDefaults, ...shown }
  if (own(json, 'type') !== 'search_as_you_type') return shown
  return { doc_values: false, max_shingle_size: 3, ...shown }
}

interface SettingsView {
  readonly isFlat: boolean
  readonly withDefaults: boolean
  readonly isHuman: boolean
  /** Names and patterns; empty for all. */
  readonly names: readonly string[]
}

export function settingsView(cluster: Cluster, index: IndexMetadata, view: SettingsView): JsonObject {
  const picked = (settings: FlatSettings): FlatSettings =>
    view.names.length === 0 || view.names.includes('_all')
      ? settings
      : Object.fromEntries(
          Object.entries(settings).filter(([name]) =>
            view.names.some((pattern) => simpleMatch(pattern, name)),
          ),
        )
  const settings = fullSettings(cluster, index, view.isHuman)
  return {
    settings: shownSettings(picked(settings), view.isFlat),
    ...(view.withDefaults && { defaults: shownSettings(picked(defaultSettings(settings)), view.isFlat) }),
  }
}
