/**
 * Every output of the catalogue that encodes its events, on events nobody expects: those it cannot write are given up
 * alone, the others of the batch are written. Outputs with servers have their own tests.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Event } from '../../src/event/event.ts'
import type { Fields } from '../../src/event/value.ts'
import { pluginKey } from '../../src/metrics/pipeline-keys.ts'
import { Execution } from '../../src/pipeline/run/execution.ts'
import type { Block, OutputDefinition } from '../../src/plugin/define.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { environmentOf, frameOf } from '../support/in-process.ts'
import { hostileValues } from './hostile-data.ts'

const configs: Readonly<Record<string, string>> = {
  csv: 'csv { path => "/tmp/x-%{message}.csv" fields => ["message", "[n][deep]"] }',
  file: 'file { path => "/tmp/folder/%{message}/%{[n][deep]}" }',
  gelf: 'gelf { host => "127.0.0.1" port => 1 short_message => "[n][deep]" level => ["%{message}"] }',
  graphite: 'graphite { fields_are_metrics => true }',
  lumberjack: 'lumberjack { hosts => ["127.0.0.1"] port => 1 ssl_certificate => "/dev/null" codec => json }',
  pipe: 'pipe { command => "cat > /dev/null" message_format => "%{message} %{[n][deep]}" }',
  pipeline: 'pipeline { send_to => ["other"] }',
  redis: 'redis { key => "%{message}" data_type => "list" }',
  s3: 's3 { bucket => "b" region => "eu-west-1" prefix => "%{message}" validate_credentials_on_root_bucket => false }',
  statsd: 'statsd { increment => ["%{message}"] gauge => { "%{host}" => "%{message}" } }',
  stdout: 'stdout { }',
  syslog: 'syslog { host => "127.0.0.1" port => 1 }',
  tcp: 'tcp { host => "127.0.0.1" port => 1 }',
  udp: 'udp { host => "127.0.0.1" port => "%{message}" }',
  webhdfs: 'webhdfs { host => "127.0.0.1" port => 1 path => "/%{message}/%{[n][deep]}" user => "u" }',
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-hostile-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('every output that encodes', () => {
  it('is among these tests', async () => {
    const single: string[] = []
    for (const name of catalogue.names('output')) {
      const definition = (await catalogue.load('output', name)) as OutputDefinition
      if (definition.concurrency === 'single') single.push(name)
    }
    expect(single.sort()).toEqual(Object.keys(configs).sort())
  })

  it.each(Object.entries(configs))('%s survives hostile events', async (name, config) => {
    const written: Block[][] = []
    const env = {
      ...(await environmentOf(`input { given { } } output { ${config} }`)),
      write: (_: unknown, blocks: Block[]) => void written.push(blocks),
    }
    const execution = new Execution(env)
    for (const value of hostileValues.values()) {
      const hostile = Event.from({ message: value, host: value, n: { deep: value } })
      await execution.run([frameOf([hostile, Event.from({ message: '514', host: 'h', a: 1 })])])
      expect(written.pop()?.length, name).toBeGreaterThanOrEqual(1)
    }
  })
})

/** A pipeline whose outputs write for real. */
async function writing(output: string, events: readonly Fields[]) {
  const letters: { reason: string; event: Event }[] = []
  const base = await environmentOf(`input { given { } } output { ${output} }`)
  const env = {
    ...base,
    deadLetters: { write: (letter: { reason: string; event: Event }) => letters.push(letter) > 0 },
    write: (_: unknown, blocks: Block[]) => execution.outputOf(plugin).write!(blocks),
  }
  const execution: Execution = new Execution(env)
  const plugin = [...outputsOf(env)][0]!
  await execution.run([frameOf(events.map((fields) => Event.from({ ...fields })))])
  await execution.close()
  return { letters, givenUp: base.board.sum(pluginKey(plugin.id, 'given_up')) }
}

function outputsOf(env: Awaited<ReturnType<typeof environmentOf>>) {
  return env.plan.outputs.flatMap((stage) => (stage.kind === 'plugin' ? [stage.plugin] : []))
}

// Together: most of their time is pauses between tries.
describe.concurrent.each(['file', 'csv'])('the %s output', (name) => {
  const options = name === 'csv' ? 'fields => ["message"]' : 'codec => line { format => "%{message}" }'

  it('writes events whose path cannot be opened to the failure file, and the others where they belong', async () => {
    const root = join(folder, name)
    await mkdir(join(root, 'taken'), { recursive: true })
    await writeFile(join(root, 'in-the-way'), '')
    const path = `${root}/%{to}`
    const { givenUp } = await writing(`${name} { path => "${path}" ${options} }`, [
      { message: 'a', to: 'taken' },
      { message: 'b', to: 'x'.repeat(300) },
      { message: 'c', to: 'in-the-way/below' },
      { message: 'd', to: 'fine' },
    ])
    expect(givenUp).toBe(0)
    expect(await readFile(join(root, '_filepath_failures'), 'utf8')).toBe('a\nb\nc\n')
    expect(await readFile(join(root, 'fine'), 'utf8')).toBe('d\n')
  })

  // Directories cannot be made there although it is one, as where a directory was removed that is mounted.
  it.runIf(process.platform === 'linux')(
    'gives events up whose directory cannot be made',
    {
      timeout: 60_000,
    },
    async () => {
      const { letters, givenUp } = await writing(`${name} { path => "/proc/millrace/out" ${options} }`, [
        { message: 'a' },
      ])
      expect(givenUp).toBe(1)
      expect(letters.map(({ reason }) => reason)).toEqual([expect.stringContaining('ENOENT')])
    },
  )

  it('gives events up that a configured path never takes, after some tries', {
    timeout: 60_000,
  }, async () => {
    const { letters, givenUp } = await writing(`${name} { path => "${folder}" ${options} }`, [
      { message: 'a' },
    ])
    expect(givenUp).toBe(1)
    expect(letters.map(({ event, reason }) => [event.get('message'), reason])).toEqual([
      ['a', expect.stringContaining('EISDIR')],
    ])
  })
})
