/**
 * Nodes with a log between them: one writes numbered lines to a topic, several of one consumer group read it, one has the
 * store. Every line is counted at the end.
 */
import { Millrace } from '../../support/millrace.ts'
import { LineStore } from '../support/line-store.ts'
import { Lines } from '../support/lines.ts'
import type { Brokers } from './brokers.ts'

interface NodePlace {
  /** Words before the command, such as those that enter a network namespace. */
  readonly wrapper?: readonly string[]
}

interface BackboneOptions {
  readonly brokers: Brokers
  readonly topic: string
  /** Where the store's node listens, so that the others reach it. */
  readonly storeHost?: string
  /** Instead of the store. */
  readonly output?: string
}

/** Short, so that a test need not wait long for the group to notice that a member is gone. */
const group =
  'session_timeout_ms => 6000 heartbeat_interval_ms => 1000 auto_commit_interval_ms => 500 auto_offset_reset => "earliest"'
const senderSettings = 'queue.type: persisted\nqueue.max_bytes: 256mb\n'
const startMilliseconds = 90_000

export class Backbone {
  readonly nodes: Millrace[] = []
  readonly lines = new Lines()
  sender!: Millrace
  readonly #options: BackboneOptions
  readonly #store: LineStore
  readonly #everyNode: Millrace[] = []

  private constructor(options: BackboneOptions, store: LineStore) {
    this.#options = options
    this.#store = store
    this.#everyNode.push(store.node)
  }

  static async start(options: BackboneOptions, places: readonly NodePlace[]): Promise<Backbone> {
    await options.brokers.createTopic(options.topic)
    const backbone = new Backbone(options, await LineStore.start(options.storeHost))
    for (const place of places) await backbone.startNode(place)
    await backbone.startSender()
    return backbone
  }

  /** A node that reads the topic with the others and writes to the store. */
  async startNode({ wrapper = [] }: NodePlace = {}): Promise<Millrace> {
    const { brokers, topic, output = this.#store.output() } = this.#options
    const node = await Millrace.start({
      config: `input { kafka { bootstrap_servers => "${brokers.addresses}" topics => ["${topic}"] group_id => "${topic}" codec => json ${group} } } ${output}`,
      wrapper,
    })
    this.#everyNode.push(node)
    this.nodes.push(node)
    await node.untilStarted(startMilliseconds)
    return node
  }

  async startSender(folder?: string): Promise<Millrace> {
    const { brokers, topic } = this.#options
    this.sender = await Millrace.start({
      config: `input { stdin { codec => json_lines } } output { kafka { id => "log" bootstrap_servers => "${brokers.addresses}" topic_id => "${topic}" codec => json acks => "all" request_timeout_ms => 10000 } }`,
      settings: senderSettings,
      ...(folder !== undefined && { folder }),
    })
    this.#everyNode.push(this.sender)
    await this.sender.untilStarted(startMilliseconds)
    return this.sender
  }

  send(perSecond: number, seconds: number): Promise<void> {
    return this.lines.send(this.sender, perSecond, seconds)
  }

  untilStored(count: number): Promise<void> {
    return this.#store.untilStored(count, startMilliseconds)
  }

  async outcome(limit = 120_000): Promise<{ missing: number; doubled: number }> {
    const outcome = await this.#store.outcome(this.lines.sent, limit)
    if (outcome.missing > 0 || outcome.doubled > 0) console.log(this.#lastWords())
    return outcome
  }

  #lastWords(): string {
    const troubled = (text: string) =>
      text
        .split('\n')
        .filter((line) => /WARN|ERROR/.test(line))
        .slice(-12)
        .join('\n')
    return this.#everyNode.map(({ stdout }) => troubled(stdout)).join('\n--\n')
  }

  async dispose(): Promise<void> {
    for (const node of this.#everyNode) node.signal('SIGCONT')
    await Promise.all(this.#everyNode.map((node) => node.dispose()))
  }
}
