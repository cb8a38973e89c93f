/**
 * Array: a plain JavaScript array of values; `freeze` is `Object.freeze`.
 */
import { listArgument, rangeWithin, textArgument } from '../arguments.ts'
import { compare, equal, identical } from '../compare.ts'
import { send } from '../dispatch.ts'
import { argumentError, frozenError, indexError, raise, rangeError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect, toText } from '../inspect.ts'
import { indexOf, isInteger, sizeOf } from '../number.ts'
import type { Proc } from '../proc.ts'
import { arrayClass, defineMethods, defineStatics, type RubyValue } from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { isText, RubyRange, textOf, truthy } from '../values.ts'
import { combinations, permutations, shuffled } from './combinations.ts'
import { product, slices, sorted, sum, test, unique, zip } from './enumerable.ts'
import { Enumerator, maxItems, tooMany } from './items.ts'
import { pack } from './pack.ts'

type List = RubyValue[]

function writable(list: List): List {
  if (Object.isFrozen(list)) raise(frozenError, `can't modify frozen Array: ${inspect(list)}`)
  return list
}

function elementAt(list: List, index: number): RubyValue {
  return list[index < 0 ? index + list.length : index] ?? null
}

/** `list[…]` with an index, a start and a length, or a range. */
export function sliceOf(list: List, first: RubyValue, second?: RubyValue): RubyValue {
  if (second !== undefined) return part(list, indexOf(first), indexOf(second))
  if (first instanceof RubyRange) {
    const range = rangeWithin(first, list.length)
    return range === undefined ? null : list.slice(range.start, range.start + range.length)
  }
  return elementAt(list, indexOf(first))
}

function part(list: List, start: number, length: number): RubyValue {
  const from = start < 0 ? start + list.length : start
  if (from < 0 || from > list.length || length < 0) return null
  return list.slice(from, from + length)
}

function store(list: List, args: List): RubyValue {
  writable(list)
  const value = args[args.length - 1]!
  const [first, second] = args
  if (args.length === 3 || first instanceof RubyRange) {
    const place =
      first instanceof RubyRange
        ? (rangeWithin(first, list.length) ?? beyond(first, list.length))
        : { start: indexOf(first), length: indexOf(second) }
    const start = place.start < 0 ? place.start + list.length : place.start
    while (list.length < start) list.push(null)
    list.splice(start, place.length, ...(Array.isArray(value) ? value : [value]))
    return value
  }
  const index = indexOf(first)
  const at = index < 0 ? index + list.length : index
  if (at < 0) {
    raise(indexError, `index ${index} too small for array; minimum: -${list.length}`)
  }
  if (at > maxItems) raise(indexError, `index ${index} too big`)
  while (list.length < at) list.push(null)
  list[at] = value
  return value
}

function beyond(range: RubyRange, size: number): { start: number; length: number } {
  const start = indexOf(range.first)
  if (start < 0) raise(rangeError, `${inspect(range)} out of range`)
  return { start: Math.min(start, maxItems), length: size > start ? size - start : 0 }
}

function flatten(list: List, depth: number, into: List, open: List[]): List {
  if (open.includes(list)) raise(argumentError, 'tried to flatten recursive array')
  for (const item of list) {
    if (Array.isArray(item) && depth !== 0) flatten(item, depth - 1, into, [...open, list])
    else into.push(item)
  }
  return into
}

function join(list: List, separator: string, open: List[] = []): string {
  if (open.includes(list)) raise(argumentError, 'recursive array join')
  return list
    .map((item) => (Array.isArray(item) ? join(item, separator, [...open, list]) : toText(item)))
    .join(separator)
}

/** Replaces the content; true when something changed. */
function rewrite(list: List, items: readonly RubyValue[]): boolean {
  writable(list)
  const changed = items.length !== list.length || items.some((item, i) => item !== list[i])
  const copy = [...items]
  list.length = 0
  for (const item of copy) list.push(item)
  return changed
}

function without(list: List, others: List): List {
  if (others.length < 8) return list.filter((item) => !others.some((other) => equal(item, other)))
  const hash = RubyHash.from(others.map((item) => [item, true]))
  return list.filter((item) => !hash.has(item))
}

/** A method that either gives a list of rows or calls the block with each. */
function rows(self: List, found: List[], name: string, args: List, block: Proc | null): RubyValue {
  if (block === null) return new Enumerator(self, name, args)
  for (const row of found) block.one(row)
  return self
}

function dig(value: RubyValue, path: List): RubyValue {
  let found = value
  for (const key of path) {
    if (found === null) return null
    found = send(found, '[]', [key])
  }
  return found
}

/** As JRuby words it. */
const negativeSize = 'negative array size (or size too big)'

defineStatics(arrayClass, {
  'new 0-2': (_, [size, value = null], block) => {
    if (Array.isArray(size)) return [...size]
    if (size === undefined) return []
    const count = sizeOf(size, maxItems)
    if (count < 0) raise(argumentError, 'negative array size')
    return Array.from({ length: count }, (_item, i) => (block === null ? value : block.one(i)))
  },
  '[] *': (_, args) => args,
})

defineMethods<List>(arrayClass, {
  'length,size': (self) => self.length,
  'empty?': (self) => self.length === 0,
  '[],slice 1-2': (self, [first, second]) => sliceOf(self, first!, second),
  '[]= 2-3': (self, args) => store(self, args),
  'at 1': (self, [index]) => elementAt(self, indexOf(index)),
  'dig 1+': (self, args) => dig(self, args),
  'fetch 1-2': (self, [index, fallback], block) => {
    const at = indexOf(index)
    const found = self[at < 0 ? at + self.length : at]
    if (found !== undefined) return found
    if (block !== null) return block.one(index!)
    if (fallback !== undefined) return fallback
    raise(indexError, `index ${at} out of array`)
  },
  'values_at *': (self, args) => args.map((index) => elementAt(self, indexOf(index))),
  'first 0-1': (self, [count]) => {
    if (count === undefined) return self[0] ?? null
    if (indexOf(count) < 0) raise(argumentError, negativeSize)
    return self.slice(0, indexOf(count))
  },
  'last 0-1': (self, [count]) => {
    if (count === undefined) return self[self.length - 1] ?? null
    if (indexOf(count) < 0) raise(argumentError, negativeSize)
    return self.slice(Math.max(0, self.length - indexOf(count)))
  },
  each: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each')
    for (let i = 0; i < self.length; i++) {
      tick()
      block.one(self[i]!)
    }
    return self
  },
  each_index: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each_index')
    for (let i = 0; i < self.length; i++) block.one(i)
    return self
  },
  'push,append *': (self, args) => {
    writable(self)
    for (const item of args) self.push(item)
    return self
  },
  '<< 1': (self, [item]) => {
    if (writable(self).length >= maxItems) tooMany()
    self.push(item!)
    return self
  },
  'pop 0-1': (self, [count]) => {
    writable(self)
    if (count === undefined) return self.pop() ?? null
    return self.splice(Math.max(0, self.length - indexOf(count)))
  },
  'shift 0-1': (self, [count]) => {
    writable(self)
    return count === undefined ? (self.shift() ?? null) : self.splice(0, indexOf(count))
  },
  'unshift,prepend *': (self, args) => {
    writable(self).unshift(...args)
    return self
  },
  'insert 1+': (self, [index, ...items]) => {
    writable(self)
    const at = indexOf(index)
    const place = at < 0 ? at + self.length + 1 : at
    if (place < 0) raise(indexError, `index ${at} too small for array; minimum: -${self.length + 1}`)
    while (self.length < place && place < maxItems) self.push(null)
    self.splice(place, 0, ...items)
    return self
  },
  'concat *': (self, args) => {
    writable(self)
    for (const list of args.map((arg) => [...listArgument(arg)])) for (const item of list) self.push(item)
    return self
  },
  '+ 1': (self, [other]) => [...self, ...listArgument(other)],
  '- 1': (self, [other]) => without(self, listArgument(other)),
  'difference *': (self, args) =>
    args.reduce<List>((left, other) => without(left, listArgument(other)), self),
  '* 1': (self, [times]) => {
    if (isText(times)) return join(self, textOf(times))
    const count = indexOf(times)
    if (count < 0) raise(argumentError, 'argument must be non-negative')
    if (count * self.length > maxItems) raise(argumentError, 'argument too big')
    return Array.from({ length: count }, () => self).flat(1) as List
  },
  '& 1': (self, [other]) => {
    const hash = RubyHash.from(listArgument(other).map((item) => [item, true]))
    return unique(
      self.filter((item) => hash.has(item)),
      null,
    )
  },
  'intersection *': (self, args) =>
    args.reduce<List>((left, other) => send(left, '&', [other]) as List, unique(self, null)),
  'intersect? 1': (self, [other]) => (send(self, '&', [other!]) as List).length > 0,
  '| 1': (self, [other]) => unique([...self, ...listArgument(other)], null),
  'union *': (self, args) => unique([...self, ...args.flatMap((arg) => listArgument(arg))], null),
  '==,=== 1': (self, [other]) => equal(self, other!),
  'eql? 1': (self, [other]) => identical(self, other!),
  '<=> 1': (self, [other]) => (Array.isArray(other) ? (compare(self, other) ?? null) : null),
  'to_a,entries,to_ary': (self) => self,
  'to_s,inspect': (self) => inspect(self),
  'join 0-1': (self, [separator = null]) => join(self, separator === null ? '' : textArgument(separator)),
  reverse: (self) => [...self].reverse(),
  'rotate 0-1': (self, [by = 1]) => {
    if (self.length === 0) return []
    const at = ((indexOf(by) % self.length) + self.length) % self.length
    return [...self.slice(at), ...self.slice(0, at)]
  },
  'index,find_index 0-1': (self, args, block) => {
    if (args.length === 0 && block === null) return new Enumerator(self, 'index')
    const at = self.findIndex((item) => (args.length > 0 ? equal(item, args[0]!) : truthy(block!.one(item))))
    return at < 0 ? null : at
  },
  'rindex 0-1': (self, args, block) => {
    const at = self.findLastIndex((item) =>
      args.length > 0 ? equal(item, args[0]!) : truthy(block!.one(item)),
    )
    return at < 0 ? null : at
  },
  compact: (self) => self.filter((item) => item !== null),
  'compact!': (self) =>
    rewrite(
      self,
      self.filter((item) => item !== null),
    )
      ? self
      : null,
  'flatten 0-1': (self, [depth = -1]) => flatten(self, depth === null ? -1 : indexOf(depth), [], []),
  'flatten! 0-1': (self, [depth = -1]) =>
    rewrite(self, flatten(self, depth === null ? -1 : indexOf(depth), [], [])) ? self : null,
  uniq: (self, _, block) => unique(self, block),
  'uniq!': (self, _, block) => (rewrite(self, unique(self, block)) ? self : null),
  'map!,collect!': (self, _, block) => {
    if (block === null) return new Enumerator(self, 'map!')
    rewrite(
      self,
      self.map((item) => block.one(item)),
    )
    return self
  },
  'select!,filter!': (self, _, block) =>
    rewrite(
      self,
      self.filter((item) => truthy(block!.one(item))),
    )
      ? self
      : null,
  keep_if: (self, _, block) => {
    rewrite(
      self,
      self.filter((item) => truthy(block!.one(item))),
    )
    return self
  },
  'reject!': (self, _, block) =>
    rewrite(
      self,
      self.filter((item) => !truthy(block!.one(item))),
    )
      ? self
      : null,
  delete_if: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'delete_if')
    rewrite(
      self,
      self.filter((item) => !truthy(block.one(item))),
    )
    return self
  },
  'delete 1': (self, [value], block) => {
    const found = self.findLast((item) => equal(item, value!))
    if (found === undefined) return block === null ? null : block.one(value!)
    rewrite(
      self,
      self.filter((item) => !equal(item, value!)),
    )
    return found
  },
  'delete_at 1': (self, [index]) => {
    writable(self)
    const at = indexOf(index)
    const place = at < 0 ? at + self.length : at
    return place < 0 || place >= self.length ? null : self.splice(place, 1)[0]!
  },
  'slice! 1-2': (self, [first, second]) => {
    writable(self)
    if (second === undefined && !(first instanceof RubyRange)) return send(self, 'delete_at', [first!])
    const place =
      first instanceof RubyRange
        ? rangeWithin(first, self.length)
        : {
            start: indexOf(first) < 0 ? indexOf(first) + self.length : indexOf(first),
            length: indexOf(second),
          }
    if (place === undefined || place.start < 0 || place.start > self.length) return null
    return self.splice(place.start, place.length)
  },
  clear: (self) => {
    writable(self).length = 0
    return self
  },
  'replace 1': (self, [other]) => {
    rewrite(self, listArgument(other))
    return self
  },
  'fill 1-3': (self, [value, start = 0, length = null]) => {
    const from = indexOf(start ?? 0)
    writable(self).fill(value!, from, length === null ? self.length : from + indexOf(length))
    return self
  },
  'reverse!': (self) => writable(self).reverse(),
  'sort!': (self, _, block) => {
    rewrite(self, sorted(self, block))
    return self
  },
  'sort_by!': (self, _, block) => {
    rewrite(self, send(self, 'sort_by', [], block) as List)
    return self
  },
  'shuffle!': (self) => {
    rewrite(self, shuffled(self))
    return self
  },
  shuffle: (self) => shuffled(self),
  'sample 0-1': (self, [count]) =>
    count === undefined
      ? (self[Math.floor(Math.random() * self.length)] ?? null)
      : shuffled(self).slice(0, indexOf(count)),
  'sum 0-1': (self, [start = 0], block) =>
    sum(block === null ? self : self.map((item) => block.one(item)), start),
  'take 1': (self, [count]) => {
    if (indexOf(count) < 0) raise(argumentError, 'attempt to take negative size')
    return self.slice(0, indexOf(count))
  },
  'zip *': (self, args, block) => zip(self, args, block),
  'any? 0-1': (self, args, block) => self.some((item) => test(block, args, item)),
  transpose: (self) => {
    const lists = self.map((row) => listArgument(row))
    const width = lists[0]?.length ?? 0
    const odd = lists.find((row) => row.length !== width)
    if (odd !== undefined) {
      raise(indexError, `element size differs (${odd.length} should be ${width})`)
    }
    return Array.from({ length: width }, (_, i) => lists.map((row) => row[i]!))
  },
  'product *': (self, args) => product([self, ...args.map((arg) => listArgument(arg))]),
  'combination 1': (self, [size], block) =>
    rows(self, block === null ? [] : combinations([...self], indexOf(size)), 'combination', [size!], block),
  'permutation 0-1': (self, [size = self.length], block) =>
    rows(self, block === null ? [] : permutations([...self], indexOf(size)), 'permutation', [size], block),
  'assoc 1': (self, [key]) =>
    self.find((item) => Array.isArray(item) && item.length > 0 && equal(item[0]!, key!)) ?? null,
  'rassoc 1': (self, [value]) =>
    self.find((item) => Array.isArray(item) && item.length > 1 && equal(item[1]!, value!)) ?? null,
  'each_slice 1': (self, [size], block) => {
    if (block === null) return new Enumerator(self, 'each_slice', [size!])
    for (const one of slices(self, indexOf(size))) block.one(one)
    return self
  },
  bsearch: (self, _, block) => {
    let low = 0
    let high = self.length
    while (low < high) {
      const middle = (low + high) >> 1
      const answer = block!.one(self[middle]!)
      if (answer === 0) return self[middle]!
      if (answer === true || (isInteger(answer) && answer < 0)) high = middle
      else low = middle + 1
    }
    const found = self[low]
    return found !== undefined && block!.one(found) === true ? found : null
  },
  'pack 1': (self, [template]) => pack(self, textArgument(template)),
  freeze: (self) => Object.freeze(self) as unknown as List,
  'frozen?': (self) => Object.isFrozen(self),
  'dup,clone *': (self) => [...self],
  hash: (self) => self.length,
})

export { dig }
