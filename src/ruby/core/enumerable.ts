/**
 * Enumerable, for everything that can be made a list. Array and Hash have their own forms of some of these.
 */

import { float } from '../../event/value.ts'
import { caseEqual, equal, notComparable, order } from '../compare.ts'
import { send } from '../dispatch.ts'
import { argumentError, raise, typeError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { add, indexOf, isFloat, isNumber, sizeOf, toDouble } from '../number.ts'
import type { Proc } from '../proc.ts'
import { classOf, defineMethods, enumerable, type RubyValue } from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { isText, RubyRange, RubySymbol, truthy } from '../values.ts'
import { Enumerator, itemsOf, maxItems, tooMany } from './items.ts'

function each(self: RubyValue, visit: (item: RubyValue, index: number) => void): void {
  const items = itemsOf(self)
  for (let i = 0; i < items.length; i++) {
    tick()
    visit(items[i]!, i)
  }
}

/** `first`, `take_while`, `find`, `any?` stop early, which matters for endless ranges only. */
export function test(block: Proc | null, pattern: RubyValue[], item: RubyValue): boolean {
  if (pattern.length > 0) return caseEqual(pattern[0]!, item)
  return truthy(block === null ? item : block.one(item))
}

export function sorted(items: readonly RubyValue[], block: Proc | null): RubyValue[] {
  // The engine asks about later items first; the other way round errors read as Ruby's.
  if (block === null) return [...items].sort((a, b) => -order(b, a))
  return [...items].sort((a, b) => {
    tick()
    const result = block.two(a, b)
    if (!isNumber(result)) {
      if (result === null) notComparable(a, b)
      raise(argumentError, `comparison of ${classOf(a).name} with ${classOf(b).name} failed`)
    }
    return toDouble(result)
  })
}

function sortedBy(items: readonly RubyValue[], block: Proc): RubyValue[] {
  const keyed = items.map((item) => ({ item, key: block.one(item) }))
  return keyed.sort((a, b) => -order(b.key, a.key)).map(({ item }) => item)
}

/** The first `count` in the order, or the very first when no count was asked for. */
function leading(items: RubyValue[], count: RubyValue | undefined): RubyValue {
  return count === undefined ? (items[0] ?? null) : items.slice(0, indexOf(count))
}

function extreme(self: RubyValue, args: RubyValue[], block: Proc | null, sign: 1 | -1): RubyValue {
  const items = itemsOf(self)
  if (args.length > 0) {
    const all = sorted(items, block)
    return leading(sign === 1 ? all : all.reverse(), args[0])
  }
  let best: RubyValue | undefined
  for (const item of items) {
    if (best === undefined) best = item
    else {
      const by = block === null ? -order(best, item) : toDouble(block.two(item, best) as number)
      if (by * sign < 0) best = item
    }
  }
  return best ?? null
}

function extremeBy(self: RubyValue, args: RubyValue[], block: Proc, sign: 1 | -1): RubyValue {
  if (args.length > 0) {
    const all = sortedBy(itemsOf(self), block)
    return leading(sign === 1 ? all : all.reverse(), args[0])
  }
  let best: RubyValue | undefined
  let bestKey: RubyValue = null
  each(self, (item) => {
    const key = block.one(item)
    if (best !== undefined && order(key, bestKey) * sign >= 0) return
    best = item
    bestKey = key
  })
  return best ?? null
}

function inject(self: RubyValue, args: RubyValue[], block: Proc | null): RubyValue {
  const rest = [...args]
  const operator = block === null ? rest.pop() : undefined
  let name = ''
  if (operator !== undefined) {
    if (operator instanceof RubySymbol) name = operator.name
    else if (isText(operator)) name = typeof operator === 'string' ? operator : operator.text
    else raise(typeError, `${classOf(operator).name} is not a symbol nor a string`)
  }
  let memo = rest[0]
  each(self, (item) => {
    if (memo === undefined) memo = item
    else
      memo =
        block !== null ? block.two(memo, item) : name === '+' ? add(memo, item) : send(memo, name, [item])
  })
  return memo ?? null
}

/** Floats are summed with compensation, as Ruby does: 0.1 three times is 0.3. */
export function sum(items: readonly RubyValue[], start: RubyValue): RubyValue {
  let total = start
  let i = 0
  for (; i < items.length && !(isFloat(items[i]) || isFloat(total)); i++) total = add(total, items[i]!)
  if (i === items.length || !isNumber(total) || !isNumber(items[i])) {
    for (; i < items.length; i++) total = add(total, items[i]!)
    return total
  }
  let value = toDouble(total)
  let lost = 0
  for (; i < items.length; i++) {
    const item = items[i]!
    if (!isNumber(item))
      return items.slice(i).reduce<RubyValue>((sofar, one) => add(sofar, one), float(value + lost))
    const x = toDouble(item)
    if (!Number.isFinite(x)) {
      value += x
      continue
    }
    const next = value + x
    lost += Math.abs(value) >= Math.abs(x) ? value - next + x : x - next + value
    value = next
  }
  return float(Number.isFinite(value) ? value + lost : value)
}

export function unique(items: readonly RubyValue[], block: Proc | null): RubyValue[] {
  const seen = new RubyHash()
  for (const item of items) {
    const key = block === null ? item : block.one(item)
    if (!seen.has(key)) seen.put(key, item)
  }
  return seen.values()
}

export function pairsToHash(items: readonly RubyValue[], block: Proc | null): RubyHash {
  const hash = new RubyHash()
  items.forEach((item, i) => {
    const pair = block === null ? item : block.one(item)
    if (!Array.isArray(pair))
      raise(typeError, `wrong element type ${classOf(pair).name} at ${i} (expected array)`)
    if (pair.length !== 2) raise(argumentError, `wrong array length at ${i} (expected 2, was ${pair.length})`)
    hash.put(pair[0]!, pair[1]!)
  })
  return hash
}

export function slices(items: readonly RubyValue[], size: number): RubyValue[][] {
  if (size <= 0) raise(argumentError, 'invalid slice size')
  const parts: RubyValue[][] = []
  for (let i = 0; i < items.length; i += size) parts.push(items.slice(i, i + size))
  return parts
}

function chunkWhile(items: readonly RubyValue[], keep: (a: RubyValue, b: RubyValue) => boolean): RubyValue[] {
  const chunks: RubyValue[][] = []
  items.forEach((item, i) => {
    if (i > 0 && keep(items[i - 1]!, item)) chunks[chunks.length - 1]!.push(item)
    else chunks.push([item])
  })
  return chunks
}

function group(self: RubyValue, block: Proc): RubyHash {
  const groups = new RubyHash()
  each(self, (item) => {
    const key = block.one(item)
    const known = groups.own(key)
    if (Array.isArray(known)) known.push(item)
    else groups.put(key, [item])
  })
  return groups
}

export function zip(self: RubyValue, others: RubyValue[], block: Proc | null): RubyValue {
  const lists = others.map((other) => itemsOf(other))
  const rows = itemsOf(self).map((item, i) => [item, ...lists.map((list) => list[i] ?? null)])
  if (block === null) return rows
  for (const row of rows) block.one(row)
  return null
}

defineMethods<RubyValue>(enumerable, {
  'to_a,entries *': (self) => [...itemsOf(self)],
  'map,collect': (self, _, block) => {
    if (block === null) return new Enumerator(self, 'map')
    const result: RubyValue[] = []
    each(self, (item) => result.push(block.one(item)))
    return result
  },
  'flat_map,collect_concat': (self, _, block) => {
    if (block === null) return new Enumerator(self, 'flat_map')
    const result: RubyValue[] = []
    each(self, (item) => {
      const part = block.one(item)
      if (Array.isArray(part)) for (const one of part) result.push(one)
      else result.push(part)
    })
    return result
  },
  'select,filter': (self, _, block) => {
    if (block === null) return new Enumerator(self, 'select')
    const result: RubyValue[] = []
    each(self, (item) => truthy(block.one(item)) && result.push(item))
    return result
  },
  filter_map: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'filter_map')
    const result: RubyValue[] = []
    each(self, (item) => {
      const made = block.one(item)
      if (truthy(made)) result.push(made)
    })
    return result
  },
  reject: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'reject')
    const result: RubyValue[] = []
    each(self, (item) => truthy(block.one(item)) || result.push(item))
    return result
  },
  partition: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'partition')
    const yes: RubyValue[] = []
    const no: RubyValue[] = []
    each(self, (item) => (truthy(block.one(item)) ? yes : no).push(item))
    return [yes, no]
  },
  'find,detect 0-1': (self, [otherwise = null], block) => {
    if (block === null) return new Enumerator(self, 'find', otherwise === null ? [] : [otherwise])
    for (const item of itemsOf(self)) if (truthy(block.one(item))) return item
    return otherwise === null ? null : send(otherwise, 'call')
  },
  'find_index 0-1': (self, args, block) => {
    if (block === null && args.length === 0) return new Enumerator(self, 'find_index')
    const at = itemsOf(self).findIndex((item) =>
      args.length > 0 ? equal(item, args[0]!) : truthy(block!.one(item)),
    )
    return at < 0 ? null : at
  },
  'each_with_index *': (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each_with_index')
    each(self, (item, i) => block.two(item, i))
    return self
  },
  'each_with_object 1': (self, [memo], block) => {
    if (block === null) return new Enumerator(self, 'each_with_object', [memo!])
    each(self, (item) => block.two(item, memo!))
    return memo!
  },
  each_entry: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'each_entry')
    each(self, (item) => block.one(item))
    return self
  },
  reverse_each: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'reverse_each')
    for (const item of [...itemsOf(self)].reverse()) block.one(item)
    return self
  },
  'inject,reduce 0-2': inject,
  'sum 0-1': (self, [start = 0], block) =>
    sum(block === null ? itemsOf(self) : itemsOf(self).map((item) => block.one(item)), start),
  'count 0-1': (self, args, block) => {
    if (args.length === 0 && block === null) return itemsOf(self).length
    let count = 0
    each(self, (item) => {
      if (args.length > 0 ? equal(item, args[0]!) : truthy(block!.one(item))) count++
    })
    return count
  },
  'first 0-1': (self, [count]) => {
    if (self instanceof RubyRange && self.last === null) return firstOfEndless(self, count)
    if (count !== undefined && indexOf(count) < 0) raise(argumentError, 'attempt to take negative size')
    return leading(itemsOf(self), count)
  },
  'min 0-1': (self, args, block) => extreme(self, args, block, 1),
  'max 0-1': (self, args, block) => extreme(self, args, block, -1),
  minmax: (self, _, block) => [extreme(self, [], block, 1), extreme(self, [], block, -1)],
  'min_by 0-1': (self, args, block) =>
    block === null ? new Enumerator(self, 'min_by', args) : extremeBy(self, args, block, 1),
  'max_by 0-1': (self, args, block) =>
    block === null ? new Enumerator(self, 'max_by', args) : extremeBy(self, args, block, -1),
  minmax_by: (self, _, block) =>
    block === null
      ? new Enumerator(self, 'minmax_by')
      : [extremeBy(self, [], block, 1), extremeBy(self, [], block, -1)],
  sort: (self, _, block) => sorted(itemsOf(self), block),
  sort_by: (self, _, block) =>
    block === null ? new Enumerator(self, 'sort_by') : sortedBy(itemsOf(self), block),
  group_by: (self, _, block) => (block === null ? new Enumerator(self, 'group_by') : group(self, block)),
  tally: (self) => {
    const counts = new RubyHash()
    each(self, (item) => counts.put(item, ((counts.own(item) as number | undefined) ?? 0) + 1))
    return counts
  },
  'include?,member? 1': (self, [value]) => itemsOf(self).some((item) => equal(item, value!)),
  'any? 0-1': (self, args, block) => itemsOf(self).some((item) => test(block, args, item)),
  'all? 0-1': (self, args, block) => itemsOf(self).every((item) => test(block, args, item)),
  'none? 0-1': (self, args, block) => !itemsOf(self).some((item) => test(block, args, item)),
  'one? 0-1': (self, args, block) => itemsOf(self).filter((item) => test(block, args, item)).length === 1,
  'take 1': (self, [count]) => {
    if (indexOf(count) < 0) raise(argumentError, 'attempt to take negative size')
    if (self instanceof RubyRange && self.last === null) return firstOfEndless(self, count)
    return itemsOf(self).slice(0, indexOf(count))
  },
  take_while: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'take_while')
    const items = itemsOf(self)
    const end = items.findIndex((item) => !truthy(block.one(item)))
    return end < 0 ? [...items] : items.slice(0, end)
  },
  'drop 1': (self, [count]) => {
    if (indexOf(count) < 0) raise(argumentError, 'attempt to drop negative size')
    return itemsOf(self).slice(indexOf(count))
  },
  drop_while: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'drop_while')
    const items = itemsOf(self)
    const start = items.findIndex((item) => !truthy(block.one(item)))
    return start < 0 ? [] : items.slice(start)
  },
  'each_slice 1': (self, [size], block) => {
    const parts = slices(itemsOf(self), indexOf(size))
    if (block === null) return new Enumerator(self, 'each_slice', [size!])
    for (const part of parts) block.one(part)
    return self
  },
  'each_cons 1': (self, [size], block) => {
    if (indexOf(size) <= 0) raise(argumentError, 'invalid size')
    if (block === null) return new Enumerator(self, 'each_cons', [size!])
    const items = [...itemsOf(self)]
    for (let i = 0; i + indexOf(size) <= items.length; i++) block.one(items.slice(i, i + indexOf(size)))
    return self
  },
  chunk_while: (self, _, block) => chunkWhile(itemsOf(self), (a, b) => truthy(block!.two(a, b))),
  slice_when: (self, _, block) => chunkWhile(itemsOf(self), (a, b) => !truthy(block!.two(a, b))),
  'zip *': (self, args, block) => zip(self, args, block),
  'to_h *': (self, _, block) => pairsToHash(itemsOf(self), block),
  to_set: (self) => send(setConstant(), 'new', [itemsOf(self)]),
  uniq: (self, _, block) => unique(itemsOf(self), block),
  'cycle 0-1': (self, [times], block) => {
    if (block === null) return new Enumerator(self, 'cycle', times === undefined ? [] : [times])
    const items = [...itemsOf(self)]
    const turns = times === undefined || times === null ? Number.POSITIVE_INFINITY : indexOf(times)
    for (let turn = 0; turn < turns && items.length > 0; turn++) {
      for (const item of items) {
        tick()
        block.one(item)
      }
    }
    return null
  },
  'grep 1': (self, [pattern], block) =>
    itemsOf(self)
      .filter((item) => caseEqual(pattern!, item))
      .map((item) => (block === null ? item : block.one(item))),
  'grep_v 1': (self, [pattern], block) =>
    itemsOf(self)
      .filter((item) => !caseEqual(pattern!, item))
      .map((item) => (block === null ? item : block.one(item))),
})

function firstOfEndless(range: RubyRange, count: RubyValue | undefined): RubyValue {
  if (count === undefined) return range.first
  const size = sizeOf(count, maxItems)
  return Array.from({ length: size }, (_, i) => add(range.first, i))
}

const setHolder: { constant: RubyValue } = { constant: null }

/** `Set` is a library class of its own file, made from lists. */
export function useSetClass(constant: RubyValue): void {
  setHolder.constant = constant
}

function setConstant(): RubyValue {
  return setHolder.constant
}

/** All ways to take one item of each list. */
export function product(lists: readonly RubyValue[][]): RubyValue[][] {
  let rows: RubyValue[][] = [[]]
  for (const list of lists) {
    if (rows.length * list.length > maxItems) tooMany()
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return rows
}
