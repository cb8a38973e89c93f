/**
 * The index template an output installs unless it is given one: texts are searchable and, in a `.keyword`
 * field, sortable; `@timestamp` is a date; places of GeoIP look-ups are points on a map.
 */
import type { Fields, Value } from '../../../event/value.ts'

const geoMembers: Fields = {
  dynamic: true,
  properties: {
    ip: { type: 'ip' },
    location: { type: 'geo_point' },
    latitude: { type: 'half_float' },
    longitude: { type: 'half_float' },
  },
}

const textWithKeyword: Fields = {
  type: 'text',
  norms: false,
  fields: { keyword: { type: 'keyword', ignore_above: 256 } },
}

const baseRules: Value[] = [
  {
    message_field: {
      path_match: 'message',
      match_mapping_type: 'string',
      mapping: { type: 'text', norms: false },
    },
  },
  { string_fields: { match: '*', match_mapping_type: 'string', mapping: textWithKeyword } },
]

const ecsRules: Value[] = [
  { geo_points: { path_match: '*.geo.location', mapping: { type: 'geo_point' } } },
  { ip_addresses: { path_match: '*.ip', match_mapping_type: 'string', mapping: { type: 'ip' } } },
  {
    originals: {
      path_match: 'event.original',
      mapping: { type: 'keyword', index: false, doc_values: false },
    },
  },
]

interface TemplateChoice {
  /** `logstash-*` */
  readonly pattern: string
  readonly ecs: boolean
  readonly legacy: boolean
  /** Major version of the cluster; clusters before 7 want the mapping below a type. */
  readonly major: number | undefined
  readonly description: string
  /** Lifecycle policy and alias of the indices. */
  readonly lifecycle: { policy: string; alias: string } | undefined
}

export function defaultTemplate(choice: TemplateChoice): Fields {
  const { major, ecs, legacy, lifecycle } = choice
  const settings: Fields = { 'index.refresh_interval': '5s', number_of_shards: 1 }
  if (lifecycle !== undefined) {
    settings['index.lifecycle.name'] = lifecycle.policy
    settings['index.lifecycle.rollover_alias'] = lifecycle.alias
  }
  const mapping: Fields = {
    dynamic_templates: ecs ? [...ecsRules, ...baseRules] : baseRules,
    properties: {
      '@timestamp': { type: 'date' },
      '@version': { type: 'keyword' },
      ...(ecs ? {} : { geoip: geoMembers }),
    },
  }
  const mappings = major !== undefined && major < 7 && legacy ? { [typeName(major)]: mapping } : mapping
  const patterns = [choice.pattern]
  if (legacy) return { index_patterns: patterns, version: 60001, settings, mappings }
  return {
    index_patterns: patterns,
    version: 80001,
    template: { settings, mappings },
    priority: 200,
    _meta: { description: choice.description },
  }
}

function typeName(major: number): string {
  return major === 6 ? 'doc' : '_default_'
}
