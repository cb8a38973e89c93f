/**
 * The package `@platformatic/kafka` as far as the output uses it. The partition of a message is chosen once, here, so
 * that it is known which ones have arrived when some brokers fail; only the others are sent again. A producer that waits
 * for a broker that hangs is replaced, because the package keeps asking the same broker.
 */
const peer = '@platformatic/kafka'
/** Turns are counted up to here; a multiple of the partitions that topics usually have. */
const maxPartitions = 2 * 2 * 2 * 2 * 3 * 3 * 5 * 7 * 11

export interface KafkaRecord {
  readonly topic: string
  readonly key?: Buffer
  readonly value: Buffer
  readonly headers?: Map<Buffer, Buffer>
  partition?: number
}

interface Producer {
  send(batch: { messages: KafkaRecord[]; acks: number; compression?: string }): Promise<unknown>
  metadata(options: { topics: string[]; autocreateTopics: boolean }): Promise<{
    readonly topics: ReadonlyMap<string, { readonly partitionsCount: number } | undefined>
  }>
  clearMetadata(): void
  close(): Promise<void>
}

interface KafkaPackage {
  readonly Producer: new (settings: Record<string, unknown>) => Producer
  /** The partition that Kafka's own producer gives to a key. */
  compatibilityPartitioner(message: unknown, key: Buffer): number
}

/** What a failed request tells of the partitions that took their messages. */
interface PartialFailure extends Error {
  readonly code?: string
  readonly produced?: { readonly offsets?: readonly { readonly topic: string; readonly partition: number }[] }
}

/** How partitions are chosen: by the key, in turn, or one for all records of a request. */
export type Partitioner = 'default' | 'round_robin' | 'uniform_sticky'

interface SendSettings {
  readonly acks: number
  readonly compression: string
}

export class KafkaSender {
  readonly #kafka: KafkaPackage
  #settings: Record<string, unknown>
  readonly #turns = new Map<string, number>()
  #producer: Producer
  readonly #partitioner: Partitioner

  private constructor(kafka: KafkaPackage, settings: Record<string, unknown>, partitioner: Partitioner) {
    this.#kafka = kafka
    this.#settings = settings
    this.#partitioner = partitioner
    this.#producer = new kafka.Producer(settings)
  }

  static async open(
    settings: Record<string, unknown>,
    partitioner: Partitioner = 'default',
  ): Promise<KafkaSender> {
    // What fails is repeated by the output, which asks anew who leads a partition.
    return new KafkaSender(await loadPackage(), { ...settings, retries: 0 }, partitioner)
  }

  /** Rejects with what was not sent: `NotSent`. */
  async send<T extends KafkaRecord>(
    records: readonly T[],
    { acks, compression }: SendSettings,
  ): Promise<void> {
    const producer = this.#producer
    try {
      await this.#choosePartitions(producer, records)
      const messages = records.map(({ topic, key, value, headers, partition }) => ({
        topic,
        value,
        partition: partition!,
        ...(key !== undefined && { key }),
        ...(headers !== undefined && { headers }),
      }))
      await producer.send({ messages, acks, ...(compression !== 'none' && { compression }) })
    } catch (error) {
      producer.clearMetadata()
      const { message, name, code } = innermost(error) as PartialFailure
      if (code === 'PLT_KFK_TIMEOUT') this.#replace(producer)
      const arrived = new Set(
        (error as PartialFailure).produced?.offsets?.map(({ topic, partition }) => `${topic}/${partition}`),
      )
      const left = records.filter(({ topic, partition }) => !arrived.has(`${topic}/${partition}`))
      throw new NotSent(left, message, name, isRefusal(innermost(error)))
    }
  }

  /** What has no key goes to one partition together, and what comes next to the next one, as Kafka's producer does it. */
  async #choosePartitions(producer: Producer, records: readonly KafkaRecord[]): Promise<void> {
    const names = [...new Set(records.map(({ topic }) => topic))]
    const { topics } = await producer.metadata({ topics: names, autocreateTopics: true })
    const turns = new Map<string, number>()
    const turnOf = (topic: string): number => {
      if (this.#partitioner === 'round_robin') return this.#nextTurn(topic)
      const turn = turns.get(topic) ?? this.#nextTurn(topic)
      turns.set(topic, turn)
      return turn
    }
    for (const record of records) {
      if (record.partition !== undefined) continue
      const { topic } = record
      const key = this.#partitioner === 'default' ? record.key : undefined
      const count = topics.get(topic)?.partitionsCount ?? 1
      record.partition =
        (key === undefined ? turnOf(topic) : this.#kafka.compatibilityPartitioner(record, key)) % count
    }
  }

  #nextTurn(topic: string): number {
    const turn = this.#turns.get(topic) ?? Math.floor(Math.random() * maxPartitions)
    this.#turns.set(topic, (turn + 1) % maxPartitions)
    return turn
  }

  /** Others may still wait for the former one; they hear that it is closed, and send again. */
  #replace(former: Producer): void {
    if (this.#producer !== former) return
    const servers = this.#settings['bootstrapBrokers'] as string[]
    // The package asks the first one that takes a connection, which a broker that hangs does.
    const turned = [...servers.slice(1), ...servers.slice(0, 1)]
    this.#settings = { ...this.#settings, bootstrapBrokers: turned }
    this.#producer = new this.#kafka.Producer(this.#settings)
    former.close().catch(() => undefined)
  }

  close(): Promise<void> {
    return this.#producer.close()
  }
}

export class NotSent<T extends KafkaRecord = KafkaRecord> extends Error {
  readonly records: readonly T[]
  readonly exception: string
  /** A broker says that it is the messages that are wrong. */
  readonly isRefusal: boolean

  constructor(records: readonly T[], message: string, exception: string, isRefusal: boolean) {
    super(message)
    this.records = records
    this.exception = exception
    this.isRefusal = isRefusal
  }
}

function isRefusal(error: Error): boolean {
  const { apiId } = error as Error & { apiId?: unknown }
  return typeof apiId === 'string' && refusals.has(apiId)
}

/** Names of the protocol for messages that no later try gets through. */
const refusals = new Set([
  'INVALID_RECORD',
  'INVALID_TOPIC_EXCEPTION',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
])

/** The package wraps what happened once per broker and once per try. */
function innermost(error: unknown): Error {
  let found = error as Error
  for (let depth = 0; depth < 10; depth++) {
    const next = (found as AggregateError).errors?.find((inner) => inner instanceof Error) ?? found.cause
    if (!(next instanceof Error)) break
    found = next
  }
  return found
}

async function loadPackage(): Promise<KafkaPackage> {
  try {
    return (await import(peer)) as KafkaPackage
  } catch (error) {
    throw new Error(
      `The kafka output needs the package ${peer}: npm install ${peer}, with Node.js 20 ${peer}@1. ` +
        `It could not be loaded: ${(error as Error).message}`,
      { cause: error },
    )
  }
}
