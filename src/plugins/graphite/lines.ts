/**
 * Events as lines of Graphite's plain text protocol, `name value seconds`: the metrics the options name, or
 * every field that holds a number. Shared by the output and the codec of that name.
 */
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, fieldNames, isFields, LsFloat, readField, type Value } from '../../event/value.ts'
import type { Compile } from '../../plugin/compile.ts'
import { type HashValue, option, type PluginLogger } from '../../plugin/define.ts'
import { compilePattern } from '../../regex/pattern.ts'
import { rubyFloat } from '../../text/ruby-float.ts'

export const graphiteOptions = {
  metrics: option.hash({
    default: new Map(),
    doc: 'Names of metrics and their values; both may contain `%{…}`.',
  }),
  fields_are_metrics: option.boolean({
    default: false,
    doc: 'Whether all fields that hold numbers are metrics.',
  }),
  include_metrics: option.array({
    default: ['.*'],
    doc: 'Regular expressions of which the name of a metric must match one.',
  }),
  exclude_metrics: option.array({
    default: ['%\\{[^}]+\\}'],
    doc: 'Regular expressions of which the name of a metric must match none.',
  }),
}

interface GraphiteChoice {
  readonly metrics: HashValue
  readonly fields_are_metrics: boolean
  readonly include_metrics: readonly Value[]
  readonly exclude_metrics: readonly Value[]
  readonly metrics_format: string
  readonly nested_object_separator: string
  readonly timestamp_field: string
}

const neverMetrics = new Set(['@timestamp', '@version'])
const maxDepth = 100

export function compileGraphiteLines(
  choice: GraphiteChoice,
  compile: Compile,
  logger: PluginLogger,
): (event: Event) => string[] {
  const include = choice.include_metrics.map((source) => compilePattern(valueText(source)))
  const exclude = choice.exclude_metrics.map((source) => compilePattern(valueText(source)))
  const isChosen = (name: string) =>
    (include.length === 0 || include.some((pattern) => pattern.test(name))) &&
    !exclude.some((pattern) => pattern.test(name))
  const form = compile.template(choice.metrics_format)
  const hasForm = choice.metrics_format !== '*'
  const nameOf = (event: Event, metric: string) =>
    hasForm ? form(event).replaceAll('*', () => metric) : metric
  const time = compile.get(choice.timestamp_field)
  const metrics = [...choice.metrics].map(
    ([name, value]) => [compile.template(name), compile.template(valueText(value))] as const,
  )
  if (hasForm && !choice.metrics_format.includes('*')) {
    logger.warn("metrics_format does not include placeholder '*' .. falling back to simple metric name", {
      metrics_format: choice.metrics_format,
    })
  }

  return (event) => {
    const seconds = secondsOf(time(event))
    const lines: string[] = []
    const add = (metric: string, value: number) => {
      if (isChosen(metric)) lines.push(`${oneWord(nameOf(event, metric))} ${rubyFloat(value)} ${seconds}\n`)
    }
    if (choice.fields_are_metrics) {
      addFields(event.data, '', choice.nested_object_separator, add, 0)
    } else {
      for (const [name, value] of metrics) {
        const text = value(event)
        const number = leadingFloat(text)
        add(name(event), number)
      }
    }
    return lines
  }
}

function addFields(
  fields: Fields,
  prefix: string,
  separator: string,
  add: (metric: string, value: number) => void,
  depth: number,
): void {
  if (depth > maxDepth) return
  for (const name of fieldNames(fields)) {
    const value = readField(fields, name)
    if (value === undefined || (depth === 0 && neverMetrics.has(name))) continue
    if (isFields(value)) addFields(value, `${prefix}${name}${separator}`, separator, add, depth + 1)
    else {
      const number = numberOf(value)
      if (number !== undefined) add(prefix + name, number)
    }
  }
}

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat) return Number(value)
  return typeof value === 'string' && /^\s*[+-]?(\d|\.\d)/.test(value) ? leadingFloat(value) : undefined
}

/** Ruby's `to_f`: the number a text begins with, or 0. */
function leadingFloat(text: string): number {
  const found = /^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(text)
  return found === null ? 0 : Number(found[0])
}

function secondsOf(value: Value | undefined): number {
  if (value instanceof Timestamp) return Math.floor(value.millis / 1000)
  return Math.trunc(Number(value ?? 0)) || 0
}

/** A name with a blank or a line end would be another metric. */
function oneWord(name: string): string {
  return name.replace(/\s+/g, '_')
}
