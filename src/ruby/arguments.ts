/**
 * Reading the arguments of library methods: what kind was expected, and Ruby's words when it was another.
 */
import { describing, send } from './dispatch.ts'
import { raise, typeError } from './errors.ts'
import { RubyHash } from './hash.ts'
import { coercionName } from './number.ts'
import { RubyRegexp } from './regexp.ts'
import { classOf, type RubyValue } from './ruby-class.ts'
import { isText, RubyRange, RubySymbol, textOf } from './values.ts'

export function noConversion(value: RubyValue | undefined, into: string): never {
  raise(typeError, `no implicit conversion of ${coercionName(value ?? null)} into ${into}`)
}

export function textArgument(value: RubyValue | undefined): string {
  if (isText(value)) return textOf(value)
  return noConversion(value, 'String')
}

/** A name given as symbol or string. */
export function nameArgument(value: RubyValue | undefined): string {
  if (value instanceof RubySymbol) return value.name
  if (isText(value)) return textOf(value)
  raise(typeError, `${describing.inspect(value ?? null)} is not a symbol nor a string`)
}

export function listArgument(value: RubyValue | undefined): RubyValue[] {
  if (Array.isArray(value)) return value
  return noConversion(value, 'Array')
}

export function hashArgument(value: RubyValue | undefined): RubyHash {
  if (value instanceof RubyHash) return value
  return noConversion(value, 'Hash')
}

export function patternArgument(value: RubyValue | undefined): RubyRegexp | string {
  if (value instanceof RubyRegexp) return value
  if (isText(value)) return textOf(value)
  raise(typeError, `wrong argument type ${coercionName(value ?? null)} (expected Regexp)`)
}

/** Takes `key: value` options off the end of the arguments. */
export function takeOptions(args: RubyValue[]): ReadonlyMap<string, RubyValue> {
  const last = args[args.length - 1]
  if (!(last instanceof RubyHash) || !last.isKeywords) return noOptions
  args.pop()
  return new Map(
    last
      .pairs()
      .map(([key, value]) => [key instanceof RubySymbol ? key.name : describing.inspect(key), value]),
  )
}

const noOptions: ReadonlyMap<string, RubyValue> = new Map()

/** `Array(value)` */
export function toList(value: RubyValue): RubyValue[] {
  if (value === null) return []
  if (Array.isArray(value)) return value
  if (value instanceof RubyHash) return value.pairs()
  if (value instanceof RubyRange || classOf(value).find('to_a') !== undefined) {
    return send(value, 'to_a') as RubyValue[]
  }
  return [value]
}

/** Start and length of a range within `size` items; undefined when it starts outside. */
export function rangeWithin(range: RubyRange, size: number): { start: number; length: number } | undefined {
  const first = range.first === null ? 0 : wholeArgument(range.first)
  const last = range.last === null ? -1 : wholeArgument(range.last)
  const start = first < 0 ? first + size : first
  if (start < 0 || start > size) return undefined
  let end = last < 0 ? last + size : last
  if (!range.excludesEnd || range.last === null) end += 1
  return { start, length: Math.max(0, Math.min(end, size) - start) }
}

function wholeArgument(value: RubyValue): number {
  if (typeof value === 'number') return Math.trunc(value)
  return noConversion(value, 'Integer')
}
