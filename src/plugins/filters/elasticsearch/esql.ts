/**
 * Lookups in ES|QL: the query with its parameters as a request, and the table that comes back. A query that reads
 * an index and says no LIMIT gets `| LIMIT 1`, as in Logstash.
 */
import type { Event } from '../../../event/event.ts'
import { type Fields, isFields, putField, type Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { HashValue } from '../../../plugin/define.ts'

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

function limited(query: string): string {
  return /^\s*from\b/i.test(query) && !/\|\s*limit\s+\d+/i.test(query) ? `${query.trim()} | LIMIT 1` : query
}

/** The body of the request for one event. Parameters that name no field are constants. */
export function compileRequest(
  query: string,
  parameters: HashValue,
  compile: Compile,
): (event: Event) => Fields {
  const text = limited(query)
  const values = [...parameters].map(([name, given]) => {
    const isReference = typeof given === 'string' && /^\[.+\]$/.test(given.trim())
    const get = isReference ? compile.get(given.trim()) : undefined
    return { name, read: (event: Event): Value => (get === undefined ? given : (get(event) ?? null)) }
  })
  return (event) => {
    const params = values.map(({ name, read }) => {
      const one: Fields = {}
      putField(one, name, read(event))
      return one
    })
    return params.length === 0 ? { query: text } : { query: text, params }
  }
}

export function tableOf(answer: Fields): Table {
  const columns = Array.isArray(answer['columns']) ? answer['columns'] : []
  const values = Array.isArray(answer['values']) ? answer['values'] : []
  return {
    columns: columns.map((column) => (isFields(column) ? String(column['name']) : '')),
    rows: values.filter((row) => Array.isArray(row)),
  }
}

/** What a column holds: one value for one row, a list for more. */
export function columnOf({ columns, rows }: Table, name: string): Value {
  const index = columns.indexOf(name)
  const values = rows.map((row) => (index < 0 ? null : (row[index] ?? null)))
  return values.length === 1 ? values[0]! : values
}
