import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { encodeEntry } from '../../queue/dead-letters/entry.ts'
import { DeadLetterQueue } from '../../queue/dead-letters/queue.ts'
import { lockDataDirectory } from '../../storage/data-lock.ts'
import { diskFiles } from '../../storage/files.ts'
import type { Terminal } from '../terminal.ts'
import { dlqCommand } from './dlq.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-dlq-command-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const day = Date.UTC(2026, 0, 31)

function entry(number: number, reason: string, pluginType = 'elasticsearch') {
  const event = new Event({ '@timestamp': new Timestamp(0), '@version': '1', number }, { from: 'test' })
  return encodeEntry(
    { event, pluginType, pluginId: `${pluginType}-1`, reason },
    new Timestamp(day + number * 1000),
  )
}

async function fill(pipeline: string, entries: Uint8Array[], perSegment = 2) {
  const queue = await DeadLetterQueue.open({
    files: diskFiles,
    directory: join(root, pipeline),
    maxBytes: 1e9,
    policy: 'drop_newer',
    flushMillis: 0,
    logger: { warn() {}, error() {} },
  })
  for (let i = 0; i < entries.length; i += perSegment) {
    await queue.append(entries.slice(i, i + perSegment))
    await queue.check()
  }
  return queue
}

async function run(args: string[], answers: string[] = [], isInteractive = true) {
  let [out, told] = ['', '']
  const terminal: Terminal = {
    isInteractive,
    write: (text) => {
      told += text
    },
    readLine: async () => answers.shift(),
    readSecret: async () => undefined,
    close() {},
  }
  const output = {
    print: async (text: string) => {
      out += text
    },
    tell: (text: string) => {
      told += text
    },
  }
  const code = await dlqCommand(['--path', root, ...args], terminal, output, {})
  return { code, out, told }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

async function filled() {
  await fill('main', [
    entry(1, 'mapping of field 17 failed'),
    entry(2, 'mapping of field 18 failed'),
    entry(3, 'index is read-only'),
  ])
  await fill('other', [entry(4, 'no\u001b[31m pattern', 'grok')])
}

describe('millrace dlq', () => {
  it('lists queues with their most frequent reasons', async () => {
    await filled()
    const { code, out } = await run(['list'])
    expect(code).toBe(0)
    expect(out).toContain('main  3 entries, 2 segments,')
    expect(out).toContain('from 2026-01-31T00:00:01.000Z to 2026-01-31T00:00:03.000Z')
    expect(out).toContain('       2  elasticsearch: mapping of field # failed')
    expect(out).toContain('other  1 entry, 1 segment,')
    expect(out).not.toContain('\u001b')
    const [main] = JSON.parse((await run(['list', '--json', '--pipeline', 'main'])).out) as [
      Record<string, unknown>,
    ]
    const bytes = ['1.log', '2.log'].reduce(
      (sum, name) => sum + readFileSync(join(root, 'main', name)).length,
      0,
    )
    expect(main).toMatchObject({ pipeline: 'main', segments: 2, entries: 3, bytes, damaged: 0 })
  })

  it('counts what a cluster refused by its answer, whatever the event and its id', async () => {
    const refusal = (id: string, text: string) =>
      `Could not index event to Elasticsearch. status: 400, action: ["create", {"_id"=>"${id}", "_index"=>"logs"}, {"message"=>"${text}"}], response: {"create"=>{"_index"=>"logs", "_id"=>"${id}", "status"=>400, "error"=>{"type"=>"document_parsing_exception", "reason"=>"[1:9] failed to parse field [n] of type [long] in document with id '${id}'."}}}`
    await fill('main', [
      entry(1, refusal('pRdaWN-K', 'one, response: none')),
      entry(2, refusal('xYzbQ_L', 'a second one '.repeat(40))),
    ])
    expect((await run(['list'])).out).toContain(
      `       2  elasticsearch: Could not index event to Elasticsearch. status: #, response: {"create"=>{"_index"=>"logs", "_id"=>#, "status"=>#, "error"=>{"type"=>"document_parsing_exception", "reason"=>`,
    )
  })

  it('shows entries, filtered', async () => {
    await filled()
    const numbers = async (...args: string[]) =>
      linesOf((await run(['show', '--json', ...args])).out).map(
        ({ event }) => (event as { number: number }).number,
      )
    expect(await numbers()).toEqual([1, 2, 3, 4])
    expect(await numbers('--plugin', 'grok')).toEqual([4])
    expect(await numbers('--plugin', 'elasticsearch-1', '--limit=2')).toEqual([1, 2])
    expect(await numbers('--reason', 'MAPPING')).toEqual([1, 2])
    expect(await numbers('--since', '2026-01-31T00:00:02Z', '--until', '2026-01-31T00:00:04Z')).toEqual([
      2, 3,
    ])
    expect(await numbers('--since', '1h')).toEqual([])
    const [first] = linesOf((await run(['show', '--json', '--limit', '1'])).out)
    expect(first).toEqual({
      pipeline: 'main',
      segment: 1,
      offset: 1,
      entry_time: '2026-01-31T00:00:01.000Z',
      plugin_type: 'elasticsearch',
      plugin_id: 'elasticsearch-1',
      reason: 'mapping of field 17 failed',
      event: { '@timestamp': '1970-01-01T00:00:00.000Z', '@version': '1', number: 1 },
      metadata: { from: 'test' },
    })
  })

  it('replays to standard output', async () => {
    await filled()
    const { code, out, told } = await run(['replay', '--pipeline', 'main'])
    expect(code).toBe(0)
    expect(linesOf(out).map(({ number }) => number)).toEqual([1, 2, 3])
    expect(told).toBe('3 events were sent.\n')
    expect(readdirSync(join(root, 'main')).sort()).toEqual(['1.log', '2.log'])
  })

  it('removes nothing when the output does not take what is replayed', async () => {
    await (await fill('main', [entry(1, 'no'), entry(2, 'no')])).close()
    let told = ''
    const output = {
      print: () => Promise.reject(new Error('the disk is full')),
      tell: (text: string) => {
        told += text
      },
    }
    const terminal: Terminal = {
      isInteractive: false,
      write: () => {},
      readLine: async () => undefined,
      readSecret: async () => undefined,
      close() {},
    }
    expect(await dlqCommand(['replay', '--remove', '--path', root], terminal, output, {})).toBe(1)
    expect(told).toBe('ERROR: the disk is full\n')
    expect(linesOf((await run(['replay'])).out).map(({ number }) => number)).toEqual([1, 2])
  })

  it('says so when it is given the directory of one queue', async () => {
    await (await fill('main', [entry(1, 'no')])).close()
    root = join(root, 'main')
    const { code, told } = await run(['list'])
    root = join(root, '..')
    expect(code).toBe(1)
    expect(told).toContain('main is the queue of one pipeline; --path is the directory above it')
  })

  it('keeps a segment that it replayed when not everything in it could be read', async () => {
    await (await fill('main', [entry(1, 'no'), entry(2, 'no'), entry(3, 'no')])).close()
    const bytes = readFileSync(join(root, 'main', '1.log'))
    bytes[30]! ^= 1
    writeFileSync(join(root, 'main', '1.log'), bytes)
    const { out } = await run(['replay', '--remove'])
    expect(linesOf(out).map(({ number }) => number)).toEqual([2, 3])
    expect(readdirSync(join(root, 'main')).filter((name) => name.endsWith('.log'))).toEqual([])
    expect(readFileSync(join(root, 'main', 'quarantine', '1.log')).equals(bytes)).toBe(true)
  })

  it('replays to an http input and removes what it took', async () => {
    await filled()
    const bodies: unknown[] = []
    let status = 500
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      bodies.push([request.headers.authorization, JSON.parse(Buffer.concat(chunks).toString())])
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const to = `http://user:pass@127.0.0.1:${port}/events`
    try {
      const refused = await run(['replay', '--to', to, '--remove'])
      expect(refused).toEqual({
        code: 1,
        out: '',
        told: `ERROR: http://127.0.0.1:${port}/events did not take the events: it answered 500\n`,
      })
      expect(existsSync(join(root, 'main', '1.log'))).toBe(true)
      status = 200
      const { code, told } = await run(['replay', '--to', to, '--remove', '--reason', 'mapping of field 17'])
      expect(code).toBe(0)
      expect(told).toContain('0 entries were removed.\n1 entry stays: other entries are in the same segment')
      const all = await run(['replay', '--to', to, '--remove', '--pipeline', 'main'])
      expect(all.told).toContain('3 events were sent')
      expect(all.told).toContain('3 entries were removed.')
      expect(bodies.at(-1)).toEqual([
        `Basic ${Buffer.from('user:pass').toString('base64')}`,
        [1, 2, 3].map((number) => ({ '@timestamp': '1970-01-01T00:00:00.000Z', '@version': '1', number })),
      ])
      expect((await run(['list', '--pipeline', 'other', '--json'])).code).toBe(0)
    } finally {
      server.close()
    }
    const gone = await run(['replay', '--to', to, '--pipeline', 'other'])
    expect(gone.code).toBe(1)
    expect(gone.told).toContain('did not take the events')
    expect(gone.told).not.toContain('pass')
  })

  it('purges what is older than a time, or all, and asks before', async () => {
    await filled()
    expect((await run(['purge'])).told).toBe("ERROR: purge needs '--before TIME' or '--all'\n")
    expect((await run(['purge', '--all'], [], false)).told).toBe(
      "ERROR: nobody can be asked here: say '--yes'\n",
    )
    const refused = await run(['purge', '--all'], ['n'])
    expect(refused.code).toBe(1)
    expect(refused.told).toContain('Remove all 4 dead letters of main, other? [y/N]')
    const some = await run(['purge', '--before', '2026-01-31T00:00:03Z', '--yes'])
    expect(some.out).toBe('main: 2 entries in 1 segment removed\nother: 0 entries in 0 segments removed\n')
    expect((await run(['purge', '--all', '--json'], ['y'])).out).toBe(
      '[{"pipeline":"main","segments":1,"entries":1},{"pipeline":"other","segments":1,"entries":1}]\n',
    )
    expect((await run(['list'])).out).toBe('There are no dead letters.\n')
  })

  it('seals and removes a segment that a crash left open, but not one that is being written', async () => {
    const queue = await fill('main', [entry(1, 'a')])
    await queue.append([entry(2, 'b')])
    const lock = join(root, 'main', '.lock')
    // A process that runs: the one that started this one.
    const started = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]
    writeFileSync(lock, `${process.ppid} ${started}\n`)
    expect((await run(['purge', '--all', '--yes'])).out).toBe('main: 1 entry in 1 segment removed\n')
    expect(readdirSync(join(root, 'main')).sort()).toEqual(['.deleted_segment', '.lock', '2.log.tmp'])
    rmSync(lock)
    expect((await run(['purge', '--all', '--yes'])).out).toBe('main: 1 entry in 1 segment removed\n')
    expect(readdirSync(join(root, 'main')).sort()).toEqual(['.deleted_segment', '.last_segment'])
    await (await lockDataDirectory(join(root, 'main'))).release()
  })

  it('says what it does not understand', async () => {
    const told = async (...args: string[]) => (await run(args)).told
    expect(await told('show', '--colour')).toBe("ERROR: Unrecognized option '--colour' for command 'dlq'\n")
    expect(await told('show', '--limit', 'many')).toBe("ERROR: 'many' of --limit is no number\n")
    expect(await told('show', '--since', 'soon')).toContain("'soon' of --since is no time")
    expect(await told('replay', '--to', 'ftp://x')).toContain("'ftp://x' of --to is no address")
    expect(await told('list', '--pipeline', 'none')).toContain(
      `There is no dead letter queue of a pipeline 'none' in ${root}`,
    )
    mkdirSync(join(root, 'x'))
    const { code, out } = await run(['nonsense'])
    expect(code).toBe(1)
    expect(out).toContain('Usage: millrace dlq COMMAND')
  })

  it('tells where a queue is damaged', async () => {
    await filled()
    const path = join(root, 'main', '1.log')
    const bytes = readFileSync(path)
    bytes[50]! ^= 1
    writeFileSync(path, bytes)
    const { out, told } = await run(['show', '--json'])
    expect(linesOf(out)).toHaveLength(3)
    expect(told).toBe(`${path}: 1 place is damaged and was skipped\n`)
  })
})
