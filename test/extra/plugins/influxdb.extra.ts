import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputFor } from '../../../src/plugin/testing.ts'
import influxdb from '../../../src/plugins/outputs/influxdb.ts'
import { freePort } from '../../support/millrace.ts'
import { influxConfig } from '../support/influx.ts'
import { commandPath, ServerProcess, serverFolder } from '../support/server-process.ts'

let server: ServerProcess
let port: number

beforeAll(async () => {
  port = await freePort()
  const inner = await freePort()
  const folder = serverFolder('influxdb')
  const config = influxConfig(folder, { http: port, inner })
  server = await ServerProcess.start({
    command: commandPath('influxd'),
    args: ['-config', config],
    folder,
    port,
  })
  await query('CREATE DATABASE statistics')
})
afterAll(() => server?.dispose())

async function query(text: string): Promise<unknown> {
  const answer = await fetch(
    `http://127.0.0.1:${port}/query?db=statistics&epoch=ms&q=${encodeURIComponent(text)}`,
    {
      method: 'POST',
    },
  )
  return ((await answer.json()) as { results: { series?: { columns: string[]; values: unknown[] }[] }[] })
    .results[0]
}

describe('influxdb output', () => {
  it('stores points as they were meant, odd texts too', async () => {
    const { instance, deliver } = outputFor(influxdb, {
      host: '127.0.0.1',
      port,
      measurement: 'my, measure',
      use_event_fields_for_data_points: true,
      send_as_tags: ['host'],
    })
    await instance.register!()
    await deliver([{ host: 'a b=c,\\', text: 'x "y" \\ z\nw', n: 5, f: 1.5, ok: true, tags: ['t'] }])
    await instance.close!()
    expect(await query('SELECT * FROM "my, measure"')).toMatchObject({
      series: [
        {
          columns: ['time', 'f', 'host', 'n', 'ok', 't', 'text'],
          values: [[1443675967089, 1.5, expect.stringContaining('a b=c,'), 5, true, 'true', 'x "y" \\ z\nw']],
        },
      ],
    })
  })

  it('gives up what the database refuses, and says so', async () => {
    const options = { host: '127.0.0.1', port, db: 'nowhere', data_points: { a: '1' } }
    const { instance, deliver, environment } = outputFor(influxdb, options)
    await instance.register!()
    await deliver([{}])
    await instance.close!()
    const line = environment.logger.lines.find(({ level }) => level === 'error')!
    expect(line.fields!['exception']).toContain('database not found')
  })
})
