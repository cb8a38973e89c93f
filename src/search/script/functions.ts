/** The functions and constants that scripts may use. */
import { itemsOf } from './methods.ts'
import { DateFormatter, dateUnits, parseDate, ScriptDate, ZoneId } from './script-dates.ts'
import {
  checkSize,
  numeric,
  ScriptFailure,
  type ScriptValue,
  textOf,
  toDouble,
  toInteger,
  unwrapped,
} from './values.ts'

export interface ScriptFunction {
  readonly arity: number
  readonly call: (values: readonly ScriptValue[]) => ScriptValue
  /** The function on doubles, where it takes and returns only those. */
  readonly compute?: (...values: number[]) => number
}

function onDoubles(
  name: string,
  arity: number,
  compute: (...values: number[]) => number,
): [string, ScriptFunction] {
  const call = (values: readonly ScriptValue[]) => compute(...values.map((value) => toDouble(value, name)))
  return [name, { arity, call, compute }]
}

/** Integers stay integers when all arguments are. */
function choosing(name: string, wantsGreater: boolean): [string, ScriptFunction] {
  const call = (values: readonly ScriptValue[]): ScriptValue => {
    const numbers = values.map((value) => numeric(value, name))
    if (numbers.some(Number.isNaN)) return Number.NaN
    const [one, other] = [numbers[0]!, numbers[1]!]
    const chosen = one > other === wantsGreater ? one : other
    return numbers.every((value) => typeof value === 'bigint') ? chosen : Number(chosen)
  }
  return [name, { arity: 2, call }]
}

/** Rounds half to even, as Java's `Math.rint`. */
function rint(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

const shared: readonly [string, ScriptFunction][] = [
  ['abs', { arity: 1, call: ([value]) => magnitude(value!) }],
  choosing('max', true),
  choosing('min', false),
  ...[
    'acos',
    'acosh',
    'asin',
    'asinh',
    'atan',
    'atanh',
    'cbrt',
    'ceil',
    'cos',
    'cosh',
    'exp',
    'expm1',
    'floor',
    'log10',
    'log1p',
    'sin',
    'sinh',
    'sqrt',
    'tan',
    'tanh',
  ].map((name) => onDoubles(name, 1, Math[name as 'sin'])),
  onDoubles('pow', 2, Math.pow),
  onDoubles('atan2', 2, Math.atan2),
]

function magnitude(value: ScriptValue): ScriptValue {
  const given = numeric(value, 'abs')
  if (typeof given === 'number') return Math.abs(given)
  return given < 0 ? -given : given
}

const mathFunctions: readonly [string, ScriptFunction][] = [
  ...shared,
  onDoubles('log', 1, Math.log),
  onDoubles('signum', 1, Math.sign),
  onDoubles('hypot', 2, Math.hypot),
  onDoubles('rint', 1, rint),
  onDoubles('toDegrees', 1, (radians) => (radians * 180) / Math.PI),
  onDoubles('toRadians', 1, (degrees) => (degrees * Math.PI) / 180),
  ['round', { arity: 1, call: ([value]) => toInteger(Math.floor(toDouble(value!, 'round') + 0.5), 64) }],
]

const doubleFunctions: readonly [string, ScriptFunction][] = [
  ['isNaN', { arity: 1, call: ([value]) => Number.isNaN(toDouble(value!, 'isNaN')) }],
  ['isInfinite', { arity: 1, call: ([value]) => Math.abs(toDouble(value!, 'isInfinite')) === Infinity }],
  ['isFinite', { arity: 1, call: ([value]) => Number.isFinite(toDouble(value!, 'isFinite')) }],
]

function unreadable(value: ScriptValue): ScriptFailure {
  return new ScriptFailure('number_format_exception', `For input string: "${textOf(value)}"`)
}

function integerOf(value: ScriptValue, bits: number): bigint {
  if (typeof value !== 'string') return toInteger(value, bits)
  if (!/^[-+]?\d{1,20}$/.test(value) || BigInt.asIntN(bits, BigInt(value)) !== BigInt(value))
    throw unreadable(value)
  return BigInt(value)
}

function doubleOf(value: ScriptValue): number {
  if (typeof value !== 'string') return toDouble(value, 'cast')
  if (!/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[dDfF]?\s*$/.test(value)) throw unreadable(value)
  return Number.parseFloat(value)
}

const readingIntegers = (name: string, bits: number): [string, ScriptFunction][] => [
  [name, { arity: 1, call: ([value]) => integerOf(value!, bits) }],
  ['valueOf', { arity: 1, call: ([value]) => integerOf(value!, bits) }],
  ['toString', { arity: 1, call: ([value]) => textOf(toInteger(value!, bits)) }],
  ['compare', { arity: 2, call: ([one, other]) => BigInt(Math.sign(Number(one) - Number(other))) }],
]

const readingDoubles: readonly [string, ScriptFunction][] = [
  ...doubleFunctions,
  ['parseDouble', { arity: 1, call: ([value]) => doubleOf(value!) }],
  ['parseFloat', { arity: 1, call: ([value]) => Math.fround(doubleOf(value!)) }],
  ['valueOf', { arity: 1, call: ([value]) => doubleOf(value!) }],
  ['toString', { arity: 1, call: ([value]) => textOf(toDouble(value!, 'toString')) }],
]

const textFunctions: readonly [string, ScriptFunction][] = [
  ['valueOf', { arity: 1, call: ([value]) => textOf(value!) }],
  [
    'join',
    {
      arity: 2,
      call: ([between, list]) => {
        const joined = itemsOf(list!)
          .map((item) => textOf(item))
          .join(textOf(between!))
        checkSize(joined.length)
        return joined
      },
    },
  ],
]

/** Static functions by class and name: `Math.max`. */
export type ClassFunctions = ReadonlyMap<string, ReadonlyMap<string, ScriptFunction>>

export const classFunctions: ClassFunctions = new Map([
  ['Math', new Map(mathFunctions)],
  ['Double', new Map(readingDoubles)],
  ['Float', new Map(readingDoubles)],
  ['Integer', new Map(readingIntegers('parseInt', 32))],
  ['Long', new Map(readingIntegers('parseLong', 64))],
  [
    'Boolean',
    new Map([['parseBoolean', { arity: 1, call: ([value]) => textOf(value!).toLowerCase() === 'true' }]]),
  ],
  ['String', new Map(textFunctions)],
  [
    'Collections',
    new Map<string, ScriptFunction>([
      ['emptyList', { arity: 0, call: () => [] }],
      ['emptyMap', { arity: 0, call: () => new Map() }],
    ]),
  ],
  [
    'DateTimeFormatter',
    new Map([['ofPattern', { arity: 1, call: ([pattern]) => new DateFormatter(pattern!) }]]),
  ],
  [
    'ZonedDateTime',
    new Map<string, ScriptFunction>([
      ['parse', { arity: 1, call: ([text]) => parseDate(text!) }],
      ['ofInstant', { arity: 2, call: ([instant, zone]) => inZone(instant!, zone!) }],
    ]),
  ],
  ['ZoneId', new Map([['of', { arity: 1, call: ([id]) => new ZoneId(id!) }]])],
  ['Instant', new Map([['ofEpochMilli', { arity: 1, call: ([millis]) => momentOf(millis!) }]])],
])

function inZone(instant: ScriptValue, zone: ScriptValue): ScriptValue {
  const found = instant instanceof ScriptDate ? instant.call('atZone', [zone]) : undefined
  if (found !== undefined) return found
  throw new ScriptFailure('class_cast_exception', 'an instant and a zone are needed')
}

function momentOf(millis: ScriptValue): ScriptValue {
  return new ScriptDate(Number(toInteger(millis, 64))).call('toInstant', []) ?? null
}

/** The constructors by class name. */
export const constructors: ReadonlyMap<string, (values: readonly ScriptValue[]) => ScriptValue> = new Map<
  string,
  (values: readonly ScriptValue[]) => ScriptValue
>([
  ['ArrayList', listOf],
  ['LinkedList', listOf],
  ['HashMap', mapOf],
  ['LinkedHashMap', mapOf],
  ['TreeMap', mapOf],
  ['HashSet', setOf],
  ['LinkedHashSet', setOf],
])

function listOf([from]: readonly ScriptValue[]): ScriptValue {
  return isCapacity(from) ? [] : [...itemsOf(from!)]
}

function setOf([from]: readonly ScriptValue[]): ScriptValue {
  return isCapacity(from) ? new Set() : new Set(itemsOf(from!).map(unwrapped))
}

function mapOf([from]: readonly ScriptValue[]): ScriptValue {
  if (from instanceof Map) return new Map(from)
  if (isCapacity(from)) return new Map()
  throw new ScriptFailure('class_cast_exception', 'a map is needed')
}

/** True for an initial capacity, which is ignored. */
function isCapacity(value: ScriptValue | undefined): boolean {
  return value === undefined || typeof value === 'bigint'
}

export const classConstants: ReadonlyMap<string, ScriptValue> = new Map<string, ScriptValue>([
  ['Math.PI', Math.PI],
  ['Math.E', Math.E],
  ['Double.NaN', Number.NaN],
  ['Double.POSITIVE_INFINITY', Infinity],
  ['Double.NEGATIVE_INFINITY', -Infinity],
  ['Double.MAX_VALUE', Number.MAX_VALUE],
  ['Double.MIN_VALUE', Number.MIN_VALUE],
  ['Integer.MAX_VALUE', 2_147_483_647n],
  ['Integer.MIN_VALUE', -2_147_483_648n],
  ['Long.MAX_VALUE', 9_223_372_036_854_775_807n],
  ['Long.MIN_VALUE', -9_223_372_036_854_775_808n],
  ...dateUnits,
  ...['FULL', 'SHORT', 'NARROW'].map((style): [string, string] => [`TextStyle.${style}`, style]),
  ['Locale.ROOT', 'ROOT'],
  ['Locale.ENGLISH', 'en'],
])

/** The functions of Lucene expressions, which have no class. */
export const expressionFunctions: ReadonlyMap<string, ScriptFunction> = new Map([
  ...shared,
  onDoubles('ln', 1, Math.log),
  onDoubles('logn', 2, (base, value) => Math.log(value!) / Math.log(base!)),
])
