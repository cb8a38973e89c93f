/**
 * Enumerates which terms a document must contain for the sum of their upper bounds to exceed the threshold.
 * MaxScore and WAND keep the terms ordered and derive one such condition (the non-essential prefix, the
 * pivot); we list all minimal ones, which is feasible for a few terms and can be tested for 32 documents at
 * once with bitwise operations.
 */

/**
 * A set of terms as bits: those a document must contain, and among them those it must contain more than once.
 */
export interface TermCombination {
  readonly required: number
  readonly repeated: number
}

/** With more combinations than this, scoring every document costs less than filtering candidates. */
const maxCombinations = 24
/** Bounds every rounding difference between two orders of summation. */
const slack = 1 + 1e-9

/**
 * Returns the minimal combinations whose upper bounds exceed `threshold`. `once` and `most` hold each term's
 * upper bound for documents that contain it once and for any document; both are negative infinity when the
 * block has none of its postings.
 */
export function competitiveCombinations(
  once: Float64Array,
  most: Float64Array,
  threshold: number,
): readonly TermCombination[] {
  if (threshold < 0) return eachTerm(once)
  const combinations: TermCombination[] = []
  const rests = new Float64Array(once.length + 1)
  for (let i = once.length - 1; i >= 0; i--) rests[i] = rests[i + 1]! + Math.max(0, most[i]!)
  // Depth first without the term before with it, so subsets come before their supersets.
  const add = (term: number, sum: number, required: number, repeated: number): void => {
    if (combinations.length > maxCombinations) return
    // Rounded to a float, as scores are.
    if (Math.fround(sum) > threshold) {
      if (!combinations.some((combination) => isWithin(combination, required, repeated)))
        combinations.push({ required, repeated })
      return
    }
    if (term === once.length || Math.fround((sum + rests[term]!) * slack) <= threshold) return
    add(term + 1, sum, required, repeated)
    if (once[term] === Number.NEGATIVE_INFINITY) return
    const bit = 1 << term
    add(term + 1, sum + once[term]!, required | bit, repeated)
    if (most[term]! > once[term]!) add(term + 1, sum + most[term]!, required | bit, repeated | bit)
  }
  add(0, 0, 0, 0)
  return combinations.length <= maxCombinations ? combinations : eachTerm(once)
}

function isWithin(combination: TermCombination, required: number, repeated: number): boolean {
  return (
    (required & combination.required) === combination.required &&
    (repeated & combination.repeated) === combination.repeated
  )
}

function eachTerm(once: Float64Array): TermCombination[] {
  return Array.from(once, (_, term) => ({ required: 1 << term, repeated: 0 }))
}
