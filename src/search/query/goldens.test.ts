/**
 * Every row of the classic query parser in the goldens printed by Lucene. Rows where Elasticsearch means
 * something else than the classic parser have their own list.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { analyzerFor } from '../analysis/analysis.ts'
import { tokensOf } from '../analysis/analyzer.ts'
import { SearchError } from '../request/search-error.ts'
import type { Clause, LuceneNode } from './language/lucene-node.ts'
import { parseQueryString } from './language/query-string.ts'
import { queryStringDefaults } from './language/query-string-options.ts'

const goldens = readFileSync(new URL('../../../test/data/lucene-goldens.txt', import.meta.url), 'utf8')
const [, section = ''] = goldens.split('# classic query parser, default field f\n')
const rows = [...section.matchAll(/^(OR {2}|AND )(.*?) {3}=> {3}(ERROR )?(.*)$/gm)].map(
  ([, operator = '', query = '', error, printed = '']) => ({
    operator: operator.trim() === 'AND' ? ('and' as const) : ('or' as const),
    query,
    error: error !== undefined,
    printed,
  }),
)

const inElasticsearch = new Map([
  ['*', '_exists_:f'],
  ['field:*', '_exists_:field'],
  ['_exists_:user', '_exists_:user'],
  ['age:>=10', 'age:[10 TO *]'],
  ['age:<10', 'age:[* TO 10}'],
  ['age:(>=10 AND <20)', '+age:[10 TO *] +age:[* TO 20}'],
  ['', 'nothing'],
  ['   ', 'nothing'],
])

const standard = analyzerFor('standard')

function termsOf(text: string): string[] {
  return tokensOf(standard, text).map(({ token }) => token)
}

/** Prints a tree as Lucene does; words become clauses of the default operator. */
function print(node: LuceneNode, and: boolean, nested = false): string {
  const text = printPlain(node, and)
  if (node.boost !== 1) return `(${text})^${node.boost.toFixed(1)}`
  return nested && (node.type === 'bool' || text.includes(' ')) && !/["[{]/.test(text) ? `(${text})` : text
}

function printPlain(node: LuceneNode, and: boolean): string {
  switch (node.type) {
    case 'bool':
      return node.clauses
        .filter(({ occur }) => occur !== 'filter')
        .map((clause) => printClause(clause, and))
        .join(' ')
    case 'text':
      return termsOf(node.text)
        .map((term, _, { length }) => `${and && length > 1 ? '+' : ''}${node.field}:${term}`)
        .join(' ')
    case 'phrase': {
      const terms = termsOf(node.text)
      if (terms.length === 1) return `${node.field}:${terms[0]}`
      return `${node.field}:"${terms.join(' ')}"${node.slop === 0 ? '' : `~${node.slop}`}`
    }
    case 'prefix':
      return `${node.field}:${node.text}*`
    case 'wildcard':
      return `${node.field}:${node.pattern}`
    case 'regexp':
      return `${node.field}:/${node.pattern}/`
    case 'fuzzy':
      return `${node.field}:${node.text}~${node.edits}`
    case 'range': {
      const [open, close] = [node.includeFrom ? '[' : '{', node.includeTo ? ']' : '}']
      return `${node.field}:${open}${node.from ?? '*'} TO ${node.to ?? '*'}${close}`
    }
    case 'exists':
      return `_exists_:${node.field}`
    case 'all':
      return '*:*'
    case 'none':
      return 'nothing'
  }
}

function printClause({ occur, node, spread }: Clause, and: boolean): string {
  if (spread) return printPlain(node, and)
  return (occur === 'must' ? '+' : occur === 'mustNot' ? '-' : '') + print(node, and, true)
}

describe('classic query syntax', () => {
  it('has rows', () => {
    expect(rows.length).toBe(79)
  })

  it.each(rows)('$operator: $query', ({ operator, query, error, printed }) => {
    const options = {
      ...queryStringDefaults(query),
      default_field: 'f',
      default_operator: operator,
      fuzziness: 2,
    }
    const vanishes = (leaf: { text: string }): boolean => termsOf(leaf.text).length === 0
    const parse = (): LuceneNode => parseQueryString(options, { vanishes })
    const expected = inElasticsearch.get(query)
    if (expected !== undefined) expect(print(parse(), operator === 'and')).toBe(expected)
    else if (!error) {
      expect(print(parse(), operator === 'and')).toBe(printed.replace(/^\w+Query /, ''))
    } else {
      let thrown: unknown
      try {
        parse()
      } catch (caught) {
        thrown = caught
      }
      expect(thrown).toBeInstanceOf(SearchError)
      const { message, type, cause } = thrown as SearchError
      const causedBy = cause as SearchError | undefined
      expect(type).toBe('query_shard_exception')
      expect(message).toBe(`Failed to parse query [${query}]`)
      expect(causedBy?.type).toBe('parse_exception')
      expect(causedBy?.reason.split('\n')[0]).toBe(printed)
      expect((causedBy?.cause as SearchError | undefined)?.type).toBe(
        printed.includes('Lexical') ? 'token_mgr_error' : 'parse_exception',
      )
    }
  })
})
