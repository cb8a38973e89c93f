/**
 * Hash methods. Iterators that give a key and a value call blocks with two arguments or with one pair, as
 * Ruby does; blocks with two parameters do not see the difference.
 */
import { hashArgument } from '../arguments.ts'
import { equal } from '../compare.ts'
import { send } from '../dispatch.ts'
import {
  argumentError,
  frozenError,
  keyError,
  RubyError,
  RubyException,
  raise,
  typeError,
} from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect } from '../inspect.ts'
import { coercionName, indexOf } from '../number.ts'
import { Proc } from '../proc.ts'
import { defineMethods, defineStatics, hashClass, type RubyValue } from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { truthy } from '../values.ts'
import { dig } from './array.ts'
import { pairsToHash } from './enumerable.ts'
import { Enumerator } from './items.ts'

type Pair = [RubyValue, RubyValue]

function keep(hash: RubyHash, block: Proc, wanted: boolean): Pair[] {
  return hash.pairs().filter(([key, value]) => {
    tick()
    return truthy(block.two(key, value)) === wanted
  })
}

/** Leaves what `kept` has; tells whether something went. */
function reduceTo(hash: RubyHash, kept: readonly Pair[]): boolean {
  if (hash.frozen) raise(frozenError, "can't modify frozen Hash")
  if (kept.length === hash.size) return false
  hash.replace(kept)
  return true
}

function merge(into: RubyHash, others: RubyValue[], block: Proc | null): RubyHash {
  for (const other of others) {
    for (const [key, value] of hashArgument(other).pairs()) {
      const old = block === null ? undefined : into.own(key)
      into.put(key, old === undefined ? value : block!.all(key, old, value))
    }
  }
  return into
}

function missingKey(hash: RubyHash, key: RubyValue): never {
  const exception = new RubyException(keyError, `key not found: ${inspect(key)}`)
  exception.extra = [hash, key]
  throw new RubyError(exception)
}

function subset(small: RubyHash, large: RubyHash): boolean {
  return small.pairs().every(([key, value]) => {
    const other = large.own(key)
    return other !== undefined && equal(value, other)
  })
}

const enumerate = (self: RubyHash, name: string): Enumerator => new Enumerator(self, name)

defineStatics(hashClass, {
  'new 0-1': (_, [fallback = null], block) => {
    const hash = new RubyHash()
    hash.fallback = fallback
    hash.fallbackBlock = block
    return hash
  },
  '[] *': (_, args) => {
    const [first] = args
    if (args.length === 1 && first instanceof RubyHash) return RubyHash.from(first.pairs())
    if (args.length === 1 && Array.isArray(first)) return pairsToHash(first, null)
    if (args.length % 2 !== 0) raise(argumentError, 'odd number of arguments for Hash')
    const hash = new RubyHash()
    for (let i = 0; i < args.length; i += 2) hash.put(args[i]!, args[i + 1]!)
    return hash
  },
})

defineMethods<RubyHash>(hashClass, {
  '[] 1': (self, [key]) => self.get(key!),
  '[]=,store 2': (self, [key, value]) => {
    self.put(key!, value!)
    return value!
  },
  'fetch 1-2': (self, [key, fallback], block) => {
    const found = self.own(key!)
    if (found !== undefined) return found
    if (block !== null) return block.one(key!)
    return fallback === undefined ? missingKey(self, key!) : fallback
  },
  'dig 1+': (self, args) => dig(self, args),
  'key?,has_key?,include?,member? 1': (self, [key]) => self.has(key!),
  'value?,has_value? 1': (self, [value]) => self.values().some((item) => equal(item, value!)),
  'key 1': (self, [value]) => self.pairs().find(([, item]) => equal(item, value!))?.[0] ?? null,
  keys: (self) => self.keys(),
  values: (self) => self.values(),
  'values_at *': (self, args) => args.map((key) => self.get(key)),
  'fetch_values *': (self, args, block) =>
    args.map((key) => self.own(key) ?? (block === null ? missingKey(self, key) : block.one(key))),
  'length,size': (self) => self.size,
  'count 0-1': (self, args, block) => {
    if (args.length === 0 && block === null) return self.size
    return self.pairs().filter((pair) => (args.length > 0 ? equal(pair, args[0]!) : truthy(block!.one(pair))))
      .length
  },
  'empty?': (self) => self.size === 0,
  'each,each_pair': (self, _, block) => {
    if (block === null) return enumerate(self, 'each')
    for (const pair of self.pairs()) {
      tick()
      block.one(pair)
    }
    return self
  },
  each_key: (self, _, block) => {
    if (block === null) return enumerate(self, 'each_key')
    for (const key of self.keys()) block.one(key)
    return self
  },
  each_value: (self, _, block) => {
    if (block === null) return enumerate(self, 'each_value')
    for (const value of self.values()) block.one(value)
    return self
  },
  'select,filter': (self, _, block) =>
    block === null ? enumerate(self, 'select') : RubyHash.from(keep(self, block, true)),
  reject: (self, _, block) =>
    block === null ? enumerate(self, 'reject') : RubyHash.from(keep(self, block, false)),
  'select!,filter!': (self, _, block) => (reduceTo(self, keep(self, block!, true)) ? self : null),
  'reject!': (self, _, block) => (reduceTo(self, keep(self, block!, false)) ? self : null),
  keep_if: (self, _, block) => {
    reduceTo(self, keep(self, block!, true))
    return self
  },
  delete_if: (self, _, block) => {
    if (block === null) return enumerate(self, 'delete_if')
    reduceTo(self, keep(self, block, false))
    return self
  },
  find_all: (self, _, block) => self.pairs().filter((pair) => truthy(block!.one(pair))),
  'any? 0-1': (self, args, block) => {
    if (args.length === 0 && block === null) return self.size > 0
    return self.pairs().some((pair) => (args.length > 0 ? equal(pair, args[0]!) : truthy(block!.one(pair))))
  },
  'delete 1': (self, [key], block) => self.delete(key!) ?? (block === null ? null : block.one(key!)),
  clear: (self) => {
    self.clear()
    return self
  },
  'replace 1': (self, [other]) => {
    self.replace(hashArgument(other).pairs())
    return self
  },
  'merge *': (self, args, block) => merge(self.copy(), args, block),
  'merge!,update *': (self, args, block) => merge(self, args, block),
  to_h: (self, _, block) =>
    block === null
      ? self
      : pairsToHash(
          self.pairs().map(([key, value]) => block.two(key, value)),
          null,
        ),
  to_hash: (self) => self,
  to_a: (self) => self.pairs(),
  'to_s,inspect': (self) => inspect(self),
  transform_values: (self, _, block) => {
    if (block === null) return enumerate(self, 'transform_values')
    return RubyHash.from(self.pairs().map(([key, value]): Pair => [key, block.one(value)]))
  },
  'transform_values!': (self, _, block) => {
    for (const [key, value] of self.pairs()) self.put(key, block!.one(value))
    return self
  },
  'transform_keys 0-1': (self, args, block) => RubyHash.from(renamed(self, args, block)),
  'transform_keys! 0-1': (self, args, block) => {
    self.replace(renamed(self, args, block))
    return self
  },
  invert: (self) => RubyHash.from(self.pairs().map(([key, value]): Pair => [value, key])),
  'slice *': (self, args) =>
    RubyHash.from(args.filter((key) => self.has(key)).map((key): Pair => [key, self.own(key)!])),
  'except *': (self, args) => {
    const copy = self.copy()
    for (const key of args) copy.delete(key)
    copy.fallback = null
    copy.fallbackBlock = null
    return copy
  },
  filter_map: (self, _, block) =>
    self
      .pairs()
      .map((pair) => block!.one(pair))
      .filter(truthy),
  partition: (self, _, block) => {
    const pairs = self.pairs()
    const answers = pairs.map((pair) => truthy(block!.one(pair)))
    return [pairs.filter((_pair, i) => answers[i]), pairs.filter((_pair, i) => !answers[i])]
  },
  'min_by 0-1': (self, args, block) => send(self.pairs(), 'min_by', args, block),
  'max_by 0-1': (self, args, block) => send(self.pairs(), 'max_by', args, block),
  'sum 0-1': (self, args, block) => send(self.pairs(), 'sum', args, block),
  sort_by: (self, _, block) => send(self.pairs(), 'sort_by', [], block),
  compact: (self) => RubyHash.from(self.pairs().filter(([, value]) => value !== null)),
  'compact!': (self) =>
    reduceTo(
      self,
      self.pairs().filter(([, value]) => value !== null),
    )
      ? self
      : null,
  'first 0-1': (self, [count]) => {
    const pairs = self.pairs()
    return count === undefined ? (pairs[0] ?? null) : pairs.slice(0, indexOf(count))
  },
  shift: (self) => {
    const [pair] = self.pairs()
    if (pair === undefined) return null
    self.delete(pair[0])
    return pair
  },
  'assoc 1': (self, [key]) => (self.has(key!) ? [key!, self.own(key!)!] : null),
  'default 0-1': (self) => self.fallback,
  'default= 1': (self, [value]) => {
    self.fallback = value!
    return value!
  },
  default_proc: (self) => self.fallbackBlock,
  'default_proc= 1': (self, [block]) => {
    if (block !== null && !(block instanceof Proc)) {
      raise(typeError, `wrong default_proc type ${coercionName(block!)} (expected Proc)`)
    }
    self.fallbackBlock = block
    return block
  },
  'flatten 0-1': (self) => self.pairs().flat(1) as RubyValue[],
  '==,=== 1': (self, [other]) => equal(self, other!),
  'eql? 1': (self, [other]) => equal(self, other!),
  '<= 1': (self, [other]) => subset(self, hashArgument(other)),
  '>= 1': (self, [other]) => subset(hashArgument(other), self),
  '< 1': (self, [other]) => self.size < hashArgument(other).size && subset(self, hashArgument(other)),
  '> 1': (self, [other]) => self.size > hashArgument(other).size && subset(hashArgument(other), self),
  'dup,clone *': (self) => self.copy(),
  freeze: (self) => {
    self.frozen = true
    return self
  },
  'frozen?': (self) => self.frozen,
})

function renamed(self: RubyHash, args: RubyValue[], block: Proc | null): Pair[] {
  const names = args.length > 0 ? hashArgument(args[0]) : undefined
  return self.pairs().map(([key, value]): Pair => {
    const given = names?.own(key)
    if (given !== undefined) return [given, value]
    return [block === null ? key : block.one(key), value]
  })
}
