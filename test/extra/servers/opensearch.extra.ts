/**
 * The opensearch output and a real OpenSearch, while the node is killed again and again: what its queue acknowledged is
 * in the cluster once. The cluster is made of jars, see `test/extra/oracle`.
 */

import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, Millrace } from '../../support/millrace.ts'
import { ask, type Oracle, startOracle } from '../oracle/nodes.ts'

const kills = 25
const perRequest = 20

let cluster: Oracle
const running: Millrace[] = []
beforeAll(async () => {
  cluster = await startOracle(resolve('.tmp/oracle'))
}, 300_000)
afterAll(async () => {
  for (const millrace of running) await millrace.dispose()
  await cluster?.stop()
})

async function total(): Promise<number> {
  await ask(cluster.url, { method: 'POST', path: '/once/_refresh' })
  const { text } = await ask(cluster.url, { method: 'GET', path: '/once/_count' })
  return Number((JSON.parse(text) as { count?: number }).count ?? 0)
}

it(`has every acknowledged event once after ${kills} kills`, async () => {
  const port = await freePort()
  const options = {
    config: `
      input { http { host => "127.0.0.1" port => ${port} codec => json } }
      filter { clone { clones => ["copy"] } }
      output { opensearch { id => "cluster" hosts => ["${cluster.url}"] index => "once" manage_template => false } }`,
    settings: 'queue.type: persisted\nqueue.max_bytes: 256mb\n',
  }
  let millrace = await Millrace.start(options)
  running.push(millrace)
  const { folder } = millrace
  const acknowledged = new Set<number>()
  let next = 0
  for (let kill = 0; kill <= kills; kill++) {
    await millrace.untilStarted(60_000)
    let isOver = false
    const send = async () => {
      while (!isOver) {
        const numbers = Array.from({ length: perRequest }, () => next++)
        // What got no answer is not sent again: it is there once or not at all.
        const answer = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(numbers.map((n) => ({ n }))),
        }).catch(() => undefined)
        if (answer?.status === 200) for (const n of numbers) acknowledged.add(n)
        else await wait(20)
      }
    }
    const senders = [send(), send()]
    await wait(300 + Math.random() * 700)
    if (kill < kills) {
      millrace.signal('SIGKILL')
      await millrace.exit()
    }
    isOver = true
    await Promise.all(senders)
    if (kill === kills) break
    millrace = await Millrace.start({ ...options, folder })
    running.push(millrace)
  }
  const counts = new Map<number, number>()
  for (let left = 120; left > 0; left--) {
    if ((await total()) >= 2 * acknowledged.size) break
    await wait(500)
  }
  await wait(1000)
  for (let from = 0; from <= next; from += 2000) {
    const body = { size: 10_000, _source: ['n'], query: { range: { n: { gte: from, lt: from + 2000 } } } }
    const { text } = await ask(cluster.url, { method: 'POST', path: '/once/_search', body })
    const { hits } = (JSON.parse(text) as { hits: { hits: { _source: { n: number } }[] } }).hits
    for (const { _source } of hits) counts.set(_source.n, (counts.get(_source.n) ?? 0) + 1)
  }
  const lost = [...acknowledged].filter((n) => counts.get(n) !== 2)
  const doubled = [...counts].filter(([, count]) => count > 2)
  console.log(`${kills} kills, ${acknowledged.size} events acknowledged, ${counts.size} found`)
  expect(lost.slice(0, 5)).toEqual([])
  expect(doubled.slice(0, 5)).toEqual([])
}, 600_000)
