/** What stops the program before a pipeline runs: a message for the user and the exit code that goes with it. */
import { nearestText } from '../text/edit-distance.ts'

export class SettingsError extends Error {
  readonly exitCode: number
  /** A second sentence that helps; never part of the message that Logstash prints. */
  readonly hint: string | undefined

  constructor(
    message: string,
    options: { exitCode?: number; hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SettingsError'
    this.exitCode = options.exitCode ?? 1
    this.hint = options.hint
  }
}

/** A wrong command line. */
export class UsageError extends SettingsError {
  constructor(message: string, hint?: string) {
    super(message, { hint })
    this.name = 'UsageError'
  }

  /** What to print on standard error, for the name the program was called by. */
  usage(program: string): string {
    const hint = this.hint === undefined ? '' : ` ${this.hint}`
    return `ERROR: ${this.message}${hint}\n\nSee: '${program} --help'`
  }
}

/** A pipeline configuration that could not be read. */
export class ConfigLoadingError extends SettingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConfigLoadingError'
  }
}

/** The name in `names` that was probably meant, for "did you mean". */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  return nearestText(given, names, Math.min(3, Math.floor(given.length / 3)))
}
