/** Runs documents through a pipeline without writing them, step by step when it is verbose. */
import { illegalArgument } from '../request/errors.ts'
import { isObject, type JsonObject, own, put } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { ProcessorFailure, type Run, runPipeline, type Step, TrackingEnded } from './chain.ts'
import {
  classOf,
  deepCopy,
  type Fields,
  IngestDocument,
  metadataNames,
  valueText,
} from './ingest-document.ts'
import type { Pipeline } from './processor.ts'
import { ProcessorConfig } from './processor-config.ts'

/** The documents of a request; each is one of its own. */
export function documentsOf(body: JsonObject, timestamp: () => string): IngestDocument[] {
  const docs = new ProcessorConfig(body).list('docs')
  if (docs.length === 0) throw illegalArgument('must specify at least one document in [docs]')
  return docs.map((doc) => {
    if (!isObject(doc)) throw illegalArgument('malformed [docs] section, should include an inner object')
    const config = new ProcessorConfig(doc)
    const root = deepCopy(config.map('_source')) as Fields
    put(root, '_index', textOrNumber(config, '_index') ?? '_index')
    put(root, '_id', textOrNumber(config, '_id') ?? '_id')
    const routing = textOrNumber(config, '_routing')
    if (routing !== undefined) put(root, '_routing', routing)
    for (const name of ['_version', '_if_seq_no', '_if_primary_term']) {
      const value = config.take(name)
      if (value === undefined) continue
      if (!/\.(?:Integer|Long)$/.test(classOf(value)))
        throw illegalArgument(`Failed to parse parameter [${name}], only int or long is accepted`)
      put(root, name, value)
    }
    for (const name of ['_version_type', '_op_type']) {
      const value = config.optionalText(name)
      if (value !== undefined) put(root, name, value)
    }
    return new IngestDocument(root, { timestamp: timestamp() })
  })
}

function textOrNumber(config: ProcessorConfig, name: string): string | undefined {
  const value = config.take(name)
  if (value === undefined || typeof value === 'string') return value
  if (classOf(value) === 'java.lang.Integer') return valueText(value)
  throw config.error(name, `property isn't a string or int, but of type [${classOf(value)}]`)
}

/** How an error is shown. */
type ShowError = (error: unknown) => JsonObject

function shown(document: IngestDocument): JsonObject {
  const head: Fields = {}
  for (const name of metadataNames) {
    const value = own(document.root, name) ?? null
    if (value !== null) put(head, name, valueText(value))
  }
  const { budget } = document
  return { ...head, _source: deepCopy(document.source, budget), _ingest: deepCopy(document.ingest, budget) }
}

/** The error of a processor, without the wrapping. */
export function errorOf(error: unknown): unknown {
  return error instanceof ProcessorFailure || error instanceof TrackingEnded ? error.error : error
}

/** Null for a document that was dropped. */
export function simulate(
  pipeline: Pipeline,
  document: IngestDocument,
  run: Run,
  showError: ShowError,
): JsonObject | null {
  try {
    if (!runPipeline(pipeline, document, run)) return null
    return { doc: shown(document) }
  } catch (error) {
    return showError(errorOf(error))
  }
}

export function simulateVerbose(
  pipeline: Pipeline,
  document: IngestDocument,
  run: Run,
  showError: ShowError,
): JsonObject {
  const results: JsonObject[] = []
  const track = (step: Step, after: IngestDocument) => void results.push(resultOf(step, after, showError))
  try {
    runPipeline(pipeline, document, { ...run, track })
  } catch (error) {
    if (error instanceof TrackingEnded) throw error.error
    if (!(error instanceof ProcessorFailure) && !(error instanceof SearchError)) throw error
  }
  return { processor_results: results }
}

function resultOf(
  { processor, condition, outcome }: Step,
  after: IngestDocument,
  showError: ShowError,
): JsonObject {
  const { type, tag, description } = processor
  const error = typeof outcome === 'object' ? outcome : undefined
  const status =
    error !== undefined
      ? error.isIgnored
        ? 'error_ignored'
        : 'error'
      : outcome === 'skipped' || outcome === 'dropped'
        ? outcome
        : 'success'
  const isShown = outcome === 'done' || error?.isIgnored === true
  return {
    processor_type: type,
    status,
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tag }),
    ...(condition !== undefined && { if: { condition: condition.text, result: condition.result } }),
    ...(error !== undefined &&
      (error.isIgnored
        ? { ignored_error: showError(errorOf(error.error)) }
        : showError(errorOf(error.error)))),
    ...(isShown && { doc: shown(after) }),
  }
}
