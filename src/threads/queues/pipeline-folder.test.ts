import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import { defaultQueueSettings } from '../../queue/persisted/queue-options.ts'
import { batch, batchCodec } from '../../queue/persisted/test-queue.ts'
import type { SettingName } from '../../settings/definitions.ts'
import { Settings } from '../../settings/settings.ts'
import { diskFiles } from '../../storage/files.ts'
import { ownQueueFolder } from './own-queue-folder.ts'
import { ownLettersFolder } from './pipeline-folder.ts'
import { queueProblems } from './queue-problems.ts'
import { AbandonedQueues } from './waiting-queues.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-folders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function settingsOf(values: Partial<Record<SettingName, string | number | boolean>>): Settings {
  const place = { home: folder, hostname: 'here', cores: 1, pathSettings: folder }
  const all: typeof values = {
    'path.queue': join(folder, 'queue'),
    'path.dead_letter_queue': join(folder, 'dlq'),
    ...values,
  }
  return new Settings(
    place,
    new Map(Object.entries(all).map(([name, value]) => [name as SettingName, { value, source: 'file' }])),
  )
}

async function fill(directory: string): Promise<void> {
  const env = { files: diskFiles, directory, log: () => {} }
  const queue = await PersistedQueue.open(env, defaultQueueSettings, batchCodec())
  await queue.push(batch(1, 2, 3))
  await queue.close()
}

describe('the folders of a pipeline', () => {
  it.each(['main', 'a.b', '..a', 'ä', 'with space', 'a\\b'])('are named after the id %j', (id) => {
    const settings = settingsOf({ 'pipeline.id': id })
    expect(ownQueueFolder(settings)).toBe(`${folder}/queue/${id}`)
    expect(ownLettersFolder(settings)).toBe(`${folder}/dlq/${id}`)
  })

  it.each(['', '.', '..', '../x', '/etc', 'a/b', 'a\0b'])(
    'are refused for the id %j, with the place',
    (id) => {
      const settings = settingsOf({ 'pipeline.id': id })
      const text = JSON.stringify(id)
      expect(() => ownQueueFolder(settings)).toThrow(
        `Invalid configuration, pipeline.id ${text} cannot be the name of the folder of its persisted queue in ${folder}/queue`,
      )
      expect(() => ownLettersFolder(settings)).toThrow(
        `pipeline.id ${text} cannot be the name of the folder of its dead letter queue in ${folder}/dlq`,
      )
    },
  )

  it('say what waits in a folder that such an id had once, also when no pipeline has the id any more', async () => {
    const old = join(folder, 'queue', 'team', 'one')
    await fill(old)
    mkdirSync(join(folder, 'dlq', 'team', 'one'), { recursive: true })
    writeFileSync(join(folder, 'dlq', 'team', 'one', '1.log'), '1')
    const settings = settingsOf({ 'pipeline.id': 'team/one' })
    expect(() => ownQueueFolder(settings)).toThrow(
      `; 3 events wait in ${old}, \`millrace queue export ${old}\` prints them`,
    )
    expect(() => ownLettersFolder(settings)).toThrow(
      `; the dead letters in ${folder}/dlq/team/one stay there`,
    )
    const told: string[] = []
    const queues = new AbandonedQueues((message) => told.push(message))
    await queues.tell([settingsOf({ 'pipeline.id': 'team/one' })])
    expect(told).toEqual([])
    // Whose own folder is the one around it.
    await queues.tell([settingsOf({ 'pipeline.id': 'team' })])
    expect(told).toEqual([
      `3 events wait in ${old}, and no pipeline has this queue; \`millrace queue export ${old}\` prints them`,
    ])
  })
})

describe('the check of the settings of queues', () => {
  const tooSmall = { 'queue.page_capacity': 2000, 'queue.max_bytes': 1000 }

  it('finds what keeps a pipeline from starting', () => {
    const settings = settingsOf({
      'queue.type': 'persisted',
      ...tooSmall,
      'dead_letter_queue.enable': true,
      'dead_letter_queue.retain.age': '5x',
      'pipeline.id': '..',
    })
    expect(queueProblems(settings).map((problem) => problem.split(/ in |, e\.g\./)[0])).toEqual([
      "Invalid configuration, 'queue.page_capacity' must be smaller than or equal to 'queue.max_bytes'",
      'Invalid configuration, pipeline.id ".." cannot be the name of the folder of its persisted queue',
      'Expected a time specification',
      'Invalid configuration, pipeline.id ".." cannot be the name of the folder of its dead letter queue',
    ])
  })

  it('says nothing of queues that the pipeline does not have', () => {
    expect(
      queueProblems(
        settingsOf({ ...tooSmall, 'dead_letter_queue.retain.age': '5x', 'pipeline.id': 'team/one' }),
      ),
    ).toEqual([])
  })
})
