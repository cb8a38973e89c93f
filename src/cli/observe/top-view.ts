/**
 * The picture of `millrace top`: pipelines and their dearest plugins, from two bodies of `/_node/stats` of any node with
 * Logstash's monitoring API. Rates come from the difference of the two, or from the flow figures when there is one only.
 */
import { printable } from '../documents/search.ts'

export interface StatsBody {
  readonly host?: string
  readonly version?: string
  /** Present on nodes that are not Logstash itself. */
  readonly distribution?: string
  readonly distribution_version?: string
  readonly name?: string
  readonly jvm?: {
    readonly mem?: { readonly heap_used_in_bytes?: number; readonly heap_used_percent?: number }
    readonly uptime_in_millis?: number
  }
  readonly process?: { readonly cpu?: { readonly percent?: number } }
  readonly pipelines?: Readonly<Record<string, PipelineBody | null>>
}

interface PipelineBody {
  readonly events?: Counts | null
  readonly flow?: Readonly<Record<string, { readonly current?: number | string } | undefined>> | null
  readonly queue?: { readonly type?: string; readonly events_count?: number; readonly events?: number } | null
  readonly plugins?: Readonly<
    Record<'inputs' | 'filters' | 'outputs', readonly PluginBody[] | undefined>
  > | null
}

interface Counts {
  readonly in?: number
  readonly filtered?: number
  readonly out?: number
  readonly duration_in_millis?: number
}

interface PluginBody {
  readonly id?: string
  readonly name?: string
  readonly events?: Counts
}

interface View {
  readonly columns: number
  readonly rows: number
}

/** `seconds` between the two bodies. */
export function topText(now: StatsBody, before: StatsBody | undefined, seconds: number, view: View): string {
  const lines = [headLine(now), '']
  lines.push(row(['pipeline', 'in/s', 'out/s', 'events', 'µs/event', 'queue'], [24, 10, 10, 12, 10, 16]))
  const pipelines = Object.entries(now.pipelines ?? {})
  for (const [id, pipeline] of pipelines) {
    const old = before?.pipelines?.[id]
    const { events, queue } = pipeline ?? {}
    const depth = queue?.events_count ?? queue?.events
    const cells = [
      id,
      rate(events?.in, old?.events?.in, seconds) ?? flow(pipeline, 'input_throughput'),
      rate(events?.out, old?.events?.out, seconds) ?? flow(pipeline, 'output_throughput'),
      number(events?.out),
      cost(events, old?.events),
      queue == null ? '-' : `${queue.type ?? '?'}${depth === undefined ? '' : ` ${number(depth)}`}`,
    ]
    lines.push(row(cells, [24, 10, 10, 12, 10, 16]))
  }
  if (pipelines.length === 0) lines.push('no pipeline runs')
  lines.push('', row(['slowest plugins', 'pipeline', 'events/s', 'µs/event', 'share'], [30, 20, 10, 10, 8]))
  for (const cells of slowest(now, before, seconds)) lines.push(row(cells, [30, 20, 10, 10, 8]))
  return lines
    .slice(0, view.rows)
    .map((line) => [...printable(line)].slice(0, view.columns).join('').trimEnd())
    .join('\n')
}

function headLine(body: StatsBody): string {
  const { name, host, version, distribution, distribution_version: own, jvm, process } = body
  const heap = jvm?.mem?.heap_used_in_bytes
  const parts = [
    name ?? host ?? 'node',
    distribution === undefined
      ? version === undefined
        ? ''
        : `version ${version}`
      : `${distribution} ${own ?? ''}`.trim(),
    jvm?.uptime_in_millis === undefined ? '' : `up ${duration(jvm.uptime_in_millis)}`,
    process?.cpu?.percent === undefined ? '' : `cpu ${process.cpu.percent} %`,
    heap === undefined ? '' : `heap ${Math.round(heap / 2 ** 20)} MB`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function slowest(now: StatsBody, before: StatsBody | undefined, seconds: number): string[][] {
  const all = Object.entries(now.pipelines ?? {}).flatMap(([pipeline, body]) =>
    (['filters', 'outputs'] as const).flatMap((kind) =>
      (body?.plugins?.[kind] ?? []).map((plugin) => {
        const old = before?.pipelines?.[pipeline]?.plugins?.[kind]?.find(({ id }) => id === plugin.id)
        const spent = (plugin.events?.duration_in_millis ?? 0) - (old?.events?.duration_in_millis ?? 0)
        return { pipeline, plugin, old, spent }
      }),
    ),
  )
  const total = all.reduce((sum, { spent }) => sum + spent, 0)
  return all
    .sort((a, b) => b.spent - a.spent)
    .map(({ pipeline, plugin, old, spent }) => [
      isGenerated(plugin.id) ? (plugin.name ?? '?') : `${plugin.name} ${plugin.id}`,
      pipeline,
      rate(plugin.events?.in, old?.events?.in, seconds) ?? '-',
      cost(plugin.events, old?.events),
      total <= 0 ? '-' : `${Math.round((spent / total) * 100)} %`,
    ])
}

/** Ids that Logstash makes up say nothing to people. */
function isGenerated(id: string | undefined): boolean {
  return id === undefined || /^[0-9a-f]{40,64}$/.test(id)
}

function rate(now: number | undefined, before: number | undefined, seconds: number): string | undefined {
  if (now === undefined || before === undefined || seconds <= 0) return undefined
  return number(Math.max(0, now - before) / seconds)
}

function flow(pipeline: PipelineBody | null, name: string): string {
  const value = pipeline?.flow?.[name]?.current
  return typeof value === 'number' ? number(value) : '-'
}

function cost(now: Counts | undefined | null, before: Counts | undefined | null): string {
  const events = (now?.in ?? 0) - (before?.in ?? 0)
  const millis = (now?.duration_in_millis ?? 0) - (before?.duration_in_millis ?? 0)
  return events <= 0 ? '-' : number((millis * 1000) / events)
}

function number(value: number | undefined): string {
  if (value === undefined) return '-'
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(1)
}

function duration(millis: number): string {
  if (millis < 60_000) return `${Math.floor(millis / 1000)} s`
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`
}

/** The first cell to the left, numbers to the right. */
function row(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index]!
      const text = cell.length > width - 1 ? `${cell.slice(0, width - 2)}…` : cell
      return index === 0 ? text.padEnd(width) : text.padStart(width)
    })
    .join('')
}
