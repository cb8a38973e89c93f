/**
 * `logger` and `@logger` of a program: messages with an optional hash of details.
 */
import { toEventValue } from '../event-values.ts'
import { RubyHash } from '../hash.ts'
import { toText } from '../inspect.ts'
import type { MainObject } from '../main-object.ts'
import { defineMethods, logStash, newClass, newModule, objectClass, type RubyValue } from '../ruby-class.ts'
import { Instance } from '../values.ts'

export interface RubyLogger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

const loggingModule = newModule('Logging', logStash)
const loggerClass = newClass('Logger', objectClass, loggingModule)

function write(level: keyof RubyLogger) {
  return (self: Instance<RubyLogger>, [message = null, fields]: RubyValue[]): RubyValue => {
    const details: Record<string, unknown> = {}
    if (fields instanceof RubyHash) {
      for (const [key, value] of fields.pairs()) {
        Object.defineProperty(details, toText(key), { value: shown(value), enumerable: true })
      }
    }
    self.state[level](toText(message), details)
    return null
  }
}

/** As events would carry it; what they cannot carry, as text. */
function shown(value: RubyValue): unknown {
  try {
    return toEventValue(value)
  } catch {
    return toText(value)
  }
}

defineMethods<Instance<RubyLogger>>(loggerClass, {
  'debug,trace 1-2': write('debug'),
  'info 1-2': write('info'),
  'warn 1-2': write('warn'),
  'error,fatal 1-2': write('error'),
  'debug?,trace?': () => false,
  'info?,warn?,error?,fatal?': () => true,
})

export function loggerFor(main: MainObject, logger: RubyLogger): void {
  const instance = new Instance(loggerClass, logger)
  main.variables.set('@logger', instance)
  main.rubyClass.add({ name: 'logger', min: 0, max: 0, call: () => instance })
}
