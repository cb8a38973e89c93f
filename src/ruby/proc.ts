/**
 * Blocks, procs and lambdas. Library methods call them with `one`, `two` or `all`; how arguments become
 * parameters (a single list spreads over several parameters of a block) is decided by whoever made the proc.
 */
import { procClass, type RubyClass, RubyObject, type RubyValue } from './ruby-class.ts'

type Invoke = (args: RubyValue[], block: Proc | null) => RubyValue

export class Proc extends RubyObject {
  readonly isLambda: boolean
  readonly arity: number
  readonly invoke: Invoke
  /** Parameter names by kind, for `parameters`. */
  readonly one: (value: RubyValue) => RubyValue

  constructor(invoke: Invoke, arity = -1, isLambda = false, one?: (value: RubyValue) => RubyValue) {
    super()
    this.invoke = invoke
    this.arity = arity
    this.isLambda = isLambda
    this.one = one ?? ((value) => invoke([value], null))
  }

  get rubyClass(): RubyClass {
    return procClass
  }

  two(first: RubyValue, second: RubyValue): RubyValue {
    return this.invoke([first, second], null)
  }

  all(...args: RubyValue[]): RubyValue {
    return this.invoke(args, null)
  }
}
