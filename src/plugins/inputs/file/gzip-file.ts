/**
 * A compressed file, read in one go: there is no place inside it to continue from, so its position is recorded
 * when all of it is out. Its lines are named by their places in the content. Lines end with a line feed, or with carriage return and line feed when the first one does.
 */
import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ByteStream } from '../../../plugin/define.ts'
import { Deliveries } from './deliveries.ts'
import type { FoundFile } from './discovery.ts'
import { RecordEnds } from './record-ends.ts'
import type { SourceSettings } from './source-file.ts'

const chunkSize = 65536
const lineFeed = Buffer.from('\n')
const windowsLine = Buffer.from('\r\n')

export function isCompressed(path: string): boolean {
  return /\.(gz|gzip)$/i.test(path)
}

/** Hands over the content; the result tells when all of it is out. Undefined when reading was stopped. */
export async function readCompressed(
  { path, key, size, born, knowsBirth }: FoundFile,
  { sink, sincedb, originOf }: SourceSettings,
  isStopped: () => boolean,
): Promise<Deliveries | undefined> {
  const deliveries = new Deliveries((end) => {
    if (end === size) sincedb.set(key, size, path)
  })
  const source = sincedb.names?.nameOf(key, knowsBirth ? born : undefined)
  let offset = 0
  const placeOf = () => (source === undefined ? undefined : { source, offset })
  const input = createReadStream(path, { highWaterMark: chunkSize })
  const content = createGunzip({ chunkSize })
  input.once('error', (error) => content.destroy(error))
  input.pipe(content)
  let stream: ByteStream | undefined
  let delimiter: Buffer = lineFeed
  let ends = new RecordEnds(delimiter)
  let isUnfinished = false
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (isStopped()) return undefined
      if (stream === undefined) {
        delimiter = delimiterOf(chunk)
        ends = new RecordEnds(delimiter)
        stream = sink.stream(originOf(path), { delimiter })
      }
      const end = ends.push(chunk)
      isUnfinished = end < 0 || end < chunk.length
      await stream.write(chunk, deliveries.track(0), placeOf())
      offset += chunk.length
    }
  } finally {
    input.destroy()
    content.destroy()
  }
  if (isUnfinished) await stream!.write(delimiter, deliveries.track(0), placeOf())
  const complete = deliveries.track(size)
  if (stream === undefined) complete()
  else await stream.end(complete)
  return deliveries
}

function delimiterOf(first: Buffer): Buffer {
  const end = first.indexOf(10)
  return end > 0 && first[end - 1] === 13 ? windowsLine : lineFeed
}

/** Throws when the archive cannot be decompressed from beginning to end. */
export async function checkArchive(path: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(createReadStream(path, { highWaterMark: chunkSize }), createGunzip({ chunkSize }), nowhere)
}
