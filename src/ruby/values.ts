/**
 * Ruby objects that events do not have: symbols, ranges, strings that can change in place, plain objects.
 * Symbols are compared by name, so that `to_sym` on data does not fill a table for ever.
 */
import {
  type RubyClass,
  RubyObject,
  type RubyValue,
  rangeClass,
  stringClass,
  symbolClass,
} from './ruby-class.ts'

export class RubySymbol extends RubyObject {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  get rubyClass(): RubyClass {
    return symbolClass
  }
}

export class RubyRange extends RubyObject {
  readonly first: RubyValue
  readonly last: RubyValue
  readonly excludesEnd: boolean

  constructor(first: RubyValue, last: RubyValue, excludesEnd: boolean) {
    super()
    this.first = first
    this.last = last
    this.excludesEnd = excludesEnd
  }

  get rubyClass(): RubyClass {
    return rangeClass
  }
}

/** A string with an identity. `onChange` tells the event it was read from, whose text Ruby code may change in place. */
export class MutableString extends RubyObject {
  text: string
  frozen = false
  onChange: ((text: string) => void) | null = null
  /** Given by `force_encoding`: how `encode` has to read the bytes. */
  encoding: string | null = null

  constructor(text: string) {
    super()
    this.text = text
  }

  get rubyClass(): RubyClass {
    return stringClass
  }
}

/** An instance of a library class that keeps its state in JavaScript. */
export class Instance<T> extends RubyObject {
  readonly rubyClass: RubyClass
  state: T

  constructor(rubyClass: RubyClass, state: T) {
    super()
    this.rubyClass = rubyClass
    this.state = state
  }
}

export function isText(value: RubyValue | undefined): value is string | MutableString {
  return typeof value === 'string' || value instanceof MutableString
}

export function textOf(value: string | MutableString): string {
  return typeof value === 'string' ? value : value.text
}

export function truthy(value: RubyValue): boolean {
  return value !== null && value !== false
}
