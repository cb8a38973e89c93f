/**
 * Nodes that send to several others, by the logstash and lumberjack outputs, while receivers are killed, stopped and started
 * again under load: nothing is lost, and nothing is stored twice where documents have ids to go by.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { certificateFiles } from '../../../src/plugins/tls/test-certificate.ts'
import { freePort, Millrace } from '../../support/millrace.ts'
import { LineStore } from '../support/line-store.ts'
import { Lines } from '../support/lines.ts'

const persisted = 'queue.type: persisted\nqueue.max_bytes: 256mb\n'
const perSecond = 1500
const pauseMilliseconds = Number(process.env['MILLRACE_PAUSE'] ?? 30_000)
const startMilliseconds = 90_000
const everyNode: Millrace[] = []
afterEach(async () => {
  for (const node of everyNode) node.signal('SIGCONT')
  await Promise.all(everyNode.splice(0).map((node) => node.dispose()))
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const node = await Millrace.start(options)
  everyNode.push(node)
  await node.untilStarted(startMilliseconds)
  return node
}

async function startStore(): Promise<LineStore> {
  const store = await LineStore.start()
  everyNode.push(store.node)
  return store
}

interface Receivers {
  readonly store: LineStore
  readonly nodes: Millrace[]
  readonly options: Parameters<typeof Millrace.start>[0][]
}

/** Two receivers with a queue in memory and one with a persisted one. */
async function startReceivers(input: (index: number) => string, more = ''): Promise<Receivers> {
  const store = await startStore()
  const options = [0, 1, 2].map((index) => ({
    config: `${input(index)} ${store.output(more)}`,
    ...(index === 2 && { settings: persisted }),
  }))
  const nodes: Millrace[] = []
  for (const one of options) nodes.push(await start(one))
  return { store, nodes, options }
}

/** Kills one for good, another for a while, and stops the third. */
async function trouble({ nodes, options }: Receivers): Promise<void> {
  await wait(4000)
  nodes[0]!.signal('SIGKILL')
  await wait(4000)
  nodes[2]!.signal('SIGKILL')
  await nodes[2]!.exit()
  await wait(2000)
  nodes[2] = await start({ ...options[2]!, folder: nodes[2]!.folder })
  await wait(2000)
  nodes[1]!.signal('SIGSTOP')
  await wait(pauseMilliseconds)
  nodes[1]!.signal('SIGCONT')
}

describe('receivers that fail', () => {
  it('lose and double nothing of what the logstash output sends', async () => {
    const ports = [await freePort(), await freePort(), await freePort()]
    const receivers = await startReceivers(
      (index) => `input { logstash { host => "127.0.0.1" port => ${ports[index]} ssl_enabled => false } }`,
    )
    const hosts = ports.map((port) => `"127.0.0.1:${port}"`).join(', ')
    const sender = await start({
      config: `input { stdin { codec => json_lines } } output { logstash { id => "next" hosts => [${hosts}] ssl_enabled => false } }`,
      settings: persisted,
    })
    const lines = new Lines()
    const load = lines.send(sender, perSecond, 20 + pauseMilliseconds / 1000)
    await trouble(receivers)
    await load
    expect(await receivers.store.outcome(lines.sent, 150_000)).toEqual({ missing: 0, doubled: 0 })
  })

  it.each(['beats', 'lumberjack'])(
    'lose nothing of what the lumberjack output sends to the %s input, and double nothing with a document_id',
    async (kind) => {
      const { certificate, key } = await certificateFiles()
      const port = await freePort()
      const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
      const enabled = kind === 'beats' ? 'ssl_enabled => true' : ''
      const receivers = await startReceivers(
        (index) =>
          `input { ${kind} { host => "${addresses[index]}" port => ${port} ${enabled} ssl_certificate => "${certificate}" ssl_key => "${key}" codec => json } }`,
        'document_id => "%{n}" action => "index"',
      )
      const hosts = addresses.map((address) => `"${address}"`).join(', ')
      const sender = await start({
        config: `input { stdin { codec => json_lines } } output { lumberjack { hosts => [${hosts}] port => ${port} ssl_certificate => "${certificate}" codec => json } }`,
        settings: persisted,
      })
      const lines = new Lines()
      const load = lines.send(sender, perSecond, 20 + pauseMilliseconds / 1000)
      await trouble(receivers)
      await load
      expect(await receivers.store.outcome(lines.sent, 150_000)).toEqual({ missing: 0, doubled: 0 })
    },
  )
})
