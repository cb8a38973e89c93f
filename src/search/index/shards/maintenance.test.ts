import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import { Shard } from '../../shard/shard.ts'
import { Maintenance } from './maintenance.ts'
import { OpenShard } from './open-shard.ts'

const nothing = { fields: new Map(), nested: [] }

function openShard(files = new MemoryFiles()): OpenShard {
  const parse = () => nothing
  const options = { files, directory: 'shard', index: 'tea', shard: 0, parse }
  const created = Shard.create(options)
  return new OpenShard({ index: 'tea', shard: 0, uuid: 'u', parse, created, open: () => Shard.open(options) })
}

async function add(shard: OpenShard, ...ids: string[]): Promise<void> {
  for (const id of ids) shard.index({ id, routing: undefined, source: Buffer.from(`{"id":"${id}"}`) })
  await shard.commit(shard.term)
  shard.refresh()
}

describe('shard maintenance', () => {
  it('flushes when the log has grown', async () => {
    const shard = openShard()
    await add(shard, 'a')
    const limit = shard.figures().logBytes + 1
    const maintenance = new Maintenance([shard], () => ({ logBytes: limit }))
    maintenance.startDue()
    expect(shard.figures().flushes).toBe(0)
    await add(shard, 'b', 'c', 'd')
    maintenance.startDue()
    await maintenance.close()
    expect(shard.figures()).toMatchObject({ flushes: 1, docs: 4, unflushedBytes: 0, logOperations: 0 })
  })

  it('merges many small segments', async () => {
    const shard = openShard()
    const maintenance = new Maintenance([shard], () => ({ logBytes: Number.MAX_VALUE }))
    for (const id of 'abcdefgh') {
      await add(shard, id)
      await shard.flush()
    }
    expect(shard.figures().segments).toBe(8)
    maintenance.startDue()
    await maintenance.close()
    expect(shard.figures()).toMatchObject({ segments: 1, docs: 8, merges: 1 })
  })

  it('continues after a disk error', async () => {
    const files = new MemoryFiles()
    const shard = openShard(files)
    const maintenance = new Maintenance([shard], () => ({ logBytes: 1 }))
    await add(shard, 'a')
    const { write } = files
    files.write = () => {
      throw new Error('ENOSPC')
    }
    maintenance.startDue()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(shard.figures().flushes).toBe(0)
    files.write = write
    maintenance.startDue()
    await maintenance.close()
    expect(shard.figures()).toMatchObject({ flushes: 1, docs: 1 })
    expect(shard.get('a', true)?.id).toBe('a')
  })

  it('does nothing once it is closed', async () => {
    const shard = openShard()
    const maintenance = new Maintenance([shard], () => ({ logBytes: 1 }))
    await maintenance.close()
    await add(shard, 'a')
    maintenance.startDue()
    expect(shard.figures().flushes).toBe(0)
  })
})
