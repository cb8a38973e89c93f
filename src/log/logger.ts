/**
 * What the rest of the program logs with. A logger has a name that decides its level and a context
 * (pipeline, plugin) that is printed with every line; a level that is off costs one comparison.
 */
import { isOn, type LevelCell, levelCell, type RecordLevel, rankOf } from './levels.ts'
import { writeRecord } from './sink.ts'

export {
  type Level,
  levelOf,
  levels,
  parsedLevels,
  type RecordLevel,
  resetLevels,
  setLevel,
  setLevels,
} from './levels.ts'
export { configureLogging, type LoggingOptions } from './sink.ts'

export interface LogContext {
  readonly pipelineId?: string | undefined
  readonly pluginId?: string | undefined
}

export type LogFields = Readonly<Record<string, unknown>>
export type LowerLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

const recordLevelOf: Readonly<Record<LowerLevel, RecordLevel>> = {
  trace: 'TRACE',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
  fatal: 'FATAL',
}

export class Logger {
  readonly name: string
  readonly context: LogContext
  readonly #cell: LevelCell

  constructor(name: string, context: LogContext = {}) {
    this.name = name
    this.context = context
    this.#cell = levelCell(name)
  }

  /** Returns a logger whose lines also name one pipeline or plugin. */
  child(context: LogContext): Logger {
    return new Logger(this.name, { ...this.context, ...context })
  }

  isEnabled(level: LowerLevel): boolean {
    return isOn(this.#cell, rankOf[recordLevelOf[level]])
  }

  trace(message: string, fields?: LogFields): void {
    this.#write('TRACE', message, fields)
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('DEBUG', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#write('INFO', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('WARN', message, fields)
  }

  error(message: string, fields?: LogFields): void {
    this.#write('ERROR', message, fields)
  }

  fatal(message: string, fields?: LogFields): void {
    this.#write('FATAL', message, fields)
  }

  #write(level: RecordLevel, message: string, fields: LogFields | undefined): void {
    if (!isOn(this.#cell, rankOf[level])) return
    const { pipelineId, pluginId } = this.context
    writeRecord({ millis: Date.now(), level, logger: this.name, pipelineId, pluginId, message, fields })
  }
}

/** Deprecations are warnings under `deprecation.<name>`; they also go to a file of their own. */
export function deprecationLogger(name: string, context: LogContext = {}): Logger {
  return new Logger(`deprecation.${name}`, context)
}
