/**
 * The tree both query languages (`query_string` and `simple_query_string`) are parsed into. Leaves hold text
 * as the user meant it, escapes resolved, not yet analyzed and not yet spread over fields.
 *
 * `field` of a leaf is a name or a pattern (`book.*`, `*`); undefined stands for the list of `fields` the query
 * was given. Binding makes a dis_max of several fields.
 */
export type Occur = 'must' | 'should' | 'mustNot' | 'filter'

export interface Clause {
  readonly occur: Occur
  readonly node: LuceneNode
  /**
   * True for words that stand together without operators: they are analyzed as one text. If that gives a plain
   * boolean query over one field, its clauses take the place of this one: as they are when all of them are
   * single terms, otherwise with `occur` (those that exclude keep excluding).
   */
  readonly spread: boolean
}

interface Scored {
  readonly boost: number
}

interface OnField extends Scored {
  readonly field: string | undefined
}

export interface BoolNode extends Scored {
  readonly type: 'bool'
  readonly clauses: readonly Clause[]
  /** Applies to the clauses that are `should` once words have been spread; only on the outermost node. */
  readonly minimumShouldMatch?: string
}

export interface TextNode extends OnField {
  readonly type: 'text'
  readonly text: string
  /** Only on the outermost node; applies if analysis makes a boolean query over one field of it. */
  readonly minimumShouldMatch?: string
}

export interface PhraseNode extends OnField {
  readonly type: 'phrase'
  readonly text: string
  readonly slop: number
}

export interface PrefixNode extends OnField {
  readonly type: 'prefix'
  readonly text: string
}

/** `pattern` still has its escapes: `\*` is a star, `*` anything. */
export interface WildcardNode extends OnField {
  readonly type: 'wildcard'
  readonly pattern: string
}

export interface RegexpNode extends OnField {
  readonly type: 'regexp'
  readonly pattern: string
  readonly maxDeterminizedStates: number
}

export interface FuzzyNode extends OnField {
  readonly type: 'fuzzy'
  readonly text: string
  readonly edits: number
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
}

/** An absent end is open. */
export interface RangeNode extends OnField {
  readonly type: 'range'
  readonly from: string | undefined
  readonly to: string | undefined
  readonly includeFrom: boolean
  readonly includeTo: boolean
}

interface ExistsNode extends OnField {
  readonly type: 'exists'
}

interface EverythingNode extends Scored {
  readonly type: 'all'
}

interface NothingNode extends Scored {
  readonly type: 'none'
}

export type LuceneNode =
  | BoolNode
  | TextNode
  | PhraseNode
  | PrefixNode
  | WildcardNode
  | RegexpNode
  | FuzzyNode
  | RangeNode
  | ExistsNode
  | EverythingNode
  | NothingNode

export const everything: EverythingNode = { type: 'all', boost: 1 }
export const nothing: NothingNode = { type: 'none', boost: 1 }

/** Boosts are 32-bit floats and multiply. */
export function boosted(node: LuceneNode, boost: number): LuceneNode {
  return boost === 1 ? node : { ...node, boost: Math.fround(node.boost * boost) }
}

/** A query with only must_not clauses gets a match_all filter to exclude from. */
export function boolOf(clauses: readonly Clause[]): BoolNode {
  const onlyExcludes = clauses.length > 0 && clauses.every(({ occur }) => occur === 'mustNot')
  return {
    type: 'bool',
    clauses: onlyExcludes ? [...clauses, { occur: 'filter', node: everything, spread: false }] : clauses,
    boost: 1,
  }
}

/** Applies only to nodes that are, or may become, boolean queries. */
export function withMinimum(node: LuceneNode, minimumShouldMatch: string | undefined): LuceneNode {
  if (minimumShouldMatch === undefined || (node.type !== 'bool' && node.type !== 'text')) return node
  return { ...node, minimumShouldMatch }
}
