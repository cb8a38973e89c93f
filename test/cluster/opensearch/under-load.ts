/**
 * Events through an http input with a persisted queue and the `millrace` output into a cluster, while one of its nodes is
 * stopped for a while or killed: afterwards each acknowledged event is there once.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, Millrace } from '../../support/millrace.ts'
import type { ClusterUnderTest } from './nodes.ts'
import { ask } from './scenario.ts'

const perRequest = 50
const stoppedMillis = 30_000
const settleMillis = 240_000

export async function underLoad(
  cluster: ClusterUnderTest,
  node: ChildProcess,
  signal: 'SIGSTOP' | 'SIGKILL',
): Promise<{ sent: number; lost: number; doubled: number }> {
  const index = `load-${signal.toLowerCase()}`
  const host = cluster.hosts[0]!
  await ask(host, { do: `PUT /${index}`, body: { settings: { number_of_shards: 3, number_of_replicas: 1 } } })
  const port = await freePort()
  const millrace = await Millrace.start({
    config: `
      input { http { host => "127.0.0.1" port => ${port} codec => json } }
      output { millrace { index => "${index}" } }`,
    settings: `search.backend: opensearch\nsearch.cluster.hosts: ${JSON.stringify(cluster.hosts)}\nqueue.type: persisted\n`,
    search: true,
  })
  try {
    await millrace.untilStarted(60_000)
    const acknowledged = new Set<number>()
    let next = 0
    let isOver = false
    const send = async () => {
      while (!isOver) {
        const numbers = Array.from({ length: perRequest }, () => next++)
        const answer = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(numbers.map((number) => ({ number }))),
          signal: AbortSignal.timeout(60_000),
        }).catch(() => undefined)
        if (answer?.status === 200) for (const number of numbers) acknowledged.add(number)
        await wait(100)
      }
    }
    const senders = [send(), send()]
    await wait(3_000)
    node.kill(signal)
    await wait(signal === 'SIGSTOP' ? stoppedMillis : 10_000)
    if (signal === 'SIGSTOP') node.kill('SIGCONT')
    await wait(5_000)
    isOver = true
    await Promise.all(senders)
    const outcome = await settled(host, index, acknowledged)
    if (outcome.lost > 0) console.log(millrace.stdout.split('\n').slice(-40).join('\n'))
    return { sent: acknowledged.size, ...outcome }
  } finally {
    await millrace.dispose()
  }
}

/** Waits until everything is there, or nothing more comes. */
async function settled(host: string, index: string, acknowledged: ReadonlySet<number>) {
  const limit = Date.now() + settleMillis
  let counts = new Map<number, number>()
  for (;;) {
    counts = await numbersIn(host, index)
    const lost = [...acknowledged].filter((number) => !counts.has(number)).length
    const doubled = [...counts.values()].filter((count) => count > 1).length
    if (lost === 0 || Date.now() > limit) return { lost, doubled }
    await wait(2_000)
  }
}

async function numbersIn(host: string, index: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  await ask(host, { do: `POST /${index}/_refresh` })
  let after: string | undefined
  for (;;) {
    const source = { size: 10_000, sources: [{ number: { terms: { field: 'number' } } }] }
    const composite = after === undefined ? source : { ...source, after: { number: after } }
    const { text } = await ask(host, {
      do: `POST /${index}/_search`,
      body: { size: 0, aggs: { numbers: { composite } } },
    })
    const { aggregations } = JSON.parse(text) as {
      aggregations?: { numbers: { after_key?: { number: string }; buckets: Bucket[] } }
    }
    for (const { key, doc_count } of aggregations?.numbers.buckets ?? []) counts.set(key.number, doc_count)
    after = aggregations?.numbers.after_key?.number
    if (after === undefined) return counts
  }
}

interface Bucket {
  readonly key: { readonly number: number }
  readonly doc_count: number
}
