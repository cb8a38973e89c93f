/**
 * Nodes with a log between them: one writes numbered lines to a topic, several of one consumer group read it, one has the
 * store. Every line is counted at the end: how many are missing, how many are there twice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, Millrace } from '../../support/millrace.ts'
import type { Brokers } from './brokers.ts'

export interface NodePlace {
  /** Words before the command, such as those that enter a network namespace. */
  readonly wrapper?: readonly string[]
}

interface BackboneOptions {
  readonly brokers: Brokers
  readonly topic: string
  /** Where the store's node listens, so that the others reach it. */
  readonly storeHost?: string
}

/** Short, so that a test need not wait long for the group to notice that a member is gone. */
const group =
  'session_timeout_ms => 6000 heartbeat_interval_ms => 1000 auto_commit_interval_ms => 500 auto_offset_reset => "earliest"'
const senderSettings = 'queue.type: persisted\nqueue.max_bytes: 256mb\n'

export class Backbone {
  readonly nodes: Millrace[] = []
  sender!: Millrace
  sent = 0
  readonly #options: BackboneOptions
  #store!: Millrace
  #storePort = 0
  #everyNode: Millrace[] = []

  private constructor(options: BackboneOptions) {
    this.#options = options
  }

  static async start(options: BackboneOptions, places: readonly NodePlace[]): Promise<Backbone> {
    const backbone = new Backbone(options)
    await options.brokers.createTopic(options.topic)
    await backbone.#startStore()
    for (const place of places) await backbone.startNode(place)
    await backbone.startSender()
    return backbone
  }

  async #startStore(): Promise<void> {
    const { storeHost = '127.0.0.1' } = this.#options
    this.#storePort = await freePort()
    this.#store = await this.#start({
      config: `input { heartbeat { interval => 3600 } } output { null {} }`,
      args: ['--search.http.host', storeHost, '--search.http.port', String(this.#storePort)],
      env: { MILLRACE_INSECURE_BIND: 'true' },
      search: true,
    })
    await this.#store.untilSearchable()
    const mappings = { properties: { n: { type: 'integer' } } }
    await this.#ask('PUT', '/lines', { settings: { refresh_interval: '1s' }, mappings })
  }

  async #start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
    const node = await Millrace.start(options)
    this.#everyNode.push(node)
    return node
  }

  /** A node that reads the topic with the others and writes to the store. */
  async startNode({ wrapper = [] }: NodePlace = {}): Promise<Millrace> {
    const { brokers, topic, storeHost = '127.0.0.1' } = this.#options
    const node = await this.#start({
      config: `input { kafka { bootstrap_servers => "${brokers.addresses}" topics => ["${topic}"] group_id => "${topic}" codec => json ${group} } }
        filter { mutate { convert => { "n" => "integer" } remove_field => ["@version", "host", "event"] } }
        output { elasticsearch { id => "store" hosts => ["http://${storeHost}:${this.#storePort}"] index => "lines" manage_template => false data_stream => false } }`,
      wrapper,
    })
    await node.untilStarted(60_000)
    this.nodes.push(node)
    return node
  }

  async startSender(folder?: string, { wrapper = [] }: NodePlace = {}): Promise<Millrace> {
    const { brokers, topic } = this.#options
    this.sender = await this.#start({
      config: `input { stdin { codec => json_lines } } output { kafka { id => "log" bootstrap_servers => "${brokers.addresses}" topic_id => "${topic}" codec => json acks => "all" request_timeout_ms => 10000 } }`,
      settings: senderSettings,
      wrapper,
      ...(folder !== undefined && { folder }),
    })
    await this.sender.untilStarted(60_000)
    return this.sender
  }

  /** Writes lines at a rate for a while. */
  async send(perSecond: number, seconds: number): Promise<void> {
    const step = 50
    for (let passed = 0; passed < seconds * 1000; passed += step) {
      this.write(Math.round((perSecond * step) / 1000))
      await wait(step)
    }
  }

  write(count: number): void {
    let text = ''
    for (let i = 0; i < count; i++) text += `{"n":${this.sent++}}\n`
    this.sender.write(text)
  }

  /** How many documents there are, as far as they are visible. */
  async count(): Promise<number> {
    return Number((await this.#ask('GET', '/lines/_count'))['count'] ?? 0)
  }

  async untilStored(count: number, limit: number): Promise<void> {
    for (const end = Date.now() + limit; (await this.count()) < count; await wait(200)) {
      if (Date.now() > end)
        throw new Error(`${await this.count()} of ${count} in ${limit} ms\n${this.#lastWords()}`)
    }
  }

  /** Waits until everything is there, and some more for what should not come. */
  async outcome(limit = 90_000): Promise<{ missing: number; doubled: number }> {
    await this.untilStored(this.sent, limit).catch((error: Error) =>
      console.log(error.message.slice(0, 6000)),
    )
    await wait(3000)
    await this.#ask('POST', '/lines/_refresh')
    const seen = new Uint8Array(this.sent)
    let doubled = 0
    for (let after: unknown[] | undefined; ; ) {
      const { hits } = (await this.#ask('POST', '/lines/_search', {
        size: 10_000,
        sort: ['n', '_doc'],
        _source: false,
        ...(after !== undefined && { search_after: after }),
      })) as { hits: { hits: { sort: unknown[] }[] } }
      for (const { sort } of hits.hits) {
        const n = Number(sort[0])
        if (seen[n] === 1) doubled += 1
        seen[n] = 1
      }
      if (hits.hits.length < 10_000) break
      after = hits.hits.at(-1)!.sort
    }
    return { missing: seen.length - seen.reduce((sum, one) => sum + one, 0), doubled }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { storeHost = '127.0.0.1' } = this.#options
    const response = await fetch(`http://${storeHost}:${this.#storePort}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    return (await response.json()) as Record<string, unknown>
  }

  #lastWords(): string {
    return this.#everyNode
      .map((node) =>
        node.stdout
          .split('\n')
          .filter((line) => /WARN|ERROR/.test(line))
          .slice(-12)
          .join('\n'),
      )
      .join('\n--\n')
  }

  async dispose(): Promise<void> {
    for (const node of this.#everyNode) node.signal('SIGCONT')
    await Promise.all(this.#everyNode.map((node) => node.dispose()))
  }
}
