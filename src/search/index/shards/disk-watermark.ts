/**
 * The flood-stage watermark of Elasticsearch: when the disk is nearly full, indices take no more documents until
 * there is room again; reads and index deletions still work. Settings are `cluster.routing.allocation.disk.*`, and
 * the block is lifted automatically. The required headroom (`flood_stage.max_headroom`) is lower than in
 * Elasticsearch: one node needs room for its own logs and merges, not for shards that move to it.
 */
import type { Files } from '../../../storage/files.ts'
import { parseBytes } from '../../request/units/units.ts'

const prefix = 'cluster.routing.allocation.disk'
const enabledSetting = `${prefix}.threshold_enabled`
const floodSetting = `${prefix}.watermark.flood_stage`
const headroomSetting = `${prefix}.watermark.flood_stage.max_headroom`
const defaultFlood = '95%'
const defaultHeadroom = 128 * 1024 * 1024
const checkMillis = 1_000

export class DiskWatermark {
  readonly #files: Files
  readonly #directory: string
  readonly #setting: (name: string) => string | undefined
  #isFlooded = false
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(files: Files, directory: string, setting: (name: string) => string | undefined) {
    this.#files = files
    this.#directory = directory
    this.#setting = setting
  }

  /** Measured at most once a second. */
  get isFlooded(): boolean {
    const now = performance.now()
    if (now - this.#checkedAt >= checkMillis) {
      this.#checkedAt = now
      this.#isFlooded = this.#check()
    }
    return this.#isFlooded
  }

  #check(): boolean {
    if (this.#setting(enabledSetting) === 'false') return false
    try {
      const { total, available } = this.#files.space(this.#directory)
      return total > 0 && available < this.#needed(total)
    } catch {
      // A file system that does not report its size is tested by writing to it.
      return false
    }
  }

  /** Returns the bytes that have to be free: from a percentage of the disk, or from a byte value. */
  #needed(total: number): number {
    const flood = this.#setting(floodSetting) ?? defaultFlood
    const share = flood.endsWith('%') ? Number(flood.slice(0, -1)) / 100 : Number(flood)
    if (Number.isNaN(share)) return parseBytes(flood, floodSetting)
    const headroom = this.#setting(headroomSetting)
    const max = headroom === undefined ? defaultHeadroom : parseBytes(headroom, headroomSetting)
    return Math.min(total * (1 - share), max < 0 ? Number.POSITIVE_INFINITY : max)
  }
}
