/**
 * One place in the code that calls a method: it remembers the method of the class it met last.
 */
import { noMethod, wrongCount } from '../dispatch.ts'
import type { Proc } from '../proc.ts'
import { classOf, type Method, RubyClass, type RubyValue } from '../ruby-class.ts'

export class CallSite {
  readonly name: string
  #lastClass: RubyClass | undefined
  #method: Method | undefined

  constructor(name: string) {
    this.name = name
  }

  call(receiver: RubyValue, args: RubyValue[], block: Proc | null): RubyValue {
    const method = this.find(receiver)
    const { length } = args
    if (length < method.min || length > method.max) wrongCount(length, method.min, method.max)
    return method.call(receiver, args, block)
  }

  find(receiver: RubyValue): Method {
    if (receiver instanceof RubyClass) return receiver.findStatic(this.name) ?? noMethod(receiver, this.name)
    const own = classOf(receiver)
    if (own !== this.#lastClass) {
      this.#method = own.find(this.name)
      this.#lastClass = own
    }
    return this.#method ?? noMethod(receiver, this.name)
  }
}
