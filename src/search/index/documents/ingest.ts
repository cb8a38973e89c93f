/** Ingest pipelines of the cluster: stored, found for a write, and run on its document before it is written. */

import { writeJson } from '../../answer/json-text.ts'
import { runPipeline } from '../../ingest/chain.ts'
import { createPipeline } from '../../ingest/create-pipeline.ts'
import { type Fields, IngestDocument, valueText } from '../../ingest/ingest-document.ts'
import type { IngestContext, Pipeline } from '../../ingest/processor.ts'
import { documentsOf, errorOf, simulate, simulateVerbose } from '../../ingest/simulate.ts'
import { illegalArgument } from '../../request/errors.ts'
import { resourceNotFound } from '../../request/index-errors.ts'
import { isObject, type JsonObject, own, put } from '../../request/json-object.ts'
import { bodyLong } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { findTarget } from '../auto-create.ts'
import type { Cluster } from '../cluster.ts'
import { memberOf, withMember, withoutMembers } from '../cluster-state.ts'
import { settingOf } from '../index-metadata.ts'
import { resolveDateMathName } from '../templates/date-math-names.ts'
import { templateResult } from '../templates/templates.ts'
import { type VersionType, versionTypeOf } from './write-conditions.ts'

export function putPipeline(cluster: Cluster, id: string, body: JsonObject): void {
  createPipeline(id, body, contextOf(cluster))
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

type Outside = Omit<IngestContext, 'create'>

function contextOf(cluster: Cluster): Outside {
  return {
    tools: cluster.ingest,
    scripts: () => cluster.state.scripts,
    isOpenSearch: cluster.compat.isOpenSearch,
    now: cluster.now,
    pipeline: (id) => pipelineOf(cluster, id),
  }
}

/** Pipelines that are ready to run, by their definitions. */
const ready = new WeakMap<JsonObject, Pipeline>()

function pipelineOf(cluster: Cluster, id: string): Pipeline | undefined {
  const body = memberOf(cluster.state.pipelines, id)
  if (body === undefined) return undefined
  let pipeline = ready.get(body)
  if (pipeline === undefined) {
    pipeline = createPipeline(id, body, contextOf(cluster))
    ready.set(body, pipeline)
  }
  return pipeline
}

function timestampOf(cluster: Cluster): string {
  return new Date(cluster.now()).toISOString()
}

/** What `_simulate` answers for a stored pipeline, or for the one in the body. */
/** In steps: a request may have very many documents. */
export function* simulateRequest(
  cluster: Cluster,
  id: string | undefined,
  body: JsonObject,
  isVerbose: boolean,
  showError: (error: unknown) => JsonObject,
): Steps<readonly (JsonObject | null)[]> {
  const pipeline = id === undefined ? inlinePipeline(cluster, body) : pipelineOf(cluster, id)
  if (pipeline === undefined) throw illegalArgument(`pipeline [${id}] does not exist`)
  const run = { context: contextOf(cluster) }
  const documents = documentsOf(body, () => timestampOf(cluster))
  const answer = cluster.answerBytes()
  const results: (JsonObject | null)[] = []
  try {
    for (const document of documents) {
      if (results.length > 0) yield
      const result = (isVerbose ? simulateVerbose : simulate)(pipeline, document, run, showError)
      answer.addValue(result)
      results.push(result)
    }
  } finally {
    answer.release()
  }
  return results
}

function inlinePipeline(cluster: Cluster, body: JsonObject): Pipeline {
  const definition = own(body, 'pipeline')
  const fail = (what: string) =>
    new SearchError('parse_exception', `[pipeline] ${what}`, { details: { property_name: 'pipeline' } })
  if (definition === undefined || definition === null) throw fail('required property is missing')
  if (!isObject(definition)) throw fail("property isn't a map, but of type [java.lang.String]")
  return createPipeline('_simulate_pipeline', definition, contextOf(cluster))
}

/** `default_pipeline` and `final_pipeline` of the index, or of the templates that will make it. */
export interface TargetPipelines {
  readonly first: string | undefined
  readonly last: string | undefined
}

const noPipelines: TargetPipelines = { first: undefined, last: undefined }

export function targetPipelines(cluster: Cluster, written: string): TargetPipelines {
  const name = resolveDateMathName(written, cluster.now())
  const index = findTarget(cluster, name)
  const setting = (short: string): string | undefined => {
    if (index !== undefined) return settingOf(index, `index.${short}`)
    const value = templateResult(cluster.state, name).settings[`index.${short}`]
    return typeof value === 'string' ? value : undefined
  }
  const named = (id: string | undefined) => (id === '_none' || id === '' ? undefined : id)
  const first = named(setting('default_pipeline'))
  const last = named(setting('final_pipeline'))
  return first === undefined && last === undefined ? noPipelines : { first, last }
}

/** What processors may change besides the document. */
interface IngestMetadata {
  readonly index: string
  readonly id: string | undefined
  readonly routing?: string | undefined
  readonly version?: number | undefined
  readonly versionType?: VersionType
}

interface Ingested extends IngestMetadata {
  readonly source: Uint8Array
}

/**
 * Runs a pipeline, then the final one of the index the document goes to. Returns undefined for a document that is
 * dropped.
 */
export function ingest(
  cluster: Cluster,
  fields: JsonObject,
  metadata: IngestMetadata,
  first: string | undefined,
  lastOf: (index: string) => string | undefined,
): Ingested | undefined {
  const document = new IngestDocument(rootOf(fields, metadata), { timestamp: timestampOf(cluster) })
  if (first !== undefined && !runStored(cluster, first, document)) return undefined
  const index = valueText(document.root['_index'])
  const last = lastOf(index)
  if (last !== undefined) {
    if (!runStored(cluster, last, document)) return undefined
    if (valueText(document.root['_index']) !== index)
      throw new SearchError(
        'illegal_state_exception',
        `FINAL pipeline [${last}] can't change the target index`,
        {
          status: 500,
        },
      )
  }
  return resultOf(document, metadata)
}

function rootOf(fields: JsonObject, { index, id, routing, version, versionType }: IngestMetadata): Fields {
  const root = fields as Fields
  put(root, '_index', index)
  if (id !== undefined) put(root, '_id', id)
  if (routing !== undefined) put(root, '_routing', routing)
  if (version !== undefined) put(root, '_version', version)
  if (versionType !== undefined && versionType !== 'internal') put(root, '_version_type', versionType)
  return root
}

function resultOf(document: IngestDocument, { versionType }: IngestMetadata): Ingested {
  const text = (name: string) => {
    const value = own(document.root, name) ?? null
    return value === null ? undefined : valueText(value)
  }
  const version = text('_version')
  return {
    index: text('_index')!,
    id: text('_id'),
    routing: text('_routing'),
    version: version === undefined ? undefined : bodyLong(version),
    versionType: versionTypeOf(text('_version_type') ?? versionType),
    source: Buffer.from(writeJson(document.source)),
  }
}

function runStored(cluster: Cluster, id: string, document: IngestDocument): boolean {
  const pipeline = pipelineOf(cluster, id)
  if (pipeline === undefined) throw illegalArgument(`pipeline with id [${id}] does not exist`)
  try {
    return runPipeline(pipeline, document, { context: contextOf(cluster) })
  } catch (error) {
    throw errorOf(error)
  }
}
