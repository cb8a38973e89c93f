import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { finish } from '../scheduling/steps.ts'
import { parseActions, updateAliases } from './admin/alias-actions.ts'
import { closeIndices, deleteIndices, openIndices, putSettings } from './admin/index-admin.ts'
import { Cluster } from './cluster.ts'
import { getDocument } from './documents/document-reads.ts'
import { type WriteAction, write } from './documents/document-writes.ts'
import { EmbeddedStores } from './shards/embedded-stores.ts'
import { createDataStream, rollDataStream } from './templates/data-streams.ts'
import { rollover } from './templates/rollover.ts'
import {
  putComponentTemplate,
  putIndexTemplate,
  putLegacyTemplate,
  simulateIndex,
} from './templates/template-store.ts'

const now = Date.UTC(2024, 4, 1)

function open(files = new MemoryFiles()): Cluster {
  const stores = new EmbeddedStores({ files, directory: 'data' })
  return new Cluster({ files, directory: 'data', stores, now: () => now })
}

function action(index: string, id: string, source: unknown, more: Partial<WriteAction> = {}): WriteAction {
  return { kind: 'index', index, id, source: Buffer.from(JSON.stringify(source)), ...more }
}

const lasting = { refresh: 'false' } as const

describe('a cluster', () => {
  it('recovers everything after a power cut', async () => {
    const files = new MemoryFiles()
    const before = open(files)
    before.createIndex('a', { settings: { number_of_shards: 2 }, aliases: { x: {} } })
    putIndexTemplate(
      before,
      't',
      { index_patterns: ['b*'], template: { mappings: { properties: { k: { type: 'keyword' } } } } },
      false,
    )
    await write(before, [action('a', '1', { n: 1 }), action('b1', '2', { k: 'v' })], lasting)
    const after = open(files.crash())
    expect(Object.keys(after.state.indices)).toEqual(['a', 'b1'])
    expect(after.isAlias('x')).toBe(true)
    const b = after.index('b1')!
    expect(after.mappingsOf(b)).toEqual({ properties: { k: { type: 'keyword' } } })
    expect(Buffer.from(getDocument(after, { index: 'x', id: '1' }).document!.source).toString()).toBe(
      '{"n":1}',
    )
    expect(getDocument(after, { index: 'b1', id: '2' }).document?.version).toBe(1)
  })

  it('does not show a change that could not be written', () => {
    const files = new MemoryFiles()
    const cluster = open(files)
    files.operationsLeft = 0
    expect(() => cluster.apply((state) => ({ ...state, pipelines: { p: {} } }))).toThrow(
      'flood-stage watermark',
    )
    expect(cluster.state.pipelines).toEqual({})
  })

  it('refuses to create an index twice, and names that aliases have', () => {
    const cluster = open()
    const { uuid } = cluster.createIndex('a', { aliases: { b: {} } })
    expect(() => cluster.createIndex('a', {})).toThrow(`index [a/${uuid}] already exists`)
    expect(() => cluster.createIndex('b', {})).toThrow('Invalid index name [b], already exists as alias')
  })

  it('refuses to change final settings', async () => {
    const cluster = open()
    const index = cluster.createIndex('a', {})
    await expect(putSettings(cluster, [index], { number_of_shards: 2 }, false)).rejects.toThrow(
      'final a setting [index.number_of_shards], not updateable',
    )
    await expect(putSettings(cluster, [index], { 'index.codec': 'x' }, false)).rejects.toThrow(
      `Can't update non dynamic settings [[index.codec]] for open indices [[a/${index.uuid}]]`,
    )
    await closeIndices(cluster, [index])
    await putSettings(cluster, [cluster.index('a')!], { 'index.codec': 'x' }, false)
    await openIndices(cluster, [cluster.index('a')!])
    expect(cluster.index('a')?.settings['index.codec']).toBe('x')
    await deleteIndices(cluster, [cluster.index('a')!])
    expect(cluster.index('a')).toBeUndefined()
  })
})

describe('writes', () => {
  it('fail one by one', async () => {
    const cluster = open()
    cluster.createIndex('a', { mappings: { properties: { n: { type: 'long' } } } })
    const answers = await write(
      cluster,
      [
        action('a', '1', { n: 1 }),
        action('a', '2', { n: 'abc' }),
        action('a', '1', {}, { kind: 'create' }),
        action('a', '9', {}, { kind: 'delete' }),
        action('a', 'x'.repeat(513), {}),
      ],
      lasting,
    )
    expect(answers.map((answer) => ('error' in answer ? answer.error.status : answer.status))).toEqual([
      201, 400, 409, 404, 400,
    ])
    expect(answers[1]).toMatchObject({
      error: {
        type: 'mapper_parsing_exception',
        message:
          "failed to parse field [n] of type [long] in document with id '2'. Preview of field's value: 'abc'",
      },
    })
  })

  it('go through an alias to its write index only', async () => {
    const cluster = open()
    cluster.createIndex('a', { aliases: { x: {} } })
    cluster.createIndex('b', { aliases: { x: {} } })
    const [refused] = await write(cluster, [action('x', '1', {})], lasting)
    expect(refused).toMatchObject({
      error: { message: expect.stringContaining('no write index is defined for alias [x].') },
    })
    await updateAliases(
      cluster,
      finish(parseActions({ actions: [{ add: { index: 'b', alias: 'x', is_write_index: true } }] })),
    )
    expect(await write(cluster, [action('x', '1', {})], lasting)).toMatchObject([{ index: 'b', status: 201 }])
  })

  it('obey blocks and action.auto_create_index', async () => {
    const cluster = open()
    cluster.createIndex('a', { settings: { 'index.blocks.write': true } })
    cluster.transientSettings = { 'action.auto_create_index': '-no*,+yes*' }
    const answers = await write(
      cluster,
      [action('a', '1', {}), action('no1', '1', {}), action('yes1', '1', {}), action('z', '1', {})],
      lasting,
    )
    expect(answers.map((answer) => ('error' in answer ? answer.error.message : answer.result))).toEqual([
      'index [a] blocked by: [FORBIDDEN/8/index write (api)];',
      'no such index [no1] and [action.auto_create_index] contains [-no*] which forbids automatic creation of the index',
      'created',
      "no such index [z] and [action.auto_create_index] ([-no*,+yes*]) doesn't match",
    ])
  })
})

describe('templates', () => {
  it('are merged by order if legacy; of composable ones the highest priority wins alone', () => {
    const cluster = open()
    putLegacyTemplate(
      cluster,
      'l1',
      { index_patterns: ['*'], order: 1, settings: { number_of_replicas: 3 } },
      { create: false, order: undefined },
    )
    putLegacyTemplate(
      cluster,
      'l0',
      { index_patterns: ['a*'], order: 0, settings: { number_of_replicas: 2, number_of_shards: 4 } },
      { create: false, order: undefined },
    )
    expect(cluster.createIndex('a1', {}).settings).toEqual({
      'index.number_of_replicas': '3',
      'index.number_of_shards': '4',
    })
    putComponentTemplate(
      cluster,
      'c',
      { template: { settings: { number_of_replicas: 5 }, mappings: { properties: { f: { type: 'ip' } } } } },
      false,
    )
    putIndexTemplate(
      cluster,
      'n',
      {
        index_patterns: ['a2*'],
        priority: 1,
        composed_of: ['c'],
        template: { aliases: { '{index}-alias': {} } },
      },
      false,
    )
    const made = cluster.createIndex('a2', {})
    expect(made.settings).toEqual({ 'index.number_of_replicas': '5', 'index.number_of_shards': '1' })
    expect(made.mappings).toEqual({ properties: { f: { type: 'ip' } } })
    expect(Object.keys(made.aliases)).toEqual(['a2-alias'])
    expect(simulateIndex(cluster, 'a2x', undefined)?.overlapping.map(({ name }) => name)).toEqual([
      'l1',
      'l0',
    ])
    expect(simulateIndex(cluster, 'b', undefined)).toBeUndefined()
  })

  it('may not overlap at one priority, nor name missing components', () => {
    const cluster = open()
    putIndexTemplate(cluster, 'n', { index_patterns: ['a*'] }, false)
    expect(() => putIndexTemplate(cluster, 'm', { index_patterns: ['ab*'] }, false)).toThrow(
      'index template [m] has index patterns [ab*] matching patterns from existing templates [n] with patterns (n => [a*]) that have the same priority [0]',
    )
    expect(() =>
      putIndexTemplate(cluster, 'k', { index_patterns: ['x*'], composed_of: ['q'] }, false),
    ).toThrow('specifies component templates [q] that do not exist')
  })
})

describe('data streams and rollover', () => {
  it('write to the newest backing index, and accept only new documents with a timestamp', async () => {
    const cluster = open()
    putIndexTemplate(cluster, 'logs', { index_patterns: ['logs-*-*'], data_stream: {} }, false)
    const answers = await write(
      cluster,
      [
        action('logs-a-b', '1', { '@timestamp': '2024-05-01T00:00:00Z' }, { kind: 'create' }),
        action('logs-a-b', '2', { message: 'x' }, { kind: 'create' }),
        action('logs-a-b', '1', { '@timestamp': 1 }),
      ],
      lasting,
    )
    expect(answers.map((answer) => ('error' in answer ? answer.error.message : answer.index))).toEqual([
      '.ds-logs-a-b-2024.05.01-000001',
      'data stream timestamp field [@timestamp] is missing',
      'only write ops with an op_type of create are allowed in data streams',
    ])
    const [old, fresh] = rollDataStream(cluster, cluster.state.dataStreams['logs-a-b']!, false)
    expect([old, fresh]).toEqual(['.ds-logs-a-b-2024.05.01-000001', '.ds-logs-a-b-2024.05.01-000002'])
    expect(cluster.index(fresh)?.settings['index.hidden']).toBe('true')
    expect(() => createDataStream(cluster, 'other')).toThrow(
      'no matching index template found for data stream [other]',
    )
  })

  it('move an alias when a condition is met', async () => {
    const cluster = open()
    cluster.createIndex('logs-1', { aliases: { w: {} } })
    const request = {
      target: 'w',
      newIndex: undefined,
      body: { conditions: { max_docs: 1 } },
      isDryRun: false,
    }
    expect(await rollover(cluster, request)).toMatchObject({
      rolled_over: false,
      conditions: { '[max_docs: 1]': false },
    })
    await write(cluster, [action('w', '1', {})], { refresh: 'true' })
    expect(await rollover(cluster, request)).toMatchObject({ new_index: 'logs-000002', rolled_over: true })
    expect(
      cluster
        .resolver()
        .behindAlias('w')
        .map(({ name }) => name),
    ).toEqual(['logs-000002'])
  })
})
