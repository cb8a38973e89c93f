/** Creates processors and pipelines from their definitions, and refuses them as OpenSearch does. */
import { parseError } from '../request/errors.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import { SearchError } from '../request/search-error.ts'
import { mapFrom, toJson } from '../script/json-values.ts'
import { compileScript, readScript } from '../script/script.ts'
import type { ScriptValue } from '../script/values.ts'
import { classOf } from './ingest-document.ts'
import type { Chain, Condition, IngestContext, Pipeline, Processor, ProcessorFactory } from './processor.ts'
import { ProcessorConfig } from './processor-config.ts'
import { communityId } from './processors/community-id.ts'
import { controlProcessors } from './processors/control-processors.ts'
import { convert } from './processors/convert.ts'
import { dateProcessors } from './processors/dates.ts'
import { dissect } from './processors/dissect.ts'
import { fieldProcessors } from './processors/field-processors.ts'
import { hashProcessors } from './processors/hash-processors.ts'
import { listProcessors } from './processors/list-processors.ts'
import { parsingProcessors } from './processors/parsing-processors.ts'
import { textProcessors } from './processors/text-processors.ts'

const factories: ReadonlyMap<string, ProcessorFactory> = new Map(
  Object.entries({
    ...textProcessors,
    ...fieldProcessors,
    ...listProcessors,
    ...dateProcessors,
    ...parsingProcessors,
    ...controlProcessors,
    ...hashProcessors,
    community_id: communityId,
    convert,
    dissect,
  }),
)

/** Processors of plugins that are not here: a pipeline with them is kept, and fails when a document comes. */
const absent: ReadonlySet<string> = new Set(
  'attachment circle enrich geoip inference ip2geo network_direction redact registered_domain reroute set_security_user terminate uri_parts'.split(
    ' ',
  ),
)

/** The processors that run here, as `_nodes/ingest` lists them. */
export const processorTypes: readonly string[] = [...factories.keys()].toSorted()

function absentProcessor(type: string): ProcessorFactory {
  return (config) => {
    config.takeRest()
    return () => {
      throw new SearchError(
        'illegal_argument_exception',
        `processor [${type}] is not supported by the embedded search; use a filter of the pipeline in front of it`,
      )
    }
  }
}

type Outside = Omit<IngestContext, 'create'>

/** Throws SearchError for a definition that is refused. */
export function createPipeline(id: string, body: JsonObject, outside: Outside): Pipeline {
  const context: IngestContext = {
    ...outside,
    create: (type, options) => createProcessor(type, options, context),
  }
  const config = new ProcessorConfig(body)
  config.optionalText('description')
  config.integer('version')
  const processors = createAll(config.list('processors'), context)
  const failing = config.optionalList('on_failure')
  const onFailure = createAll(failing ?? [], context)
  if (!outside.isOpenSearch) for (const name of ['_meta', 'deprecated']) config.take(name)
  config.checkAllRead(`pipeline [${id}]`)
  if (failing !== undefined && onFailure.length === 0)
    throw parseError(`pipeline [${id}] cannot have an empty on_failure option defined`)
  return { id, chain: { ignoreFailure: false, processors, onFailure } }
}

/** All are read, so that the first error names the others too. */
function createAll(definitions: readonly unknown[], context: IngestContext): Processor[] {
  const processors: Processor[] = []
  const errors: SearchError[] = []
  for (const definition of definitions) {
    if (!isObject(definition)) throw wrongClass(definition)
    for (const [type, options] of Object.entries(definition)) {
      try {
        processors.push(createProcessor(type, options, context))
      } catch (error) {
        if (!(error instanceof SearchError)) throw error
        errors.push(error)
      }
    }
  }
  const [first, ...others] = errors
  if (first === undefined) return processors
  throw others.length === 0 ? first : withSuppressed(first, others)
}

function wrongClass(value: unknown): SearchError {
  const given = classOf(value)
  return new SearchError(
    'class_cast_exception',
    `class ${given} cannot be cast to class java.util.Map (${given} and java.util.Map are in module java.base of loader 'bootstrap')`,
    { status: 500 },
  )
}

function withSuppressed(first: SearchError, others: readonly SearchError[]): SearchError {
  return new SearchError(first.type, first.message, {
    status: first.status,
    cause: first.causedBy,
    details: {
      ...first.details,
      suppressed: others.map(asJson),
    },
  })
}

function asJson({ type, message, details, causedBy }: SearchError): Record<string, unknown> {
  return {
    type,
    reason: message,
    ...details,
    ...(causedBy instanceof SearchError && { caused_by: asJson(causedBy) }),
  }
}

function createProcessor(type: string, options: unknown, context: IngestContext): Processor {
  const given = typeof options === 'string' && type === 'script' ? { source: options } : options
  if (!isObject(given))
    throw new ProcessorConfig({}, type).error(
      undefined,
      `property isn't a map, but of type [${classOf(options)}]`,
    )
  const all = new ProcessorConfig(given)
  const tag = all.optionalText('tag')
  const description = all.optionalText('description')
  const condition = all.take('if')
  const factory = factories.get(type) ?? (absent.has(type) ? absentProcessor(type) : undefined)
  if (factory === undefined)
    throw new ProcessorConfig({}, type, tag).error(undefined, `No processor type exists with name [${type}]`)
  const ignoreFailure = all.flag('ignore_failure')
  const failing = all.optionalList('on_failure')
  const onFailure = createAll(failing ?? [], context)
  const config = all.of(type, tag)
  if (failing !== undefined && onFailure.length === 0)
    throw config.error('on_failure', 'processors list cannot be empty')
  try {
    const made = factory(config, context)
    config.checkAllRead(`processor [${type}]`)
    const work: Processor['work'] = typeof made === 'function' ? { kind: 'process', run: made } : made
    const inner: Processor = { type, tag, description, work }
    const chain: Chain = { ignoreFailure, processors: [inner], onFailure }
    const processor: Processor =
      onFailure.length > 0 || ignoreFailure
        ? {
            type: 'compound',
            tag: `CompoundProcessor-${tag ?? 'null'}`,
            description: undefined,
            work: { kind: 'chain', chain },
          }
        : inner
    return condition === undefined ? processor : { ...processor, condition: conditionOf(condition, context) }
  } catch (error) {
    throw ofProcessor(error, type, tag)
  }
}

/** Errors that OpenSearch has no type of its own for are wrapped. */
function ofProcessor(error: unknown, type: string, tag: string | undefined): unknown {
  if (!(error instanceof SearchError)) return error
  const details = { processor_type: type, ...(tag !== undefined && { processor_tag: tag }) }
  const java = javaNames.get(error.type)
  if (java !== undefined)
    return new SearchError('exception', `${java}: ${error.message}`, { status: 500, cause: error, details })
  return new SearchError(error.type, error.message, {
    status: error.status,
    cause: error.causedBy,
    details: 'processor_type' in error.details ? error.details : { ...details, ...error.details },
  })
}

const javaNames: ReadonlyMap<string, string> = new Map([
  ['illegal_argument_exception', 'java.lang.IllegalArgumentException'],
  ['class_cast_exception', 'java.lang.ClassCastException'],
  ['date_time_exception', 'java.time.DateTimeException'],
  ['zone_rules_exception', 'java.time.zone.ZoneRulesException'],
  ['pattern_syntax_exception', 'java.util.regex.PatternSyntaxException'],
  ['pattern_parse', 'org.opensearch.dissect.DissectException$PatternParse'],
])

function conditionOf(json: unknown, { scripts }: IngestContext): Condition {
  if (typeof json !== 'string' && !isObject(json))
    throw new ProcessorConfig({}, 'conditional').error(
      'script',
      `property isn't a map or string, but of type [${classOf(json)}]`,
    )
  const script = readScript(json, scripts())
  const run = compileScript(script, ['ctx', 'params'])
  return {
    text: script.source,
    holds(document) {
      const ctx = mapFrom(document.root)
      ctx.set('_ingest', mapFrom(document.ingest))
      const values = new Map<string, ScriptValue>([
        ['ctx', ctx],
        ['params', mapFrom(toJson(script.params) as object)],
      ])
      return run(values, 'boolean') === true
    },
  }
}
