/**
 * What the commands of a guide take for granted: a node that runs, a folder of Logstash, somebody who types a password. The
 * places a guide names are replaced by those of the test; every command stays what it is.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Event } from '../../src/event/event.ts'
import { Timestamp } from '../../src/event/timestamp.ts'
import { serializeEvent } from '../../src/queue/logstash-events/event-bytes.ts'
import { freePort, Millrace } from './millrace.ts'

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** Texts of the page and what stands for them here. */
  replacements?(): readonly (readonly [text: string, here: string])[]
  /** What a person types. */
  readonly typed?: string
  /** Before the block of this number, from 0. */
  before?(block: number): Promise<void>
  close?(): Promise<void>
}

const startMillis = 60_000

export const surroundings: Readonly<Record<string, (place: string) => Promise<Surroundings>>> = {
  'memory.md': async () => {
    const node = await Millrace.start({
      config: 'input { heartbeat { } } output { null { } }',
      api: true,
      search: true,
    })
    await node.untilSearchable(startMillis)
    return {
      replacements: () => [
        ['localhost:9600', `127.0.0.1:${node.apiPort}`],
        ['localhost:9200', `127.0.0.1:${node.searchPort}`],
      ],
      close: () => node.dispose(),
    }
  },

  'queues.md': async (place) => {
    const port = await freePort()
    const old = join(place, 'logstash-queue')
    writeLogstashQueue(old)
    const node = await Millrace.start({
      folder: place,
      config: `input { http { host => "127.0.0.1" port => ${port} } } output { millrace { index => "numbers" } }`,
      settings: `path.data: ${join(place, 'data')}\nqueue.type: persisted\ndead_letter_queue.enable: true\n`,
      api: true,
      search: true,
    })
    await node.untilSearchable(startMillis)
    // A text that is no number is given up.
    await node.search('PUT', '/numbers', { mappings: { properties: { message: { type: 'integer' } } } })
    return {
      env: { LS_SETTINGS_DIR: join(place, 'settings') },
      replacements: () => [
        ['localhost:8080', `127.0.0.1:${port}`],
        ['/var/lib/logstash/queue/main', old],
      ],
      // Those who look after a queue need it for themselves.
      before: async (block) => {
        if (block !== 1) return
        const letters = '/_node/pipelines/main/_dead_letters'
        await node.apiUntil(letters, ({ entries }) => (entries as unknown[] | undefined)?.length === 1)
        node.signal('SIGTERM')
        await node.exit(startMillis)
      },
      close: () => node.dispose(),
    }
  },

  'security.md': async (place) => {
    mkdirSync(join(place, 'config'), { recursive: true })
    writeFileSync(join(place, 'config/logstash.yml'), `path.data: ${join(place, 'data')}\n`)
    let node: Millrace | undefined
    return {
      env: { LS_SETTINGS_DIR: join(place, 'config') },
      typed: 'a password\na password\n',
      replacements: () => [
        ['curl -u admin ', "curl -u 'admin:a password' "],
        ['localhost:9200', `127.0.0.1:${node?.searchPort}`],
      ],
      before: async (block) => {
        if (block !== 1) return
        node = await Millrace.start({
          config: 'input { heartbeat { } } output { null { } }',
          api: true,
          search: true,
          args: ['--path.settings', join(place, 'config'), '--path.data', join(place, 'data')],
        })
        await node.untilSearchable(startMillis)
      },
      close: async () => node?.dispose(),
    }
  },

  'switching.md': async (place) => {
    const folder = join(place, 'logstash')
    mkdirSync(join(folder, 'conf.d'), { recursive: true })
    writeFileSync(join(folder, 'conf.d/10-input.conf'), 'input { beats { port => 5044 ssl => false } }\n')
    return { replacements: () => [['/etc/logstash', folder]] }
  },
}

/** One event that waits, in the files of Logstash. */
function writeLogstashQueue(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const payload = serializeEvent(new Event({ '@timestamp': new Timestamp(0), '@version': '1', n: 7 }))
  const element = Buffer.alloc(13 + payload.length + 4)
  element[0] = 2
  element.writeBigInt64BE(1n, 1)
  element.writeInt32BE(payload.length, 9)
  payload.copy(element, 13)
  element.writeUInt32BE(crc32(payload), 13 + payload.length)
  const checkpoint = Buffer.alloc(34)
  checkpoint.writeInt16BE(1)
  checkpoint.writeBigInt64BE(1n, 10)
  checkpoint.writeBigInt64BE(1n, 18)
  checkpoint.writeInt32BE(1, 26)
  checkpoint.writeUInt32BE(crc32(checkpoint.subarray(0, 30)), 30)
  writeFileSync(join(folder, 'page.0'), element)
  writeFileSync(join(folder, 'checkpoint.head'), checkpoint)
}
