/**
 * The beats input and the client library of Beats themselves (`test/extra/lumber`, in Go): frames, windows,
 * compression and acknowledgements as Filebeat sends and expects them. `MILLRACE_LUMBER` names the built shipper.
 */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { certificateFiles } from '../../../src/plugins/tls/test-certificate.ts'
import { freePort, Millrace, OUT } from '../../support/millrace.ts'

const shipper = resolve(process.env['MILLRACE_LUMBER'] ?? '.tmp/lumber')
const running: Millrace[] = []
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})

async function start(options = '', rest = OUT): Promise<number> {
  const port = await freePort()
  const millrace = await Millrace.start({
    config: `input { beats { host => "127.0.0.1" port => ${port} ${options} } } ${rest}`,
    args: ['--pipeline.ecs_compatibility', 'v8'],
  })
  running.push(millrace)
  await millrace.untilStarted()
  return port
}

/** How many events the other side acknowledged. */
async function ship(
  port: number,
  options: readonly number[],
  env: Record<string, string> = {},
): Promise<number> {
  const { stdout } = await promisify(execFile)(shipper, [`127.0.0.1:${port}`, ...options.map(String)], {
    env: { ...process.env, ...env },
    timeout: 280_000,
  })
  return Number(stdout)
}

describe('beats input', () => {
  it.each([
    ['one window at a time', [1000, 50, 0, 1]],
    ['compressed', [1000, 50, 3, 1]],
    ['several windows under way', [5000, 100, 9, 8]],
    ['large windows', [4096, 2048, 3, 2]],
  ])('takes what the library of Beats ships: %s', async (_, options) => {
    const port = await start()
    const [count] = options as [number]
    expect(await ship(port, options)).toBe(count)
    const [millrace] = running
    await millrace!.until(() => millrace!.eventLines().length === count)
    const events = millrace!.events()
    expect(events.map((event) => event['n'])).toEqual(Array.from({ length: count }, (_, n) => n))
    expect(events[7]).toMatchObject({
      '@timestamp': '2024-05-06T07:08:09.123Z',
      message: 'line 7 €',
      event: { original: 'line 7 €' },
      host: { name: 'shipper' },
      tags: ['beats_input_codec_plain_applied'],
    })
  })

  it('keeps a shipper waiting, not failing, while the pipeline is slow', async () => {
    const port = await start('', `filter { sleep { time => 0.002 every => 1 } } ${OUT}`)
    expect(await ship(port, [3000, 200, 3, 2])).toBe(3000)
  })

  it('stores every line once although the node is killed 50 times', async () => {
    const port = await freePort()
    const options = {
      config: `input { beats { host => "127.0.0.1" port => ${port} } } output { millrace { id => "store" index => "lines" } }`,
      settings: 'queue.type: persisted\nqueue.max_bytes: 256mb\n',
      search: true,
    }
    const count = 60_000
    let millrace = await Millrace.start(options)
    running.push(millrace)
    const { folder } = millrace
    let isShipped = false
    const shipping = ship(port, [count, 50, 3, 1], { LUMBER_PATIENT: '1' }).finally(() => {
      isShipped = true
    })
    let kills = 0
    for (; kills < 50; kills++) {
      await millrace.untilStarted()
      await wait(150 + Math.random() * 300)
      if (isShipped) break
      millrace.signal('SIGKILL')
      await millrace.exit()
      millrace = await Millrace.start({ ...options, folder })
      running.push(millrace)
    }
    expect(await shipping).toBe(count)
    await millrace.untilSearchable()
    const total = async () => {
      await millrace.search('POST', '/lines/_refresh')
      return (await millrace.search('GET', '/lines/_count')).json['count']
    }
    for (let left = 100; left > 0 && (await total()) !== count; left--) await wait(100)
    console.log(`${kills} kills`)
    expect(await total()).toBe(count)
    const distinct = {
      size: 0,
      aggs: { numbers: { cardinality: { field: 'n', precision_threshold: 40000 } } },
    }
    const { json } = await millrace.search('POST', '/lines/_search', distinct)
    const { value } = (json['aggregations'] as { numbers: { value: number } }).numbers
    expect(Math.abs(value - count) / count).toBeLessThan(0.02)
    expect(kills).toBeGreaterThan(30)
  }, 300_000)

  it('takes several shippers over TLS', async () => {
    const { certificate, key } = await certificateFiles()
    const port = await start(`ssl_enabled => true ssl_certificate => "${certificate}" ssl_key => "${key}"`)
    const counts = await Promise.all(
      [1, 2, 3].map(() => ship(port, [500, 100, 3, 2], { LUMBER_CA: certificate })),
    )
    expect(counts).toEqual([500, 500, 500])
    const [millrace] = running
    await millrace!.until(() => millrace!.eventLines().length === 1500)
  })
})
