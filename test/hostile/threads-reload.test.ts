/**
 * Automatic reload while editors and deployment tools are at work: files that are empty, half-written or away for a
 * moment change nothing; files that stay away are an error line, and the pipeline goes on.
 */
import { rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, type Json, Millrace, OUT, write } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

const config = (port: number, name: string) =>
  `input { tcp { host => "127.0.0.1" port => ${port} } } filter { mutate { add_tag => ["${name}"] } } ${OUT}\n`
const automatic = ['-r', '--config.reload.interval', '200ms']

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start({ ...options, args: automatic, api: true })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

async function connect(port: number) {
  const socket = await open(port)
  running.push({ dispose: async () => void socket.destroy() })
  return socket
}

const reloadsOf = (body: Json) =>
  (body as { pipelines?: { main?: { reloads: Json } } }).pipelines?.main?.reloads
const stats = '/_node/stats/pipelines/main'

describe('automatic reload', () => {
  it('does not believe a file that is empty or away for a moment', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'old') })
    const socket = await connect(port)
    for (let round = 0; round < 8; round++) {
      // As editors write: emptied first, or moved away first.
      if (round % 2 === 0) await truncate(millrace.configPath)
      else await rename(millrace.configPath, `${millrace.folder}/away`)
      await wait(120)
      await write(millrace.configPath, config(port, 'old'))
      await wait(130)
    }
    expect(reloadsOf(await millrace.api(stats))).toMatchObject({ successes: 0, failures: 0 })
    await truncate(millrace.configPath)
    await wait(100)
    await write(millrace.configPath, config(port, 'new'))
    await millrace.apiUntil(stats, (body) => reloadsOf(body)?.['successes'] === 1)
    expect(reloadsOf(await millrace.api(stats))).toMatchObject({ successes: 1, failures: 0 })
    socket.write('line\n')
    await millrace.until('"line"')
    expect(millrace.events()).toMatchObject([{ message: 'line', tags: ['new'] }])
    expect(millrace.stdout).not.toContain('ERROR')
    expect(millrace.stdout.split('Pipeline started').length).toBe(2)
  })

  it('keeps a pipeline whose file stays away or empty, says so once, and takes the next text', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'old') })
    const socket = await connect(port)
    const said = () => millrace.stdout.split('the pipeline goes on with the one it has').length - 1
    await rm(millrace.configPath)
    await millrace.until(() => said() === 1)
    await write(millrace.configPath, '\n')
    await wait(1500)
    expect(said()).toBe(1)
    socket.write('meanwhile\n')
    await millrace.until('"meanwhile"')
    await write(millrace.configPath, config(port, 'new'))
    await millrace.apiUntil(stats, (body) => reloadsOf(body)?.['successes'] === 1)
    socket.write('after\n')
    await millrace.until('"after"')
    expect(millrace.events()).toMatchObject([
      { message: 'meanwhile', tags: ['old'] },
      { message: 'after', tags: ['new'] },
    ])
  })

  it('removes a pipeline that pipelines.yml no longer has, but not one it has no more for a moment', async () => {
    const [a, b] = await Promise.all([freePort(), freePort()])
    const entry = (id: string, port: number) =>
      `- pipeline.id: ${id}\n  config.string: '${config(port, id).trim()}'\n`
    const millrace = await start({ pipelines: entry('a', a) + entry('b', b) })
    const toB = await connect(b)
    const file = join(millrace.folder, 'settings', 'pipelines.yml')
    for (let round = 0; round < 4; round++) {
      await write(file, round % 2 === 0 ? entry('a', a) : '')
      await wait(120)
      await write(file, entry('a', a) + entry('b', b))
      await wait(300)
    }
    toB.write('still\n')
    await millrace.until('"still"')
    expect(millrace.stdout).not.toContain('Could not fetch all the sources')
    await write(file, entry('a', a))
    await millrace.apiUntil(
      '/_node/stats/pipelines',
      (body) => Object.keys((body['pipelines'] as Json | undefined) ?? {}).join() === 'a',
    )
    await expect(open(b)).rejects.toThrow()
  })
})
