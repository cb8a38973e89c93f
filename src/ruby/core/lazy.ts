/**
 * `lazy`: steps that are taken item by item, so that endless ranges have a first few results. Each step gives an
 * item on, leaves it out, or ends the walk.
 */
import { equal } from '../compare.ts'
import { argumentError, raise } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { add, indexOf, isInteger } from '../number.ts'
import type { Proc } from '../proc.ts'
import {
  defineMethods,
  enumerable,
  enumeratorClass,
  newClass,
  type RubyClass,
  RubyObject,
  type RubyValue,
} from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { RubyRange, truthy } from '../values.ts'
import { itemsOf, maxItems, tooMany } from './items.ts'

type Visit = (item: RubyValue) => boolean
/** Gives items to the next step until one says that it has enough, which is the result. */
type Step = (next: Visit) => Visit

const lazyClass = newClass('Lazy', enumeratorClass, enumeratorClass)

class Lazy extends RubyObject {
  readonly source: RubyValue
  readonly steps: readonly Step[]

  constructor(source: RubyValue, steps: readonly Step[] = []) {
    super()
    this.source = source
    this.steps = steps
  }

  get rubyClass(): RubyClass {
    return lazyClass
  }

  with(step: Step): Lazy {
    return new Lazy(this.source, [...this.steps, step])
  }

  /** Visits results until `visit` answers true. */
  walk(visit: Visit): void {
    const first = this.steps.reduceRight<Visit>((next, step) => step(next), visit)
    const { source } = this
    if (source instanceof RubyRange && isInteger(source.first) && !isInteger(source.last)) {
      for (let item: RubyValue = source.first; ; item = add(item, 1)) {
        tick()
        if (first(item)) return
      }
    }
    for (const item of itemsOf(source)) {
      tick()
      if (first(item)) return
    }
  }

  items(limit = Number.POSITIVE_INFINITY): RubyValue[] {
    const items: RubyValue[] = []
    if (limit <= 0) return items
    this.walk((item) => {
      if (items.length >= maxItems) tooMany()
      return items.push(item) >= limit
    })
    return items
  }
}

defineMethods<RubyValue>(enumerable, { lazy: (self) => (self instanceof Lazy ? self : new Lazy(self)) })

function blockOf(block: Proc | null): Proc {
  return block ?? raise(argumentError, 'tried to call lazy map without a block')
}

const filtering = (self: Lazy, block: Proc | null, wanted: boolean): Lazy => {
  const test = blockOf(block)
  return self.with((next) => (item) => (truthy(test.one(item)) === wanted ? next(item) : false))
}

defineMethods<Lazy>(lazyClass, {
  'map,collect': (self, _, block) => {
    const change = blockOf(block)
    return self.with((next) => (item) => next(change.one(item)))
  },
  'select,filter': (self, _, block) => filtering(self, block, true),
  reject: (self, _, block) => filtering(self, block, false),
  filter_map: (self, _, block) => {
    const change = blockOf(block)
    return self.with((next) => (item) => {
      const result = change.one(item)
      return truthy(result) ? next(result) : false
    })
  },
  'flat_map,collect_concat': (self, _, block) => {
    const change = blockOf(block)
    return self.with((next) => (item) => {
      const result = change.one(item)
      return Array.isArray(result) ? result.some(next) : next(result)
    })
  },
  take_while: (self, _, block) => {
    const test = blockOf(block)
    return self.with((next) => (item) => !truthy(test.one(item)) || next(item))
  },
  drop_while: (self, _, block) => {
    const test = blockOf(block)
    return self.with((next) => {
      let dropping = true
      return (item) => {
        dropping &&= truthy(test.one(item))
        return dropping ? false : next(item)
      }
    })
  },
  'take 1': (self, [count]) => {
    const max = indexOf(count)
    if (max === 0) return new Lazy([])
    return self.with((next) => {
      let taken = 0
      return (item) => {
        taken += 1
        return next(item) || taken >= max
      }
    })
  },
  'drop 1': (self, [count]) =>
    self.with((next) => {
      let left = indexOf(count)
      return (item) => (left-- > 0 ? false : next(item))
    }),
  'with_index,each_with_index 0-1': (self, [from], block) =>
    self.with((next) => {
      let index = from === undefined || from === null ? 0 : indexOf(from)
      return (item) => next(block === null ? [item, index++] : block.two(item, index++))
    }),
  compact: (self) => self.with((next) => (item) => (item === null ? false : next(item))),
  uniq: (self, _, block) =>
    self.with((next) => {
      const seen = new RubyHash()
      return (item) => {
        const key = block === null ? item : block.one(item)
        if (seen.has(key)) return false
        seen.put(key, true)
        return next(item)
      }
    }),
  'to_a,force,entries': (self) => self.items(),
  eager: (self) => self.items(),
  lazy: (self) => self,
  'first 0-1': (self, [count]) =>
    count === undefined ? (self.items(1)[0] ?? null) : self.items(indexOf(count)),
  each: (self, _, block) => {
    const visit = blockOf(block)
    self.walk((item) => {
      visit.one(item)
      return false
    })
    return self
  },
  'include?,member? 1': (self, [wanted]) => {
    let found = false
    self.walk((item) => {
      found = equal(item, wanted!)
      return found
    })
    return found
  },
  'find,detect': (self, _, block) => {
    const test = blockOf(block)
    let found: RubyValue = null
    self.walk((item) => {
      if (!truthy(test.one(item))) return false
      found = item
      return true
    })
    return found
  },
  inspect: () => '#<Enumerator::Lazy: ...>',
})
