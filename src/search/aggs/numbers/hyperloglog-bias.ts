/**
 * The bias correction of HyperLogLog++ (Heule, Nunkesser, Hall 2013): the overestimate of small counts, interpolated
 * between the biases that were measured at the six nearest raw estimates.
 */
import { rawEstimates } from './hyperloglog-table.ts'

/** The number of neighbours. */
const neighbours = 6
/** The precision that the table begins with. */
const firstPrecision = 4

interface Table {
  readonly estimates: Float64Array
  readonly biases: Float64Array
}

const tables = new Map<number, Table>()

function tableOf(precision: number): Table {
  let table = tables.get(precision)
  if (table !== undefined) return table
  const { estimates: texts, counts } = rawEstimates[precision - firstPrecision]!
  const estimates = Float64Array.from(texts.split(' '), Number)
  const steps = counts.split(' ')
  let count = 0
  const biases = estimates.map((estimate, at) => estimate - (count += Number(steps[at])))
  tables.set(precision, (table = { estimates, biases }))
  return table
}

/**
 * Returns the mean bias of the nearest estimates, weighted by the reciprocal of their distance. The search ends at the
 * first estimate that is farther away than the sixth before it.
 */
export function biasOf(precision: number, estimate: number): number {
  const { estimates, biases } = tableOf(precision)
  const weights = new Float64Array(neighbours)
  let first = biases.length - neighbours
  for (let at = 0; at < estimates.length; at++) {
    const weight = 1 / Math.abs(estimates[at]! - estimate)
    if (weight === Infinity) return biases[at]!
    const place = at % neighbours
    if (weights[place]! >= weight) {
      first = at - neighbours
      break
    }
    weights[place] = weight
  }
  let sum = 0
  let total = 0
  // OpenSearch takes weights in the order of their places, which is not always that of the biases.
  for (let place = 0; place < neighbours; place++) {
    sum += weights[place]! * biases[first + place]!
    total += weights[place]!
  }
  return sum / total
}

/** Returns the count up to which linear counting is more exact than the corrected estimate. */
export function linearCountingThreshold(precision: number): number {
  return rawEstimates[precision - firstPrecision]!.threshold
}
