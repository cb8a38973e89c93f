/** Inputs that read standard input, each in a process of its own whose standard input the test holds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = `
  import { inputFor } from ${JSON.stringify(new URL('../../plugin/testing.ts', import.meta.url).pathname)}
  import generator from ${JSON.stringify(new URL('../inputs/generator.ts', import.meta.url).pathname)}
  import stdin from ${JSON.stringify(new URL('../inputs/stdin.ts', import.meta.url).pathname)}
  const options = JSON.parse(process.argv[3])
  const { instance, sink } = inputFor(process.argv[2] === 'stdin' ? stdin : generator, options, JSON.parse(process.argv[4]))
  process.on('SIGTERM', () => instance.stop())
  const running = instance.run(sink)
  console.log('running')
  await running
  console.log(JSON.stringify(sink.fields()))
  process.exit(0)
`

let folder = ''
let bundle = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-stdin-'))
  const entry = join(folder, 'entry.mjs')
  await writeFile(entry, program)
  const build = await rolldown({ input: entry, platform: 'node', logLevel: 'silent', external: /^node:/ })
  bundle = join(folder, 'bundle.mjs')
  await build.write({ file: bundle, format: 'esm', codeSplitting: false })
  await build.close()
})

afterAll(() => rm(folder, { recursive: true }))

function start(input: 'stdin' | 'generator', options = {}, settings = {}, stdin: 'pipe' | number = 'pipe') {
  return spawn(process.execPath, [bundle, input, JSON.stringify(options), JSON.stringify(settings)], {
    stdio: [stdin, 'pipe', 'inherit'],
  })
}

/** The events a child printed at its end. */
async function events(child: ChildProcess): Promise<unknown> {
  let out = ''
  for await (const chunk of child.stdout!) out += chunk
  return JSON.parse(out.slice(out.indexOf('\n') + 1))
}

const host = hostname()

describe('stdin input', () => {
  it('reads a pipe to its end, a last line without end included', async () => {
    const child = start('stdin')
    child.stdin!.end('one\ntwo')
    expect(await events(child)).toEqual([
      { message: 'one', host },
      { message: 'two', host },
    ])
  })

  it('reads a file', async () => {
    const path = join(folder, 'in.txt')
    await writeFile(path, 'a\nb\n')
    const file = await open(path)
    expect(await events(start('stdin', {}, { ecs: 'v8' }, file.fd))).toEqual([
      { message: 'a', host: { hostname: host } },
      { message: 'b', host: { hostname: host } },
    ])
    await file.close()
  })

  it('sets host after the decorations, when it is not there yet', async () => {
    const child = start('stdin', { add_field: { host: 'mine' } })
    child.stdin!.end('one\n')
    expect(await events(child)).toEqual([{ message: 'one', host: 'mine' }])
  })

  it('takes a codec for streams in place of plain and json', async () => {
    const child = start('stdin', { codec: 'json' })
    child.stdin!.end('{"a":1}\n{"a":2}\n')
    expect(await events(child)).toEqual([
      { a: 1, host },
      { a: 2, host },
    ])
  })

  it('stops while nobody writes, and the process can end', async () => {
    const child = start('stdin')
    await once(child.stdout!, 'data')
    child.stdin!.write('one\nunfinished')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('generator input with message => "stdin"', () => {
  it('reads one line, with its end, as Ruby does', async () => {
    const child = start('generator', { message: 'stdin', count: 2 })
    child.stdin!.write('line one\nline two\n')
    expect(await events(child)).toEqual([
      { message: 'line one\n', host, sequence: 0 },
      { message: 'line one\n', host, sequence: 1 },
    ])
  })
})
