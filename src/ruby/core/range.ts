/**
 * Range methods.
 */
import { LsFloat } from '../../event/value.ts'
import { compare, covers, equal, order } from '../compare.ts'
import { send } from '../dispatch.ts'
import { argumentError, raise, rangeError } from '../errors.ts'
import { inspect, toText } from '../inspect.ts'
import { add, indexOf, isInteger, isNumber, type RubyNumber, subtract, toDouble, wholeOf } from '../number.ts'
import { defineMethods, defineStatics, type RubyValue, rangeClass } from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { isText, RubyRange, truthy } from '../values.ts'
import { Enumerator, eachOfRange, rangeItems } from './items.ts'
import { steps } from './numeric.ts'

function count(range: RubyRange): number {
  const { first, last, excludesEnd } = range
  if (!isNumber(first)) return Number.NaN
  if (last === null) return Number.POSITIVE_INFINITY
  if (!isNumber(last)) return Number.NaN
  const low = toDouble(first)
  const high = toDouble(last)
  const size = Math.floor(high - low) + (excludesEnd && Number.isInteger(high - low) ? 0 : 1)
  return Math.max(0, size)
}

function step(range: RubyRange, by: RubyValue): RubyValue[] {
  const { first, last, excludesEnd } = range
  if (!isNumber(first)) {
    return rangeItems(range).filter((_, i) => i % indexOf(by) === 0)
  }
  if (!isNumber(by) || toDouble(by) === 0) raise(argumentError, "step can't be 0")
  if (toDouble(by) < 0) raise(argumentError, "step can't be negative")
  if (last === null) raise(rangeError, 'steps of an endless range need a block')
  return [...steps(first, last, by, excludesEnd)]
}

defineStatics(rangeClass, {
  'new 2-3': (_, [first, last, exclusive = false]) => {
    if (first !== null && last !== null && compare(first!, last!) === undefined)
      raise(argumentError, 'bad value for range')
    return new RubyRange(first!, last!, truthy(exclusive))
  },
})

defineMethods<RubyRange>(rangeClass, {
  begin: (self) => self.first,
  end: (self) => self.last,
  'last 0-1': (self, [size]) => {
    if (size !== undefined) return rangeItems(self).slice(-indexOf(size))
    return self.last === null ? raise(rangeError, 'cannot get the last element of endless range') : self.last
  },
  'exclude_end?': (self) => self.excludesEnd,
  each: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each')
    eachOfRange(self, (item) => {
      block.one(item)
    })
    return self
  },
  reverse_each: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'reverse_each')
    for (const item of rangeItems(self).reverse()) block.one(item)
    return self
  },
  'step,% 0-1': (self, [by = 1], block) => {
    if (block === null) return new Enumerator(self, 'step', [by])
    const { first, last } = self
    const items =
      isNumber(first) && isNumber(by) && last === null ? steps(first, last, by, false) : step(self, by)
    for (const item of items) {
      tick()
      block.one(item)
    }
    return self
  },
  size: (self) => {
    const size = count(self)
    return Number.isNaN(size) ? null : Number.isFinite(size) ? size : new LsFloat(size)
  },
  'count,length 0-1': (self, args, block) => {
    if (args.length === 0 && block === null && isNumber(self.first)) return count(self)
    return send(rangeItems(self), 'count', args, block)
  },
  'cover?,=== 1': (self, [value]) =>
    value instanceof RubyRange ? covers(self, value.first) && covers(self, value.last) : covers(self, value!),
  'include?,member? 1': (self, [value]) =>
    isText(self.first) && isText(self.last)
      ? rangeItems(self).some((item) => equal(item, value!))
      : covers(self, value!),
  'min 0-1': (self, args, block) => {
    if (args.length > 0 || block !== null || !isNumber(self.first))
      return send(rangeItems(self), 'min', args, block)
    return isEmpty(self) ? null : self.first
  },
  'max 0-1': (self, args, block) => {
    if (args.length > 0 || block !== null || !isNumber(self.last))
      return send(rangeItems(self), 'max', args, block)
    if (isEmpty(self)) return null
    return self.excludesEnd && isInteger(self.last) ? subtract(self.last, 1) : self.last
  },
  'sum 0-1': (self, args, block) => {
    const { first, last } = self
    if (block !== null || !isInteger(first) || !isInteger(last))
      return send(rangeItems(self), 'sum', args, block)
    const size = BigInt(count(self))
    const total = size * BigInt(first) + (size * (size - 1n)) / 2n
    return add(args[0] ?? 0, wholeOf(Number(total)))
  },
  to_s: (self) => `${toText(self.first)}${self.excludesEnd ? '...' : '..'}${toText(self.last)}`,
  inspect: (self) => inspect(self),
  '==,eql? 1': (self, [other]) => equal(self, other!),
  'dup,clone *': (self) => self,
})

function isEmpty({ first, last, excludesEnd }: RubyRange): boolean {
  if (last === null) return false
  const at = order(first as RubyNumber, last)
  return at > 0 || (at === 0 && excludesEnd)
}
