/**
 * A SELECT over tables in memory, compiled once. Tables are joined from left to right; a condition is tested as soon
 * as the rows it needs are there, and an equality with a column of the next table is looked up in its index.
 */
import type { Fields, Value } from '../../../event/value.ts'
import { putField } from '../../../event/value.ts'
import {
  aggregate,
  aggregates,
  type Binding,
  compareValues,
  compileExpression,
  type Evaluate,
  type Parameters,
  type Rows,
  resolveColumn,
} from './sql-expressions.ts'
import { type Expression, parseSelect, type Select } from './sql-parse.ts'
import { SqlError } from './sql-scan.ts'
import type { Row, Table } from './tables.ts'

export type Query = (parameters: Parameters) => Fields[]

/** More rows than this are never looked at by one lookup. */
const maxVisits = 50_000_000

interface Step {
  readonly table: Table
  readonly isOuter: boolean
  /** Equality with a column of this table that an index answers. */
  readonly lookup: { column: number; value: Evaluate } | undefined
  /** Conditions of the join itself, then those that follow it. */
  readonly on: readonly Evaluate[]
  readonly where: readonly Evaluate[]
}

export function compileQuery(text: string, tables: ReadonlyMap<string, Table>): Query {
  const select = parseSelect(text)
  const bindings: Binding[] = select.from.map(({ table, alias, at }) => {
    const found = tables.get(table)
    if (found === undefined) throw new SqlError(`The table ${table} does not exist`, at)
    return { alias, table: found }
  })
  const steps = stepsOf(select, bindings)
  const project = projection(select, bindings)
  const order = select.order.map(({ of, descending }) => ({
    value: compileExpression(named(of, select), bindings),
    sign: descending ? -1 : 1,
  }))
  return (parameters) => {
    const found: Rows[] = []
    const atOnce = order.length === 0 && !select.isDistinct && !isAggregate(select)
    join(steps, parameters, found, atOnce ? select.offset + select.limit : Infinity)
    if (order.length > 0) {
      found.sort((a, b) => {
        for (const { value, sign } of order) {
          const [x, y] = [value(a, parameters), value(b, parameters)]
          const result =
            x === null || y === null ? Number(x === null) - Number(y === null) : compareValues(x, y)
          if (result !== undefined && result !== 0) return result * sign
        }
        return 0
      })
    }
    const results = project(found, parameters)
    const unique = select.isDistinct ? distinct(results) : results
    return unique.slice(select.offset, select.offset + select.limit)
  }
}

function join(steps: readonly Step[], parameters: Parameters, found: Rows[], max: number): void {
  let visits = 0
  const rows: (Row | null)[] = []
  const holds = (conditions: readonly Evaluate[]) => conditions.every((one) => one(rows, parameters) === true)
  const visit = (depth: number): void => {
    if (depth === steps.length) {
      found.push([...rows])
      return
    }
    const { table, lookup, on, where, isOuter } = steps[depth]!
    const candidates =
      lookup === undefined ? table.rows : table.find(lookup.column, lookup.value(rows, parameters))
    let isMatched = false
    for (const row of candidates) {
      if (found.length >= max) break
      if (++visits > maxVisits) throw new Error('The lookup has to look at too many rows.')
      rows[depth] = row
      if (!holds(on)) continue
      isMatched = true
      if (holds(where)) visit(depth + 1)
    }
    if (isOuter && !isMatched) {
      rows[depth] = null
      if (holds(where)) visit(depth + 1)
    }
    rows.length = depth
  }
  visit(0)
}

function conjuncts(expression: Expression | undefined): Expression[] {
  if (expression === undefined) return []
  return expression.kind === 'and'
    ? [...conjuncts(expression.left), ...conjuncts(expression.right)]
    : [expression]
}

function stepsOf({ from, where }: Select, bindings: readonly Binding[]): Step[] {
  const loose = conjuncts(where)
  return from.map(({ isOuter, on }, depth): Step => {
    const own = conjuncts(on)
    const due = loose.filter((one) => Math.max(0, deepest(one, bindings)) === depth)
    // What an outer join finds is decided by its own conditions alone.
    const usable = isOuter ? own : [...own, ...due]
    const lookup = usable.map((one) => lookupOf(one, depth, bindings)).find((one) => one !== undefined)
    const compile = (one: Expression) => compileExpression(one, bindings)
    return { table: bindings[depth]!.table, isOuter, lookup, on: own.map(compile), where: due.map(compile) }
  })
}

/** `column = value`, in either order, where the value needs only tables before this one. */
function lookupOf(expression: Expression, depth: number, bindings: readonly Binding[]): Step['lookup'] {
  if (expression.kind !== 'compare' || expression.sign !== '=') return undefined
  for (const [own, other] of [
    [expression.left, expression.right],
    [expression.right, expression.left],
  ] as const) {
    if (own.kind !== 'column' || deepest(other, bindings) >= depth) continue
    const { binding, column } = resolveColumn(own, bindings)
    if (binding === depth) return { column, value: compileExpression(other, bindings) }
  }
  return undefined
}

/** The last table an expression needs; -1 for none. */
function deepest(expression: Expression, bindings: readonly Binding[]): number {
  const all = (of: readonly Expression[]) => Math.max(-1, ...of.map((one) => deepest(one, bindings)))
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
      return -1
    case 'column':
      return resolveColumn(expression, bindings).binding
    case 'call':
      return all(expression.of)
    case 'not':
    case 'null':
      return deepest(expression.of, bindings)
    case 'in':
      return all([expression.left, ...expression.of])
    default:
      return all([expression.left, expression.right])
  }
}

/** ORDER BY may name a result. */
function named(of: Expression, { items }: Select): Expression {
  if (of.kind === 'literal' && typeof of.value === 'number') return items[of.value - 1]?.expression ?? of
  if (of.kind !== 'column' || of.table !== undefined) return of
  return items.find(({ name, expression }) => expression !== undefined && name === of.name)?.expression ?? of
}

function isAggregate({ items }: Select): boolean {
  return items.some(({ expression }) => expression?.kind === 'call' && aggregates.has(expression.name))
}

type Project = (found: readonly Rows[], parameters: Parameters) => Fields[]

function projection(select: Select, bindings: readonly Binding[]): Project {
  if (isAggregate(select)) return aggregation(select, bindings)
  const columns = select.items.flatMap(({ expression, table, name }, index) => {
    if (expression !== undefined)
      return [
        { name: name === '' ? String(index + 1) : name, value: compileExpression(expression, bindings) },
      ]
    return bindings.flatMap(({ alias, table: { columns: all, name: own } }, binding) =>
      table === undefined || table === alias || table === own
        ? all.map((column, at) => ({
            name: column.name,
            value: (rows: Rows): Value => rows[binding]?.[at] ?? null,
          }))
        : [],
    )
  })
  return (found, parameters) =>
    found.map((rows) => {
      const result: Fields = {}
      for (const { name, value } of columns) putField(result, name, value(rows, parameters))
      return result
    })
}

function aggregation({ items }: Select, bindings: readonly Binding[]): Project {
  const columns = items.map(({ expression, name }, index) => {
    if (expression?.kind !== 'call' || !aggregates.has(expression.name))
      throw new SqlError('Aggregates and other results cannot stand together without grouping', 0)
    const of = expression.of[0] === undefined ? () => 1 : compileExpression(expression.of[0], bindings)
    return { name: name === '' ? String(index + 1) : name, call: expression.name, of }
  })
  return (found, parameters) => {
    const result: Fields = {}
    for (const { name, call, of } of columns)
      putField(
        result,
        name,
        aggregate(
          call,
          found.map((rows) => of(rows, parameters)),
        ),
      )
    return [result]
  }
}

function distinct(rows: readonly Fields[]): Fields[] {
  const seen = new Map<string, Fields>()
  for (const row of rows) {
    const key = JSON.stringify(Object.entries(row).map(([, value]) => String(value)))
    if (!seen.has(key)) seen.set(key, row)
  }
  return [...seen.values()]
}
