/**
 * Ingest pipelines: stored, and run when they consist of the plain processors below. Everything else is refused when
 * a document goes through it, because pipelines are Logstash's job here.
 */

import { illegalArgument } from '../../request/errors.ts'
import { resourceNotFound } from '../../request/index-errors.ts'
import { isObject, type JsonObject, own, put, textList } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import type { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import type { Cluster } from '../cluster.ts'
import { memberOf, withMember, withoutMembers } from '../cluster-state.ts'
import { checkPipeline } from './pipeline-check.ts'

type Document = Record<string, unknown>
type Processor = (document: Document, options: JsonObject) => void

export function putPipeline(cluster: Cluster, id: string, body: JsonObject): void {
  checkPipeline(id, body, knownKinds)
  cluster.apply((state) => ({ ...state, pipelines: withMember(state.pipelines, id, body) }))
}

export function findPipelines(
  cluster: Cluster,
  pattern: string | undefined,
): Readonly<Record<string, JsonObject>> {
  const { pipelines } = cluster.state
  if (pattern === undefined || pattern === '*') return pipelines
  const patterns = pattern.split(',')
  return Object.fromEntries(
    Object.entries(pipelines).filter(([id]) => patterns.some((one) => simpleMatch(one, id))),
  )
}

export function deletePipelines(cluster: Cluster, pattern: string): void {
  const names = Object.keys(findPipelines(cluster, pattern))
  if (names.length === 0 && pattern !== '*') throw resourceNotFound(`pipeline [${pattern}] is missing`)
  cluster.apply((state) => ({ ...state, pipelines: withoutMembers(state.pipelines, names) }))
}

/** Changes the document in place. */
export function runPipeline(cluster: Cluster, id: string, document: Document): void {
  const pipeline = memberOf(cluster.state.pipelines, id)
  if (pipeline === undefined) throw illegalArgument(`pipeline with id [${id}] does not exist`)
  runProcessors(pipeline, document)
}

/** Throws for a pipeline that could not be stored. */
export function checkInline(pipeline: JsonObject): void {
  checkPipeline('_simulate_pipeline', pipeline, knownKinds)
}

export function runProcessors(pipeline: JsonObject, document: Document): void {
  for (const entry of pipeline['processors'] as readonly JsonObject[]) {
    const [kind, options] = Object.entries(entry)[0] ?? []
    const processor = kind === undefined ? undefined : processors.get(kind)
    if (processor === undefined || !isObject(options) || own(options, 'if') !== undefined)
      throw illegalArgument(
        `processor [${plainText(kind)}] is not supported by the embedded search; use a filter of the pipeline in front of it`,
      )
    try {
      processor(document, options)
    } catch (error) {
      if (own(options, 'ignore_failure') !== true) throw error
    }
  }
}

const processors: ReadonlyMap<string, Processor> = new Map<string, Processor>([
  [
    'set',
    (document, options) => {
      const field = fieldOf(options)
      if (own(options, 'override') === false && read(document, field) !== undefined) return
      const from = own(options, 'copy_from')
      write(document, field, typeof from === 'string' ? read(document, from) : own(options, 'value'))
    },
  ],
  [
    'remove',
    (document, options) => {
      for (const field of textList(own(options, 'field'))) {
        if (read(document, field) === undefined && own(options, 'ignore_missing') !== true)
          throw missing(field)
        remove(document, field)
      }
    },
  ],
  [
    'rename',
    (document, options) => {
      const field = fieldOf(options)
      const value = read(document, field)
      if (value === undefined) {
        if (own(options, 'ignore_missing') === true) return
        throw illegalArgument(`field [${field}] doesn't exist`)
      }
      const target = plainText(own(options, 'target_field'))
      if (read(document, target) !== undefined) throw illegalArgument(`field [${target}] already exists`)
      remove(document, field)
      write(document, target, value)
    },
  ],
  [
    'append',
    (document, options) => {
      const before = read(document, fieldOf(options))
      const value = own(options, 'value')
      const added = Array.isArray(value) ? value : [value]
      const start = before === undefined ? [] : Array.isArray(before) ? before : [before]
      write(document, fieldOf(options), [...start, ...added])
    },
  ],
  ['lowercase', (document, options) => changeText(document, options, (text) => text.toLowerCase())],
  ['uppercase', (document, options) => changeText(document, options, (text) => text.toUpperCase())],
  ['trim', (document, options) => changeText(document, options, (text) => text.trim())],
  ['drop', () => undefined],
])

const knownKinds: ReadonlySet<string> = new Set([
  ...processors.keys(),
  ...(
    'bytes circle community_id convert csv date date_index_name dissect dot_expander enrich fail fingerprint ' +
    'foreach geoip grok gsub html_strip inference join json kv network_direction pipeline redact registered_domain ' +
    'reroute script set_security_user sort split terminate uri_parts urldecode user_agent copy remove_by_pattern'
  ).split(' '),
])

function fieldOf(options: JsonObject): string {
  const field = own(options, 'field')
  if (typeof field !== 'string') throw illegalArgument('[field] required property is missing')
  return field
}

function missing(field: string): SearchError {
  return illegalArgument(`field [${field}] not present as part of path [${field}]`)
}

function changeText(document: Document, options: JsonObject, change: (text: string) => string): void {
  const field = fieldOf(options)
  const value = read(document, field)
  if (typeof value === 'string')
    write(document, plainText(own(options, 'target_field') ?? field), change(value))
  else if (own(options, 'ignore_missing') !== true) throw missing(field)
}

function read(document: Document, path: string): unknown {
  let value: unknown = document
  for (const name of path.split('.')) value = isObject(value) ? own(value, name) : undefined
  return value
}

function write(document: Document, path: string, value: unknown): void {
  const names = path.split('.')
  let level = document
  for (const name of names.slice(0, -1)) {
    const next = own(level, name)
    if (!isObject(next)) put(level, name, {})
    level = level[name] as Document
  }
  put(level, names.at(-1)!, value)
}

function remove(document: Document, path: string): void {
  const names = path.split('.')
  const parent = names.length === 1 ? document : read(document, names.slice(0, -1).join('.'))
  if (isObject(parent)) delete (parent as Document)[names.at(-1)!]
}
