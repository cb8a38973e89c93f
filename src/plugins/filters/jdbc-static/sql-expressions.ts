/** Expressions of local lookups as functions of rows and parameters, with SQL's three truth values. */
import { float, LsFloat, type Value } from '../../../event/value.ts'
import type { Expression } from './sql-parse.ts'
import { SqlError } from './sql-scan.ts'
import { comparable, type Row, type Table } from './tables.ts'

export interface Binding {
  readonly alias: string
  readonly table: Table
}

export type Parameters = ReadonlyMap<string, Value>
/** Rows of the bindings; null for one without a match in an outer join. */
export type Rows = readonly (Row | null)[]
export type Evaluate = (rows: Rows, parameters: Parameters) => Value

export const aggregates: ReadonlySet<string> = new Set(['COUNT', 'MIN', 'MAX', 'SUM', 'AVG'])

export function resolveColumn(
  expression: Extract<Expression, { kind: 'column' }>,
  bindings: readonly Binding[],
): { binding: number; column: number } {
  const { table, name, at } = expression
  const found: { binding: number; column: number }[] = []
  for (const [binding, one] of bindings.entries()) {
    if (table !== undefined && one.alias !== table && one.table.name !== table) continue
    const column = one.table.columnAt(name)
    if (column >= 0) found.push({ binding, column })
  }
  const full = table === undefined ? name : `${table}.${name}`
  if (found.length === 0) throw new SqlError(`The column ${full} does not exist`, at)
  if (found.length > 1 && table === undefined) throw new SqlError(`The column ${full} is ambiguous`, at)
  return found[0]!
}

export function compileExpression(expression: Expression, bindings: readonly Binding[]): Evaluate {
  const compile = (one: Expression) => compileExpression(one, bindings)
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression
      return () => value
    }
    case 'parameter': {
      const { name } = expression
      return (_, parameters) => parameters.get(name) ?? null
    }
    case 'column': {
      const { binding, column } = resolveColumn(expression, bindings)
      return (rows) => rows[binding]?.[column] ?? null
    }
    case 'and':
    case 'or': {
      const [left, right] = [compile(expression.left), compile(expression.right)]
      const decisive = expression.kind === 'or'
      return (rows, parameters) => {
        const first = left(rows, parameters)
        if (first === decisive) return decisive
        const second = right(rows, parameters)
        if (second === decisive) return decisive
        return first === null || second === null ? null : !decisive
      }
    }
    case 'not': {
      const of = compile(expression.of)
      return (rows, parameters) => {
        const value = of(rows, parameters)
        return value === null ? null : value === false
      }
    }
    case 'compare': {
      const [left, right] = [compile(expression.left), compile(expression.right)]
      const test = comparisons[expression.sign]!
      return (rows, parameters) => {
        const order = compareValues(left(rows, parameters), right(rows, parameters))
        return order === undefined ? null : test(order)
      }
    }
    case 'arithmetic':
      return arithmetic(expression.sign, compile(expression.left), compile(expression.right))
    case 'like':
      return like(compile(expression.left), compile(expression.right), expression.escape)
    case 'in': {
      const left = compile(expression.left)
      const of = expression.of.map(compile)
      return (rows, parameters) => {
        const value = left(rows, parameters)
        let isUnknown = value === null
        for (const one of of) {
          const order = compareValues(value, one(rows, parameters))
          if (order === 0) return true
          isUnknown ||= order === undefined
        }
        return isUnknown ? null : false
      }
    }
    case 'null': {
      const of = compile(expression.of)
      return (rows, parameters) => of(rows, parameters) === null
    }
    case 'call':
      return call(expression, compile)
  }
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

/** Below 0, 0 or above; undefined when one of the two is null. A number and a text compare as numbers. */
export function compareValues(left: Value, right: Value): number | undefined {
  const [a, b] = [comparable(left), comparable(right)]
  if (a === null || b === null) return undefined
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  const [x, y] = [typeof a === 'string' ? Number(a) : a, typeof b === 'string' ? Number(b) : b]
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined
  return x < y ? -1 : x > y ? 1 : 0
}

function arithmetic(sign: string, left: Evaluate, right: Evaluate): Evaluate {
  return (rows, parameters) => {
    const [a, b] = [comparable(left(rows, parameters)), comparable(right(rows, parameters))]
    if (a === null || b === null) return null
    if (sign === '||') return String(a) + String(b)
    const [x, y] = [Number(a), Number(b)]
    const isWhole = Number.isInteger(x) && Number.isInteger(y)
    const result = sign === '+' ? x + y : sign === '-' ? x - y : sign === '*' ? x * y : x / y
    if (sign === '/' && y === 0) throw new Error('Attempt to divide by zero.')
    return isWhole ? Math.trunc(result) : float(result)
  }
}

/** Linear in the text for each `%`: the pattern is walked with one point of return, not by a regular expression. */
function like(left: Evaluate, right: Evaluate, mark: string | undefined): Evaluate {
  return (rows, parameters) => {
    const [text, pattern] = [comparable(left(rows, parameters)), comparable(right(rows, parameters))]
    if (text === null || pattern === null) return null
    return matchesLike([...String(text)], likeParts(String(pattern), mark))
  }
}

type LikePart = string | typeof anyText | typeof anyOne
const anyText = Symbol('%')
const anyOne = Symbol('_')

function likeParts(pattern: string, mark: string | undefined): LikePart[] {
  const parts: LikePart[] = []
  let isEscaped = false
  for (const character of pattern) {
    if (isEscaped || (character !== mark && character !== '%' && character !== '_')) parts.push(character)
    else if (character === mark) {
      isEscaped = true
      continue
    } else parts.push(character === '%' ? anyText : anyOne)
    isEscaped = false
  }
  return parts
}

function matchesLike(text: readonly string[], parts: readonly LikePart[]): boolean {
  let [at, part, star, mark] = [0, 0, -1, 0]
  while (at < text.length) {
    if (part < parts.length && (parts[part] === anyOne || parts[part] === text[at])) {
      at += 1
      part += 1
    } else if (parts[part] === anyText) {
      star = part++
      mark = at
    } else if (star >= 0) {
      part = star + 1
      at = ++mark
    } else return false
  }
  while (parts[part] === anyText) part += 1
  return part === parts.length
}

function call(
  { name, of, at }: Extract<Expression, { kind: 'call' }>,
  compile: (one: Expression) => Evaluate,
): Evaluate {
  if (aggregates.has(name)) throw new SqlError(`${name} is only possible in the list of results`, at)
  const values = of.map(compile)
  const [first = () => null, second = () => null, third] = values
  const onText = (change: (text: string) => Value): Evaluate => {
    return (rows, parameters) => {
      const value = comparable(first(rows, parameters))
      return value === null ? null : change(String(value))
    }
  }
  switch (name) {
    case 'UPPER':
    case 'UCASE':
      return onText((text) => text.toUpperCase())
    case 'LOWER':
    case 'LCASE':
      return onText((text) => text.toLowerCase())
    case 'LENGTH':
      return onText((text) => [...text].length)
    case 'TRIM':
      return onText((text) => text.trim())
    case 'LTRIM':
      return onText((text) => text.trimStart())
    case 'RTRIM':
      return onText((text) => text.trimEnd())
    case 'COALESCE':
    case 'VALUE':
      return (rows, parameters) => {
        for (const one of values) {
          const value = one(rows, parameters)
          if (value !== null) return value
        }
        return null
      }
    case 'SUBSTR':
      return (rows, parameters) => {
        const text = comparable(first(rows, parameters))
        if (text === null) return null
        const from = Number(second(rows, parameters)) - 1
        const length = third === undefined ? undefined : Number(third(rows, parameters))
        return String(text).slice(Math.max(0, from), length === undefined ? undefined : from + length)
      }
    case 'CAST':
      return (rows, parameters) => cast(first(rows, parameters), String(second(rows, parameters)))
    default:
      throw new SqlError(`The function ${name} is not supported here`, at)
  }
}

function cast(value: Value, type: string): Value {
  const plain = comparable(value)
  if (plain === null) return null
  if (/CHAR|CLOB/.test(type)) return String(plain)
  const number = Number(plain)
  if (Number.isNaN(number)) throw new Error(`Invalid character string format for type ${type}.`)
  return /INT/.test(type) ? Math.trunc(number) : float(number)
}

/** The result of an aggregate over all rows. */
export function aggregate(name: string, values: readonly Value[]): Value {
  const known = values.filter((value) => value !== null)
  if (name === 'COUNT') return known.length
  if (known.length === 0) return null
  if (name === 'MIN' || name === 'MAX') {
    const sign = name === 'MIN' ? -1 : 1
    return known.reduce((best, one) => ((compareValues(one, best) ?? 0) * sign > 0 ? one : best))
  }
  const sum = known.reduce<number>((total, one) => total + Number(comparable(one)), 0)
  const result = name === 'SUM' ? sum : sum / known.length
  const isWhole = known.every((one) => !(one instanceof LsFloat) && Number.isInteger(Number(comparable(one))))
  return isWhole ? Math.trunc(result) : float(result)
}
