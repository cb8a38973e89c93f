/** A data point of CloudWatch as the fields of an event, under the names of the AWS SDK for Ruby. */
import { Timestamp } from '../../../event/timestamp.ts'
import { type Fields, float, putField } from '../../../event/value.ts'
import type { Dimension } from './resources.ts'

export interface Datapoint {
  readonly Timestamp?: Date
  readonly Unit?: string
  readonly SampleCount?: number
  readonly Average?: number
  readonly Sum?: number
  readonly Minimum?: number
  readonly Maximum?: number
}

export interface Query {
  readonly namespace: string
  readonly metric_name: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly period: number
}

export function eventFields(point: Datapoint, query: Query, dimensions: readonly Dimension[]): Fields {
  const fields: Fields = {}
  if (point.Timestamp !== undefined) fields['timestamp'] = new Timestamp(point.Timestamp.getTime())
  const statistics = {
    sample_count: point.SampleCount,
    average: point.Average,
    sum: point.Sum,
    minimum: point.Minimum,
    maximum: point.Maximum,
  }
  for (const [name, value] of Object.entries(statistics)) {
    if (value !== undefined) fields[name] = float(value)
  }
  if (point.Unit !== undefined) fields['unit'] = point.Unit
  fields['namespace'] = query.namespace
  fields['metric_name'] = query.metric_name
  fields['start_time'] = wholeSeconds(query.start)
  fields['end_time'] = wholeSeconds(query.end)
  fields['period'] = query.period
  for (const { name, value } of dimensions) putField(fields, name, value)
  return fields
}

/** Logstash writes the time of the query as text without a fraction first. */
function wholeSeconds(milliseconds: number): Timestamp {
  return new Timestamp(Math.floor(milliseconds / 1000) * 1000)
}
