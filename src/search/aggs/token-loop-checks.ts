/**
 * Checks the bodies of aggregations that OpenSearch parses with a loop over the tokens (`XContentParser.nextToken`)
 * instead of an ObjectParser. Each such loop has its own error text for an unknown name or token; the first one in the
 * text is reported.
 */
import { SectionChecks } from '../collect/request/section-checks.ts'
import { isObject, type JsonObject, tokenKind } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { SourcePlaces } from '../request/source-place.ts'

type Problem = (name: string, value: unknown, aggregation: string) => string | undefined

const nested: Problem = (name, value, aggregation) => {
  if (typeof value !== 'string') return `Unexpected token ${tokenKind(value)} in [${aggregation}].`
  return name === 'path' ? undefined : unknownKey(name, value, aggregation)
}

const unknownKey = (name: string, value: unknown, aggregation: string): string =>
  `Unknown key for a ${tokenKind(value)} in [${aggregation}]: [${name}].`

const filters: Problem = (name, value, aggregation) => {
  const isKnown =
    typeof value === 'boolean'
      ? name === 'other_bucket' || name === 'keyed'
      : typeof value === 'string'
        ? name === 'other_bucket_key'
        : name === 'filters' && (Array.isArray(value) || isObject(value))
  return isKnown ? undefined : unknownKey(name, value, aggregation)
}

const problems: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['nested', nested],
  ['reverse_nested', nested],
  ['filters', filters],
  [
    'global',
    (_, value, aggregation) =>
      `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenKind(value)}] in [${aggregation}]`,
  ],
  [
    'sampler',
    // The closing quotation mark is missing there too.
    (name, value, aggregation) =>
      name === 'shard_size' && tokenKind(value) === 'VALUE_NUMBER'
        ? undefined
        : `Unsupported property "${name}" for aggregation "${aggregation}`,
  ],
])

const topHitsKeys = new Set(
  'from size version seq_no_primary_term explain track_scores _source stored_fields sort script_fields highlight docvalue_fields fields'.split(
    ' ',
  ),
)

/** Throws SearchError. */
export function checkTokenLoop(
  kind: string,
  json: JsonObject,
  aggregation: string,
  places: SourcePlaces,
): void {
  if (kind === 'top_hits') return checkTopHits(json, places)
  const problem = problems.get(kind)
  if (problem === undefined) return
  for (const [name, value] of Object.entries(json)) {
    const reason = problem(name, value, aggregation)
    if (reason !== undefined) throw refused(reason, json, name, places)
  }
}

function checkTopHits(json: JsonObject, places: SourcePlaces): void {
  const checks = new SectionChecks(places)
  for (const [name, value] of Object.entries(json)) {
    if (!topHitsKeys.has(name))
      throw refused(`Unknown key for a ${tokenKind(value)} in [${name}].`, json, name, places)
    checks.check(json, name)
  }
}

function refused(reason: string, json: JsonObject, name: string, places: SourcePlaces): SearchError {
  const { line, col } = places.of(json, name)
  return new SearchError('parsing_exception', reason, { details: { line, col } })
}
