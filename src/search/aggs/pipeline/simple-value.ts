/** The results of pipeline aggregations. */
import type { AggResult } from '../result.ts'
import type { Format } from './options.ts'

type Meta = AggResult['meta']

/** NaN and infinities become null. */
export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** A result of a single number. */
export class SimpleValue implements AggResult {
  readonly typedName: string = 'simple_value'
  readonly value: number
  readonly meta: Meta
  protected readonly format: Format | undefined

  constructor(value: number, format: Format | undefined, meta: Meta) {
    this.value = value
    this.format = format
    this.meta = meta
  }

  number(property: string): number | undefined {
    return property === 'value' ? this.value : undefined
  }

  toJson(): Record<string, unknown> {
    const json: Record<string, unknown> = { value: orNull(this.value) }
    if (this.format !== undefined && Number.isFinite(this.value)) {
      json['value_as_string'] = this.format(this.value)
    }
    return json
  }
}

/** The extreme value and the keys of all buckets that have it. */
export class BucketMetricValue extends SimpleValue {
  override readonly typedName = 'bucket_metric_value'
  readonly keys: readonly string[]

  constructor(value: number, keys: readonly string[], format: Format | undefined, meta: Meta) {
    super(value, format, meta)
    this.keys = keys
  }

  override toJson(): Record<string, unknown> {
    return { ...super.toJson(), keys: this.keys }
  }
}
