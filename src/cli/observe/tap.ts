/** `millrace tap`: events of a running pipeline before and after a plugin, as they go by. */

import type { Fields } from '../../event/value.ts'
import { changesBetween } from '../../pipeline/watch/event-changes.ts'
import { refuse } from '../arguments.ts'
import { type Paint, paintFor, processOutput } from '../command-output.ts'
import { NodeClient, nodeFlags } from '../node-client.ts'
import { runCommand } from '../run-command.ts'
import { pluginsOf, type TappedEvent, tappedEvents } from './tapped-events.ts'

const usage = `Usage: millrace tap [PIPELINE[/PLUGIN]] [OPTIONS]

Shows events of a running pipeline before and after a plugin, named by its id or name; without one, behind the last
filter. Costs the node nothing once it ends; above 200 events a second the node shows some of them and says so.

Options:
    --url URL        The node (http://127.0.0.1:9600); --user NAME:PASSWORD if it asks for one.
    --q TEXT         Only events that contain the text.
    --sample N       One of N events.
    --count N        End after N events.
    --list           Name the plugins of the pipeline and end.
    --json           A JSON object per line.
`

const rules = {
  usage,
  command: 'tap',
  switches: ['--json', '--list'],
  values: ['--q', '--sample', '--count', ...nodeFlags],
}

export async function tapCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const [pipeline = 'main', wanted] = (given.words[0] ?? 'main').split('/', 2)
    const client = NodeClient.from(given)
    const plugins = await pluginsOf(client, pipeline)
    if (given.has('--list')) {
      for (const { type, name, id } of plugins)
        await output.print(`${type.padEnd(7)} ${name.padEnd(20)} ${id}\n`)
      return 0
    }
    const chosen =
      wanted === undefined
        ? (plugins.findLast(({ type }) => type === 'filter') ?? plugins.find(({ type }) => type === 'output'))
        : (plugins.find(({ id }) => id === wanted) ?? plugins.find(({ name }) => name === wanted))
    if (chosen === undefined)
      refuse('tap', `the pipeline ${pipeline} has no plugin ${wanted ?? ''}; --list names them`)
    const maxShown = Number(given.value('--count') ?? Number.POSITIVE_INFINITY)
    const end = new AbortController()
    const interrupt = () => end.abort()
    process.once('SIGINT', interrupt)
    output.tell(`tap at ${chosen.type} ${chosen.name} of ${pipeline}; Ctrl-C ends it\n`)
    const place = { pipeline, at: chosen.id, text: given.value('--q'), sample: given.value('--sample') }
    const paint = paintFor(output)
    let shown = 0
    let left = 0
    try {
      for await (const tapped of tappedEvents(client, place, end.signal)) {
        if (tapped.counts !== undefined) {
          const { seen, shown: told, dropped } = tapped.counts
          if (dropped > left) output.tell(`${told} of ${seen} events shown, ${dropped} left out\n`)
          left = dropped
          continue
        }
        await output.print(given.has('--json') ? `${JSON.stringify(tapped)}\n` : eventText(tapped, paint))
        shown += 1
        if (shown >= maxShown) break
      }
    } finally {
      process.off('SIGINT', interrupt)
      end.abort()
    }
    return 0
  })
}

/** The event in front of the plugin, and what the plugin changed. */
export function eventText({ before, after }: TappedEvent, { good, bad, dim }: Paint): string {
  if (before === null) return (after ?? []).map((event) => `${JSON.stringify(event)}\n`).join('')
  const lines = [JSON.stringify(before)]
  if (after !== null && after.length === 0) lines.push(bad('  dropped'))
  for (const event of after ?? []) {
    const changes = changesBetween(before as Fields, event as Fields)
    if (changes.length === 0) lines.push(dim('  unchanged'))
    for (const { field, before: old, after: value } of changes) {
      if (old !== undefined) lines.push(bad(`  - ${field}: ${JSON.stringify(old)}`))
      if (value !== undefined) lines.push(good(`  + ${field}: ${JSON.stringify(value)}`))
    }
  }
  return `${lines.join('\n')}\n`
}
