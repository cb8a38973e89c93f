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
    reason: 'auto_date_histogram cuts the lists of its sub-aggregations for smaller intervals than it shows',
    is: (body, { path, theirs }) =>
      body.includes('"auto_date_histogram"') &&
      (/buckets\[\d+\]\.[\w#]+\.(?:buckets|hits|sum_other_doc_count|doc_count_error)/.test(path) ||
        /Expected \[\d+\] buckets, but got \[\d+\]/.test(theirs)),
  },
  {
    reason: 'simple_query_string fails on rank_feature fields with a null pointer, which it prints',
    is: theirsSay('Cannot invoke \\"org.apache.lucene.analysis.Analyzer.normalize'),
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
    reason: 'a histogram with an interval too small for its values fills the heap there',
    is: (body, { theirs }) => body.includes('"histogram"') && theirs.startsWith('0 no answer in time'),
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
