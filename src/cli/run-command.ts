/** What every command with arguments does first: reads them, and prints how it is used when that is asked for. */
import { type ArgumentRules, type Arguments, readArguments } from './arguments.ts'
import { type CommandOutput, guarded } from './command-output.ts'

interface CommandRules extends ArgumentRules {
  readonly usage: string
}

export function runCommand(
  args: readonly string[],
  output: CommandOutput,
  rules: CommandRules,
  run: (given: Arguments) => Promise<number>,
): Promise<number> {
  return guarded(output, async () => {
    const given = readArguments(args, rules)
    if (!given.has('--help')) return run(given)
    await output.print(rules.usage)
    return 0
  })
}
