/**
 * Outputs and inputs of this program that speak to each other, two nodes: 10,000 events while the receiver is killed and
 * started again. `logstash` answers when events are safe, so none may be lost; `gelf` has no answers, so what was in
 * the buffers of the sockets is gone, and only what was sent afterwards has to arrive. `MILLRACE_COUNT` sets how many.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, IN, jsonLines, Millrace } from '../../support/millrace.ts'

const count = Number(process.env['MILLRACE_COUNT'] ?? 10_000)
const limit = 10 * 60_000

const running: Millrace[] = []
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})

async function start(config: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config })
  running.push(millrace)
  await millrace.untilStarted(120_000)
  return millrace
}

const numbersIn = (path: string): number[] =>
  existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/"n":"?(\d+)/g)].map(([, n]) => Number(n)) : []

const lines = (from: number, to: number) =>
  jsonLines(...Array.from({ length: to - from }, (_, n) => ({ n: n + from, short_message: 'm' })))

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + limit; !holds(); await wait(100))
    if (Date.now() > end) throw new Error(`not in time: ${what}`)
}

function report(name: string, numbers: readonly number[]): number {
  const distinct = new Set(numbers)
  const lost = Array.from({ length: count }, (_, n) => n).filter((n) => !distinct.has(n)).length
  console.log(`${name}: ${count} events, ${lost} lost, ${numbers.length - distinct.size} twice`)
  return lost
}

describe('two nodes', () => {
  it(
    'logstash to logstash: nothing is lost when the receiver is killed in the middle',
    async () => {
      const port = await freePort()
      const path = join(mkdtempSync(join(tmpdir(), 'millrace-pair-')), 'events')
      const receiving = `input { logstash { host => "127.0.0.1" port => ${port} ssl_enabled => false } }
        output { file { path => "${path}" } }`
      const first = await start(receiving)
      const sender = await start(
        `${IN} output { logstash { hosts => ["127.0.0.1:${port}"] ssl_enabled => false } }`,
      )
      sender.write(lines(0, count / 2))
      await until(() => numbersIn(path).length > count / 10, 'a tenth')
      first.signal('SIGKILL')
      await first.exit(60_000)
      sender.write(lines(count / 2, count))
      await wait(1000)
      await start(receiving)
      sender.endInput()
      expect(await sender.exit(limit)).toMatchObject({ code: 0 })
      await until(() => new Set(numbersIn(path)).size >= count, 'everything')
      expect(report('logstash -> logstash', numbersIn(path))).toBe(0)
    },
    limit,
  )

  it(
    'gelf to gelf over TCP: all that is sent to a receiver that is there arrives',
    async () => {
      const port = await freePort()
      const path = join(mkdtempSync(join(tmpdir(), 'millrace-pair-')), 'events')
      const receiving = `input { gelf { host => "127.0.0.1" port => ${port} use_tcp => true use_udp => false } }
        output { file { path => "${path}" } }`
      const first = await start(receiving)
      const sender = await start(
        `${IN} output { gelf { host => "127.0.0.1" port => ${port} protocol => "TCP" sender => "s" } }`,
      )
      const half = Math.floor(count / 2)
      sender.write(lines(0, half))
      await until(() => numbersIn(path).length === half, 'the first half')
      first.signal('SIGKILL')
      await first.exit(60_000)
      await start(receiving)
      sender.write(lines(half, count))
      sender.endInput()
      expect(await sender.exit(limit)).toMatchObject({ code: 0 })
      await wait(3000)
      // A sender learns that a connection is gone by what it writes into it.
      expect(report('gelf -> gelf', numbersIn(path))).toBeLessThan(half)
      expect(numbersIn(path).at(-1)).toBe(count - 1)
    },
    limit,
  )
})
