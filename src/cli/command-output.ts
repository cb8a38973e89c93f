/** Where a command writes: results to standard output, everything else to standard error. Tests give another one. */
import { SettingsError } from '../settings/errors.ts'

export interface CommandOutput {
  /** A promise means: wait before writing more. */
  print(text: string): void | Promise<void>
  tell(text: string): void
  /** Whether a person looks at the results, with colours and a width. */
  readonly isTerminal: boolean
  readonly columns: number
}

export function processOutput(): CommandOutput {
  const { stdout, stderr } = process
  // Whoever reads our output may have seen enough.
  stdout.on('error', () => process.exit(1))
  return {
    print: (text) =>
      stdout.write(text) ? undefined : new Promise((resolve) => stdout.once('drain', resolve)),
    tell: (text) => void stderr.write(text),
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns ?? 100,
  }
}

/** Runs a command; what is wrong with its arguments or settings is told, exit code 2. */
export async function guarded(output: CommandOutput, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    output.tell(`ERROR: ${error.message}\n`)
    return 2
  }
}

export interface Paint {
  good(text: string): string
  bad(text: string): string
  dim(text: string): string
  strong(text: string): string
}

/** Colours for people; words alone for everything else. */
export function paintFor({ isTerminal }: CommandOutput): Paint {
  const isColoured = isTerminal && process.env['NO_COLOR'] === undefined
  const painted = (code: number) => (text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { good: painted(32), bad: painted(31), dim: painted(2), strong: painted(1) }
}
