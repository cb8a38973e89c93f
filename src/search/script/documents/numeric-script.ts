/**
 * Runs a numeric plan over the columns of a segment: one closure per operation, typed when it is made, that takes a
 * document and returns a double. Longs are computed as doubles as long as these are exact; a result beyond 2^53, a
 * missing value, a division by zero throw `needsGeneral`, and the caller runs the script the general way for that document,
 * which is exact or fails with the right words. Nothing a user wrote becomes JavaScript.
 */
import { NumberField, ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { classFunctions } from '../functions.ts'
import type { NumericPlan } from '../numeric-plan.ts'
import { type ScriptMap, type ScriptValue, unwrapped } from '../values.ts'
import type { FieldLookup } from './doc-fields.ts'

type Compute = (doc: number) => number

/** Booleans are 0 and 1. A `mixed` one is a long or a double, which matters only beside another that is not a double. */
interface Typed {
  readonly type: 'long' | 'double' | 'boolean' | 'mixed'
  readonly run: Compute
}

export interface Values {
  readonly leaf: LeafReader
  readonly fields: FieldLookup
  readonly params: ScriptMap
  /** The score of the current document. */
  readonly score: { value: number } | undefined
}

/** Thrown for a document that needs the general way. */
export const needsGeneral = new Error('not a plain number')

/** Undefined when the plan is not all numbers here. */
export function numericScript(plan: NumericPlan, values: Values): Compute | undefined {
  const typed = bind(plan, values)
  return typed === undefined || typed.type === 'boolean' ? undefined : typed.run
}

/** Undefined when the plan is no condition over numbers here; otherwise it gives 0 or 1. */
export function numericCondition(plan: NumericPlan, values: Values): Compute | undefined {
  const typed = bind(plan, values)
  return typed?.type === 'boolean' ? typed.run : undefined
}

function bind(plan: NumericPlan, values: Values): Typed | undefined {
  switch (plan.kind) {
    case 'constant':
      return constant(plan.value)
    case 'global': {
      const { score } = values
      return plan.name === '_score' && score !== undefined ? double(() => score.value) : undefined
    }
    case 'member':
      return member(plan, values)
    case 'method':
      return ofField(plan.owner, methods.get(plan.name), values)
    case 'operator':
      return operation(plan.sign, bind(plan.left, values), bind(plan.right, values))
    case 'sign':
      return signed(plan.sign, bind(plan.value, values))
    case 'conditional':
      return conditional(plan, values)
    case 'call':
      return called(plan, values)
    case 'cast':
      return cast(plan.type, bind(plan.value, values))
  }
}

function double(run: Compute): Typed {
  return { type: 'double', run }
}

function boolean(holds: (doc: number) => boolean): Typed {
  return { type: 'boolean', run: (doc) => (holds(doc) ? 1 : 0) }
}

function long(run: Compute): Typed {
  return { type: 'long', run: (doc) => safe(run(doc)) }
}

/** Adding 0 turns -0 into the 0 that a long is. */
function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw needsGeneral
  return value + 0
}

function constant(value: ScriptValue): Typed | undefined {
  if (typeof value === 'number') return double(() => value)
  if (typeof value === 'boolean') return boolean(() => value)
  if (typeof value !== 'bigint' || !Number.isSafeInteger(Number(value))) return undefined
  const plain = Number(value)
  return { type: 'long', run: () => plain }
}

const methods = new Map([
  ['size', 'length'],
  ['getLength', 'length'],
  ['isEmpty', 'empty'],
  ['getValue', 'value'],
])

function member(plan: NumericPlan & { kind: 'member' }, values: Values): Typed | undefined {
  const { owner, name } = plan
  if (owner.kind === 'global' && owner.name === 'params') {
    const value = values.params.get(name)
    return value === undefined ? undefined : constant(unwrapped(value))
  }
  return ofField(owner, name, values)
}

/** The numbers of a field; empty in a segment that has none. */
export interface NumberColumn {
  readonly kind: 'long' | 'double' | 'boolean'
  readonly numbers: Float64Array
  /** Null when all documents have a value. */
  readonly present: { has(doc: number): boolean } | null
  /** Null when no document has several. */
  readonly starts: Uint32Array | null
  /** What the numbers of a `scaled_float` are multiplied by. */
  readonly factor: number
  /** The column has numbers that no double holds exactly. */
  readonly isExact: boolean
}

/** Undefined when the plan is not `doc['field']` of numbers or booleans. */
export function numberColumn(owner: NumericPlan, values: Values): NumberColumn | undefined {
  if (owner.kind !== 'member' || owner.owner.kind !== 'global' || owner.owner.name !== 'doc') return undefined
  const field = values.fields.field(owner.name)
  if (field === undefined || !field.isAggregatable || field.type === 'unsigned_long') return undefined
  const isBoolean = field.family === 'boolean'
  if (field.family !== 'number' && !isBoolean) return undefined
  const stored = values.leaf.segment.fields.get(field.name)
  const column = stored?.numbers ?? null
  const isScaled = field instanceof ScaledFloatField
  const isLong = !isScaled && field instanceof NumberField && field.number.isInteger
  return {
    kind: isBoolean ? 'boolean' : isLong ? 'long' : 'double',
    numbers: column?.values ?? noNumbers,
    present: column === null ? nothing : (stored?.present ?? null),
    starts: column?.starts ?? null,
    factor: isScaled ? 1 / field.scalingFactor : 1,
    isExact: column?.exact != null,
  }
}

const noNumbers = new Float64Array(0)
const nothing = { has: () => false }

/** `doc['field'].value` and what else there is to ask. */
function ofField(owner: NumericPlan, name: string | undefined, values: Values): Typed | undefined {
  const column = numberColumn(owner, values)
  if (column === undefined) return undefined
  const { kind, numbers, present, starts, factor, isExact } = column
  const first = (doc: number): number =>
    present !== null && !present.has(doc) ? -1 : starts === null ? doc : starts[doc]!
  const count = (doc: number): number =>
    first(doc) < 0 ? 0 : starts === null ? 1 : starts[doc + 1]! - starts[doc]!
  if (name === 'length') return { type: 'long', run: count }
  if (name === 'empty') return boolean((doc) => count(doc) === 0)
  if (name !== 'value') return undefined
  const value = (doc: number): number => {
    const at = first(doc)
    if (at < 0 || (starts !== null && at === starts[doc + 1])) throw needsGeneral
    return numbers[at]!
  }
  if (kind === 'boolean') return boolean((doc) => value(doc) !== 0)
  if (kind === 'double') return double(factor === 1 ? value : (doc) => value(doc) * factor)
  return isExact ? long(value) : { type: 'long', run: value }
}

function signed(sign: '-' | '!', value: Typed | undefined): Typed | undefined {
  if (value === undefined) return undefined
  const { type, run } = value
  if (sign === '!') return type === 'boolean' ? boolean((doc) => run(doc) === 0) : undefined
  if (type === 'long') return long((doc) => -run(doc))
  return type === 'double' ? double((doc) => -run(doc)) : undefined
}

function conditional(plan: NumericPlan & { kind: 'conditional' }, values: Values): Typed | undefined {
  const test = bind(plan.test, values)
  const one = bind(plan.whenTrue, values)
  const other = bind(plan.whenFalse, values)
  if (test?.type !== 'boolean' || one === undefined || other === undefined) return undefined
  const isSame = one.type === other.type
  if (!isSame && (one.type === 'boolean' || other.type === 'boolean')) return undefined
  const holds = test.run
  const whenTrue = one.run
  const whenFalse = other.run
  return {
    type: isSame ? one.type : 'mixed',
    run: (doc) => (holds(doc) !== 0 ? whenTrue(doc) : whenFalse(doc)),
  }
}

function operation(sign: string, left: Typed | undefined, right: Typed | undefined): Typed | undefined {
  if (left === undefined || right === undefined) return undefined
  const one = left.run
  const other = right.run
  const areBooleans = left.type === 'boolean' && right.type === 'boolean'
  if (sign === '&&' || sign === '||') {
    if (!areBooleans) return undefined
    return sign === '&&'
      ? boolean((doc) => one(doc) !== 0 && other(doc) !== 0)
      : boolean((doc) => one(doc) !== 0 || other(doc) !== 0)
  }
  if (sign === '==' || sign === '===')
    return areAlike(left, right) ? boolean((doc) => one(doc) === other(doc)) : undefined
  if (sign === '!=' || sign === '!==')
    return areAlike(left, right) ? boolean((doc) => one(doc) !== other(doc)) : undefined
  if (left.type === 'boolean' || right.type === 'boolean') return undefined
  const compared = comparison(sign, one, other)
  if (compared !== undefined) return boolean(compared)
  if (left.type === 'long' && right.type === 'long') return calculated('long', sign, one, other)
  return left.type === 'double' || right.type === 'double'
    ? calculated('double', sign, one, other)
    : undefined
}

function areAlike(left: Typed, right: Typed): boolean {
  return (left.type === 'boolean') === (right.type === 'boolean')
}

function comparison(sign: string, one: Compute, other: Compute): ((doc: number) => boolean) | undefined {
  switch (sign) {
    case '<':
      return (doc) => one(doc) < other(doc)
    case '<=':
      return (doc) => one(doc) <= other(doc)
    case '>':
      return (doc) => one(doc) > other(doc)
    case '>=':
      return (doc) => one(doc) >= other(doc)
    default:
      return undefined
  }
}

function arithmetic(sign: string, one: Compute, other: Compute): Compute | undefined {
  switch (sign) {
    case '+':
      return (doc) => one(doc) + other(doc)
    case '-':
      return (doc) => one(doc) - other(doc)
    case '*':
      return (doc) => one(doc) * other(doc)
    case '/':
      return (doc) => one(doc) / other(doc)
    case '%':
      return (doc) => one(doc) % other(doc)
    default:
      return undefined
  }
}

/** A division of longs by zero is no safe integer. */
function calculated(type: 'long' | 'double', sign: string, one: Compute, other: Compute): Typed | undefined {
  const compute = arithmetic(sign, one, other)
  if (compute === undefined) return undefined
  if (type === 'double') return double(compute)
  return long(sign === '/' ? (doc) => Math.trunc(compute(doc)) : compute)
}

function called(plan: NumericPlan & { kind: 'call' }, values: Values): Typed | undefined {
  const typed = plan.values.map((value) => bind(value, values))
  const numbers = typed.filter((value) => value !== undefined && value.type !== 'boolean')
  if (numbers.length < typed.length) return undefined
  const [one, other] = numbers
  if (one === undefined) return undefined
  const { name } = plan
  if (name === 'abs') {
    const { type, run } = one
    return type === 'mixed' ? undefined : { type, run: (doc) => Math.abs(run(doc)) }
  }
  if (name === 'round') return long((doc) => Math.floor(one.run(doc) + 0.5))
  if (name === 'max' || name === 'min') return chosen(name === 'max', one, other)
  const compute = classFunctions.get('Math')?.get(name)?.compute
  if (compute === undefined) return undefined
  const first = one.run
  if (other === undefined) return double((doc) => compute(first(doc)))
  const second = other.run
  return double((doc) => compute(first(doc), second(doc)))
}

function chosen(wantsGreater: boolean, one: Typed, other: Typed | undefined): Typed | undefined {
  if (other === undefined || one.type === 'mixed' || other.type === 'mixed') return undefined
  const first = one.run
  const second = other.run
  return {
    type: one.type === 'long' && other.type === 'long' ? 'long' : 'double',
    run(doc) {
      const left = first(doc)
      const right = second(doc)
      if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN
      return left > right === wantsGreater ? left : right
    },
  }
}

const intLimit = 2 ** 31

function cast(type: string, value: Typed | undefined): Typed | undefined {
  if (value === undefined || value.type === 'boolean') return undefined
  const { run } = value
  switch (type) {
    case 'double':
      return double(run)
    case 'float':
      return double((doc) => Math.fround(run(doc)))
    case 'long':
      return long((doc) => Math.trunc(run(doc)))
    case 'int':
      return long((doc) => {
        const whole = Math.trunc(run(doc))
        return whole >= -intLimit && whole < intLimit ? whole : Number.NaN
      })
    default:
      return undefined
  }
}
