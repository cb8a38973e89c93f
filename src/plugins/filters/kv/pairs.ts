/**
 * The pairs found in one text, in order. A key that comes again makes a list of its values. Kept in two
 * lists that are used again for the next event, because most of them go straight into the event.
 */
import { deepEqual } from '../../../event/equal.ts'
import { type Fields, putField, type Value } from '../../../event/value.ts'

/** Up to so many keys are compared one by one; more are looked up. */
const fewKeys = 24

export class Pairs {
  readonly keys: string[] = []
  readonly values: Value[] = []
  count = 0
  readonly #places = new Map<string, number>()
  readonly #allowsDuplicates: boolean

  constructor(allowsDuplicates: boolean) {
    this.#allowsDuplicates = allowsDuplicates
  }

  clear(): void {
    this.count = 0
    if (this.#places.size > 0) this.#places.clear()
    if (this.keys.length > 1000) {
      this.keys.length = 0
      this.values.length = 0
    }
  }

  /** Whether the value is refused because its key has it already. */
  refuses(key: string, value: string): boolean {
    if (this.#allowsDuplicates) return false
    const place = this.#placeOf(key)
    if (place < 0) return false
    const old = this.values[place]!
    return Array.isArray(old) ? old.some((item) => deepEqual(item, value)) : old === value
  }

  add(key: string, value: Value): void {
    const place = this.#placeOf(key)
    if (place >= 0) {
      const old = this.values[place]!
      if (Array.isArray(old)) old.push(value)
      else this.values[place] = [old, value]
      return
    }
    this.keys[this.count] = key
    this.values[this.count] = value
    if (this.count >= fewKeys) {
      if (this.count === fewKeys) for (let i = 0; i < fewKeys; i++) this.#places.set(this.keys[i]!, i)
      this.#places.set(key, this.count)
    }
    this.count += 1
  }

  #placeOf(key: string): number {
    if (this.count > fewKeys) return this.#places.get(key) ?? -1
    for (let i = 0; i < this.count; i++) if (this.keys[i] === key) return i
    return -1
  }

  toFields(): Fields {
    const fields: Fields = {}
    for (let i = 0; i < this.count; i++) putField(fields, this.keys[i]!, this.values[i]!)
    return fields
  }
}
