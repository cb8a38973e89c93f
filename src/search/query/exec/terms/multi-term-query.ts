/**
 * Multi-term queries: all terms of a field that an automaton, range or set selects. By default every match
 * gets a constant score; a scoring `rewrite` makes one clause per term, up to its limit (Lucene's
 * MultiTermQuery.RewriteMethod).
 */

import { javaObject } from '../../../../text/java-hash.ts'
import { finish, retryWork, type Steps } from '../../../scheduling/steps.ts'
import { docsWithAny, wantedOf } from '../../../segment/postings/ordinal-scan.ts'
import type { LeafReader, TermIndex } from '../../../segment/segment.ts'
import type { TermMatcher } from '../../automata/term-matcher.ts'
import { BoolQuery } from '../compound/bool-query.ts'
import { ConstantScoreQuery, MatchNoneWeight } from '../compound/simple-queries.ts'
import { DocSet } from '../doc-set.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { ConstantWeight, Query, type SearchScope, type Weight } from '../query.ts'
import type { Rewrite } from './rewrite.ts'
import { TermQuery } from './term-query.ts'

/** Selects ordinals of a term dictionary, in rising order. */
interface TermSelection {
  /** Calls `found` until it returns false. */
  each(terms: TermIndex, found: (ordinal: number) => boolean): void
  /** Does the same in steps for selections that visit many terms; each step gives the terms found in it. */
  steps?(terms: TermIndex): Generator<readonly number[], void, void>
}

/** Terms matched per step. */
const stepTerms = 2048
/** Given terms looked up per step. */
const stepFinds = 512
/** Ordinals of a range taken per step. */
const stepOrdinals = 8 * 1024

/** Selects the terms an automaton accepts. */
export function matching(matcher: TermMatcher): TermSelection {
  return {
    each(terms, found) {
      const { prefix } = matcher
      if (matcher.exact) {
        const ordinal = terms.find(prefix)
        if (ordinal !== -1) found(ordinal)
        return
      }
      for (let ordinal = terms.lowerBound(prefix); ordinal < terms.size; ordinal++) {
        const term = terms.term(ordinal)
        if (!term.startsWith(prefix)) return
        if ((matcher.whole || matcher.test(term)) && !found(ordinal)) return
      }
    },
    *steps(terms) {
      let found: number[] = []
      const { prefix } = matcher
      if (matcher.exact) {
        const ordinal = terms.find(prefix)
        yield ordinal === -1 ? [] : [ordinal]
        return
      }
      const start = terms.lowerBound(prefix)
      for (let ordinal = start; ordinal < terms.size; ordinal++) {
        const term = terms.term(ordinal)
        if (!term.startsWith(prefix)) break
        if (matcher.whole || matcher.test(term)) found.push(ordinal)
        if ((ordinal - start) % stepTerms === stepTerms - 1) {
          yield found
          found = []
        }
      }
      yield found
    },
  }
}

/** Selects the terms between two; an undefined end is open. */
export function between(
  from: string | undefined,
  to: string | undefined,
  includeFrom: boolean,
  includeTo: boolean,
): TermSelection {
  const boundsIn = (terms: TermIndex) => {
    let start = from === undefined ? 0 : terms.lowerBound(from)
    if (!includeFrom && start < terms.size && terms.term(start) === from) start++
    let end = to === undefined ? terms.size : terms.lowerBound(to)
    if (includeTo && end < terms.size && terms.term(end) === to) end++
    return { start, end }
  }
  return {
    each(terms, found) {
      const { start, end } = boundsIn(terms)
      for (let ordinal = start; ordinal < end; ordinal++) if (!found(ordinal)) return
    },
    *steps(terms) {
      const { start, end } = boundsIn(terms)
      for (let first = start; first < end; first += stepOrdinals)
        yield Array.from({ length: Math.min(stepOrdinals, end - first) }, (_, i) => first + i)
    },
  }
}

/** Selects given terms. */
export function among(wanted: readonly string[]): TermSelection {
  return {
    each(terms, found) {
      for (const ordinals of this.steps!(terms)) for (const ordinal of ordinals) if (!found(ordinal)) return
    },
    *steps(terms) {
      const ordinals = new Uint32Array(wanted.length)
      let count = 0
      for (let i = 0; i < wanted.length; i++) {
        const ordinal = terms.find(wanted[i]!)
        if (ordinal !== -1) ordinals[count++] = ordinal
        if (i % stepFinds === stepFinds - 1) yield []
      }
      const sorted = ordinals.subarray(0, count).sort()
      for (let from = 0; from < count; from += stepOrdinals) {
        const end = Math.min(count, from + stepOrdinals)
        const found: number[] = []
        for (let i = from; i < end; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) found.push(sorted[i]!)
        yield found
      }
    },
  }
}

export interface MultiTermSettings {
  readonly field: string
  readonly selection: TermSelection
  /** A pattern of a `wildcard` field. */
  readonly isQuoted?: boolean
  /** The query may run over the index or over doc values. */
  readonly isDoubled?: boolean
  /** As above, for points of several bytes, which Lucene prints in two ways. */
  readonly points?: { readonly index: string; readonly values: string }
  /** A term of a field that is not indexed. */
  readonly isColumnRange?: boolean
  /** A pattern of any case, which Lucene prints as a Java object. */
  readonly isAutomaton?: boolean
  /** The query as Lucene prints it. */
  readonly text: string
  /** The key of the filter cache, where the text is not enough. */
  readonly key?: string
  readonly rewrite?: Rewrite
  /** Used by the highlighter. */
  readonly matcher?: TermMatcher
  readonly terms?: readonly string[]
  /** True when the field has no inverted index and ordinals of its doc values are compared instead. */
  readonly byColumn?: boolean
}

export class MultiTermQuery extends Query {
  readonly settings: MultiTermSettings
  #key: string | undefined
  /** The expanded terms per shard, for scoring rewrites. */
  readonly #found = new WeakMap<SearchScope, readonly string[]>()

  constructor(settings: MultiTermSettings) {
    super()
    this.settings = settings
  }

  /** Set when the rewrite makes one clause per term. */
  get #rewrite(): Rewrite | undefined {
    const { rewrite, byColumn } = this.settings
    return rewrite?.kind === 'constant' || byColumn === true ? undefined : rewrite
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    const rewrite = this.#rewrite
    if (rewrite === undefined || this.#found.has(scope)) return
    const found = yield* expandSteps(scope, this.settings, rewrite.limit)
    this.#found.set(scope, [...found.keys()].slice(0, rewrite.limit))
  }

  weight(scope: SearchScope, boost: number): Weight {
    const rewrite = this.#rewrite
    if (rewrite === undefined) return new MultiTermWeight(scope, this, boost)
    const { field } = this.settings
    finish(this.expandTerms(scope))
    const terms = this.#found.get(scope)!
    if (terms.length === 0) return new MatchNoneWeight(scope, 'no matching terms')
    const statistics = rewrite.kind === 'blended' ? blendedStatistics(scope, field, terms) : undefined
    const clauses = terms.map((term) => {
      const query = new TermQuery(field, term, statistics)
      return rewrite.kind === 'boost' ? new ConstantScoreQuery(query) : query
    })
    return new BoolQuery(clauses.map((query) => ({ occur: 'should', query }))).weight(scope, boost)
  }

  /** Patterns that are looked for in doc values become constant scores. */
  override rewritten(): Query {
    const { byColumn, isColumnRange = false } = this.settings
    return byColumn === true && !isColumnRange ? new ConstantScoreQuery(this) : this
  }

  toString(): string {
    return this.settings.text
  }

  override get described(): string {
    const { isDoubled = false, points, text } = this.settings
    return points?.values ?? (isDoubled ? `ConstantScore(${text})` : this.lucene)
  }

  override get lucene(): string {
    const { field, text, isDoubled = false, isQuoted = false, isAutomaton = false, points } = this.settings
    if (points !== undefined)
      return `IndexOrDocValuesQuery(indexQuery=${points.index}, dvQuery=${points.values})`
    if (isQuoted) return `WildcardMatchingQuery(${field}:"${text.slice(field.length + 1)}")`
    if (isAutomaton)
      return `${field}:AutomatonQuery {\n${javaObject('org.apache.lucene.util.automaton.Automaton', text)}}`
    if (isDoubled) return `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=ConstantScore(${text}))`
    return text
  }

  override get key(): string {
    this.#key ??= this.settings.key ?? JSON.stringify(['terms', this.settings.field, this.settings.text])
    return this.#key
  }

  override visit(visitor: TermVisitor): void {
    const { field, matcher, terms = [], isQuoted = false } = this.settings
    // Queries of wildcard fields show no terms.
    if (isQuoted) return
    const found = visitor.of(field)
    if (matcher !== undefined) found.patterns.push(matcher)
    for (const term of terms) found.terms.add(term)
  }
}

/** Expands to the terms of a shard with their postings, at most `limit` per leaf. */
export function expand(
  scope: SearchScope,
  settings: Pick<MultiTermSettings, 'field' | 'selection'>,
  limit: number,
): Map<string, number> {
  return finish(expandSteps(scope, settings, limit))
}

export function* expandSteps(
  scope: SearchScope,
  { field, selection }: Pick<MultiTermSettings, 'field' | 'selection'>,
  limit: number,
): Steps<Map<string, number>> {
  const found = new Map<string, number>()
  // Opens every dictionary before the first is searched, so that waiting for one never repeats a search.
  for (const { segment } of scope.leaves) yield* retryWork(() => segment.fields.get(field)?.terms)
  for (const { segment } of scope.leaves) {
    const terms = segment.fields.get(field)?.terms
    if (terms === undefined || terms === null) continue
    let count = 0
    const add = (ordinal: number) => {
      const term = terms.term(ordinal)
      found.set(term, (found.get(term) ?? 0) + terms.docFreq(ordinal))
      return ++count < limit
    }
    if (selection.steps === undefined) {
      selection.each(terms, add)
      continue
    }
    for (const ordinals of selection.steps(terms)) {
      if (!ordinals.every(add)) break
      scope.check()
      yield
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Gives all terms the highest document frequency among them. */
export function blendedStatistics(
  scope: SearchScope,
  field: string,
  terms: Iterable<string>,
): { docFreq: number; totalFreq: number } {
  let docFreq = 0
  let totalFreq = 0
  for (const term of terms) {
    const statistics = scope.statistics.term(field, term)
    docFreq = Math.max(docFreq, statistics.docFreq)
    totalFreq += statistics.totalFreq
  }
  return { docFreq, totalFreq }
}

class MultiTermWeight extends ConstantWeight {
  readonly #settings: MultiTermSettings

  constructor(scope: SearchScope, query: MultiTermQuery, boost: number) {
    super(scope, query, boost)
    this.#settings = query.settings
  }

  cost(leaf: LeafReader): number {
    return leaf.segment.fields.get(this.#settings.field)?.docCount ?? 0
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const size = leaf.segment.docCount
    const field = leaf.segment.fields.get(this.#settings.field)
    const terms = field?.terms
    if (field === undefined || terms === undefined || terms === null) return DocSet.none(size)
    const ordinals = yield* this.#ordinals(terms)
    if (ordinals.length === 0) return DocSet.none(size)
    if (this.#settings.byColumn === true) {
      if (field.ordinals === null) return DocSet.none(size)
      const wanted = wantedOf(ordinals, terms.size)
      return DocSet.ofBits(yield* this.#checked(docsWithAny(field.ordinals, wanted, size)))
    }
    if (ordinals.length === 1) return DocSet.ofSorted(size, terms.postings(ordinals[0]!).docs)
    return DocSet.ofBits(yield* this.#checked(terms.anyOf(ordinals, size)))
  }

  /** Runs the steps and checks for cancellation between them. */
  *#checked<Result>(steps: Steps<Result>): Steps<Result> {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      this.scope.check()
      yield value
    }
  }

  *#ordinals(terms: TermIndex): Steps<number[]> {
    const { selection } = this.#settings
    const ordinals: number[] = []
    if (selection.steps === undefined) {
      selection.each(terms, (ordinal) => {
        ordinals.push(ordinal)
        return true
      })
      return ordinals
    }
    for (const found of selection.steps(terms)) {
      for (const ordinal of found) ordinals.push(ordinal)
      this.scope.check()
      yield
    }
    return ordinals
  }

  protected override description(): string {
    return this.scope.scoreFactor === 1 ? this.query.described : this.query.toString()
  }
}
