/** Legacy, index and component templates, and their simulation. */

import { shownSettings } from '../../../search/index/admin/index-settings.ts'
import type { TemplateBody } from '../../../search/index/cluster-state.ts'
import { timestampField } from '../../../search/index/templates/data-streams.ts'
import {
  deleteTemplates,
  legacyOverlap,
  putComponentTemplate,
  putIndexTemplate,
  putLegacyTemplate,
  type Simulation,
  simulateIndex,
  simulateTemplate,
  type TemplateKind,
  templateMissing,
  templateNames,
} from '../../../search/index/templates/template-store.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { type Answer, type Route, route, timeouts } from '../route.ts'

const acknowledged: Answer = { body: { acknowledged: true } }

function shownBody({ settings, mappings, aliases }: TemplateBody, isFlat: boolean): JsonObject {
  return {
    ...(settings !== undefined && { settings: shownSettings(settings, isFlat) }),
    ...(mappings !== undefined && { mappings }),
    ...(aliases !== undefined && { aliases }),
  }
}

/** The requested names; an unknown plain name is an error. */
function namesOf(call: Call, kind: TemplateKind): string[] {
  const patterns = call.list('name')
  const names = templateNames(call.cluster, kind, patterns)
  const text = call.text('name') ?? ''
  if (patterns.length > 0 && names.length === 0 && !text.includes('*')) throw templateMissing(kind, text)
  return names
}

function getLegacy(call: Call): Answer {
  const { legacyTemplates } = call.cluster.state
  const patterns = call.list('name')
  const names = templateNames(call.cluster, 'legacyTemplates', patterns)
  const isMissing = patterns.length > 0 && names.length === 0 && !patterns.some((one) => one.includes('*'))
  const isFlat = call.flag('flat_settings')
  const entries = names.map((name) => {
    const { order, version, index_patterns: indexPatterns, ...body } = legacyTemplates[name]!
    return [
      name,
      {
        order,
        ...(version !== undefined && { version }),
        index_patterns: indexPatterns,
        ...shownBody(body, isFlat),
      },
    ]
  })
  return { status: isMissing ? 404 : 200, body: Object.fromEntries(entries) }
}

function getIndexTemplates(call: Call): Answer {
  const isFlat = call.flag('flat_settings')
  const { isOpenSearch } = call.cluster.compat
  const shown = namesOf(call, 'indexTemplates').map((name) => {
    const found = call.cluster.state.indexTemplates[name]!
    const { index_patterns: patterns, template, composed_of: parts, data_stream: stream, ...rest } = found
    return {
      name,
      index_template: {
        index_patterns: patterns,
        ...(template !== undefined && { template: shownBody(template, isFlat) }),
        ...((parts !== undefined || !isOpenSearch) && { composed_of: parts ?? [] }),
        ...rest,
        ...(stream !== undefined && {
          data_stream: isOpenSearch ? { timestamp_field: { name: timestampField }, ...stream } : stream,
        }),
      },
    }
  })
  const isMissing = isOpenSearch && shown.length === 0 && call.list('name').length > 0
  return { status: isMissing ? 404 : 200, body: { index_templates: shown } }
}

function getComponents(call: Call): Answer {
  const isFlat = call.flag('flat_settings')
  const shown = namesOf(call, 'componentTemplates').map((name) => {
    const { template, ...rest } = call.cluster.state.componentTemplates[name]!
    return { name, component_template: { template: shownBody(template, isFlat), ...rest } }
  })
  return { body: { component_templates: shown } }
}

function putTemplate(call: Call): Answer {
  const name = call.part('name')
  putIndexTemplate(call.cluster, name, call.body.required, call.flag('create'))
  const warning = legacyOverlap(call.cluster, name)
  if (warning === undefined) return acknowledged
  const { isOpenSearch, number } = call.cluster.compat
  const agent = isOpenSearch ? `OpenSearch-${number}` : `Elasticsearch-${number}`
  return { ...acknowledged, headers: { warning: `299 ${agent} "${warning.replaceAll('"', '\\"')}"` } }
}

/** OpenSearch shows no mappings where there are none. */
function simulation(call: Call, { template, overlapping }: Simulation): Answer {
  const { settings, mappings, aliases } = template
  const isShown = !call.cluster.compat.isOpenSearch || Object.keys(mappings).length > 0
  return {
    body: {
      template: { settings: shownSettings(settings, false), ...(isShown && { mappings }), aliases },
      overlapping,
    },
  }
}

const lookParameters =
  'flat_settings local master_timeout cluster_manager_timeout include_type_name include_defaults'
const putParameters = `create cause order include_type_name ${timeouts}`

export const templateRoutes: readonly Route[] = [
  route('GET', '/_template /_template/:name', lookParameters, getLegacy),
  route('PUT|POST', '/_template/:name', putParameters, (call) => {
    const options = { create: call.flag('create'), order: call.integer('order') }
    putLegacyTemplate(call.cluster, call.part('name'), call.body.requiredMap, options)
    return acknowledged
  }),
  route('GET', '/_index_template /_index_template/:name', lookParameters, getIndexTemplates),
  route('PUT|POST', '/_index_template/:name', putParameters, putTemplate),
  route('POST', '/_index_template/_simulate_index/:name', putParameters, (call) => {
    const made = simulateIndex(call.cluster, call.part('name'), call.body.object)
    return made === undefined ? { body: {} } : simulation(call, made)
  }),
  route('POST', '/_index_template/_simulate /_index_template/_simulate/:name', putParameters, (call) =>
    simulation(call, simulateTemplate(call.cluster, call.parts['name'], call.body.object)),
  ),
  route('GET', '/_component_template /_component_template/:name', lookParameters, getComponents),
  route('PUT|POST', '/_component_template/:name', putParameters, (call) => {
    putComponentTemplate(call.cluster, call.part('name'), call.body.required, call.flag('create'))
    return acknowledged
  }),
  ...(
    [
      ['/_template/:name', 'legacyTemplates'],
      ['/_index_template/:name', 'indexTemplates'],
      ['/_component_template/:name', 'componentTemplates'],
    ] as const
  ).map(([path, kind]) =>
    route('DELETE', path, timeouts, (call) => {
      deleteTemplates(call.cluster, kind, call.part('name'))
      return acknowledged
    }),
  ),
]
