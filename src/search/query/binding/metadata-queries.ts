/** Queries on metadata fields: `_id`, `_index`, `_routing`, `_seq_no`, `_version`. */
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import type { SearchError } from '../../request/search-error.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import {
  existsQuery,
  idsQuery,
  metadataNumberQuery,
  PredicateQuery,
  routingQuery,
  scanned,
} from '../exec/columns/predicate-query.ts'
import { ConstantScoreQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { among, MultiTermQuery } from '../exec/terms/multi-term-query.ts'
import type { Binding } from './binding.ts'

const names = new Set([
  '_id',
  '_index',
  '_routing',
  '_seq_no',
  '_version',
  '_primary_term',
  '_source',
  '_ignored',
  '_field_names',
  '_type',
])

export function isMetadata(field: string): boolean {
  return names.has(field)
}

/** Matches documents whose metadata field has any of the values. */
export function metadataTerms(binding: Binding, field: string, values: readonly unknown[]): Query {
  const texts = values.map(javaText)
  switch (field) {
    case '_id':
      return new ConstantScoreQuery(idsQuery(texts))
    case '_index':
      return wholeIndex(binding, (name) => texts.some((text) => simpleMatch(text, name)))
    case '_type':
      return texts.includes('_doc')
        ? new ConstantScoreQuery(new MatchAllQuery())
        : new MatchNoneQuery('Type list does not contain the index type')
    case '_routing':
      return routingQuery(texts)
    case '_ignored':
      return new MultiTermQuery({
        field,
        selection: among(texts),
        text: `_ignored:(${texts.join(' ')})`,
        terms: texts,
      })
    case '_field_names':
      return existsQuery(
        texts.filter((name) => isNamed(binding, name)),
        texts.join(' '),
        new Set(texts),
      )
    case '_seq_no':
    case '_version':
    case '_primary_term': {
      const numbers = texts.map(Number)
      if (numbers.length === 1) return metadataNumberQuery(field, numbers[0]!, numbers[0]!)
      throw unsupported(field, 'terms')
    }
    default:
      throw binding.refusal(`The ${field} field is not searchable`)
  }
}

function unsupported(field: string, kind: string): SearchError {
  return illegalArgument(`Field [${field}] of type [${field}] does not support ${kind} queries`)
}

/** Matches all documents of the index or none, by its name. */
export function wholeIndex(binding: Binding, test: (name: string) => boolean): Query {
  const { index, aliases } = binding.context
  return [index, ...aliases].some(test) ? new MatchAllQuery() : new MatchNoneQuery('The index does not match')
}

export function metadataRange(binding: Binding, field: string, from: number, to: number): Query {
  if (field === '_seq_no' || field === '_version' || field === '_primary_term') {
    return metadataNumberQuery(field, from, to)
  }
  if (field === '_source') throw binding.refusal(`The ${field} field is not searchable`)
  throw unsupported(field, 'range')
}

/** The names of fields that have neither doc values nor norms are indexed; others are known without. */
function isNamed(binding: Binding, name: string): boolean {
  const field = binding.field(name)
  return field !== undefined && !field.hasDocValues && !field.spec.norms
}

export function metadataExists(binding: Binding, field: string): Query {
  switch (field) {
    case '_source':
    case '_field_names':
      throw binding.refusal(`The ${field} field is not searchable`)
    case '_routing':
      return new PredicateQuery(
        {
          cost: (leaf) => leaf.segment.docCount,
          find: (leaf) =>
            scanned(
              leaf.segment.docCount,
              leaf.segment.roots,
              (doc) => leaf.segment.routing(doc) !== undefined,
            ),
        },
        'FieldExistsQuery [field=_routing]',
        'exists _routing',
      )
    case '_ignored':
      return existsQuery(['_ignored'], '_ignored')
    default:
      return new ConstantScoreQuery(new MatchAllQuery())
  }
}
