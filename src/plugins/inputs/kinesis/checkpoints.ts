/**
 * How far each shard of a stream has been read and is safe, in a file that is replaced as a whole: shards with the number of
 * their last safe record, or the word that they are over.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../storage/replace-file.ts'
import { Deliveries } from '../file/deliveries.ts'

/** As the Kinesis Client Library writes it for a shard that was read to its end. */
export const shardEnd = 'SHARD_END'

export function checkpointPath(data: string, application: string, stream: string): string {
  const digest = createHash('md5').update(`${application}+${stream}`).digest('hex')
  return join(data, 'plugins', 'inputs', 'kinesis', `checkpoints_${digest}`)
}

export class Checkpoints {
  readonly #path: string
  readonly #safe: Map<string, string>
  readonly #deliveries = new Map<string, Deliveries<string>>()
  #isDirty = false
  #writing: Promise<void> = Promise.resolve()
  /** How often one has moved. */
  changes = 0

  static async open(path: string): Promise<Checkpoints> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}'
      throw error
    })
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Checkpoints(path, new Map(entries.map(([shard, sequence]) => [shard, String(sequence)])))
  }

  private constructor(path: string, safe: Map<string, string>) {
    this.#path = path
    this.#safe = safe
  }

  get(shard: string): string | undefined {
    return this.#safe.get(shard)
  }

  /** A record, or the end of the shard, was handed over; call the result when it is safe. */
  track(shard: string, sequence: string): () => void {
    let deliveries = this.#deliveries.get(shard)
    if (deliveries === undefined) {
      deliveries = new Deliveries((last) => {
        this.#safe.set(shard, last)
        this.#isDirty = true
        this.changes += 1
      })
      this.#deliveries.set(shard, deliveries)
    }
    return deliveries.track(sequence)
  }

  /** Shards that the stream does not have any more need no checkpoint. */
  keep(shards: ReadonlySet<string>): void {
    for (const shard of this.#safe.keys()) {
      if (shards.has(shard)) continue
      this.#safe.delete(shard)
      this.#isDirty = true
    }
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#deliveries.values()].map((deliveries) => deliveries.settled()))
  }

  /** Writes what has changed, one after the other. */
  save(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    if (!this.#isDirty) return
    this.#isDirty = false
    try {
      const text = `${JSON.stringify(Object.fromEntries(this.#safe), undefined, 1)}\n`
      await replaceFile(this.#path, text, { mode: 0o600 })
    } catch (error) {
      this.#isDirty = true
      throw error
    }
  }
}
