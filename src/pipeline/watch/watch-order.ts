/** What somebody wants to see of a running pipeline, and what its workers tell them. Both survive structured clone. */

export interface TapOrder {
  readonly tap: number
  /** Id of the plugin whose events are shown. */
  readonly at: string
  /** One of so many events. */
  readonly sample: number
  /** Only events whose JSON contains it. */
  readonly text: string | undefined
}

export interface WatchOrder {
  readonly taps: readonly TapOrder[]
  /** One of so many events is followed from input to output. */
  readonly traceSample: number | undefined
  /** How many of the last events are remembered. */
  readonly recent: number
}

export const noWatch: WatchOrder = { taps: [], traceSample: undefined, recent: 0 }

/** Since the report before. */
export interface TapCounts {
  /** Events that came by. */
  readonly seen: number
  readonly shown: number
  /** Would have been shown, but were too many. */
  readonly dropped: number
  /** One of so many is shown. */
  readonly stride: number
}

export type WatchReport =
  /** Each event as JSON text: `n`, `time`, `before`, `after`. */
  | {
      readonly kind: 'tapped'
      readonly tap: number
      readonly events: readonly string[]
      readonly counts: TapCounts
    }
  | { readonly kind: 'traced'; readonly keys: readonly string[]; readonly text: string }
  | { readonly kind: 'recent'; readonly request: number; readonly events: readonly string[] }
