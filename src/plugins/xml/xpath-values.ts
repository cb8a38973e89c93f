/**
 * Values of XPath 1.0, texts, numbers, truth, and lists of nodes, and how they become each other.
 */
import { stringValue, type XNode } from './xpath-axes.ts'

export type XValue = string | number | boolean | XNode[]

export function toText(value: XValue): string {
  if (Array.isArray(value)) return value[0] === undefined ? '' : stringValue(value[0])
  return typeof value === 'number' ? numberText(value) : String(value)
}

/** As libxml2 writes it: exponents from 1e9 on and below 1e-5, at most 15 digits. */
function numberText(value: number): string {
  if (!Number.isFinite(value) || value === 0) return value === 0 ? '0' : String(value)
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 2 ** 31) return String(value)
  if (size <= 1e9 && size >= 1e-5) {
    const digits = Math.min(20, Math.max(0, 14 - Math.floor(Math.log10(size))))
    return value.toFixed(digits).replace(/\.?0+$/, '')
  }
  return value
    .toExponential(14)
    .replace(/\.?0+e/, 'e')
    .replace(/e([+-])(\d)$/, 'e$10$2')
}

export function toNumber(value: XValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = toText(value).trim()
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

export function toBoolean(value: XValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'string' ? value !== '' : Boolean(value)
}

type Comparison = (a: string | number | boolean, b: string | number | boolean) => boolean

/** A list of nodes compares true when any of its nodes does. */
export function compare(operator: string, left: XValue, right: XValue): boolean {
  if (typeof left === 'boolean' && Array.isArray(right)) return compare(operator, left, toBoolean(right))
  if (typeof right === 'boolean' && Array.isArray(left)) return compare(operator, toBoolean(left), right)
  if (Array.isArray(left)) return left.some((node) => compare(operator, stringValue(node), right))
  if (Array.isArray(right)) return right.some((node) => compare(operator, left, stringValue(node)))
  const order: Record<string, Comparison> = {
    '<': (a, b) => toNumber(a) < toNumber(b),
    '<=': (a, b) => toNumber(a) <= toNumber(b),
    '>': (a, b) => toNumber(a) > toNumber(b),
    '>=': (a, b) => toNumber(a) >= toNumber(b),
  }
  const ordering = Object.hasOwn(order, operator) ? order[operator] : undefined
  if (ordering !== undefined) return ordering(left, right)
  const equal =
    typeof left === 'boolean' || typeof right === 'boolean'
      ? toBoolean(left) === toBoolean(right)
      : typeof left === 'number' || typeof right === 'number'
        ? toNumber(left) === toNumber(right)
        : left === right
  return operator === '=' ? equal : !equal
}
