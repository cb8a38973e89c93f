/**
 * Metric families as text: Prometheus' format 0.0.4, or OpenMetrics 1.0.0. They differ little: OpenMetrics names
 * a counter without `_total` in its headings, calls untyped `unknown`, and ends with `# EOF`.
 */
export type MetricType = 'counter' | 'gauge' | 'untyped'

export type Labels = readonly (readonly [name: string, value: string])[]

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export interface Family {
  /** With `_total` when, and only when, it is a counter. */
  readonly name: string
  readonly type: MetricType
  readonly help: string
  readonly samples: readonly Sample[]
}

type Exposition = 'text' | 'openmetrics'

export const contentTypes: Readonly<Record<Exposition, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** Families without samples are left out. */
export function exposition(families: Iterable<Family>, form: Exposition): string {
  const lines: string[] = []
  for (const { name, type, help, samples } of families) {
    if (samples.length === 0) continue
    const heading = form === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name
    const word = form === 'openmetrics' && type === 'untyped' ? 'unknown' : type
    lines.push(`# HELP ${heading} ${escapeHelp(help, form)}`, `# TYPE ${heading} ${word}`)
    for (const { labels, value } of samples) lines.push(`${name}${labelText(labels)} ${numberText(value)}`)
  }
  if (form === 'openmetrics') lines.push('# EOF')
  return lines.map((line) => `${line}\n`).join('')
}

function labelText(labels: Labels): string {
  if (labels.length === 0) return ''
  return `{${labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function escapeHelp(help: string, form: Exposition): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return form === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

/** OpenMetrics for those who like it at least as much as plain text; plain text for everybody else. */
export function preferredExposition(accept: string | undefined): Exposition {
  const liking = { openmetrics: 0, text: 0 }
  for (const offer of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = offer.split(';').map((part) => part.trim())
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1) || 0
    const isOurs = !parameters.some((parameter) => /^version=(?!1\.0\.0$)/.test(parameter))
    if (type === 'application/openmetrics-text' && isOurs)
      liking.openmetrics = Math.max(liking.openmetrics, quality)
    else if (type === 'text/plain') liking.text = Math.max(liking.text, quality)
  }
  return liking.openmetrics > 0 && liking.openmetrics >= liking.text ? 'openmetrics' : 'text'
}
