/** Values of events as EDN: names of fields are strings, times are texts in ISO 8601. */

import { checkNesting } from '../../../event/nesting.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { fieldNames, LsFloat, readField, type Value } from '../../../event/value.ts'
import { javaDouble } from '../../../text/java-double.ts'

export function writeEdn(value: Value, depth = 0): string {
  checkNesting(depth)
  if (value === null) return 'nil'
  if (typeof value === 'string') return ednString(value)
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : javaDouble(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof LsFloat) return floatText(value.value)
  if (value instanceof Timestamp) return ednString(value.toString())
  if (Array.isArray(value)) return `[${value.map((item) => writeEdn(item, depth + 1)).join(', ')}]`
  const pairs = fieldNames(value).map(
    (name) => `${ednString(name)} ${writeEdn(readField(value, name) ?? null, depth + 1)}`,
  )
  return `{${pairs.join(', ')}}`
}

/** EDN has no word for infinity. */
function floatText(value: number): string {
  return Number.isFinite(value) ? javaDouble(value) : 'nil'
}

const short: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
}

function ednString(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (one) => short[one]!)}"`
}
