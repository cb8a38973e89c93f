/**
 * Parses `query_string` and the parameter `q`: Lucene's classic syntax with Elasticsearch's rules, into a
 * syntax tree. It does not know the mapping; what depends on it is asked through `vanishes` or left to the
 * caller.
 */
import { SearchError } from '../../request/search-error.ts'
import { uncreatable, unparsable } from '../query-error.ts'
import { type LuceneNode, nothing, type PhraseNode, type TextNode, withMinimum } from './lucene-node.ts'
import { GrammarError } from './query-string-errors.ts'
import { EscapeError, escapeOperators } from './query-string-escapes.ts'
import { LeafError, QueryStringLeaves } from './query-string-leaves.ts'
import { LexicalError } from './query-string-lexer.ts'
import type { QueryStringOptions } from './query-string-options.ts'
import { QueryStringParser } from './query-string-parser.ts'

export interface QueryStringSurroundings {
  /**
   * True when analysis leaves no token of a text in any of its fields. Such a leaf is dropped while parsing,
   * so that an AND after it applies to the clause before it, as in Lucene.
   */
  readonly vanishes?: (leaf: TextNode | PhraseNode) => boolean
  /** `index.max_regex_length` */
  readonly maxRegexLength?: number
  /** `indices.query.bool.max_clause_count`, applied per level. */
  readonly maxClauses?: number
}

/** Throws no error but SearchError. */
export function parseQueryString(
  options: QueryStringOptions,
  surroundings: QueryStringSurroundings = {},
): LuceneNode {
  const { query } = options
  const text = options.escape ? escapeOperators(query) : query
  if (/^[\0- ]*$/.test(text)) return nothing
  const { vanishes = () => false, maxRegexLength = 1000, maxClauses = 1024 } = surroundings
  const leaves = new QueryStringLeaves({ options, maxRegexLength, vanishes })
  const settings = { andByDefault: options.default_operator === 'and', maxClauses }
  try {
    const node = new QueryStringParser(text, leaves, settings).parse(options.default_field) ?? nothing
    return withMinimum(node, options.minimum_should_match)
  } catch (error) {
    if (error instanceof LexicalError) throw unparsable(query, text, 'token_mgr_error', error.message)
    if (error instanceof GrammarError || error instanceof EscapeError || error instanceof LeafError) {
      throw unparsable(query, text, 'parse_exception', error.message)
    }
    throw error instanceof SearchError ? uncreatable(error) : error
  }
}
