/**
 * JSON as it was sent: integers beyond 2^53 become bigints instead of their neighbours, where the browser tells the
 * digits of a number (ECMAScript's JSON.parse source text access). Names such as `__proto__` stay plain data.
 */
type Context = { readonly source?: string }
type Reviver = (key: string, value: unknown, context?: Context) => unknown

const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown

export function parseExact(text: string): unknown {
  // Long runs of digits are rare; without one the plain parser says the same, and faster.
  if (!/\d{16}/.test(text)) return parse(text)
  return parse(text, (_, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source ?? ''
    return /^-?\d{16,}$/.test(source) ? BigInt(source) : value
  })
}

/** The counterpart: bigints as plain digits. `indent` as of JSON.stringify. */
export function writeExact(value: unknown, indent = 2, depth = 0): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = indent === 0 ? '' : `\n${' '.repeat(indent * (depth + 1))}`
  const outer = indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`
  const parts = Array.isArray(value)
    ? value.map((item) => writeExact(item, indent, depth + 1))
    : Object.entries(value).map(
        ([name, item]) =>
          `${JSON.stringify(name)}:${indent === 0 ? '' : ' '}${writeExact(item, indent, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`
}
