/**
 * `self` of a program: its instance variables, which last from event to event, and its own class, which holds
 * the methods the program defines.
 */
import { objectClass, RubyClass, RubyObject, type RubyValue } from './ruby-class.ts'

export class MainObject extends RubyObject {
  readonly rubyClass: RubyClass
  readonly variables = new Map<string, RubyValue>()

  constructor(className: string) {
    super()
    this.rubyClass = new RubyClass(className, objectClass)
  }
}
