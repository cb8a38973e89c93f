/**
 * Three Kafka brokers that are their own controllers (KRaft), three replicas of everything of which two have to be in
 * sync: what a producer with `acks => "all"` was told survives any one of them. `MILLRACE_KAFKA_JARS` names the folder of
 * the jars.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { commandPath, ServerProcess, serverFolder } from '../../extra/support/server-process.ts'
import { freePort } from '../../support/millrace.ts'

const classPath = `${process.env['MILLRACE_KAFKA_JARS'] ?? '.tmp/kafka'}/*`
const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=error'
/** Three at once on a busy machine. */
const startMilliseconds = 240_000
const clusterId = 'MkU3OEVBNTcwNTJENDM2Qg'

export interface BrokerPlace {
  readonly host: string
  /** Words before the command, such as those that enter a network namespace. */
  readonly wrapper?: readonly string[]
}

interface Broker extends BrokerPlace {
  readonly folder: string
  readonly port: number
  process: ServerProcess | undefined
}

export class Brokers {
  readonly #brokers: Broker[]

  private constructor(brokers: Broker[]) {
    this.#brokers = brokers
  }

  static async start(places: readonly BrokerPlace[] = [1, 2, 3].map(() => ({ host: '127.0.0.1' }))) {
    const brokers: Broker[] = []
    const voters: string[] = []
    const controllers: number[] = []
    for (const place of places) {
      const controller = await freePort()
      controllers.push(controller)
      voters.push(`${voters.length + 1}@${place.host}:${controller}`)
      brokers.push({
        ...place,
        folder: serverFolder('kafka'),
        port: await freePort(),
        process: undefined,
      })
    }
    for (const [index, { host, port, folder }] of brokers.entries()) {
      writeFileSync(
        join(folder, 'server.properties'),
        `process.roles=broker,controller
node.id=${index + 1}
controller.quorum.voters=${voters.join(',')}
listeners=PLAINTEXT://${host}:${port},CONTROLLER://${host}:${controllers[index]}
advertised.listeners=PLAINTEXT://${host}:${port}
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
num.partitions=12
default.replication.factor=3
min.insync.replicas=2
offsets.topic.num.partitions=3
offsets.topic.replication.factor=3
transaction.state.log.replication.factor=3
transaction.state.log.min.isr=2
group.initial.rebalance.delay.ms=0
`,
      )
      await java('kafka.tools.StorageTool', [
        ...['format', '-t', clusterId, '-c', join(folder, 'server.properties')],
      ])
    }
    const started = new Brokers(brokers)
    try {
      await Promise.all(brokers.map((_, index) => started.startBroker(index)))
      return started
    } catch (error) {
      await started.dispose()
      throw error
    }
  }

  get addresses(): string {
    return this.#brokers.map(({ host, port }) => `${host}:${port}`).join(',')
  }

  async startBroker(index: number): Promise<void> {
    const broker = this.#brokers[index]!
    const { folder, host, port, wrapper = [] } = broker
    const words = [commandPath('java'), '-Xmx384m', '-cp', classPath, quiet, 'kafka.Kafka']
    const [command, ...args] = [...wrapper, ...words, join(folder, 'server.properties')]
    broker.process = await ServerProcess.start({ command: command!, args, folder, cwd: process.cwd() })
    await broker.process.untilOpen(port, host, startMilliseconds)
  }

  async kill(index: number): Promise<void> {
    await this.#brokers[index]!.process!.end('SIGKILL')
  }

  signal(index: number, name: NodeJS.Signals): void {
    this.#brokers[index]!.process!.signal(name)
  }

  async createTopic(name: string, partitions = 12): Promise<void> {
    const options = ['--create', '--topic', name, '--partitions', String(partitions)]
    await this.#tool('org.apache.kafka.tools.TopicCommand', options)
  }

  /** Returns the index of the broker that coordinates the group. */
  async coordinator(group: string): Promise<number> {
    const table = await this.#tool('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', [
      ...['--describe', '--group', group, '--state'],
    ])
    const id = /\((\d+)\)/.exec(table)?.[1]
    if (id === undefined) throw new Error(`no coordinator of ${group}: ${table}`)
    return Number(id) - 1
  }

  /** Records between the committed offsets of the group and the ends of its partitions. */
  async lag(group: string): Promise<number> {
    const table = await this.#tool('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', [
      ...['--describe', '--group', group, '--offsets'],
    ])
    const rows = table
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([name]) => name === group)
    return rows.length === 0 ? Number.NaN : rows.reduce((sum, columns) => sum + (Number(columns[5]) || 0), 0)
  }

  #tool(name: string, args: readonly string[]): Promise<string> {
    return java(name, ['--bootstrap-server', this.addresses, ...args])
  }

  async dispose(): Promise<void> {
    // One that is stopped takes no other signal before it goes on.
    for (const { process } of this.#brokers) process?.signal('SIGCONT')
    await wait(100)
    await Promise.all(
      this.#brokers.map(async ({ process }) => {
        await process?.end('SIGKILL')
        await process?.dispose()
      }),
    )
  }
}

async function java(name: string, args: readonly string[]): Promise<string> {
  const words = ['-Xmx256m', '-cp', classPath, quiet, name, ...args]
  return (await promisify(execFile)('java', words, { timeout: 120_000 })).stdout
}
