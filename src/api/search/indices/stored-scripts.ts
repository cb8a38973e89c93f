/** Ingest pipelines, stored scripts and snapshots, which are not supported. */

import { memberOf, withMember, withoutMembers } from '../../../search/index/cluster-state.ts'
import {
  deletePipelines,
  findPipelines,
  putPipeline,
  simulateRequest,
} from '../../../search/index/documents/ingest.ts'
import { parseTemplate, templateText } from '../../../search/mustache/template.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import { resourceNotFound } from '../../../search/request/index-errors.ts'
import { isObject, type JsonObject, objectOr, own } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { errorBody } from '../error-envelope.ts'
import { type Answer, type Route, route, timeouts } from '../route.ts'

const acknowledged: Answer = { body: { acknowledged: true } }

function getPipelines(call: Call): Answer {
  const id = call.parts['id']
  const found = findPipelines(call.cluster, id)
  const isNone = Object.keys(found).length === 0
  const isMissing =
    id === undefined ? call.cluster.compat.isOpenSearch && isNone : !id.includes('*') && isNone
  return { status: isMissing ? 404 : 200, body: found }
}

async function simulate(call: Call): Promise<Answer> {
  const verbose = call.flag('verbose')
  const showError = (error: unknown) => ({ error: errorBody(error, false).error })
  const { cluster, body } = call
  const steps = simulateRequest(cluster, call.parts['id'], body.requiredExact, verbose, showError)
  const docs = await cluster.scheduler.begin(steps, () => call.signal.throwIfAborted())
  return { body: { docs } }
}

function grokPatterns(call: Call): Answer {
  const patterns = Object.entries(call.cluster.ingest.grokPatterns())
  const sorted = call.flag('s') ? patterns.toSorted(([one], [other]) => (one < other ? -1 : 1)) : patterns
  return { body: { patterns: Object.fromEntries(sorted) } }
}

const languages = new Set(['painless', 'mustache', 'expression'])

function putScript(call: Call): Answer {
  const script = own(call.body.required, 'script')
  if (!isObject(script)) throw illegalArgument('must specify [script]')
  const lang = own(script, 'lang')
  const source = own(script, 'source')
  if (lang === undefined) throw illegalArgument('must specify lang for stored script')
  if (source === undefined) throw illegalArgument('must specify source for stored script')
  if (source === '') throw illegalArgument('source cannot be empty')
  if (!languages.has(String(lang)))
    throw illegalArgument(`unable to put stored script with unsupported lang [${String(lang)}]`)
  const kept = own(script, 'lang') === 'mustache' ? keptTemplate(call, script) : script
  call.cluster.apply((state) => ({ ...state, scripts: withMember(state.scripts, call.part('id'), kept) }))
  return acknowledged
}

/** A search template is stored as text; an invalid one is refused. */
function keptTemplate(call: Call, script: JsonObject): JsonObject {
  const source = own(script, 'source')
  const text = templateText(source)
  parseTemplate(text)
  if (!isObject(source)) return script
  const json = call.cluster.compat.isOpenSearch
    ? 'application/json; charset=UTF-8'
    : 'application/json;charset=utf-8'
  return { ...script, source: text, options: { ...objectOr(own(script, 'options')), content_type: json } }
}

function getScript(call: Call): Answer {
  const id = call.part('id')
  const script = memberOf(call.cluster.state.scripts, id)
  return script === undefined
    ? { status: 404, body: { _id: id, found: false } }
    : { body: { _id: id, found: true, script } }
}

function deleteScript(call: Call): Answer {
  const id = call.part('id')
  if (memberOf(call.cluster.state.scripts, id) === undefined)
    throw resourceNotFound(`stored script [${id}] does not exist and cannot be deleted`)
  call.cluster.apply((state) => ({ ...state, scripts: withoutMembers(state.scripts, [id]) }))
  return acknowledged
}

function noSnapshots(): never {
  throw illegalArgument(
    'the embedded search makes no snapshots: copy its data directory while the node is stopped',
  )
}

const parameters = `${timeouts} context summary if_version verbose`

export const storedRoutes: readonly Route[] = [
  route('GET', '/_ingest/pipeline /_ingest/pipeline/:id', parameters, getPipelines),
  route('PUT', '/_ingest/pipeline/:id', parameters, (call) => {
    putPipeline(call.cluster, call.part('id'), call.body.requiredMap)
    return acknowledged
  }),
  route('DELETE', '/_ingest/pipeline/:id', parameters, (call) => {
    deletePipelines(call.cluster, call.part('id'))
    return acknowledged
  }),
  route('GET|POST', '/_ingest/pipeline/_simulate /_ingest/pipeline/:id/_simulate', parameters, simulate),
  route('GET', '/_ingest/processor/grok', `${timeouts} s`, grokPatterns),
  route('PUT|POST', '/_scripts/:id', parameters, putScript),
  route('GET', '/_scripts/:id', parameters, getScript),
  route('DELETE', '/_scripts/:id', parameters, deleteScript),
  route('GET', '/_snapshot /_snapshot/_all', 'local master_timeout cluster_manager_timeout', () => ({
    body: {},
  })),
  route(
    'PUT|POST|GET|DELETE',
    '/_snapshot/:repository /_snapshot/:repository/:snapshot',
    `${timeouts} wait_for_completion verify ignore_unavailable verbose local`,
    noSnapshots,
  ),
]
