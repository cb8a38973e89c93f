/** Parses the body and query string of a search into one request and refuses contradictions between them. */

import { parseQueryLists } from '../../query/dsl/parse-query.ts'
import { minBytesForSteps } from '../../request/body/json-in-pieces.ts'
import { illegalArgument } from '../../request/errors.ts'
import { type JsonObject, own } from '../../request/json-object.ts'
import { maxRetainedBytes, type RequestSource, rememberSource } from '../../request/request-source.ts'
import { isObject } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { SourcePlaces } from '../../request/source-place.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { parseHighlight } from '../highlight/highlight-request.ts'
import { readBody } from './body-reader.ts'
import { refuseObsolete } from './obsolete-options.ts'
import { emptyDraft, type SearchDraft, type SearchRequest } from './search-request.ts'
import { type CheckSection, SectionChecks } from './section-checks.ts'
import { type Parameters, readParameters } from './url-reader.ts'

export interface RequestOptions {
  /** Apply Elasticsearch's default limits and total hit counting. */
  readonly strict?: boolean
  /** The raw body, for line and column in errors. */
  readonly text?: Uint8Array | undefined
  /** True when the path names indices. */
  readonly namesIndices?: boolean
  /** Sections of the body that are checked by those who read them, by key. */
  readonly sections?: ReadonlyMap<string, CheckSection>
}

/** `body` is parsed JSON, undefined without one. Throws SearchError. */
export function parseSearchRequest(
  body: unknown,
  parameters: Parameters = new Map(),
  options: RequestOptions = {},
): SearchRequest {
  const draft = emptyDraft(options.strict ?? false)
  const isDefaultTotal = () => draft.trackTotalHits === (draft.isStrict ? 10_000 : true)
  const source = sourceOfBody(body, options.text)
  const places = new SourcePlaces(source.body, source.text)
  if (body !== undefined) {
    if (isObject(body)) for (const part of Object.values(body)) rememberSource(part, source)
    readBody(draft, body, new SectionChecks(places, options.sections), options.text)
    if (draft.isStrict && isObject(body)) refuseObsolete(own(body, 'query'), places)
  }
  if (draft.highlight !== undefined) parseHighlight(draft.highlight, places)
  readParameters(draft, parameters)
  const suggested = parameters.get('suggest_field')
  if (suggested !== undefined) {
    // Elasticsearch and OpenSearch fail without a mode, although they document one as the default.
    if (draft.isStrict && !parameters.has('suggest_mode'))
      throw new SearchError('null_pointer_exception', 'Input string is null', { status: 500 })
    draft.suggest = urlSuggestion(suggested, parameters)
  }
  if (draft.totalAsNumber) {
    if (draft.isStrict && isDefaultTotal()) draft.trackTotalHits = true
    if (typeof draft.trackTotalHits === 'number') {
      throw illegalArgument(
        `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${draft.trackTotalHits}`,
      )
    }
  }
  if (draft.scroll !== undefined && typeof draft.trackTotalHits === 'number' && isDefaultTotal()) {
    draft.trackTotalHits = true
  }
  validate(draft, parameters, options)
  return draft
}

/** Parses the query of a long request in steps; `parseSearchRequest` finds its lists parsed. */
export function prepareQuery(body: JsonObject, text: Uint8Array): Steps<void> | undefined {
  const query = own(body, 'query')
  if (text.length < minBytesForSteps || !isObject(query)) return undefined
  const { text: kept } = sourceOfBody(body, text)
  return parseQueryLists(query, new SourcePlaces(body, kept))
}

function sourceOfBody(body: unknown, text: Uint8Array | undefined): RequestSource {
  if (text === undefined || text.length > maxRetainedBytes) return { body }
  return { body, text: () => Buffer.from(text).toString('utf8') }
}

/** The `suggest_field` parameters as a `term` suggestion named after the field. */
function urlSuggestion(field: string, parameters: Parameters): unknown {
  const mode = parameters.get('suggest_mode')
  const size = parameters.get('suggest_size')
  const term = {
    field,
    ...(mode !== undefined && { suggest_mode: mode }),
    ...(size !== undefined && { size }),
  }
  return { [field]: { text: parameters.get('suggest_text') ?? parameters.get('q') ?? '', term } }
}

function validate(
  draft: SearchDraft,
  parameters: Parameters,
  { namesIndices = false }: RequestOptions,
): void {
  const problems: string[] = []
  if (draft.scroll !== undefined) {
    if (draft.trackTotalHits !== true)
      problems.push('disabling [track_total_hits] is not allowed in a scroll context')
    if (draft.from > 0) problems.push('using [from] is not allowed in a scroll context')
    if (parameters.get('request_cache') === 'true')
      problems.push('[request_cache] cannot be used in a scroll context')
    if (draft.size === 0) problems.push('[size] cannot be [0] in a scroll context')
    if (draft.rescore.length > 0) problems.push('using [rescore] is not allowed in a scroll context')
    if (draft.pit !== undefined) problems.push('using [point in time] is not allowed in a scroll context')
  }
  if (draft.pit !== undefined) {
    if (namesIndices) problems.push('[indices] cannot be used with point in time')
    if (
      parameters.has('expand_wildcards') ||
      parameters.has('ignore_unavailable') ||
      parameters.has('allow_no_indices')
    ) {
      problems.push('[indicesOptions] cannot be used with point in time')
    }
    for (const name of ['routing', 'preference', 'ccs_minimize_roundtrips']) {
      if (parameters.has(name)) problems.push(`[${name}] cannot be used with point in time`)
    }
  } else if (draft.sort?.some(({ kind }) => kind === 'shard_doc')) {
    problems.push('[_shard_doc] sort field cannot be used without [point in time]')
  }
  if (problems.length > 0) {
    const text = problems.map((problem, index) => `${index + 1}: ${problem};`).join('')
    throw new SearchError('action_request_validation_exception', `Validation Failed: ${text}`)
  }
}
