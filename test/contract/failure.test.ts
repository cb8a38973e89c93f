/**
 * When a filter throws, its event is tagged and the pipeline goes on. When an output says that it cannot be used at
 * all, the pipeline ends, its senders notice, other pipelines go on. Nothing that was not worked on is reported as
 * accepted. The plugins under test are loose files given with `--path.plugins`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { contents } from '../../src/queue/dead-letters/test-segments.ts'
import { diskFiles } from '../../src/storage/files.ts'
import { binary } from '../support/build.ts'
import { freePort, Millrace, type MillraceOptions, OUT, write } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

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

/** An output that finds out at an event whose message is `boom` that it cannot be used. */
const unusable = `
import { defineOutput, OutputUnusable } from '${library}'
export default defineOutput({
  name: 'unusable',
  summary: 'Fails on one message.',
  options: {},
  concurrency: 'shared',
  create: () => ({
    receive(events) {
      if (events.some((event) => event.get('message') === 'boom')) throw new OutputUnusable('it went off')
    },
  }),
})
`

/** An input one of whose events cannot be written as often as it is told; it goes on when all of them are safe. */
const unwritable = `
import { Event } from '${library.replace('plugin.js', 'index.js')}'
import { defineInput, option } from '${library}'
export default defineInput({
  name: 'unwritable',
  summary: 'Makes three events.',
  options: { failures: option.number({ required: true, doc: 'How often it cannot.' }) },
  create: ({ options }) => ({
    async run(sink) {
      let asked = 0
      const odd = Event.from({ message: 'odd', number: 7 })
      Object.defineProperty(odd.data, 'value', {
        enumerable: true,
        get() {
          if (asked++ < options.failures) throw new Error('nobody can write this')
          return {}
        },
      })
      const events = [Event.from({ message: 'before' }), odd, Event.from({ message: 'after' })]
      await new Promise((safe) => void sink.events(events, { done: safe }))
      console.log('all of them are safe')
    },
    stop() {},
  }),
})
`

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({
    ...options,
    files: {
      'plugins/filters/explosive.js': explosive,
      'plugins/outputs/unusable.js': unusable,
      'plugins/inputs/unwritable.js': unwritable,
    },
    args: [...(options.args ?? []), '--path.plugins', 'plugins'],
  })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

describe('a filter that throws', () => {
  it('costs its event a tag, is said aloud and counted, and the next events arrive', async () => {
    const port = await freePort()
    const config = `input { tcp { host => "127.0.0.1" port => ${port} } } filter { explosive { id => "x" } } ${OUT}`
    const millrace = await start({ config, api: true })
    const socket = await open(port)
    socket.end('before\nboom\nboom\nafter\n')
    await millrace.until('"after"')
    const found = millrace.events().map(({ message, tags }) => [message, tags])
    expect(found).toEqual([
      ['before', undefined],
      ['boom', ['_explosivefailure']],
      ['boom', ['_explosivefailure']],
      ['after', undefined],
    ])
    expect(millrace.stdout.split('it went off')).toHaveLength(2)
    const stats = await millrace.api('/_node/stats/pipelines')
    const filters = JSON.stringify(stats)
    expect(filters).toContain('"failures":2')
  })
})

describe('an event that a persisted queue cannot hold', () => {
  // It is tried with both others, with one of them, and alone; then the dead letters try.
  it.each([
    ['goes to the dead letters', 3, 1],
    ['is lost where these cannot hold it either', 99, 0],
  ])('%s, is said and counted, and those that came with it are delivered', async (_what, failures, kept) => {
    const millrace = await start({
      config: `input { unwritable { id => "u" failures => ${failures} } stdin { } } ${OUT}`,
      settings: 'queue.type: persisted\ndead_letter_queue.enable: true\n',
      api: true,
    })
    await millrace.until('"after"')
    await millrace.until('all of them are safe')
    expect(millrace.events().map(({ message }) => message)).toEqual(['before', 'after'])
    expect(millrace.stdout).toMatch(
      new RegExp(
        `\\[ERROR\\].*Events that the queue cannot hold were given up .*:events=>1, :dead_letters=>${kept}`,
      ),
    )
    expect(millrace.stdout).not.toContain('Will restart this plugin')
    expect(JSON.stringify(await millrace.api('/_node/stats/pipelines'))).toContain('"given_up":1')
    const letters = join(millrace.folder, 'data', 'dead_letter_queue', 'main')
    expect(contents(diskFiles, letters).numbers).toEqual(kept === 1 ? [7] : [])
  })
})

describe('an output that cannot be used', () => {
  it('ends the pipeline and the program, even while an input waits for room', async () => {
    const lines = [...Array.from({ length: 500 }, (_, n) => `"${n}"`), '"boom"'].join(', ')
    const config = `input { generator { lines => [${lines}] } } output { unusable { } }`
    const millrace = await start({ config, args: ['-b', '50'] })
    await millrace.exit(10_000)
    expect(millrace.stdout).toContain('Pipeline worker error, the pipeline will be stopped')
    expect(millrace.stdout).toContain('it went off')
    expect(millrace.stdout).not.toContain('Will restart this plugin')
    expect(millrace.stdout).toContain('Logstash shut down.')
  })

  it('leaves to the dead letters what its pipeline had accepted and nobody would send again', async () => {
    const lines = ['"boom"', ...Array.from({ length: 60 }, (_, n) => `"line ${n}"`)].join(', ')
    // The others are accepted while the one worker sleeps with the first.
    const filter = 'filter { if [message] == "boom" { sleep { time => 2 } } }'
    const config = `input { generator { lines => [${lines}] count => 1 } } ${filter} output { unusable { } }`
    const settings = 'dead_letter_queue.enable: true\n'
    const millrace = await start({ config, settings, args: ['-w', '1'] })
    await millrace.exit()
    const said = /could not be delivered because the pipeline failed .*:dead_letters=>(\d+), :lost=>0/
    const kept = Number(said.exec(millrace.stdout)?.[1])
    expect(kept).toBe(61)
    const folder = join(millrace.folder, 'data', 'dead_letter_queue', 'main')
    expect(readdirSync(folder).filter((name) => name.endsWith('.log')).length).toBeGreaterThan(0)
  })

  it('closes the sockets of its pipeline and leaves other pipelines alone', async () => {
    const [bad, good] = await Promise.all([freePort(), freePort()])
    const entry = (id: string, port: number, output: string) =>
      `- pipeline.id: ${id}\n  pipeline.workers: 1\n  config.string: 'input { http { host => "127.0.0.1" port => ${port} } } output { ${output} }'\n`
    const out = 'stdout { codec => json_lines }'
    const millrace = await start({
      pipelines: entry('bad', bad, `${out} unusable { }`) + entry('good', good, out),
      api: true,
    })
    const post = (port: number, body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, signal: patientSignal(15_000) })
    expect((await post(bad, 'fine')).status).toBe(200)
    // Nobody delivered it, so its sender hears that, and not `ok`.
    expect((await post(bad, 'boom')).status).toBe(503)
    await millrace.until('it went off')
    await wait(500)
    await expect(post(bad, 'late')).rejects.toThrow()
    expect((await post(good, 'other')).status).toBe(200)
    await millrace.until('"other"')
    const messages = millrace.events().map(({ message }) => message)
    expect(messages.filter((message) => message !== 'boom')).toEqual(['fine', 'other'])
    millrace.signal('SIGTERM')
    expect(await millrace.exit(10_000)).toMatchObject({ signal: null })
  })

  it('is replaced by a reload with a better configuration', async () => {
    const port = await freePort()
    const config = (output: string) =>
      `input { http { host => "127.0.0.1" port => ${port} } } output { ${output} }\n`
    const millrace = await start({
      config: config('unusable { }'),
      args: ['-r', '--config.reload.interval', '1s'],
    })
    const post = (body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, signal: patientSignal(5000) })
    await post('boom').catch(() => undefined)
    await millrace.until('it went off')
    await write(millrace.configPath, config('stdout { codec => line { format => "better %{message}" } }'))
    await millrace.until(() => millrace.stdout.split('Pipeline started').length > 2)
    expect((await post('boom')).status).toBe(200)
    await millrace.until('better boom')
  })
})
