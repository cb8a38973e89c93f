/**
 * The command line: Logstash's flags start the node, `-t` checks a configuration, a word as first
 * argument is one of our commands. The only folder that ends the process or prints without a logger.
 */
import { basename } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { parseCommandLine } from '../settings/command-line.ts'
import { SettingsError, UsageError } from '../settings/errors.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { containerFlags } from './container-flags.ts'
import { home } from './home.ts'

/** `thread`: one that was started ahead for the first pipeline. */
export async function runCommandLine(argv: readonly string[], thread: Worker | undefined): Promise<number> {
  try {
    return await run(argv, thread)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error instanceof UsageError ? error.usage(programName()) : error.message}\n`)
    return error.exitCode
  } finally {
    await thread?.terminate()
  }
}

async function run(given: readonly string[], thread: Worker | undefined): Promise<number> {
  const isCommand = given[0] !== undefined && !given[0].startsWith('-')
  const argv = isCommand ? given : [...containerFlags(process.env), ...given]
  const line = parseCommandLine(argv)
  if (line.command !== undefined) return runCommand(line.command, line.rest)
  if (line.help) return showHelp(isCalledLogstash())
  if (line.version) {
    const { logstashVersion, version } = await import('../version.ts')
    process.stdout.write(`logstash ${logstashVersion}\nmillrace ${version}\n`)
    return 0
  }
  const settings = await readSettings({ argv, env: process.env, home, commandLine: line })
  for (const { kind, message } of settings.warnings)
    if (kind === 'stderr') process.stderr.write(`${message}\n`)
  if (settings.get('config.test_and_exit')) {
    const { checkConfiguration } = await import('./configs/check.ts')
    return checkConfiguration(settings)
  }
  return runNode(settings, thread)
}

async function runNode(settings: Settings, thread: Worker | undefined): Promise<number> {
  const { MillraceNode, startEarly } = await import('../node.ts')
  const { handleSignals } = await import('./signals.ts')
  const { Logger } = await import('../log/logger.ts')
  const { surviveExceptions } = await import('./exceptions.ts')
  const { leave } = await import('./leave.ts')
  const { collectAfterStart } = await import('../memory/collect-garbage.ts')
  try {
    const stop = new AbortController()
    const starting = MillraceNode.start(settings, startEarly(thread), stop.signal)
    handleSignals(starting, () => stop.abort())
    surviveExceptions(starting)
    const node = await starting
    collectAfterStart()
    if (settings.get('demo')) {
      const { showDemo } = await import('./demo-view.ts')
      void showDemo(node)
    }
    return await leave(await node.exit)
  } catch (error) {
    new Logger('logstash.runner').fatal((error as Error).message)
    return await leave(1)
  }
}

/** Under Logstash's name its own usage, with every flag; under ours what fits on a screen. */
async function showHelp(isWhole: boolean): Promise<number> {
  const { commands } = await import('./commands.ts')
  if (isWhole)
    process.stdout.write((await import('../settings/help-text.ts')).helpText(commands, programName()))
  else process.stdout.write((await import('./reference/short-help.ts')).shortHelp(commands))
  return 0
}

function isCalledLogstash(): boolean {
  return /^logstash(?:\.\w+)?$/.test(basename(process.argv[1] ?? ''))
}

function programName(): string {
  return isCalledLogstash() ? 'bin/logstash' : 'millrace'
}

async function runCommand(command: string, rest: readonly string[]): Promise<number> {
  if (command === 'help') return showHelp(rest[0] === 'flags' || isCalledLogstash())
  const { commands } = await import('./commands.ts')
  const found = commands.find(({ name }) => name === command)
  if (found !== undefined) return found.run(rest)
  const { nearestName } = await import('../settings/errors.ts')
  const near = nearestName(
    command,
    commands.map(({ name }) => name),
  )
  const hint = near === undefined ? '' : `\nDid you mean '${near}'?\n`
  process.stderr.write(`ERROR: Unknown command '${command}'\n${hint}\nSee: '${programName()} --help'\n`)
  return 1
}
