/** What stops the program before a pipeline runs: a message for the user and the exit code that goes with it. */

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

/** A wrong command line. `usage` is what to print on standard error. */
export class UsageError extends SettingsError {
  constructor(message: string, hint?: string) {
    super(message, { hint })
    this.name = 'UsageError'
  }

  get usage(): string {
    const hint = this.hint === undefined ? '' : ` ${this.hint}`
    return `ERROR: ${this.message}${hint}\n\nSee: 'bin/logstash --help'`
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
  let best: string | undefined
  let bestDistance = Math.min(3, Math.floor(given.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(name.length - given.length) >= bestDistance) continue
    const distance = editDistance(given, name)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
