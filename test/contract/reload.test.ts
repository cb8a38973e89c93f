/**
 * Reloading while events flow: by itself when a file changes, and on SIGHUP. A configuration that cannot be
 * loaded leaves the old one running and is counted. Check 39 of the specification is here.
 */
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, type Json, Millrace, type MillraceOptions, OUT, write } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start(options)
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

async function connect(port: number): Promise<Socket> {
  const socket = await open(port)
  running.push({ dispose: async () => void socket.destroy() })
  return socket
}

const tcpInput = (port: number) => `input { tcp { host => "127.0.0.1" port => ${port} } }`
const tag = (name: string) => `filter { mutate { add_tag => ["${name}"] } }`
const config = (port: number, name: string) => `${tcpInput(port)} ${tag(name)} ${OUT}\n`
const automatic = ['-r', '--config.reload.interval', '1s']

interface Reloads {
  successes: number
  failures: number
  last_error: { message: string } | null
}

function reloadsOf(body: Json): Reloads | undefined {
  const { pipelines } = body as { pipelines?: { main?: { reloads?: Reloads } } }
  return pipelines?.main?.reloads
}

const stats = '/_node/stats/pipelines/main'

/** Tag of the event that carries the message. */
function tagOf(millrace: Millrace, message: string): unknown {
  const found = millrace.events().filter((event) => event['message'] === message)
  expect(found).toHaveLength(1)
  return (found[0]!['tags'] as string[])[0]
}

describe('reload', () => {
  it('leaves nothing of earlier configurations behind, however often it happens', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'first'), api: true })
    for (let round = 1; round <= 12; round++) {
      await write(millrace.configPath, config(port, `round-${round}`))
      millrace.signal('SIGHUP')
      await millrace.apiUntil(stats, (body) => reloadsOf(body)?.successes === round)
    }
    // Node's own words when listeners pile up on one object.
    expect(millrace.stderr).not.toContain('MaxListenersExceededWarning')
  }, 60_000)

  it('39: a broken text is refused and counted, a good one takes over, no line is lost', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'old'), args: automatic, api: true })
    const socket = await connect(port)
    socket.write('before\n')
    await millrace.until('"before"')

    await write(millrace.configPath, 'input { tcp { port => } }')
    const failed = await millrace.apiUntil(stats, (body) => reloadsOf(body)?.failures === 1)
    expect(reloadsOf(failed)).toMatchObject({ successes: 0, failures: 1 })
    expect(reloadsOf(failed)!.last_error?.message).toMatch(/^Expected one of/)
    socket.write('during\n')
    await millrace.until('"during"')
    const said = () => millrace.stdout.split('Pipelines running').length
    const saidBefore = said()
    // The same broken text is not tried, and counted, again and again; nor is it said again what runs.
    await wait(2500)
    expect(said()).toBe(saidBefore)
    expect(reloadsOf(await millrace.api(stats))).toMatchObject({ successes: 0, failures: 1 })

    await write(millrace.configPath, config(port, 'new'))
    const succeeded = await millrace.apiUntil(stats, (body) => reloadsOf(body)?.successes === 1)
    expect(reloadsOf(succeeded)).toMatchObject({ successes: 1, failures: 1 })
    expect(await millrace.api('/_node/stats/reloads')).toMatchObject({
      reloads: { successes: 1, failures: 1 },
    })
    // Still the first connection: an unchanged input keeps its sockets.
    socket.write('after\n')
    await millrace.until('"after"')
    expect(['before', 'during', 'after'].map((message) => tagOf(millrace, message))).toEqual([
      'old',
      'old',
      'new',
    ])
    expect(socket.destroyed).toBe(false)
  })

  it('happens on SIGHUP without automatic reload', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'old') })
    const socket = await connect(port)
    socket.write('one\n')
    await millrace.until('"one"')
    await write(millrace.configPath, config(port, 'new'))
    await wait(200)
    socket.write('two\n')
    await millrace.until('"two"')
    millrace.signal('SIGHUP')
    await millrace.until('SIGHUP received.')
    await millrace.until('Reloading pipeline')
    await millrace.until(() => millrace.stdout.split('Pipelines running').length > 2)
    socket.write('three\n')
    await millrace.until('"three"')
    expect(['one', 'two', 'three'].map((message) => tagOf(millrace, message))).toEqual(['old', 'old', 'new'])
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  })

  it('under load loses and doubles nothing, and changes the tag once', async () => {
    const port = await freePort()
    const millrace = await start({ config: config(port, 'old'), args: ['-w', '2'] })
    const socket = await connect(port)
    let sent = 0
    const send = () => {
      let block = ''
      for (let i = 0; i < 20; i++) block += `${sent++}\n`
      socket.write(block)
    }
    for (const name of ['second', 'third']) {
      for (let i = 0; i < 50; i++) {
        send()
        await wait(2)
      }
      const before = millrace.stdout.split('Pipelines running').length
      await write(millrace.configPath, config(port, name))
      millrace.signal('SIGHUP')
      while (millrace.stdout.split('Pipelines running').length === before) {
        send()
        await wait(2)
      }
    }
    send()
    await millrace.until(() => millrace.eventLines().length >= sent)
    const events = millrace.events()
    const numbers = events.map(({ message }) => Number(message)).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: sent }, (_, n) => n))
    const inOrder = events.map(({ tags }) => (tags as string[])[0])
    expect(inOrder.filter((name, i) => name !== inOrder[i - 1])).toEqual(['old', 'second', 'third'])
  })

  it('opens and closes the sockets of inputs that came and went', async () => {
    const [first, second] = await Promise.all([freePort(), freePort()])
    const millrace = await start({ config: config(first, 'old') })
    await write(millrace.configPath, config(second, 'new'))
    millrace.signal('SIGHUP')
    await millrace.until(() => millrace.stdout.split('Pipelines running').length > 2)
    const socket = await connect(second)
    socket.write('moved\n')
    await millrace.until('"moved"')
    expect(tagOf(millrace, 'moved')).toBe('new')
    await expect(open(first)).rejects.toThrow()
  })

  it('that fails when it starts brings the old pipeline back', async () => {
    const [port, taken] = await Promise.all([freePort(), freePort()])
    const other = await start({ config: config(taken, 'other') })
    expect(other.running).toBe(true)
    const millrace = await start({ config: config(port, 'old'), api: true })
    await write(millrace.configPath, `${tcpInput(taken)} ${config(port, 'new')}`)
    millrace.signal('SIGHUP')
    const failed = await millrace.apiUntil(stats, (body) => reloadsOf(body)?.failures === 1)
    expect(reloadsOf(failed)).toMatchObject({ successes: 0, failures: 1 })
    expect(reloadsOf(failed)!.last_error?.message).toMatch(/EADDRINUSE|in use/)
    const socket = await connect(port)
    socket.write('still\n')
    await millrace.until('"still"')
    expect(tagOf(millrace, 'still')).toBe('old')
    // What came back is also what the API counts.
    await millrace.apiUntil(stats, (body) => {
      const { main } = (body['pipelines'] ?? {}) as { main?: { events: { out: number } } }
      return main?.events.out === 1
    })
  })

  it('on a SIGHUP while another reload is under way takes the last text', async () => {
    const port = await freePort()
    const slow = (name: string) =>
      `${tcpInput(port)} filter { sleep { time => "1" } mutate { add_tag => ["${name}"] } } ${OUT}\n`
    const millrace = await start({ config: slow('one') })
    const socket = await connect(port)
    socket.write('first\n')
    await wait(200)
    await write(millrace.configPath, slow('two'))
    millrace.signal('SIGHUP')
    // It waits for the event that sleeps; the next text comes meanwhile.
    await millrace.until('Reloading pipeline')
    await write(millrace.configPath, slow('three'))
    millrace.signal('SIGHUP')
    await millrace.until(() => millrace.stdout.split('Pipelines running').length > 3)
    socket.write('last\n')
    await millrace.until('"last"')
    expect([tagOf(millrace, 'first'), tagOf(millrace, 'last')]).toEqual(['one', 'three'])
  })

  it.each(['1', '3'])(
    'takes the place of an output that is dead, and delivers what waited for it (%s workers)',
    async (workers) => {
      const port = await freePort()
      const to = (output: string) => `${tcpInput(port)} output { ${output} }`
      const dead = to('http { url => "http://127.0.0.1:1" http_method => "post" }')
      const millrace = await start({
        config: dead,
        settings: 'queue.type: persisted\nshutdown.grace: 500ms\n',
        args: [...automatic, '-w', workers],
      })
      const socket = await connect(port)
      const lines = Array.from({ length: 500 }, (_, number) => `line ${number}`)
      socket.write(`${lines.join('\n')}\n`)
      await wait(1500)
      await write(millrace.configPath, to('stdout { codec => json_lines }'))
      await millrace.until(() => millrace.events().length >= lines.length)
      expect(new Set(millrace.events().map(({ message }) => message))).toEqual(new Set(lines))
      socket.write('still\n')
      await millrace.until('"still"')
      millrace.signal('SIGTERM')
      expect(await millrace.exit()).toEqual({ code: 0, signal: null })
    },
  )

  it('takes over changed settings of a pipeline', async () => {
    const port = await freePort()
    const entry = (settings: string) =>
      `- pipeline.id: main\n${settings}  config.string: '${config(port, 'x').trim()}'\n`
    const pipelines = entry('  pipeline.batch.size: 10\n')
    const millrace = await start({ pipelines, args: automatic, api: true })
    const socket = await connect(port)
    const settingsOf = (body: Json) => (body['pipelines'] as { main?: Json } | undefined)?.main
    expect(settingsOf(await millrace.api('/_node/pipelines/main'))).toMatchObject({ batch_size: 10 })
    await write(
      `${millrace.folder}/settings/pipelines.yml`,
      entry('  pipeline.batch.size: 20\n  pipeline.workers: 3\n'),
    )
    await millrace.apiUntil('/_node/pipelines/main', (body) => settingsOf(body)?.['batch_size'] === 20)
    expect(settingsOf(await millrace.api('/_node/pipelines/main'))).toMatchObject({ workers: 3 })
    socket.write('still\n')
    await millrace.until('"still"')
  })

  it('is finished before a SIGTERM that comes in the middle of it', async () => {
    const port = await freePort()
    const slow = (name: string) =>
      `${tcpInput(port)} filter { sleep { time => "0.004" } mutate { add_tag => ["${name}"] } } ${OUT}\n`
    const millrace = await start({ config: slow('old'), args: ['-b', '500'] })
    const socket = await connect(port)
    const lines = Array.from({ length: 400 }, (_, n) => `${n}`)
    socket.write(`${lines.join('\n')}\n`)
    await wait(100)
    await write(millrace.configPath, slow('new'))
    millrace.signal('SIGHUP')
    await millrace.until('Reloading pipeline')
    await wait(300)
    // Read while the input is between two generations: these belong to the new one.
    const more = Array.from({ length: 100 }, (_, n) => `more ${n}`)
    socket.write(`${more.join('\n')}\n`)
    await wait(100)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
    expect(millrace.events().map(({ message }) => message)).toEqual([...lines, ...more])
    expect(tagOf(millrace, 'more 99')).toBe('new')
  })

  it('of a pipeline that reads standard input is refused', async () => {
    const input = 'input { stdin { } }'
    const millrace = await start({ config: `${input} ${tag('old')} ${OUT}`, api: true })
    await write(millrace.configPath, `${input} ${tag('new')} ${OUT}`)
    millrace.signal('SIGHUP')
    await millrace.until('Cannot reload pipeline, because the existing pipeline is not reloadable')
    millrace.write('line\n')
    await millrace.until('"line"')
    expect(tagOf(millrace, 'line')).toBe('old')
    expect(reloadsOf(await millrace.api(stats))).toMatchObject({ successes: 0, failures: 1 })
  })
})

describe('automatic reload of several pipelines', () => {
  it('creates, changes and removes them as the file says', async () => {
    const [a, b] = await Promise.all([freePort(), freePort()])
    const entry = (id: string, port: number, name: string) =>
      `- pipeline.id: ${id}\n  config.string: '${config(port, name).trim()}'\n`
    const millrace = await start({ pipelines: entry('a', a, 'a1'), args: automatic, api: true })
    const pipelines = async (holds: (ids: string[]) => boolean) =>
      millrace.apiUntil('/_node/stats/pipelines', (body) =>
        holds(Object.keys((body['pipelines'] as Json | undefined) ?? {})),
      )
    await pipelines((ids) => ids.join() === 'a')
    const file = `${millrace.folder}/settings/pipelines.yml`
    await write(file, entry('a', a, 'a1') + entry('b', b, 'b1'))
    await pipelines((ids) => ids.includes('b'))
    await millrace.until('{:count=>2, :running_pipelines=>[:a, :b]')
    const [toA, toB] = [await connect(a), await connect(b)]
    toA.write('for a\n')
    toB.write('for b\n')
    await millrace.until(() => millrace.eventLines().length >= 2)
    expect([tagOf(millrace, 'for a'), tagOf(millrace, 'for b')]).toEqual(['a1', 'b1'])
    await write(file, entry('b', b, 'b2'))
    await pipelines((ids) => ids.join() === 'b')
    await millrace.apiUntil('/_node/stats/pipelines/b', (body) => {
      const { b: found } = (body['pipelines'] ?? {}) as { b?: { reloads: Reloads } }
      return found?.reloads.successes === 1
    })
    toB.write('again\n')
    await millrace.until('"again"')
    expect(tagOf(millrace, 'again')).toBe('b2')
    await expect(open(a)).rejects.toThrow()
  })
})
