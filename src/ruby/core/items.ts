/**
 * The items of anything enumerable as a list, and enumerators: a method call that still waits for its block.
 */

import { compare, compareTexts } from '../compare.ts'
import { callMethod, findMethod, noMethod, send } from '../dispatch.ts'
import { argumentError, raise, rangeError, stopIteration, typeError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { coercionName, isInteger, isNumber, toDouble } from '../number.ts'
import { Proc } from '../proc.ts'
import {
  classOf,
  defineMethods,
  enumeratorClass,
  type RubyClass,
  RubyObject,
  type RubyValue,
} from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { isText, RubyRange, textOf } from '../values.ts'
import { successor } from './successor.ts'

/** Longest list that a range, `step` or product may make. */
export const maxItems = 10_000_000

export class Enumerator extends RubyObject {
  readonly receiver: RubyValue
  readonly method: string
  readonly args: RubyValue[]
  position = 0
  #items: RubyValue[] | undefined

  constructor(receiver: RubyValue, method: string, args: RubyValue[] = []) {
    super()
    this.receiver = receiver
    this.method = method
    this.args = args
  }

  get rubyClass(): RubyClass {
    return enumeratorClass
  }

  run(block: Proc): RubyValue {
    return send(this.receiver, this.method, [...this.args], block)
  }

  items(): RubyValue[] {
    const items: RubyValue[] = []
    this.run(
      new Proc((args) => {
        if (items.length >= maxItems) tooMany()
        items.push(args.length === 1 ? args[0]! : args)
        return null
      }),
    )
    return items
  }

  /** The first items, without waiting for an end that may never come. */
  leading(count: number): RubyValue[] {
    const items: RubyValue[] = []
    if (count <= 0) return items
    const enough = {}
    try {
      this.run(
        new Proc((args) => {
          items.push(args.length === 1 ? args[0]! : args)
          if (items.length >= count) throw enough
          return null
        }),
      )
    } catch (error) {
      if (error !== enough) throw error
    }
    return items
  }

  /** For `next` and `peek`, which take one item at a time. */
  kept(): RubyValue[] {
    this.#items ??= this.items()
    return this.#items
  }
}

export function tooMany(): never {
  raise(argumentError, `more than ${maxItems} items`)
}

/** The list itself for an Array: whoever changes it while walking sees the changes, as in Ruby. */
export function itemsOf(value: RubyValue): RubyValue[] {
  if (Array.isArray(value)) return value
  if (value instanceof RubyHash) return value.pairs()
  if (value instanceof Enumerator) return value.items()
  if (value instanceof RubyRange) return rangeItems(value)
  const method = findMethod(value, 'to_a')
  if (method === undefined) return noMethod(value, 'each')
  return callMethod(method, value, [], null) as RubyValue[]
}

export function rangeItems(range: RubyRange): RubyValue[] {
  const items: RubyValue[] = []
  if (range.last === null || (isNumber(range.last) && toDouble(range.last) === Number.POSITIVE_INFINITY)) {
    raise(rangeError, 'cannot convert endless range to an array')
  }
  const { first, last } = range
  if (isNumber(first) && isNumber(last) && toDouble(last) - toDouble(first) > maxItems) tooMany()
  eachOfRange(range, (item) => {
    if (items.length >= maxItems) tooMany()
    items.push(item)
  })
  return items
}

/** Walks through a range of integers or strings; `visit` ends an endless one by throwing. */
export function eachOfRange(range: RubyRange, visit: (item: RubyValue) => void): void {
  const { first, last, excludesEnd } = range
  if (isInteger(first)) {
    if (last !== null && !isNumber(last)) raise(typeError, `can't iterate from ${coercionName(first)}`)
    const end = last === null ? Number.POSITIVE_INFINITY : toDouble(last)
    if (typeof first === 'bigint') raise(rangeError, 'ranges of large integers are not supported')
    for (let i = first; excludesEnd ? i < end : i <= end; i++) {
      tick()
      visit(i)
    }
    return
  }
  if (isText(first)) {
    eachText(textOf(first), last === null ? null : textOf(last as string), excludesEnd, visit)
    return
  }
  if (first === null || classOf(first).find('succ') === undefined) {
    raise(typeError, `can't iterate from ${coercionName(first)}`)
  }
  for (let item: RubyValue = first; ; item = send(item, 'succ')) {
    const at = last === null ? -1 : compare(item, last)
    if (at === undefined || at > 0 || (at === 0 && excludesEnd)) return
    tick()
    visit(item)
    if (at === 0) return
  }
}

function eachText(
  first: string,
  last: string | null,
  excludesEnd: boolean,
  visit: (item: RubyValue) => void,
): void {
  if (
    last !== null &&
    (first.length > last.length || (first.length === last.length && compareTexts(first, last) > 0))
  ) {
    return
  }
  let text = first
  for (;;) {
    tick()
    const isLast = text === last
    if (isLast && excludesEnd) return
    visit(text)
    if (isLast) return
    text = successor(text)
    if (last !== null && text.length > last.length) return
  }
}

function withIndex(self: Enumerator, offset: RubyValue, block: Proc): RubyValue {
  let index = offset === null ? 0 : Number(offset)
  return self.run(new Proc((args) => block.all(args.length === 1 ? args[0]! : args, index++)))
}

defineMethods<Enumerator>(enumeratorClass, {
  each: (self, _, block) => (block === null ? self : self.run(block)),
  'with_index,each_with_index 0-1': (self, [offset = null], block) =>
    block === null ? new Enumerator(self, 'with_index', [offset]) : withIndex(self, offset, block),
  'with_object,each_with_object 1': (self, [memo], block) => {
    if (block === null) return new Enumerator(self, 'with_object', [memo!])
    self.run(new Proc((args) => block.two(args.length === 1 ? args[0]! : args, memo!)))
    return memo!
  },
  'first 0-1': (self, [count]) => {
    const found = self.leading(count === undefined ? 1 : Number(count))
    return count === undefined ? (found[0] ?? null) : found
  },
  'take 1': (self, [count]) => self.leading(Number(count)),
  size: (self) => self.kept().length,
  next: (self) => {
    const items = self.kept()
    if (self.position >= items.length) raise(stopIteration, 'iteration reached an end')
    return items[self.position++]!
  },
  peek: (self) => {
    const items = self.kept()
    if (self.position >= items.length) raise(stopIteration, 'iteration reached an end')
    return items[self.position]!
  },
  rewind: (self) => {
    self.position = 0
    return self
  },
  'inspect,to_s': () => '#<Enumerator: ...>',
})
