/** A stand-in for the package `@platformatic/kafka`, for tests only: a consumer of given records, a producer that keeps its own. */
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'

interface GivenRecord {
  readonly topic: string
  readonly value?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const playedKafka = {
  records: [] as GivenRecord[],
  sent: [] as Record<string, unknown>[],
  /** Names of errors with which the next requests fail. */
  failures: [] as string[],
}

const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text))

class Consumer extends EventEmitter {
  memberId: string | null = null
  generationId = 0
  assignments = [{ topic: 't', partitions: [0] }]
  readonly #settings: Record<string, unknown>

  constructor(settings: Record<string, unknown>) {
    super()
    this.#settings = settings
  }

  async consume(options: Record<string, unknown>): Promise<Readable> {
    const { groupId, clientId } = this.#settings
    playedKafka.sent.push({ groupId, clientId, topics: options['topics'], from: options['fallbackMode'] })
    this.memberId = 'm'
    this.generationId = 1
    this.emit('consumer:group:join')
    const stream = new Readable({ objectMode: true, read() {} })
    for (const [index, { topic, value, key, headers = {} }] of playedKafka.records.splice(0).entries()) {
      stream.push({
        topic,
        partition: 0,
        offset: BigInt(index),
        timestamp: 1_700_000_000_000n,
        key: bytes(key),
        value: bytes(value),
        headers: new Map(
          Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)]),
        ),
      })
    }
    return stream
  }

  async commit(): Promise<void> {}
  async close(): Promise<void> {}
}

interface SentBatch {
  readonly messages: readonly {
    readonly topic: string
    readonly value: Buffer
    readonly key?: Buffer
    readonly headers?: ReadonlyMap<Buffer, Buffer>
  }[]
  readonly acks: number
  readonly compression?: string
}

class Producer {
  async send({ messages, acks, compression }: SentBatch): Promise<void> {
    const failure = playedKafka.failures.shift()
    if (failure !== undefined) throw new Error(failure)
    for (const { topic, value, key, headers } of messages) {
      playedKafka.sent.push({
        topic,
        value: value.toString('utf8'),
        acks,
        ...(key !== undefined && { key: key.toString('utf8') }),
        ...(headers !== undefined && {
          headers: Object.fromEntries([...headers].map(([name, text]) => [String(name), String(text)])),
        }),
        ...(compression !== undefined && { compression }),
      })
    }
  }

  async metadata({ topics }: { topics: string[] }) {
    return { topics: new Map(topics.map((topic) => [topic, { partitionsCount: 1 }])) }
  }

  clearMetadata(): void {}
  async close(): Promise<void> {}
}

export const kafkaPackage = {
  kGetApi: undefined,
  Consumer,
  Producer,
  compatibilityPartitioner: () => 0,
}
