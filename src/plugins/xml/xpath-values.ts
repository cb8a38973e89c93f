/**
 * Values of XPath 1.0 and what its functions make of them: texts, numbers, truth, and lists of nodes.
 */
import { stringValue, type XNode } from './xpath-axes.ts'

export type XValue = string | number | boolean | XNode[]

function toText(value: XValue): string {
  if (Array.isArray(value)) return value[0] === undefined ? '' : stringValue(value[0])
  return String(value)
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

export interface Context {
  readonly node: XNode
  readonly position: number
  readonly size: number
}

type XFunction = (args: XValue[], context: Context) => XValue

function nameOf(args: XValue[], { node }: Context, part: 'name' | 'local'): string {
  const named = args[0] === undefined ? node : Array.isArray(args[0]) ? args[0][0] : undefined
  if (named === undefined || (named.kind !== 'element' && named.kind !== 'attribute')) return ''
  return named[part]
}

const textOr = (args: XValue[], { node }: Context): string =>
  args[0] === undefined ? stringValue(node) : toText(args[0])

export const functions: ReadonlyMap<string, XFunction> = new Map<string, XFunction>([
  ['last', (_, { size }) => size],
  ['position', (_, { position }) => position],
  ['count', ([list = []]) => (Array.isArray(list) ? list.length : Number.NaN)],
  ['name', (args, context) => nameOf(args, context, 'name')],
  ['local-name', (args, context) => nameOf(args, context, 'local')],
  ['string', textOr],
  ['concat', (args) => args.map(toText).join('')],
  ['starts-with', ([a = '', b = '']) => toText(a).startsWith(toText(b))],
  ['contains', ([a = '', b = '']) => toText(a).includes(toText(b))],
  [
    'substring-before',
    ([a = '', b = '']) => {
      const at = toText(a).indexOf(toText(b))
      return at < 0 ? '' : toText(a).slice(0, at)
    },
  ],
  [
    'substring-after',
    ([a = '', b = '']) => {
      const at = toText(a).indexOf(toText(b))
      return at < 0 ? '' : toText(a).slice(at + toText(b).length)
    },
  ],
  [
    'substring',
    ([text = '', from = 1, length = Number.POSITIVE_INFINITY]) => {
      const first = Math.round(toNumber(from))
      const end = first + Math.round(toNumber(length))
      return [...toText(text)].filter((_, i) => i + 1 >= first && i + 1 < end).join('')
    },
  ],
  ['string-length', (args, context) => [...textOr(args, context)].length],
  ['normalize-space', (args, context) => textOr(args, context).trim().replace(/\s+/g, ' ')],
  [
    'translate',
    ([text = '', from = '', to = '']) => {
      const letters = [...toText(from)]
      const others = [...toText(to)]
      return [...toText(text)]
        .map((letter) => (letters.includes(letter) ? (others[letters.indexOf(letter)] ?? '') : letter))
        .join('')
    },
  ],
  ['boolean', ([value = '']) => toBoolean(value)],
  ['not', ([value = '']) => !toBoolean(value)],
  ['true', () => true],
  ['false', () => false],
  ['number', (args, context) => toNumber(args[0] ?? stringValue(context.node))],
  [
    'sum',
    ([list = []]) =>
      Array.isArray(list) ? list.reduce((sum, node) => sum + toNumber(stringValue(node)), 0) : 0,
  ],
  ['floor', ([value = 0]) => Math.floor(toNumber(value))],
  ['ceiling', ([value = 0]) => Math.ceil(toNumber(value))],
  ['round', ([value = 0]) => Math.round(toNumber(value))],
])
