/**
 * The process that is killed: pushes numbered events into a queue from four senders at once, prints each number after
 * the queue answered, and delivers and acknowledges some of them. Arguments: directory, first number.
 */
import { writeSync } from 'node:fs'
import { PersistedQueue } from '../../src/queue/persisted/persisted-queue.ts'
import { defaultQueueSettings } from '../../src/queue/persisted/queue-options.ts'
import { type Batch, batch, batchCodec } from '../../src/queue/persisted/test-queue.ts'
import { diskFiles } from '../../src/storage/files.ts'

const [directory = '', first = '0'] = process.argv.slice(2)
const settings = { ...defaultQueueSettings, pageCapacity: 64 * 1024, maxBytes: 1 << 30, checkpointAcks: 100 }
const log = (level: string, message: string) => writeSync(1, `${level} ${message}\n`)
const env = { files: diskFiles, directory, log }
const queue: PersistedQueue<Batch> = await PersistedQueue.open(env, settings, batchCodec(196))
let next = Number(first)
let turn = 0

async function send(): Promise<void> {
  for (;;) {
    const ids = Array.from({ length: 1 + (next % 5) }, () => next++)
    await queue.push(batch(...ids))
    writeSync(1, `pushed ${ids.join(' ')}\n`)
    if (turn++ % 3 > 0) continue
    const taken = queue.take(4)
    const done = taken.flatMap(({ item }) => item.ids.slice(item.from, item.to))
    if (done.length > 0) writeSync(1, `taken ${done.join(' ')}\n`)
    queue.acknowledge(taken)
  }
}

await Promise.all([send(), send(), send(), send()])
