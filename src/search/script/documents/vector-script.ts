/**
 * Runs a numeric plan over many documents at once, an operation at a time over vectors of doubles (vectorized execution,
 * as in MonetDB/X100). A closure for each document, as in `numeric-script.ts`, has to put every double that it returns
 * into an object; a loop over a vector does not. Plans with conditions are not run this way, because both sides would
 * be computed for all documents.
 */
import { classFunctions } from '../functions.ts'
import type { NumericPlan } from '../numeric-plan.ts'
import { type ScriptValue, unwrapped } from '../values.ts'
import { type NumberColumn, needsGeneral, numberColumn, type Values } from './numeric-script.ts'

const vectorLength = 512
/** Plans with more operations run document by document. */
const maxVectors = 64
/** Scripts use the same vectors, because none runs while another does. */
const vectors: Float64Array[] = []

/** The documents that are computed now, and their scores. */
interface Batch {
  docs: Uint32Array
  scores: Float32Array
  from: number
  count: number
}

/** Fills the vector of the operation; throws `needsGeneral` when a document has to be computed another way. */
type Fill = (batch: Batch) => Float64Array

interface Vector {
  readonly isLong: boolean
  /** The number that all documents have. */
  readonly constant?: number
  readonly fill: Fill
}

/** Writes the result of each document; NaN for those that have to be computed one by one. */
type ComputeAll = (docs: Uint32Array, scores: Float32Array, results: Float64Array) => void

/** Undefined when the plan has more than arithmetic over numbers. */
export function vectorScript(plan: NumericPlan, values: Values): ComputeAll | undefined {
  const vector = new Binder(values).bind(plan)
  if (vector === undefined) return undefined
  return (docs, scores, results) => {
    const batch: Batch = { docs, scores, from: 0, count: 0 }
    for (let from = 0; from < docs.length; from += vectorLength) {
      batch.from = from
      batch.count = Math.min(vectorLength, docs.length - from)
      try {
        results.set(vector.fill(batch).subarray(0, batch.count), from)
      } catch (error) {
        if (error !== needsGeneral) throw error
        results.fill(Number.NaN, from, from + batch.count)
      }
    }
  }
}

class Binder {
  readonly #values: Values
  #used = 0

  constructor(values: Values) {
    this.#values = values
  }

  bind(plan: NumericPlan): Vector | undefined {
    if (this.#used === maxVectors) return undefined
    switch (plan.kind) {
      case 'constant':
        return this.#constant(plan.value)
      case 'global':
        return plan.name === '_score' && this.#values.score !== undefined ? this.#scores() : undefined
      case 'member':
        return this.#member(plan)
      case 'operator':
        return this.#operation(plan.sign, this.bind(plan.left), this.bind(plan.right))
      case 'sign':
        return plan.sign === '-' ? this.#negated(this.bind(plan.value)) : undefined
      case 'call':
        return this.#called(plan.name, plan.values)
      default:
        return undefined
    }
  }

  #vector(): Float64Array {
    const number = this.#used++
    return (vectors[number] ??= new Float64Array(vectorLength))
  }

  #constant(value: ScriptValue): Vector | undefined {
    if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
    const number = Number(value)
    if (typeof value === 'bigint' && !Number.isSafeInteger(number)) return undefined
    const vector = this.#vector()
    const fill: Fill = ({ count }) => vector.fill(number, 0, count)
    return { isLong: typeof value === 'bigint', constant: number, fill }
  }

  #scores(): Vector {
    const vector = this.#vector()
    const fill: Fill = ({ scores, from, count }) => {
      for (let i = 0; i < count; i++) vector[i] = scores[from + i]!
      return vector
    }
    return { isLong: false, fill }
  }

  #member({ owner, name }: NumericPlan & { kind: 'member' }): Vector | undefined {
    if (owner.kind === 'global' && owner.name === 'params') {
      const value = this.#values.params.get(name)
      return value === undefined ? undefined : this.#constant(unwrapped(value))
    }
    const column = name === 'value' ? numberColumn(owner, this.#values) : undefined
    // Booleans, and longs that no double holds, are computed one by one.
    if (column === undefined || column.kind === 'boolean' || column.isExact) return undefined
    return { isLong: column.kind === 'long', fill: columnFill(column, this.#vector()) }
  }

  #operation(sign: string, left: Vector | undefined, right: Vector | undefined): Vector | undefined {
    const combine = Object.hasOwn(operators, sign) ? operators[sign] : undefined
    if (left === undefined || right === undefined || combine === undefined) return undefined
    const isLong = left.isLong && right.isLong
    const vector = this.#vector()
    const compute = withConstant(sign, left, right) ?? withConstant(sign, right, left)
    const fill: Fill = (batch) => {
      if (compute === undefined) combine(left.fill(batch), right.fill(batch), vector, batch.count)
      else compute(batch, vector)
      if (isLong) makeLongs(vector, batch.count)
      return vector
    }
    return { isLong, fill }
  }

  #negated(value: Vector | undefined): Vector | undefined {
    if (value === undefined) return undefined
    const { isLong } = value
    const vector = this.#vector()
    const fill: Fill = (batch) => {
      const values = value.fill(batch)
      for (let i = 0; i < batch.count; i++) vector[i] = -values[i]!
      if (isLong) makeLongs(vector, batch.count)
      return vector
    }
    return { isLong, fill }
  }

  #called(name: string, plans: readonly NumericPlan[]): Vector | undefined {
    const compute = classFunctions.get('Math')?.get(name)?.compute
    if (compute === undefined || plans.length > 2) return undefined
    const [one, other] = plans.map((plan) => this.bind(plan))
    if (one === undefined || (plans.length === 2 && other === undefined)) return undefined
    const vector = this.#vector()
    const apply = functions.get(name)
    const fill: Fill = (batch) => {
      const { count } = batch
      const first = one.fill(batch)
      const second = other?.fill(batch)
      if (second !== undefined) for (let i = 0; i < count; i++) vector[i] = compute(first[i]!, second[i]!)
      else if (apply !== undefined) apply(first, vector, count)
      else for (let i = 0; i < count; i++) vector[i] = compute(first[i]!)
      return vector
    }
    return { isLong: false, fill }
  }
}

function columnFill({ numbers, present, starts, factor }: NumberColumn, vector: Float64Array): Fill {
  return ({ docs, from, count }) => {
    // Documents rise, so the last one tells whether all of them have a number.
    const isPlain = present === null && starts === null && docs[from + count - 1]! < numbers.length
    if (isPlain) for (let i = 0; i < count; i++) vector[i] = numbers[docs[from + i]!]!
    for (let i = isPlain ? count : 0; i < count; i++) {
      const doc = docs[from + i]!
      if (present !== null && !present.has(doc)) throw needsGeneral
      const at = starts === null ? doc : starts[doc]!
      if (at >= numbers.length || (starts !== null && at === starts[doc + 1])) throw needsGeneral
      vector[i] = numbers[at]!
    }
    if (factor !== 1) for (let i = 0; i < count; i++) vector[i]! *= factor
    return vector
  }
}

type Combine = (left: Float64Array, right: Float64Array, results: Float64Array, count: number) => void

const operators: Readonly<Record<string, Combine | undefined>> = {
  '+': (left, right, results, count) => {
    for (let i = 0; i < count; i++) results[i] = left[i]! + right[i]!
  },
  '-': (left, right, results, count) => {
    for (let i = 0; i < count; i++) results[i] = left[i]! - right[i]!
  },
  '*': (left, right, results, count) => {
    for (let i = 0; i < count; i++) results[i] = left[i]! * right[i]!
  },
  '/': (left, right, results, count) => {
    for (let i = 0; i < count; i++) results[i] = left[i]! / right[i]!
  },
}

/** The sum or product of a vector and a constant, of which no vector has to be made; undefined for anything else. */
function withConstant(
  sign: string,
  { fill }: Vector,
  { constant }: Vector,
): ((batch: Batch, results: Float64Array) => void) | undefined {
  if (constant === undefined) return undefined
  if (sign === '+') return (batch, results) => addConstant(fill(batch), constant, results, batch.count)
  if (sign === '*') return (batch, results) => multiplyByConstant(fill(batch), constant, results, batch.count)
  return undefined
}

function addConstant(values: Float64Array, constant: number, results: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) results[i] = values[i]! + constant
}

function multiplyByConstant(
  values: Float64Array,
  constant: number,
  results: Float64Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) results[i] = values[i]! * constant
}

/** Divisions of longs are cut; what no double holds exactly is left to bigints, and so is a division by zero. */
function makeLongs(vector: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    // Adding 0 turns -0 into the 0 that a long is.
    const value = Math.trunc(vector[i]!) + 0
    if (!Number.isSafeInteger(value)) throw needsGeneral
    vector[i] = value
  }
}

type Apply = (values: Float64Array, results: Float64Array, count: number) => void

/** Written out, because a function that is called by its name is compiled into the loop. */
const functions = new Map<string, Apply>([
  [
    'log',
    (values, results, count) => {
      for (let i = 0; i < count; i++) results[i] = Math.log(values[i]!)
    },
  ],
  [
    'log10',
    (values, results, count) => {
      for (let i = 0; i < count; i++) results[i] = Math.log10(values[i]!)
    },
  ],
  [
    'log1p',
    (values, results, count) => {
      for (let i = 0; i < count; i++) results[i] = Math.log1p(values[i]!)
    },
  ],
  [
    'sqrt',
    (values, results, count) => {
      for (let i = 0; i < count; i++) results[i] = Math.sqrt(values[i]!)
    },
  ],
  [
    'exp',
    (values, results, count) => {
      for (let i = 0; i < count; i++) results[i] = Math.exp(values[i]!)
    },
  ],
])
