/**
 * Ruby exceptions. An exception object travels as a JavaScript error; errors of our own code become Ruby
 * exceptions when Ruby code rescues them. What must stop the code whatever it rescues is a `RubyStop`.
 */
import { InvalidFieldReference } from '../event/field-reference.ts'
import { PatternError, PatternTimeout } from '../regex/pattern.ts'
import { exceptionClass, newClass, type RubyClass, RubyObject, type RubyValue } from './ruby-class.ts'
import { RubyStop } from './ruby-stop.ts'
import { runtime } from './runtime.ts'
import { isText, textOf } from './values.ts'

export class RubyException extends RubyObject {
  readonly rubyClass: RubyClass
  given: RubyValue
  cause: RubyValue = null
  readonly line = runtime.line
  /** What a KeyError, StopIteration or UncaughtThrowError carries. */
  extra: RubyValue = null

  constructor(rubyClass: RubyClass, message: RubyValue = null) {
    super()
    this.rubyClass = rubyClass
    this.given = message
  }

  get message(): string {
    return this.given === null
      ? this.rubyClass.name
      : isText(this.given)
        ? textOf(this.given)
        : String(this.given)
  }
}

export class RubyError extends Error {
  readonly exception: RubyException

  constructor(exception: RubyException) {
    super(exception.message)
    this.name = exception.rubyClass.name
    this.exception = exception
  }
}

const scriptError = newClass('ScriptError', exceptionClass)
export const loadError = newClass('LoadError', scriptError)
export const notImplementedError = newClass('NotImplementedError', scriptError)
newClass('SyntaxError', scriptError)
const systemStackError = newClass('SystemStackError', exceptionClass)
newClass('NoMemoryError', exceptionClass)
newClass('SecurityError', exceptionClass)
newClass('Interrupt', newClass('SignalException', exceptionClass))
newClass('SystemExit', exceptionClass)
export const standardError = newClass('StandardError', exceptionClass)
export const argumentError = newClass('ArgumentError', standardError)
export const uncaughtThrowError = newClass('UncaughtThrowError', argumentError)
export const encodingError = newClass('EncodingError', standardError)
newClass('FiberError', standardError)
const ioError = newClass('IOError', standardError)
newClass('EOFError', ioError)
export const indexError = newClass('IndexError', standardError)
export const keyError = newClass('KeyError', indexError)
export const stopIteration = newClass('StopIteration', indexError)
export const localJumpError = newClass('LocalJumpError', standardError)
export const nameError = newClass('NameError', standardError)
export const noMethodError = newClass('NoMethodError', nameError)
export const rangeError = newClass('RangeError', standardError)
export const floatDomainError = newClass('FloatDomainError', rangeError)
const regexpError = newClass('RegexpError', standardError)
export const runtimeError = newClass('RuntimeError', standardError)
export const frozenError = newClass('FrozenError', runtimeError)
export const systemCallError = newClass('SystemCallError', standardError)
newClass('ThreadError', standardError)
export const typeError = newClass('TypeError', standardError)
export const zeroDivisionError = newClass('ZeroDivisionError', standardError)
export const noMatchingPatternError = newClass('NoMatchingPatternError', standardError)
newClass('NoMatchingPatternKeyError', noMatchingPatternError)

export function raise(rubyClass: RubyClass, message: string): never {
  throw new RubyError(new RubyException(rubyClass, message))
}

/** The Ruby exception that an error thrown under Ruby code stands for; undefined for what nobody may rescue. */
export function asException(error: unknown): RubyException | undefined {
  if (error instanceof RubyError) return error.exception
  if (error instanceof RubyStop || !(error instanceof Error)) return undefined
  return new RubyException(classOfError(error), error.message)
}

function classOfError(error: Error): RubyClass {
  if (error instanceof InvalidFieldReference) return runtimeError
  if (error instanceof PatternError || error instanceof PatternTimeout) return regexpError
  if (error instanceof RangeError) return /call stack/i.test(error.message) ? systemStackError : rangeError
  return error instanceof TypeError ? typeError : standardError
}
