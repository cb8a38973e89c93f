/**
 * `next`, `break`, `return`, `retry` travel in one of two ways: as a result that every statement hands on (cheap,
 * where only statements lie between), or thrown (where an expression lies between, or a library method).
 */
import { objectClass, type RubyClass, RubyObject, type RubyValue } from '../ruby-class.ts'

/** A result that is no value. Statements return it at once; what it carries is in `jump.value`. */
export class Signal extends RubyObject {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  get rubyClass(): RubyClass {
    return objectClass
  }
}

export const nextSignal = new Signal('next')
export const breakSignal = new Signal('break')
export const returnSignal = new Signal('return')
export const retrySignal = new Signal('retry')

export const jump: { value: RubyValue } = { value: null }

/** Thrown to the one who has the target: an activation, a proc, a frame of a block. */
export class Jump {
  readonly kind: 'next' | 'break' | 'return' | 'retry'
  readonly target: object
  readonly value: RubyValue

  constructor(kind: 'next' | 'break' | 'return' | 'retry', target: object, value: RubyValue) {
    this.kind = kind
    this.target = target
    this.value = value
  }
}
