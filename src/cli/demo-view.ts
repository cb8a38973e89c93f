/**
 * What `--demo` shows: once what runs and what to try, then every five seconds how many events went through.
 * The events themselves are printed by the pipeline's own output. Without a terminal the same lines are plain.
 */
import type { PipelineState } from '../agent/pipeline-state.ts'
import { eventKeys } from '../metrics/pipeline-keys.ts'
import type { MillraceNode } from '../node.ts'
import { logstashVersion, version } from '../version.ts'

interface Counts {
  readonly in: number
  readonly out: number
}

const statusEvery = 5000

export async function showDemo(node: MillraceNode): Promise<void> {
  const style = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? terminalStyle : plainStyle
  // The store opens a moment after the pipelines; its address belongs to the introduction.
  await node.searchReady().catch(() => undefined)
  process.stdout.write(`${introduction(node, style).join('\n')}\n`)
  let before = countsOf(node)
  const timer = setInterval(() => {
    const now = countsOf(node)
    process.stdout.write(`${style.dim(statusLine(before, now, node.dashboardUrl))}\n`)
    before = now
  }, statusEvery)
  timer.unref()
  void node.exit.then(() => clearInterval(timer))
}

interface Style {
  strong(text: string): string
  dim(text: string): string
}

const plainStyle: Style = { strong: (text) => text, dim: (text) => text }
const terminalStyle: Style = {
  strong: (text) => `\u001b[1m${text}\u001b[0m`,
  dim: (text) => `\u001b[2m${text}\u001b[0m`,
}

function introduction(node: MillraceNode, { strong, dim }: Style): string[] {
  const lines = ['', strong(`Millrace ${version}, running Logstash ${logstashVersion} pipelines`)]
  for (const pipeline of node.agent.pipelines.values()) lines.push(`  ${pipelineLine(pipeline)}`)
  const commands: [command: string, effect: string][] = [
    ['curl -d hello localhost:9580', 'an event by HTTP'],
    [`node -e 'net.connect(9500).end("hi\\n")'`, 'an event by TCP'],
  ]
  if (node.apiAddress !== undefined) {
    commands.push([`curl "${node.apiAddress}/_node/stats/events?pretty"`, 'how it is doing'])
  }
  if (node.searchAddress !== undefined) {
    commands.push([`curl "${node.searchAddress}/_search?size=5&from=10&pretty"`, 'what it has stored'])
  }
  const width = Math.max(...commands.map(([command]) => command.length))
  lines.push('', 'Try in another terminal:')
  for (const [command, effect] of commands) lines.push(`  ${strong(command.padEnd(width))}   ${dim(effect)}`)
  lines.push('', dim('Ctrl-C stops it. The pipeline is in config/demo.conf.'))
  if (node.dashboardUrl !== undefined) lines.push('', `Open in a browser: ${strong(node.dashboardUrl)}`)
  lines.push('')
  return lines
}

function pipelineLine({ id, status, summary }: PipelineState): string {
  if (summary === undefined) return `pipeline ${id}: ${status}`
  const names = (type: string) =>
    [...new Set(summary.plugins.filter((plugin) => plugin.type === type).map(({ name }) => name))].join(', ')
  const filters = names('filter')
  return `pipeline ${id}: ${[names('input'), filters, names('output')].filter((part) => part !== '').join(' → ')}`
}

function statusLine(before: Counts, now: Counts, dashboard: string | undefined): string {
  const rate = Math.max(0, now.out - before.out) / (statusEvery / 1000)
  return `--- ${now.in} events in, ${now.out} out, ${rate.toFixed(1)} per second${dashboard === undefined ? '' : ` · ${dashboard}`} ---`
}

function countsOf({ agent }: MillraceNode): Counts {
  const boards = [...agent.pipelines.values()].flatMap(({ board }) => board ?? [])
  const sum = (key: string) => boards.reduce((total, board) => total + board.sum(key), 0)
  return { in: sum(eventKeys.in), out: sum(eventKeys.out) }
}
