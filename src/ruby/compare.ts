/**
 * The comparisons: `==`, `eql?`, `<=>`, and `===` as `case` uses it.
 */

import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { LsFloat } from '../event/value.ts'
import { compareUtf8 } from '../text/utf8-order.ts'
import { describing, send } from './dispatch.ts'
import { argumentError, RubyException, raise } from './errors.ts'
import { hashKey, RubyHash } from './hash.ts'
import { coercionName, compareNumbers, isFloat, isInteger, isNumber } from './number.ts'
import { Proc } from './proc.ts'
import { RubyRegexp } from './regexp.ts'
import { classOf, kernel, RubyClass, RubyObject, type RubyValue } from './ruby-class.ts'
import { Instance, isText, RubyRange, RubySymbol, textOf, truthy } from './values.ts'

export function equal(a: RubyValue, b: RubyValue): boolean {
  if (a === b) return !(typeof a === 'number' && Number.isNaN(a))
  if (typeof a !== 'object' && typeof b !== 'object') {
    return (
      (typeof a === 'bigint' || typeof b === 'bigint') &&
      isNumber(a) &&
      isNumber(b) &&
      compareNumbers(a, b) === 0
    )
  }
  if (a === null || b === null) return false
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  if (isText(a)) return isText(b) && textOf(a) === textOf(b)
  if (a instanceof RubySymbol) return b instanceof RubySymbol && a.name === b.name
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]!))
  }
  if (a instanceof RubyHash) return b instanceof RubyHash && equalHashes(a, b)
  if (a instanceof Timestamp) return b instanceof Timestamp ? a.equals(b) : compareObjects(a, b) === 0
  if (a instanceof RubyRange) {
    return (
      b instanceof RubyRange &&
      a.excludesEnd === b.excludesEnd &&
      equal(a.first, b.first) &&
      equal(a.last, b.last)
    )
  }
  if (a instanceof RubyRegexp)
    return b instanceof RubyRegexp && a.source === b.source && a.options === b.options
  if (a instanceof RubyException) {
    return b instanceof RubyException && a.rubyClass === b.rubyClass && a.message === b.message
  }
  if (!(a instanceof RubyObject) || a instanceof RubyClass) return false
  const own = classOf(a).find('==')
  return own !== undefined && own !== kernel.methods.get('==') && truthy(own.call(a, [b], null))
}

function equalHashes(a: RubyHash, b: RubyHash): boolean {
  if (a.size !== b.size) return false
  return a.pairs().every(([key, value]) => {
    const other = b.own(key)
    return other !== undefined && equal(value, other)
  })
}

/** `eql?`: as `==`, but 1 and 1.0 differ. */
export function identical(a: RubyValue, b: RubyValue): boolean {
  if (isNumber(a) || isNumber(b)) {
    return isInteger(a) === isInteger(b) && isFloat(a) === isFloat(b) && equal(a, b)
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => identical(item, b[i]!))
  }
  return equal(a, b)
}

/** `equal?` */
export function same(a: RubyValue, b: RubyValue): boolean {
  if (a === b) return true
  if (a instanceof RubySymbol || a instanceof LsFloat) return hashKey(a) === hashKey(b)
  return false
}

/** `<=>`: undefined where Ruby gives nil. */
export function compare(a: RubyValue, b: RubyValue): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (isText(a) && isText(b)) return compareTexts(textOf(a), textOf(b))
  if (a instanceof RubySymbol && b instanceof RubySymbol) return compareTexts(a.name, b.name)
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < a.length && i < b.length; i++) {
      const order = compare(a[i]!, b[i]!)
      if (order !== 0) return order
    }
    return Math.sign(a.length - b.length)
  }
  if (a === b) return 0
  return compareObjects(a, b)
}

function compareObjects(a: RubyValue, b: RubyValue): number | undefined {
  if (typeof a !== 'object' || a === null || a instanceof Event || a instanceof RubyHash) {
    return equal(a, b) ? 0 : undefined
  }
  if (classOf(a).find('<=>') === undefined) return undefined
  const order = send(a, '<=>', [b])
  return typeof order === 'number' ? order : undefined
}

/** Compares by code points, which is also the order of the bytes. */
export function compareTexts(a: string, b: string): -1 | 0 | 1 {
  return Math.sign(compareUtf8(a, b)) as -1 | 0 | 1
}

/** For sorting, minima, `<` and ranges. */
export function order(a: RubyValue, b: RubyValue): number {
  const result = compare(a, b)
  if (result === undefined) notComparable(a, b)
  return result
}

export function notComparable(a: RubyValue, b: RubyValue): never {
  const special = b === null || typeof b === 'boolean' || isNumber(b)
  raise(
    argumentError,
    `comparison of ${classOf(a).name} with ${special ? describing.inspect(b) : coercionName(b)} failed`,
  )
}

/** `pattern === value` */
export function caseEqual(pattern: RubyValue, value: RubyValue): boolean {
  if (pattern instanceof RubyClass) return classOf(value).inherits(pattern)
  if (pattern instanceof RubyRegexp) {
    if (value instanceof RubySymbol) return pattern.search(value.name) !== null
    return isText(value) && pattern.search(textOf(value)) !== null
  }
  if (pattern instanceof RubyRange) return covers(pattern, value)
  if (pattern instanceof Proc) return truthy(pattern.one(value))
  if (pattern instanceof Instance && classOf(pattern).find('===') !== undefined) {
    return truthy(send(pattern, '===', [value]))
  }
  return equal(pattern, value)
}

export function covers({ first, last, excludesEnd }: RubyRange, value: RubyValue): boolean {
  if (first !== null) {
    const low = compare(first, value)
    if (low === undefined || low > 0) return false
  }
  if (last === null) return true
  const high = compare(value, last)
  return high !== undefined && (excludesEnd ? high < 0 : high <= 0)
}
