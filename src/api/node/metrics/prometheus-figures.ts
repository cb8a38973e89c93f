/** What metric families are made of: the bodies of this API, and few words to turn them into families. */
import type { Body } from '../envelope.ts'
import { listAt, numberAt, objectAt } from '../inner-request.ts'
import type { NodeView } from '../view.ts'
import type { Family, Labels, MetricType, Sample } from './prometheus-text.ts'

export interface Figures {
  readonly node: NodeView
  /** Body of `/`. */
  readonly info: Body
  /** Body of `/_node/stats`. */
  readonly stats: Body
}

/** Name without prefix, type, path of the figure, help. */
export type Row = readonly [name: string, type: MetricType, path: string, help: string]

export interface PluginFigures {
  readonly pipeline: string
  /** `input`, `filter`, `output` or `codec`. */
  readonly type: string
  readonly name: string
  readonly id: string
  readonly body: Body
}

const pluginTypes = { inputs: 'input', codecs: 'codec', filters: 'filter', outputs: 'output' } as const

export function pipelinesOf({ stats }: Figures): [id: string, body: Body][] {
  return Object.entries(objectAt(stats, 'pipelines')) as [string, Body][]
}

export function pluginsOf(figures: Figures): PluginFigures[] {
  return pipelinesOf(figures).flatMap(([pipeline, stats]) =>
    Object.entries(pluginTypes).flatMap(([section, type]) =>
      listAt(stats, `plugins.${section}`).map((body) => ({
        pipeline,
        type,
        name: String(body['name']),
        id: String(body['id']),
        body,
      })),
    ),
  )
}

/** A sample, or none when the figure is not known. */
export function sample(labels: Labels, value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ labels, value }]
}

/** One family per row; each subject contributes one sample. */
export function families(
  prefix: string,
  rows: readonly Row[],
  subjects: readonly { readonly body: unknown; readonly labels: Labels }[],
): Family[] {
  return rows.map(([name, type, path, help]) => ({
    name: prefix + name,
    type,
    help,
    samples: subjects.flatMap(({ body, labels }) => sample(labels, numberAt(body, path))),
  }))
}

export function family(name: string, type: MetricType, help: string, samples: readonly Sample[]): Family {
  return { name, type, help, samples }
}
