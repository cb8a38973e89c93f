/**
 * The significance scores of `significant_terms`: how much more frequent a term is in the foreground than in
 * the background.
 */

import { illegalArgument } from '../request/errors.ts'
import type { AggOptions } from './agg-options.ts'
import { noScripts } from './agg-options.ts'

interface Frequencies {
  /** Foreground documents with the term, and all foreground documents. */
  readonly inside: number
  readonly size: number
  /** The same counts for the background. */
  readonly outside: number
  readonly total: number
}

export type Significance = (frequencies: Frequencies) => number

export function readSignificance(options: AggOptions): Significance {
  const found: Significance[] = []
  if (options.object('jlh') !== undefined) found.push(jlh)
  const mutual = options.object('mutual_information')
  if (mutual !== undefined) found.push(tabled(options.inner(mutual, 'mutual_information'), mutualInformation))
  const chi = options.object('chi_square')
  if (chi !== undefined) found.push(tabled(options.inner(chi, 'chi_square'), chiSquare))
  const distance = options.object('gnd')
  if (distance !== undefined) found.push(tabled(options.inner(distance, 'gnd'), normalizedDistance))
  if (options.object('percentage') !== undefined) {
    found.push(({ inside, outside }) => (outside === 0 ? 0 : inside / outside))
  }
  if (options.raw('script_heuristic') !== undefined) throw noScripts()
  if (found.length > 1) throw illegalArgument('Only one significance heuristic can be given')
  return found[0] ?? jlh
}

function jlh({ inside, size, outside, total }: Frequencies): number {
  if (size === 0 || total === 0) return 0
  const here = inside / size
  // A background that is not a superset may lack the term, which counts as once.
  const there = (outside || 1) / total
  return here - there <= 0 ? 0 : (here - there) * (here / there)
}

/**
 * A contingency table: documents by whether they have the term (first digit) and are in the bucket (second).
 */
interface Table {
  readonly n00: number
  readonly n01: number
  readonly n10: number
  readonly n11: number
}

type Score = (table: Table, includeNegatives: boolean) => number

function tabled(options: AggOptions, score: Score): Significance {
  const isSuperset = options.flag('background_is_superset') ?? true
  const includeNegatives = options.flag('include_negatives') ?? false
  options.done()
  return ({ inside, size, outside, total }) => {
    if (isSuperset) requireSuperset({ inside, size, outside, total })
    return score(
      isSuperset
        ? {
            n00: total - outside - (size - inside),
            n01: size - inside,
            n10: outside - inside,
            n11: inside,
          }
        : { n00: total - outside, n01: size - inside, n10: outside, n11: inside },
      includeNegatives,
    )
  }
}

/** Throws when the bucket cannot be a part of the background. */
function requireSuperset({ inside, size, outside, total }: Frequencies): void {
  const wrong =
    inside > outside
      ? 'subsetFreq > supersetFreq'
      : size > total
        ? 'subsetSize > supersetSize'
        : outside - inside > total - size
          ? 'supersetFreq - subsetFreq > supersetSize - subsetSize'
          : undefined
  if (wrong === undefined) return
  throw illegalArgument(
    `${wrong}, does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false`,
  )
}

/** True when the term is rarer in the bucket than elsewhere. */
function isNegative({ n00, n01, n10, n11 }: Table): boolean {
  return n11 / (n11 + n01) < n10 / (n10 + n00)
}

function mutualInformation(table: Table, includeNegatives: boolean): number {
  const { n00, n01, n10, n11 } = table
  const all = n00 + n01 + n10 + n11
  const part = (both: number, term: number, bucket: number) =>
    both === 0 || term === 0 || bucket === 0 ? 0 : (both / all) * Math.log2((both * all) / (term * bucket))
  const score =
    part(n00, n00 + n01, n00 + n10) +
    part(n01, n00 + n01, n01 + n11) +
    part(n10, n10 + n11, n00 + n10) +
    part(n11, n10 + n11, n01 + n11)
  if (Number.isNaN(score) || (!includeNegatives && isNegative(table))) return Number.NEGATIVE_INFINITY
  return score
}

function chiSquare(table: Table, includeNegatives: boolean): number {
  const { n00, n01, n10, n11 } = table
  if (!includeNegatives && isNegative(table)) return Number.NEGATIVE_INFINITY
  const all = n00 + n01 + n10 + n11
  return (all * (n11 * n00 - n01 * n10) ** 2) / ((n01 + n11) * (n10 + n11) * (n00 + n01) * (n00 + n10))
}

function normalizedDistance({ n00, n01, n10, n11 }: Table): number {
  const term = n10 + n11
  const bucket = n01 + n11
  if (n11 === 0 || term === 0 || bucket === 0) return 0
  const all = n00 + n01 + n10 + n11
  const greater = Math.max(Math.log(term), Math.log(bucket))
  const lesser = Math.min(Math.log(term), Math.log(bucket))
  const distance = (greater - Math.log(n11)) / (Math.log(all) - lesser)
  return Number.isNaN(distance) ? 1 : Math.exp(-distance)
}
