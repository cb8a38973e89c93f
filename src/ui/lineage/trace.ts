/** The recorded way of an event, as the node tells it. */
import { valueText } from '../parts/documents.ts'
import type { FieldChange } from '../parts/event-changes.ts'

export interface TraceStep {
  readonly id: string
  readonly type: 'input' | 'filter' | 'output'
  readonly name: string
  /** 0 for the event that was followed, then those made of it. */
  readonly event: number
  readonly verdict: string
  readonly took_in_micros: number
  readonly changes: readonly {
    readonly field: string
    readonly kind: 'added' | 'removed' | 'changed'
    readonly before?: unknown
    readonly after?: unknown
  }[]
  readonly tags?: readonly string[]
  readonly after?: unknown
  readonly bytes?: number
}

export interface Trace {
  readonly key: string
  readonly pipeline: string
  readonly time: string
  readonly steps: readonly TraceStep[]
}

export function shownChanges({ changes }: Pick<TraceStep, 'changes'>): FieldChange[] {
  return changes.map(({ field, kind, before, after }) => ({
    field,
    kind,
    ...(before !== undefined && { before: valueText(before) }),
    ...(after !== undefined && { after: valueText(after) }),
  }))
}
