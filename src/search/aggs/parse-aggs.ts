/**
 * Parses `aggs` of a request into a tree of aggregations and pipeline aggregations, with Elasticsearch's
 * error texts.
 */

import { didYouMean } from '../request/did-you-mean.ts'
import { illegalArgument } from '../request/errors.ts'
import { sourceOf } from '../request/request-source.ts'
import { isObject, type JsonObject, tokenKind } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { CreateAggregator } from './agg-kind.ts'
import { aggKinds } from './agg-kinds.ts'
import { AggOptions, AggPlaces } from './agg-options.ts'
import { checkAggregation } from './agg-shapes.ts'
import { pipelineKinds } from './pipeline/kinds.ts'
import type { AggLevel, AggNode, PipelineAggregation } from './pipeline/pipeline.ts'
import { validatePipelines } from './pipeline/validate.ts'
import { checkTokenLoop } from './token-loop-checks.ts'

export interface AggRequest extends AggNode {
  readonly aggs: readonly AggRequest[]
  readonly meta: JsonObject | undefined
  readonly create: CreateAggregator
}

export interface AggRequests extends AggLevel {
  readonly aggs: readonly AggRequest[]
}

/** Throws SearchError. `text` is that of the whole `body` that contains the aggregations. */
export function parseAggregations(json: unknown, body?: unknown, text?: string): AggRequests {
  const source = sourceOf(json)
  const places = new AggPlaces(body ?? source?.body ?? { aggs: json }, text ?? source?.text)
  const parser = new AggParser(places)
  const requests = parser.level(json)
  validatePipelines(requests)
  return requests
}

/** The maximum nesting of aggregations. */
const maxDepth = 100

class AggParser {
  readonly #places: AggPlaces
  #depth = 0

  constructor(places: AggPlaces) {
    this.#places = places
  }

  level(json: unknown): AggRequests {
    if (!isObject(json)) {
      throw this.#places.error(`Expected [START_OBJECT] but got a [${tokenKind(json)}]`, json)
    }
    if (++this.#depth > maxDepth) {
      throw illegalArgument(`Aggregations are nested more than [${maxDepth}] deep`)
    }
    const aggs: AggRequest[] = []
    const pipelines: PipelineAggregation[] = []
    for (const name of Object.keys(json)) this.#one(name, json, aggs, pipelines)
    this.#depth--
    return { aggs, pipelines }
  }

  #one(name: string, level: JsonObject, aggs: AggRequest[], pipelines: PipelineAggregation[]): void {
    const places = this.#places
    if (/[[\]>]/.test(name)) {
      const { line, col } = places.source.ofName(level, name)
      throw new SearchError(
        'parsing_exception',
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
        { details: { line, col } },
      )
    }
    const definition = level[name]
    if (!isObject(definition)) {
      throw places.error(
        `Aggregation definition for [${name} starts with a [${tokenKind(definition)}], expected a [START_OBJECT].`,
        level,
        name,
      )
    }
    let kind: string | undefined
    let meta: JsonObject | undefined
    let inner: AggRequests | undefined
    let create: CreateAggregator | undefined
    for (const [key, value] of Object.entries(definition)) {
      if (!isObject(value)) {
        throw places.error(
          `Expected [START_OBJECT] under [${key}], but got a [${tokenKind(value)}] in [${name}]`,
          definition,
          key,
        )
      }
      if (key === 'meta') meta = value
      else if (key === 'aggs' || key === 'aggregations') {
        if (inner !== undefined) {
          throw places.error(`Found two sub aggregation definitions under [${name}]`, definition, key)
        }
        inner = this.level(value)
      } else if (kind !== undefined) {
        throw places.error(
          `Found two aggregation type definitions in [${name}]: [${kind}] and [${key}]`,
          definition,
          key,
        )
      } else {
        if (!aggKinds.has(key) && !pipelineKinds.has(key)) throw this.#unknownKind(key, definition)
        kind = key
        if (aggKinds.has(key)) create = this.#create(name, key, value)
      }
    }
    if (kind === undefined) {
      throw places.errorAfter(`Missing definition for aggregation [${name}]`, definition)
    }
    const body = definition[kind] as JsonObject
    const parsePipeline = pipelineKinds.get(kind)
    if (parsePipeline !== undefined) {
      if (inner !== undefined) {
        throw places.error(`Aggregation [${name}] cannot define sub-aggregations`, definition)
      }
      pipelines.push(
        parsePipeline(name, body, {
          meta,
          error: (reason, node, key) => places.error(reason, node, key),
        }),
      )
      return
    }
    aggs.push(this.#aggregation(name, kind, body, meta, create!, inner))
  }

  /** Reads the definition of a kind when its turn comes. */
  #create(name: string, kind: string, body: JsonObject): CreateAggregator {
    checkAggregation(kind, body, this.#places.source)
    checkTokenLoop(kind, body, name, this.#places.source)
    const options = new AggOptions(name, kind, body, this.#places)
    try {
      return aggKinds.get(kind)!.parse(options)
    } catch (error) {
      throw options.unknownBefore(error)
    }
  }

  #aggregation(
    name: string,
    kindName: string,
    body: JsonObject,
    meta: JsonObject | undefined,
    create: CreateAggregator,
    inner: AggRequests = { aggs: [], pipelines: [] },
  ): AggRequest {
    const { bucketing = 'many' } = aggKinds.get(kindName)!
    if (bucketing === 'none' && inner.aggs.length + inner.pipelines.length > 0) {
      throw new SearchError(
        'aggregation_initialization_exception',
        `Aggregator [${name}] of type [${kindName}] cannot accept sub-aggregations`,
      )
    }
    const min = Number(Object.hasOwn(body, 'min_doc_count') ? body['min_doc_count'] : 0)
    return { name, kind: kindName, bucketing, minDocCount: min, ...inner, meta, create }
  }

  #unknownKind(name: string, definition: JsonObject): SearchError {
    const known = [...aggKinds.keys(), ...pipelineKinds.keys()]
    const cause = new SearchError(
      'named_object_not_found_exception',
      `[${this.#places.text(definition, name)}] unknown field [${name}]`,
    )
    return this.#places.error(
      `Unknown aggregation type [${name}]${didYouMean(name, known)}`,
      definition,
      name,
      { cause },
    )
  }
}
