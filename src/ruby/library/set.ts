/**
 * Set: the keys of a hash.
 */
import { useSetClass } from '../core/enumerable.ts'
import { itemsOf } from '../core/items.ts'
import { RubyHash, valueKeys } from '../hash.ts'
import { inspect } from '../inspect.ts'
import { defineMethods, defineStatics, enumerable, newClass, type RubyValue } from '../ruby-class.ts'
import { Instance, truthy } from '../values.ts'

const setClass = newClass('Set')
setClass.modules.push(enumerable)
useSetClass(setClass)

type RubySet = Instance<RubyHash>

const make = (items: Iterable<RubyValue>): RubySet =>
  new Instance(setClass, RubyHash.from(Array.from(items, (item) => [item, true])))
const membersOf = (value: RubyValue | undefined): RubyValue[] =>
  value instanceof Instance && value.state instanceof RubyHash ? value.state.keys() : itemsOf(value ?? null)
const hasAll = (self: RubySet, items: readonly RubyValue[]): boolean =>
  items.every((item) => self.state.has(item))

function addAll(self: RubySet, lists: RubyValue[]): RubySet {
  for (const list of lists) for (const item of membersOf(list)) self.state.put(item, true)
  return self
}

defineStatics(setClass, {
  'new 0-1': (_, [items = null], block) => {
    const list = items === null ? [] : itemsOf(items)
    return make(block === null ? list : list.map((item) => block.one(item)))
  },
  '[] *': (_, args) => make(args),
})

defineMethods<RubySet>(setClass, {
  'add,<< 1': (self, [item]) => {
    self.state.put(item!, true)
    return self
  },
  'add? 1': (self, [item]) => {
    if (self.state.has(item!)) return null
    self.state.put(item!, true)
    return self
  },
  'delete 1': (self, [item]) => {
    self.state.delete(item!)
    return self
  },
  'include?,member?,=== 1': (self, [item]) => self.state.has(item!),
  'length,size': (self) => self.state.size,
  'count 0-1': (self, [item], block) => {
    if (item !== undefined) return self.state.has(item) ? 1 : 0
    return block === null ? self.state.size : self.state.keys().filter((one) => truthy(block.one(one))).length
  },
  'empty?': (self) => self.state.size === 0,
  each: (self, _, block) => {
    for (const item of self.state.keys()) block?.one(item)
    return self
  },
  to_a: (self) => self.state.keys(),
  to_set: (self) => self,
  'merge *': (self, args) => addAll(self, args),
  clear: (self) => {
    self.state.clear()
    return self
  },
  'delete_if,reject!': (self, _, block) => {
    for (const item of self.state.keys()) if (truthy(block!.one(item))) self.state.delete(item)
    return self
  },
  '|,+,union 1': (self, [other]) => addAll(make(self.state.keys()), [other!]),
  '&,intersection 1': (self, [other]) => make(membersOf(other).filter((item) => self.state.has(item))),
  '-,difference 1': (self, [other]) => {
    const others = make(membersOf(other))
    return make(self.state.keys().filter((item) => !others.state.has(item)))
  },
  '^ 1': (self, [other]) => {
    const others = make(membersOf(other))
    return make([
      ...others.state.keys().filter((item) => !self.state.has(item)),
      ...self.state.keys().filter((item) => !others.state.has(item)),
    ])
  },
  'subset?,<= 1': (self, [other]) => hasAll(other as RubySet, self.state.keys()),
  'superset?,>= 1': (self, [other]) => hasAll(self, membersOf(other)),
  'disjoint? 1': (self, [other]) => !membersOf(other).some((item) => self.state.has(item)),
  'intersect? 1': (self, [other]) => membersOf(other).some((item) => self.state.has(item)),
  'select,filter': (self, _, block) => make(self.state.keys().filter((item) => truthy(block!.one(item)))),
  reject: (self, _, block) => make(self.state.keys().filter((item) => !truthy(block!.one(item)))),
  '== 1': (self, [other]) =>
    other instanceof Instance &&
    other.state instanceof RubyHash &&
    other.state.size === self.state.size &&
    hasAll(self, other.state.keys()),
  'dup,clone *': (self) => make(self.state.keys()),
  freeze: (self) => {
    self.state.frozen = true
    return self
  },
  'to_s,inspect': (self) =>
    `#<Set: {${self.state
      .keys()
      .map((item) => inspect(item))
      .join(', ')}}>`,
})
valueKeys.set(setClass, (value) => `\0S${inspect(value)}`)
