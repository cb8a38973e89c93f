/** Exceptions that scripts throw and catch. */
import { asSearchError } from '../request/errors.ts'
import { ScriptFailure, ScriptObject, type ScriptValue } from './values.ts'

/** Limits of the sandbox, which a script cannot catch. */
const final = new Set(['painless_error', 'stack_overflow_error'])
const general = new Set(['Exception', 'RuntimeException', 'Throwable'])

/** The error type of a Java exception name; undefined for other names. */
export function exceptionType(name: string): string | undefined {
  if (!/^\w*(?:Exception|Throwable)$/.test(name)) return undefined
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

export function isCaught(failure: ScriptFailure, className: string): boolean {
  if (final.has(failure.type)) return false
  return general.has(className) || failure.type === exceptionType(className)
}

/** Turns a refusal of other code into an exception that the script can catch. */
export function failing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof ScriptFailure) throw error
    const { type, message } = asSearchError(error)
    throw new ScriptFailure(type, message)
  }
}

/** The caught exception in `catch (Exception e)`. */
export class CaughtException extends ScriptObject {
  readonly failure: ScriptFailure

  constructor(failure: ScriptFailure) {
    super()
    this.failure = failure
  }

  get javaName(): string {
    return this.failure.type
  }

  override call(name: string): ScriptValue | undefined {
    if (name === 'getMessage') return this.failure.message
    return name === 'toString' ? `${this.failure.type}: ${this.failure.message}` : undefined
  }
}
