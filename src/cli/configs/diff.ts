/**
 * `millrace diff OLD NEW`: runs both configurations on the same events and shows what changes. Exit code 0 when nothing
 * does, 1 when something does, 2 for a wrong command line or a configuration that cannot be loaded.
 */
import { readFile } from 'node:fs/promises'
import { SettingsError } from '../../settings/errors.ts'
import { type ComparisonCounts, inspect } from '../../threads/configuration/inspection-job.ts'
import { InvalidConfiguration } from '../../threads/configuration/open-configuration.ts'
import { refuse, settingArguments, settingFlags } from '../arguments.ts'
import { paintFor, processOutput } from '../command-output.ts'
import { NodeClient, nodeFlags } from '../node-client.ts'
import { firstInput, tappedEvents } from '../observe/tapped-events.ts'
import { runCommand } from '../run-command.ts'
import { standardInput } from '../standard-input.ts'
import { readConfiguration } from './given-configuration.ts'

const usage = `Usage: millrace diff OLD NEW [--events FILE] [OPTIONS]
       millrace diff OLD NEW --sample 100 [--url URL] [--pipeline ID]

Runs two configurations on the same events and shows which come out otherwise. Events are lines of JSON or text from
FILE, - for standard input; without FILE they are taken from a running node, as its inputs make them.

Options:
    --events FILE     Where the events are.
    --sample N        How many events at most (100).
    --url URL         The node (http://127.0.0.1:9600); --user NAME:PASSWORD if it asks for one.
    --pipeline ID     Pipeline of the node (main).
    --json            Print the comparison as JSON.
    --path.settings DIR, --path.plugins DIR, --pipeline.ecs_compatibility MODE, --setting KEY=VALUE
`

interface Comparison extends ComparisonCounts {
  readonly differences: readonly {
    readonly input: unknown
    readonly changes: readonly {
      field: string
      kind: string
      before?: unknown
      after?: unknown
      event: number
    }[]
  }[]
}

const maxShown = 20
const sampleMillis = 15_000

const rules = {
  usage,
  command: 'diff',
  switches: ['--json'],
  values: ['--events', '--sample', '--pipeline', ...nodeFlags, ...settingFlags],
}

export async function diffCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const [old, next] = given.words
    if (old === undefined || next === undefined) refuse('diff', 'two configurations are needed')
    const sample = Number(given.value('--sample') ?? 100)
    if (!Number.isInteger(sample) || sample < 1 || sample > 100_000)
      refuse('diff', '--sample: a number from 1 to 100000')
    const flags = settingArguments(given)
    const [before, after] = [
      await readConfiguration(old, undefined, flags),
      await readConfiguration(next, undefined, flags),
    ]
    const source = given.value('--events')
    const events =
      source === undefined
        ? await liveEvents(NodeClient.from(given), given.value('--pipeline') ?? 'main', sample)
        : eventTexts(source === '-' ? await standardInput() : await readFile(source, 'utf8')).slice(0, sample)
    if (events.length === 0) throw new SettingsError('there are no events to compare with')
    const limits = { maxMillis: 60_000, maxBytes: 64 * 1024 * 1024 }
    const text = await inspect({
      kind: 'compare',
      before,
      after,
      events: `[${events.join(',')}]`,
      ...limits,
    }).catch((error: unknown) => {
      throw error instanceof InvalidConfiguration ? new SettingsError(error.message) : error
    })
    const result = JSON.parse(text) as Comparison
    await output.print(given.has('--json') ? `${text}\n` : reportText(result, paintFor(output)))
    return result.same === result.events ? 0 : 1
  })
}

function reportText(result: Comparison, { good, bad, dim, strong }: ReturnType<typeof paintFor>): string {
  const lines: string[] = []
  for (const { input, changes } of result.differences.slice(0, maxShown)) {
    lines.push(dim(short(input)))
    for (const { field, before, after } of changes) {
      if (before !== undefined) lines.push(bad(`  - ${field}: ${short(before)}`))
      if (after !== undefined) lines.push(good(`  + ${field}: ${short(after)}`))
    }
  }
  if (result.differences.length > maxShown)
    lines.push(dim(`… and ${result.differences.length - maxShown} more`))
  const { events, same, changed, dropped, failures_before, failures_after } = result
  lines.push(
    strong(`${events} events: ${same} the same, ${changed} changed, ${dropped} no longer come out`),
    `failures: ${failures_before} before, ${failures_after} after`,
  )
  return `${lines.join('\n')}\n`
}

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** JSON texts: objects as they are, other lines as texts. */
function eventTexts(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      if (!line.trimStart().startsWith('{')) return JSON.stringify(line)
      try {
        JSON.parse(line)
        return line
      } catch {
        return JSON.stringify(line)
      }
    })
}

async function liveEvents(client: NodeClient, pipeline: string, count: number): Promise<string[]> {
  const at = await firstInput(client, pipeline)
  const events: string[] = []
  const signal = AbortSignal.timeout(sampleMillis)
  for await (const { after } of tappedEvents(client, { pipeline, at }, signal)) {
    events.push(...(after ?? []).map((event) => JSON.stringify(event)))
    if (events.length >= count) break
  }
  return events.slice(0, count)
}
