/**
 * When a plugin throws: the pipeline ends, its senders notice, other pipelines go on. Nothing that was not
 * worked on is reported as accepted. The plugin under test is a loose file given with `--path.plugins`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { binary } from '../support/build.ts'
import { freePort, Millrace, type MillraceOptions, OUT, write } from '../support/millrace.ts'

const running: Millrace[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

const library = new URL('../dist/plugin.js', pathToFileURL(binary)).href

/** A filter that throws on an event whose message is `boom`. */
const explosive = `
import { defineFilter } from '${library}'
export default defineFilter({
  name: 'explosive',
  summary: 'Throws on one message.',
  options: {},
  create: () => ({
    filter(event) {
      if (event.get('message') === 'boom') throw new Error('it went off')
      return true
    },
  }),
})
`

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({
    ...options,
    files: { 'plugins/filters/explosive.js': explosive },
    args: [...(options.args ?? []), '--path.plugins', 'plugins'],
  })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

describe('a filter that throws', () => {
  it('ends the pipeline and the program, even while an input waits for room', async () => {
    const lines = [...Array.from({ length: 500 }, (_, n) => `"${n}"`), '"boom"'].join(', ')
    const config = `input { generator { lines => [${lines}] } } filter { explosive { } } output { null { } }`
    const millrace = await start({ config, args: ['-b', '50'] })
    await millrace.exit(10_000)
    expect(millrace.stdout).toContain('Pipeline worker error, the pipeline will be stopped')
    expect(millrace.stdout).toContain('it went off')
    expect(millrace.stdout).not.toContain('Will restart this plugin')
    expect(millrace.stdout).toContain('Logstash shut down.')
  })

  it('closes its sockets and leaves other pipelines alone', async () => {
    const [bad, good] = await Promise.all([freePort(), freePort()])
    const entry = (id: string, port: number, filter: string) =>
      `- pipeline.id: ${id}\n  pipeline.workers: 1\n  config.string: 'input { http { host => "127.0.0.1" port => ${port} } } filter { ${filter} } ${OUT}'\n`
    const millrace = await start({
      pipelines: entry('bad', bad, 'explosive { }') + entry('good', good, 'mutate { }'),
      api: true,
    })
    const post = (port: number, body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, signal: patientSignal(5000) })
    expect((await post(bad, 'fine')).status).toBe(200)
    await post(bad, 'boom').catch(() => undefined)
    await millrace.until('it went off')
    await wait(500)
    await expect(post(bad, 'late')).rejects.toThrow()
    expect((await post(good, 'other')).status).toBe(200)
    await millrace.until('"other"')
    const messages = millrace.events().map(({ message }) => message)
    expect(messages).toEqual(['fine', 'other'])
    millrace.signal('SIGTERM')
    expect(await millrace.exit(10_000)).toMatchObject({ signal: null })
  })

  it('is replaced by a reload with a better configuration', async () => {
    const port = await freePort()
    const config = (filter: string) =>
      `input { http { host => "127.0.0.1" port => ${port} } } filter { ${filter} } ${OUT}\n`
    const millrace = await start({
      config: config('explosive { }'),
      args: ['-r', '--config.reload.interval', '1s'],
    })
    const post = (body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, signal: patientSignal(5000) })
    await post('boom').catch(() => undefined)
    await millrace.until('it went off')
    await write(millrace.configPath, config('mutate { add_tag => ["better"] }'))
    await millrace.until(() => millrace.stdout.split('Pipeline started').length > 2)
    expect((await post('boom')).status).toBe(200)
    await millrace.until('"better"')
  })
})
