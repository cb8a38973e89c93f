/**
 * Calling a method by name: class of the receiver, method of the class, number of arguments. Classes have
 * their own methods; methods that the program itself defines belong to the program.
 */
import { argumentError, noMethodError, RubyError, RubyException, raise } from './errors.ts'
import type { Proc } from './proc.ts'
import { classOf, type Method, RubyClass, type RubyValue } from './ruby-class.ts'

/** The texts of values in error messages; set by `inspect.ts`, which calls methods itself. */
export const describing = { inspect: (value: RubyValue): string => String(value) }

export function findMethod(receiver: RubyValue, name: string): Method | undefined {
  if (receiver instanceof RubyClass) return receiver.findStatic(name)
  return classOf(receiver).find(name)
}

export function send(
  receiver: RubyValue,
  name: string,
  args: RubyValue[] = [],
  block: Proc | null = null,
): RubyValue {
  const method = findMethod(receiver, name)
  if (method === undefined) return noMethod(receiver, name)
  return callMethod(method, receiver, args, block)
}

export function callMethod(
  method: Method,
  receiver: RubyValue,
  args: RubyValue[],
  block: Proc | null,
): RubyValue {
  const { length } = args
  if (length < method.min || length > method.max) wrongCount(length, method.min, method.max)
  return method.call(receiver, args, block)
}

export function wrongCount(given: number, min: number, max: number): never {
  const expected = max === min ? String(min) : max === Number.POSITIVE_INFINITY ? `${min}+` : `${min}..${max}`
  raise(argumentError, `wrong number of arguments (given ${given}, expected ${expected})`)
}

const maxShownLength = 65

/** `nil:NilClass`, `"abc":String`; values with long texts by their class only. */
function describeReceiver(receiver: RubyValue): string {
  if (receiver === null) return 'nil:NilClass'
  if (typeof receiver === 'boolean') return `${receiver}:${receiver ? 'TrueClass' : 'FalseClass'}`
  if (receiver instanceof RubyClass) return `${receiver.name}:${receiver.isModule ? 'Module' : 'Class'}`
  const { name } = classOf(receiver)
  const text = describing.inspect(receiver)
  return text.length > maxShownLength || text.startsWith('#<') ? `#<${name}>` : `${text}:${name}`
}

export function noMethod(receiver: RubyValue, name: string): never {
  const exception = new RubyException(
    noMethodError,
    `undefined method \`${name}' for ${describeReceiver(receiver)}`,
  )
  throw new RubyError(exception)
}
