/**
 * Ruby's Hash: keys of any kind in the order they came, compared by `eql?` (1 and 1.0 are two keys), with a
 * default value or block. A key is turned into a primitive that a Map tells apart.
 */
import { Timestamp } from '../event/timestamp.ts'
import { LsFloat } from '../event/value.ts'
import { frozenError, raise } from './errors.ts'
import type { Proc } from './proc.ts'
import { classOf, hashClass, type RubyClass, RubyObject, type RubyValue } from './ruby-class.ts'
import { MutableString, RubyRange, RubySymbol } from './values.ts'

interface Entry {
  readonly key: RubyValue
  value: RubyValue
}

export class RubyHash extends RubyObject {
  readonly #entries = new Map<unknown, Entry>()
  fallback: RubyValue = null
  fallbackBlock: Proc | null = null
  frozen = false
  /** Made of `key: value` arguments without braces. */
  isKeywords = false

  get rubyClass(): RubyClass {
    return hashClass
  }

  static from(pairs: Iterable<readonly [RubyValue, RubyValue]>): RubyHash {
    const hash = new RubyHash()
    for (const [key, value] of pairs) hash.put(key, value)
    return hash
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: RubyValue): boolean {
    return this.#entries.has(hashKey(key))
  }

  /** The value of a key that is there. */
  own(key: RubyValue): RubyValue | undefined {
    return this.#entries.get(hashKey(key))?.value
  }

  get(key: RubyValue): RubyValue {
    const entry = this.#entries.get(hashKey(key))
    if (entry !== undefined) return entry.value
    return this.fallbackBlock === null ? this.fallback : this.fallbackBlock.two(this, key)
  }

  put(key: RubyValue, value: RubyValue): void {
    this.#checkFrozen()
    const identity = hashKey(key)
    const entry = this.#entries.get(identity)
    if (entry !== undefined) entry.value = value
    else this.#entries.set(identity, { key: key instanceof MutableString ? key.text : key, value })
  }

  delete(key: RubyValue): RubyValue | undefined {
    this.#checkFrozen()
    const identity = hashKey(key)
    const entry = this.#entries.get(identity)
    this.#entries.delete(identity)
    return entry?.value
  }

  clear(): void {
    this.#checkFrozen()
    this.#entries.clear()
  }

  #checkFrozen(): void {
    if (this.frozen) raise(frozenError, "can't modify frozen Hash")
  }

  keys(): RubyValue[] {
    return Array.from(this.#entries.values(), ({ key }) => key)
  }

  values(): RubyValue[] {
    return Array.from(this.#entries.values(), ({ value }) => value)
  }

  /** A copy, so that code may change the hash while it walks through it. */
  pairs(): [RubyValue, RubyValue][] {
    return Array.from(this.#entries.values(), ({ key, value }) => [key, value])
  }

  replace(pairs: Iterable<readonly [RubyValue, RubyValue]>): void {
    this.clear()
    for (const [key, value] of pairs) this.put(key, value)
  }

  /** Same entries and default, not frozen. */
  copy(): RubyHash {
    const copy = RubyHash.from(this.pairs())
    copy.fallback = this.fallback
    copy.fallbackBlock = this.fallbackBlock
    return copy
  }
}

/** Texts stand for themselves; everything that could be taken for one starts with NUL, as do texts that start so. */
export function hashKey(value: RubyValue): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof MutableString) return hashKey(value.text)
  if (value instanceof RubySymbol) return `\0y${value.name}`
  if (value instanceof LsFloat) return `\0f${Object.is(value.value, -0) ? 0 : value.value}`
  if (Array.isArray(value)) return `\0a${value.map(keyText).join('')}`
  if (value instanceof RubyHash) {
    return `\0h${value
      .pairs()
      .map(([key, item]) => keyText(key) + keyText(item))
      .sort()
      .join('')}`
  }
  if (value instanceof Timestamp) return `\0t${value.millis}.${value.nanos}`
  if (value instanceof RubyRange)
    return `\0r${keyText(value.first)}${keyText(value.last)}${value.excludesEnd}`
  return valueKeys.get(classOf(value))?.(value) ?? value
}

/** How values of library classes (Time, IPAddr, Set) become keys. */
export const valueKeys = new Map<RubyClass, (value: RubyValue) => string>()

let objectCount = 0
const objectNumbers = new WeakMap<object, number>()

/** The identity as text, its length first, so that texts in a row cannot run into each other. */
function keyText(value: RubyValue): string {
  const key = hashKey(value)
  if (typeof key === 'object' && key !== null) {
    let number = objectNumbers.get(key)
    if (number === undefined) objectNumbers.set(key, (number = ++objectCount))
    return `o${number};`
  }
  const text = String(key)
  return `${(typeof key)[0]}${text.length}:${text}`
}
