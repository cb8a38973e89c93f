/**
 * How far a dead letter queue was consumed: up to the last entry before which every one has left the pipeline. The
 * position goes to the sincedb at most once a second, and at the end; segments that are consumed are removed when that
 * is wanted, after the position that passes them is on the disk.
 */
import type { PluginLogger } from '../../../plugin/define.ts'
import type { ReadPosition } from '../../../queue/dead-letters/reader.ts'
import { SealedSegments } from '../../../queue/dead-letters/retention.ts'
import { removalNotice } from '../../../queue/dead-letters/segment-files.ts'
import { loadPosition, savePosition } from '../../../queue/dead-letters/sincedb.ts'
import type { Files } from '../../../storage/files.ts'
import { Deliveries } from '../file/deliveries.ts'

interface ConsumptionSettings {
  readonly files: Files
  readonly directory: string
  /** Undefined when positions are not kept. */
  readonly sincedbPath: string | undefined
  readonly cleanConsumed: boolean
  readonly logger: PluginLogger
  /** Called with the number of entries of each segment that was removed. */
  removed(entries: number): void
}

const saveMillis = 1000

export class Consumption {
  readonly #settings: ConsumptionSettings
  readonly #deliveries = new Deliveries((batch) => this.#consumed(batch))
  readonly #ends = new Map<number, ReadPosition>()
  #batches = 0
  #reached: ReadPosition | undefined
  #saved: ReadPosition | undefined
  #lastSave = 0
  /** The last segment with entries that were passed over. */
  #passedOver = 0

  constructor(settings: ConsumptionSettings) {
    this.#settings = settings
  }

  /** Up to where every entry is safe. */
  get reached(): ReadPosition | undefined {
    return this.#reached
  }

  /** Where the last run ended; undefined means from the beginning. */
  resume(): ReadPosition | undefined {
    const { files, sincedbPath, logger } = this.#settings
    if (sincedbPath === undefined) return undefined
    try {
      this.#saved = loadPosition(files, sincedbPath)
    } catch (error) {
      logger.error(
        'The position in the dead letter queue cannot be read; reading begins with the first entry',
        {
          message: (error as Error).message,
        },
      )
    }
    return this.#saved
  }

  /** Entries of the segment are not handed over; it is not consumed, and none before it is. */
  passOver(segment: number): void {
    this.#passedOver = Math.max(this.#passedOver, segment)
  }

  /** Entries up to there were handed over; call the result when they are out. */
  track(end: ReadPosition): () => void {
    const batch = this.#batches++
    this.#ends.set(batch, end)
    return this.#deliveries.track(batch)
  }

  #consumed(batch: number): void {
    this.#reached = this.#ends.get(batch)
    for (const known of [...this.#ends.keys()]) if (known <= batch) this.#ends.delete(known)
    if (Date.now() - this.#lastSave >= saveMillis) this.save()
  }

  /** The reader came there without finding anything: nothing before is missing once all is out. */
  idle(position: ReadPosition): void {
    if (this.#ends.size > 0) return
    this.#reached = position
    if (Date.now() - this.#lastSave >= saveMillis) this.save()
  }

  settled(): Promise<void> {
    return this.#deliveries.settled()
  }

  save(): void {
    const { files, directory, sincedbPath, cleanConsumed, logger } = this.#settings
    const reached = this.#reached
    if (sincedbPath === undefined || reached === undefined) return
    this.#lastSave = Date.now()
    try {
      if (reached.segment !== this.#saved?.segment || reached.offset !== this.#saved.offset) {
        savePosition(files, sincedbPath, directory, reached)
        this.#saved = reached
      }
      if (cleanConsumed) this.#clean(reached)
    } catch (error) {
      logger.error(`failed to write DLQ offset state to ${sincedbPath}`, {
        message: (error as Error).message,
      })
    }
  }

  /** The segment of the position stays, so that the queue goes on counting from it. */
  #clean(reached: ReadPosition): void {
    const { files, directory, removed } = this.#settings
    const sealed = new SealedSegments(files, directory)
    for (const segment of sealed.list()) {
      if (segment.id >= reached.segment) break
      if (segment.id <= this.#passedOver) continue
      const summary = sealed.removeRead(segment)
      if (summary === undefined) continue
      removed(summary.entries)
      files.write(`${directory}/${removalNotice}`, [Buffer.from(`${segment.path}\n`)])
    }
  }
}
