/**
 * Differences that are counted apart, each with its reason: OpenSearch is at fault, or ours is better on purpose.
 * docs/search-conformance.md has the same list for readers.
 */
import type { Difference } from './compare.ts'
import type { Request } from './nodes.ts'

interface Accepted {
  readonly reason: string
  readonly is: (body: string, difference: Difference, request: Request) => boolean
}

/** An answer of theirs that holds a text. */
const theirsSay =
  (text: string): Accepted['is'] =>
  (_, { theirs }) =>
    theirs.includes(text)

const accepted: readonly Accepted[] = [
  {
    reason: 'the runner does not know the class of tokens that filters with scripts need',
    is: (body) => /predicate_token_filter|"condition"/.test(body),
  },
  {
    reason: 'what is in the cache of field data depends on earlier requests',
    is: (_, __, { path }) => path.startsWith('/_cat/fielddata'),
  },
  {
    reason: 'the runner loads the modules of OpenSearch as plugins; here are no plugins',
    is: (_, __, { path }) => path.startsWith('/_cat/plugins'),
  },
  {
    reason: 'decay functions refuse scaled_float with a Java object',
    is: (body, { path, theirs }) =>
      theirs.includes('ScaledFloatFieldType@') ||
      (body.includes('"gauss":{"price"') &&
        ((path === 'valid' && theirs === 'false') ||
          (path.endsWith('.type') && theirs === '"parsing_exception"'))),
  },
  {
    reason: 'simple_query_string fails on rank_feature fields with a null pointer, which it prints',
    is: theirsSay('Cannot invoke \\"org.apache.lucene.analysis.Analyzer.normalize'),
  },
  {
    reason: 'a filter that was rewritten gives its aggregations an empty meta',
    is: (_, { path, ours, theirs }) => path.endsWith('.meta') && ours === '(none)' && theirs === '{}',
  },
  {
    reason: 'rare_terms in several buckets gives its sub-aggregations the documents of other buckets',
    is: (body, { path }) =>
      body.includes('"rare_terms"') && /buckets\[\d+\]\.a\.buckets\[\d+\]\.[ab]\./.test(path),
  },
  {
    reason: 'negative values in hdr are an index out of bounds',
    is: theirsSay('Negative values cannot be recorded'),
  },
  {
    reason: 'auto_date_histogram counts a document once for each of its values',
    is: (body, { path, ours, theirs }) =>
      /auto_date_histogram/.test(body) &&
      /"field":"date"/.test(body) &&
      path.endsWith('doc_count') &&
      Number(theirs) > Number(ours),
  },
  {
    reason: 'the estimator above precision_threshold is another one',
    is: (body, { path }) =>
      /"cardinality":\{[^}]*"precision_threshold":(0|3)\b/.test(body) && path.endsWith('.value'),
  },
  {
    reason: 'query_string finds beginnings in wildcard fields where it looks for ends',
    is: (body, { path }) =>
      /"query":"\*or"/.test(body) &&
      /"wild"|"fields":\["?\*|query_string/.test(body) &&
      path.startsWith('hits'),
  },
  {
    reason: 'wildcard with case_insensitive finds nothing in keywords that are not indexed',
    is: (body, { path }) =>
      /"wildcard":\{"hidden":\{[^}]*"case_insensitive":true/.test(body) &&
      /^(hits|aggregations)\b/.test(path),
  },
  {
    reason: 'variable_width_histogram gives its sub-aggregations the documents of other buckets',
    is: (body, { path }) =>
      body.includes('"variable_width_histogram"') &&
      /buckets\[\d+\]\.(?!(?:key|min|max|doc_count)$)[\w#]+\./.test(path),
  },
  {
    reason: 'a histogram with an interval too small for its values fills the heap there',
    is: (body, { theirs }) => body.includes('"histogram"') && theirs.startsWith('0 no answer in time'),
  },
  {
    reason: 'numbers of documents in a segment: Lucene counts tombstones, ours has none in segments',
    is: (_, { path: place }, { path }) =>
      place.endsWith('docs.deleted') || (path.includes('sort=_doc') && place.endsWith('.sort[0]')),
  },
  {
    reason: 'a list of several types in a new field is refused there, here its first value decides',
    is: (_, { theirs }, { path }) =>
      path.includes('/_doc/') && /cannot be changed from type|can't merge a non object mapping/.test(theirs),
  },
  {
    reason:
      'OpenSearch takes definitions that say nothing: a script without a source, a template without patterns',
    is: (body, { ours, theirs }, { path }) =>
      theirs.startsWith('200') &&
      ours.startsWith('400') &&
      ((path.startsWith('/_scripts/') && body === '{}') ||
        (path.startsWith('/_index_template/') && body === '{"index_patterns":[]}')),
  },
  {
    reason: 'a field of a template where an object is needed is a class cast',
    is: (_, { ours, theirs }) =>
      ours.startsWith('"Could not dynamically add mapping') && theirs === '"failed to parse"',
  },
  {
    reason: 'older clients of Elasticsearch send a type with ids',
    is: (body, { theirs }) => body.includes('"ids"') && theirs.includes('[ids] unknown field [type]'),
  },
  {
    reason: 'the library of grok patterns is written anew: other texts that match the same',
    is: (_, __, { path }) => path === '/_ingest/processor/grok',
  },
  {
    reason: 'wildcard fields are sorted in rising order there, whatever the order is',
    is: (body, { path }) => /"wild":(?:"desc"|\{"order":"desc")/.test(body) && path.startsWith('hits'),
  },
  {
    reason: 'terminate_after below zero is taken there and finds nothing',
    is: (body) => body === '{"terminate_after":-1}',
  },
  {
    reason: 'lists and objects are read as a term there, by their bracket',
    is: (_, { ours, theirs }) =>
      /^400 .*\b(term|span_term|terms|terms_set|range)\] unknown token \[START_(ARRAY|OBJECT)\]/.test(ours) &&
      theirs.startsWith('200'),
  },
  {
    reason: 'weighted_avg and multi_terms without their fields are null pointers',
    is: (body, { theirs }) =>
      /weighted_avg|multi_terms/.test(body) && theirs.includes('null_pointer_exception'),
  },
  {
    reason: 'processors that are the job of a pipeline in front of the store are refused with the advice',
    is: (_, { ours }) => ours.includes('is not supported by the embedded search'),
  },
]

export function acceptedReason(request: Request, difference: Difference): string | undefined {
  const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body ?? '')
  return accepted.find(({ is }) => is(body, difference, request))?.reason
}
