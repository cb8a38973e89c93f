/** What the dashboard reads of the monitoring API. Only what it uses; everything else stays unnamed. */

/** `current` and windows such as `last_1_minute`; a rate that is not known yet is absent, an endless one a text. */
type Flow = Readonly<Record<string, number | string | undefined>>

export interface PluginStats {
  readonly id: string
  readonly name: string
  readonly events?: {
    readonly in?: number
    readonly out?: number
    readonly duration_in_millis?: number
    readonly queue_push_duration_in_millis?: number
  }
  readonly flow?: Readonly<Record<string, Flow>>
  readonly ext?: {
    readonly latency?: Readonly<Record<string, number>>
    readonly patterns?: readonly {
      readonly hits: number
      readonly misses: number
      readonly duration_in_nanos: number
    }[]
  } & Readonly<Record<string, unknown>>
}

export interface PipelineStats {
  readonly events: {
    readonly in: number
    readonly filtered: number
    readonly out: number
    readonly duration_in_millis: number
  }
  readonly flow?: Readonly<Record<string, Flow>>
  readonly plugins: {
    readonly inputs: readonly PluginStats[]
    readonly filters: readonly PluginStats[]
    readonly outputs: readonly PluginStats[]
    readonly codecs?: readonly PluginStats[]
  }
  readonly reloads: {
    readonly successes: number
    readonly failures: number
    readonly last_error: { readonly message: string; readonly backtrace?: readonly string[] } | null
    readonly last_success_timestamp: string | null
    readonly last_failure_timestamp: string | null
  }
  readonly queue?: {
    readonly type: string
    readonly events_count?: number
    readonly queue_size_in_bytes?: number
    readonly max_queue_size_in_bytes?: number
  } & Readonly<Record<string, unknown>>
  readonly dead_letter_queue?: Readonly<Record<string, unknown>>
  readonly pipeline?: { readonly workers: number; readonly batch_size: number; readonly batch_delay: number }
  readonly ext?: {
    readonly dropped?: number
    readonly bytes_in?: number
    readonly workers?: readonly {
      readonly index: number
      readonly state: string
      readonly current_plugin?: string
      readonly busy_in_millis: number
      readonly events: number
    }[]
    readonly threads?: Readonly<Record<string, unknown>>
  }
}

export interface NodeStats {
  readonly name: string
  readonly host: string
  readonly version: string
  readonly distribution_version?: string
  readonly status: string
  readonly events: { readonly in: number; readonly filtered: number; readonly out: number }
  readonly flow: Readonly<Record<string, Flow>>
  readonly pipelines: Readonly<Record<string, PipelineStats | undefined>>
  readonly process: {
    readonly open_file_descriptors: number
    readonly max_file_descriptors: number
    readonly mem: { readonly total_virtual_in_bytes: number }
    readonly cpu: { readonly percent: number; readonly total_in_millis: number }
  }
  readonly jvm: {
    readonly uptime_in_millis: number
    readonly threads: { readonly count: number }
    readonly mem: {
      readonly heap_used_in_bytes: number
      readonly heap_max_in_bytes: number
      readonly heap_committed_in_bytes: number
      readonly non_heap_committed_in_bytes: number
    }
    readonly gc: {
      readonly collectors: Readonly<
        Record<string, { readonly collection_count: number; readonly collection_time_in_millis: number }>
      >
    }
  }
  readonly reloads: { readonly successes: number; readonly failures: number }
}

export interface GraphVertex {
  readonly id: string
  readonly type: 'plugin' | 'if' | 'queue'
  readonly explicit_id: boolean
  readonly config_name?: string
  readonly plugin_type?: 'input' | 'filter' | 'output'
  readonly condition?: string
  readonly meta: { readonly source: SourcePlace } | null
}

/** Where a part is written. */
export interface SourcePlace {
  readonly protocol: string
  readonly id: string
  readonly line: number
  readonly column: number
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly when?: boolean
}

export interface PipelineInfo {
  readonly hash?: string
  readonly workers: number
  readonly batch_size: number
  readonly batch_delay: number
  readonly dead_letter_queue_enabled: boolean
  readonly graph?: {
    readonly graph: { readonly vertices: readonly GraphVertex[]; readonly edges: readonly GraphEdge[] }
  }
}

/** A number, or undefined for a rate that is unknown or endless. */
export function rateOf(flow: Flow | undefined, window = 'current'): number | undefined {
  const value = flow?.[window]
  return typeof value === 'number' ? value : undefined
}
