/**
 * How the program ends: what it has accepted leaves first, and a receiver that is slow or gone holds the
 * senders back instead of filling the memory. Check 40 of the specification is here.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { freePort, IN, type Json, jsonLines, Millrace, OUT } from '../support/millrace.ts'
import { open, push, Receiver } from '../support/tcp.ts'

const isLong = process.env['MILLRACE_LONG'] !== undefined
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(...options: Parameters<typeof Millrace.start>): Promise<Millrace> {
  const millrace = await Millrace.start(...options)
  running.push(millrace)
  return millrace
}

async function listen(port: number, pause = 0): Promise<Receiver> {
  const receiver = await Receiver.listen(port, pause)
  running.push({ dispose: () => receiver.close() })
  return receiver
}

describe('shutdown', () => {
  it('40: SIGTERM lets a thousand queued events leave through a slow filter', async () => {
    const config = `${IN} filter { sleep { time => "0.001" } } ${OUT}`
    const millrace = await start({ config, api: true })
    await millrace.untilStarted()
    // One piece of input is accepted as a whole; the first batch shows that it was.
    millrace.write(jsonLines(...numbers(1000).map((n) => ({ n }))))
    await millrace.apiUntil(
      '/_node/stats/events',
      (body) => Number((body['events'] as Json | undefined)?.['in']) > 0,
    )
    expect(millrace.eventLines().length).toBeLessThan(1000)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
    expect(millrace.events().map(({ n }) => n)).toEqual(numbers(1000))
    expect(millrace.stdout).toContain('SIGTERM received. Shutting down.')
    expect(millrace.stdout).toContain('Logstash shut down.')
  })

  it('40: a second SIGINT ends it at once', async () => {
    const config = `${IN} filter { sleep { time => "60" } } ${OUT}`
    const millrace = await start({ config })
    await millrace.untilStarted()
    millrace.write(jsonLines({ n: 1 }))
    await wait(200)
    millrace.signal('SIGINT')
    await millrace.until('SIGINT received. Shutting down.')
    await wait(200)
    expect(millrace.running).toBe(true)
    millrace.signal('SIGINT')
    expect(await millrace.exit(1000)).toEqual({ code: 1, signal: null })
    expect(millrace.stdout).toContain('SIGINT received. Terminating immediately..')
  })

  it('under load, every event of a generator up to the last comes out, without a hole', async () => {
    const receiver = await listen(await freePort(), 2)
    const config = `
      input { generator { } }
      output { tcp { host => "127.0.0.1" port => ${receiver.port} codec => line { format => "%{sequence} %{message}" } } }`
    const millrace = await start({ config })
    await millrace.until(() => receiver.lines.length > 1000)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
    await receiver.drained()
    expect(receiver.lines.map(Number)).toEqual(numbers(receiver.lines.length))
    // The generator makes events in bursts of this size: the last burst is complete.
    expect(receiver.lines.length % 125).toBe(0)
  })

  it('under load, every request that was answered with 200 comes out', async () => {
    const port = await freePort()
    const config = `
      input { http { host => "127.0.0.1" port => ${port} } }
      filter { sleep { time => "0.002" } }
      ${OUT}`
    const millrace = await start({ config, args: ['-w', '2'] })
    await millrace.untilStarted()
    const accepted: number[] = []
    let next = 0
    let isOver = false
    const send = async () => {
      while (!isOver) {
        const n = next++
        try {
          const response = await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ n }),
            signal: patientSignal(10_000),
          })
          if (response.status === 200) accepted.push(n)
          await response.arrayBuffer()
        } catch {
          // Refused or cut off: nothing was promised.
          isOver ||= !millrace.running
          await wait(10)
        }
      }
    }
    const senders = Promise.all(numbers(8).map(send))
    await millrace.until(() => accepted.length > 200)
    millrace.signal('SIGTERM')
    const exit = await millrace.exit()
    isOver = true
    await senders
    expect(exit).toEqual({ code: 0, signal: null })
    const arrived = new Set(millrace.events().map(({ n }) => n))
    expect(accepted.filter((n) => !arrived.has(n))).toEqual([])
    expect(arrived.size).toBe(millrace.events().length)
  })
})

describe('a receiver that is gone', () => {
  const seconds = isLong ? 60 : 5
  const memoryLimit = 200 * 1024 * 1024

  it.skipIf(process.platform !== 'linux')(
    `holds the sender back for ${seconds} s, and everything arrives when it is back`,
    async () => {
      const [source, target] = await Promise.all([freePort(), freePort()])
      const config = `
        input { tcp { host => "127.0.0.1" port => ${source} } }
        output { tcp { host => "127.0.0.1" port => ${target} reconnect_interval => 0.2 codec => line { format => "%{message}" } } }`
      const millrace = await start({ config })
      await millrace.untilStarted()
      const socket = await open(source)
      let highest = 0
      const sampler = setInterval(() => {
        highest = Math.max(highest, residentBytes(millrace.pid))
      }, 100)
      const { lines, waits } = await push(socket, 200, seconds * 1000)
      expect(waits).toBeGreaterThan(0)
      const receiver = await listen(target)
      socket.end()
      await millrace.until(() => receiver.lines.length >= lines, 20_000)
      clearInterval(sampler)
      expect(highest).toBeLessThan(memoryLimit)
      expect(receiver.lines.map(Number)).toEqual(numbers(lines))
      millrace.signal('SIGTERM')
      expect(await millrace.exit()).toEqual({ code: 0, signal: null })
      expect(receiver.lines).toHaveLength(lines)
    },
    (seconds + 60) * 1000,
  )
})

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}
