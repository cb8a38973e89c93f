/**
 * The leaves of a `query_string`: rules that Elasticsearch adds to Lucene's classic syntax. `_exists_:x`,
 * `x:*` and `*` test existence, `age:>=10` is a range, and a bare `~` uses the option `fuzziness`.
 */
import { illegalArgument } from '../../request/errors.ts'
import { editsFor, parseFuzziness } from '../fuzziness.ts'
import { everything, type LuceneNode, type PhraseNode, type TextNode } from './lucene-node.ts'
import type { QueryStringOptions } from './query-string-options.ts'

/** An error in a leaf, which the parser reports like a grammar error. */
export class LeafError extends Error {}

interface LeafSettings {
  readonly options: QueryStringOptions
  readonly maxRegexLength: number
  readonly vanishes: (leaf: TextNode | PhraseNode) => boolean
}

export class QueryStringLeaves {
  readonly #options: QueryStringOptions
  readonly #settings: LeafSettings

  constructor(settings: LeafSettings) {
    this.#options = settings.options
    this.#settings = settings
  }

  /** Undefined when analysis leaves no token. */
  text(field: string | undefined, text: string): LuceneNode | undefined {
    if (field !== undefined && text.length > 1) {
      // Escapes are resolved by now, so these operators cannot be escaped.
      if (text.startsWith('>=') && text.length > 2)
        return rangeNode(field, text.slice(2), undefined, true, true)
      if (text.startsWith('>')) return rangeNode(field, text.slice(1), undefined, false, true)
      if (text.startsWith('<=') && text.length > 2)
        return rangeNode(field, undefined, text.slice(2), true, true)
      if (text.startsWith('<')) return rangeNode(field, undefined, text.slice(1), true, false)
    }
    if (field === '_exists_') return exists(text)
    return this.#unlessEmpty({ type: 'text', field, text, boost: 1 })
  }

  /** `suffix` is what follows the phrase, as `~3`; it is ignored when it is not a number. */
  phrase(field: string | undefined, text: string, suffix: string | undefined): LuceneNode | undefined {
    if (field === '_exists_') return exists(text)
    const given = suffix === undefined ? Number.NaN : Number.parseFloat(suffix.slice(1))
    const slop = Number.isNaN(given) ? this.#options.phrase_slop : Math.min(Math.trunc(given), 2_147_483_647)
    return this.#unlessEmpty({ type: 'phrase', field, text, slop, boost: 1 })
  }

  #unlessEmpty(leaf: TextNode | PhraseNode): LuceneNode | undefined {
    return this.#settings.vanishes(leaf) ? undefined : leaf
  }

  prefix(field: string | undefined, text: string): LuceneNode {
    return { type: 'prefix', field, text, boost: 1 }
  }

  wildcard(field: string | undefined, pattern: string): LuceneNode {
    if (pattern === '*') return field === '*' ? everything : { type: 'exists', field, boost: 1 }
    if (!this.#options.allow_leading_wildcard && /^[*?]/.test(pattern)) {
      throw new LeafError("'*' or '?' not allowed as first character in WildcardQuery")
    }
    return { type: 'wildcard', field, pattern, boost: 1 }
  }

  regexp(field: string | undefined, pattern: string): LuceneNode {
    const { maxRegexLength } = this.#settings
    if (pattern.length > maxRegexLength) {
      throw illegalArgument(
        `The length of regex [${pattern.length}] used in the [query_string] has exceeded the allowed maximum of [${maxRegexLength}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
      )
    }
    const maxDeterminizedStates = this.#options.max_determinized_states
    return { type: 'regexp', field, pattern, maxDeterminizedStates, boost: 1 }
  }

  fuzzy(field: string | undefined, text: string, suffix: string): LuceneNode {
    const { fuzziness, fuzzy_prefix_length, fuzzy_max_expansions, fuzzy_transpositions } = this.#options
    return {
      type: 'fuzzy',
      field,
      text,
      edits: editsFor(suffix === '~' ? fuzziness : parseFuzziness(suffix.slice(1)), text),
      prefixLength: fuzzy_prefix_length,
      maxExpansions: fuzzy_max_expansions,
      transpositions: fuzzy_transpositions,
      boost: 1,
    }
  }
}

function exists(field: string): LuceneNode {
  return { type: 'exists', field, boost: 1 }
}

export function rangeNode(
  field: string | undefined,
  from: string | undefined,
  to: string | undefined,
  includeFrom: boolean,
  includeTo: boolean,
): LuceneNode {
  return {
    type: 'range',
    field,
    from: from === '*' ? undefined : from,
    to: to === '*' ? undefined : to,
    includeFrom,
    includeTo,
    boost: 1,
  }
}
