/**
 * Strings with an identity: in programs that change strings in place, every string that comes out of a literal
 * or a call gets one, also those within a list or hash.
 */
import { RubyHash } from '../hash.ts'
import type { RubyValue } from '../ruby-class.ts'
import { MutableString } from '../values.ts'

export function withIdentity(value: RubyValue): RubyValue {
  if (typeof value === 'string') return new MutableString(value)
  if (Array.isArray(value)) boxItems(value)
  else if (value instanceof RubyHash) {
    for (const [key, item] of value.pairs()) {
      if (typeof item === 'string') value.put(key, new MutableString(item))
      else if (typeof item === 'object' && item !== null) withIdentity(item)
    }
  }
  return value
}

/** Lists that library methods made hold plain strings only, so the first one tells. */
function boxItems(list: RubyValue[]): void {
  if (Object.isFrozen(list)) return
  for (let i = 0; i < list.length; i++) {
    const item = list[i]!
    if (item instanceof MutableString) return
    if (typeof item === 'string') list[i] = new MutableString(item)
    else if (typeof item === 'object' && item !== null) withIdentity(item)
  }
}
