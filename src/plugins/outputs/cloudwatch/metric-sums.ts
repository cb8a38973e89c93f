/**
 * Sums of metrics until they are sent: by namespace, name, dimensions, unit and minute, how many values there were, their
 * sum, the least and the greatest.
 */
import type { Event } from '../../../event/event.ts'
import { valueText } from '../../../event/sprintf.ts'
import type { Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { HashValue, PluginLogger } from '../../../plugin/define.ts'

export const units = [
  ...(['Seconds', 'Microseconds', 'Milliseconds', 'Bytes', 'Kilobytes', 'Megabytes', 'Gigabytes'] as const),
  ...(['Terabytes', 'Bits', 'Kilobits', 'Megabits', 'Gigabits', 'Terabits', 'Percent', 'Count'] as const),
  ...(['Bytes/Second', 'Kilobytes/Second', 'Megabytes/Second', 'Gigabytes/Second'] as const),
  ...(['Terabytes/Second', 'Bits/Second', 'Kilobits/Second', 'Megabits/Second', 'Gigabits/Second'] as const),
  ...(['Terabits/Second', 'Count/Second', 'None'] as const),
] as const

const unitNames: ReadonlySet<string> = new Set(units)
/** Sums that wait for a service that is away; beyond, the oldest go. */
const maxSums = 100_000

interface MetricOptions {
  readonly namespace: string
  readonly field_namespace: string
  readonly metricname: string | undefined
  readonly field_metricname: string
  readonly unit: string
  readonly field_unit: string
  readonly value: string
  readonly field_value: string
  readonly dimensions: HashValue | undefined
  readonly field_dimensions: string
}

/** In the terms of PutMetricData. */
export interface Datum {
  readonly MetricName: string
  readonly Timestamp: Date
  readonly Unit: string
  readonly Dimensions?: { Name: string; Value: string }[]
  readonly StatisticValues: { SampleCount: number; Sum: number; Minimum: number; Maximum: number }
}

export class MetricSums {
  /** Counted since the sums were last taken. */
  events = 0
  readonly #options: MetricOptions
  readonly #logger: PluginLogger
  readonly #templates: Record<'namespace' | 'value' | 'metricname', (event: Event) => string>
  readonly #dimensions: readonly ((event: Event) => string)[] | undefined
  #namespaces = new Map<string, Map<string, Datum>>()
  #sums = 0

  constructor(options: MetricOptions, compile: Compile, logger: PluginLogger) {
    this.#options = options
    this.#logger = logger
    this.#templates = {
      namespace: compile.template(options.namespace),
      value: compile.template(options.value),
      metricname: compile.template(options.metricname ?? ''),
    }
    this.#dimensions =
      options.dimensions &&
      [...options.dimensions].flatMap(([name, value]) => [
        compile.template(name),
        compile.template(valueText(value)),
      ])
  }

  get isEmpty(): boolean {
    return this.#sums === 0
  }

  /** False for an event without a metric. */
  add(event: Event): boolean {
    const { metricname, field_metricname } = this.#options
    const named = this.#field(event, field_metricname)
    if (named === undefined && metricname === undefined) return false
    const namespace = this.#field(event, this.#options.field_namespace) ?? this.#templates.namespace(event)
    const value = this.#valueOf(event)
    const key = {
      MetricName: named ?? this.#templates.metricname(event),
      Dimensions: this.#dimensionsOf(event),
      Unit: this.#unitOf(event),
      // To the minute, as the service keeps it.
      minute: Math.floor((event.timestamp?.millis ?? Date.now()) / 60_000) * 60_000,
    }
    this.events += 1
    this.#put(namespace, JSON.stringify(key), {
      MetricName: key.MetricName,
      Timestamp: new Date(key.minute),
      Unit: key.Unit,
      ...(key.Dimensions !== undefined && { Dimensions: key.Dimensions }),
      StatisticValues: { SampleCount: 1, Sum: value, Minimum: value, Maximum: value },
    })
    return true
  }

  /** All sums by namespace; there are none then. */
  take(): [namespace: string, data: Datum[]][] {
    const taken = [...this.#namespaces].map(([name, data]): [string, Datum[]] => [name, [...data.values()]])
    this.#namespaces = new Map()
    this.#sums = 0
    this.events = 0
    return taken
  }

  /** Sums that could not be sent. */
  putBack(namespace: string, data: readonly Datum[]): void {
    for (const datum of data) {
      const { MetricName, Dimensions, Unit, Timestamp } = datum
      const key = JSON.stringify({ MetricName, Dimensions, Unit, minute: Timestamp.getTime() })
      this.#put(namespace, key, datum)
    }
  }

  #put(namespace: string, key: string, { StatisticValues: more, ...datum }: Datum): void {
    let data = this.#namespaces.get(namespace)
    if (data === undefined) this.#namespaces.set(namespace, (data = new Map()))
    const known = data.get(key)?.StatisticValues
    if (known === undefined) {
      data.set(key, { ...datum, StatisticValues: { ...more } })
      this.#sums += 1
      if (this.#sums > maxSums) this.#forgetOldest()
      return
    }
    known.SampleCount += more.SampleCount
    known.Sum += more.Sum
    known.Minimum = Math.min(known.Minimum, more.Minimum)
    known.Maximum = Math.max(known.Maximum, more.Maximum)
  }

  #forgetOldest(): void {
    for (const [namespace, data] of this.#namespaces) {
      const [oldest] = data.keys()
      if (oldest !== undefined) {
        data.delete(oldest)
        this.#sums -= 1
        this.#logger.warn('Too many sums wait for AWS CloudWatch; the oldest are dropped', { max: maxSums })
        return
      }
      this.#namespaces.delete(namespace)
    }
  }

  #valueOf(event: Event): number {
    const { field_value, field_unit } = this.#options
    const given = this.#field(event, field_value)
    const hasUnit = this.#field(event, field_unit) !== undefined
    if ((given !== undefined) !== hasUnit) {
      this.#logger.warn(
        `Likely config error: event has one of ${field_value} or ${field_unit} fields but not both.`,
      )
    }
    return rubyFloat(given ?? this.#templates.value(event))
  }

  #unitOf(event: Event): string {
    const unit = this.#field(event, this.#options.field_unit) ?? this.#options.unit
    if (unitNames.has(unit)) return unit
    this.#logger.warn("Likely config error: invalid or missing Units (None), using 'None' instead")
    return 'None'
  }

  #dimensionsOf(event: Event): Datum['Dimensions'] {
    const given = event.get(this.#options.field_dimensions)
    if (given === undefined || given === null || given === false) {
      return this.#dimensions && pairs(this.#dimensions.map((template) => template(event)))
    }
    if (Array.isArray(given) && given.length > 0 && given.length % 2 === 0) return pairs(given.map(valueText))
    const text = `Likely config error: CloudWatch dimensions field (${valueText(given)}) found which is not a positive- & even-length array.  Ignoring it.`
    this.#logger.warn(text)
    return undefined
  }

  /** The text of a field, or of the first of its values. */
  #field(event: Event, name: string): string | undefined {
    const value: Value | undefined = event.get(name)
    const first = Array.isArray(value) ? value[0] : value
    return first === undefined || first === null || first === false ? undefined : valueText(first)
  }
}

function pairs(texts: readonly string[]): { Name: string; Value: string }[] | undefined {
  if (texts.length === 0) return undefined
  const list: { Name: string; Value: string }[] = []
  for (let i = 0; i < texts.length; i += 2) list.push({ Name: texts[i]!, Value: texts[i + 1]! })
  return list
}

/** Ruby's `to_f`: the number a text begins with, 0 for none. */
function rubyFloat(text: string): number {
  const [number = '0'] = /^\s*[+-]?(?:\d[\d_]*)?(?:\.\d+)?(?:e[+-]?\d+)?/i.exec(text) ?? []
  const value = Number.parseFloat(number.replaceAll('_', ''))
  return Number.isFinite(value) ? value : 0
}
