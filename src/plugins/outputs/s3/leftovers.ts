/**
 * Files that an earlier run could not upload: it crashed, or the service was away when it ended. Files that grow at this
 * moment, of other outputs of this process, are left alone. A gzip file whose last member was cut off is written anew from
 * what can be read.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { folderFacts, keyOf } from './temporary-file.ts'

const recoveredMark = '-recovered.txt.gz'

interface Leftover {
  readonly key: string
  readonly path: string
  readonly folder: string
}

interface LeftoverSettings {
  readonly directory: string
  readonly bucket: string
  /** Milliseconds since 1970; files in folders that were made later may still grow. */
  readonly processStart: number
}

export async function findLeftovers(settings: LeftoverSettings): Promise<Leftover[]> {
  const { directory, bucket, processStart } = settings
  const found: Leftover[] = []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const facts = entry.isDirectory() ? folderFacts(entry.name) : undefined
    if (facts === undefined || (facts.bucket ?? bucket) !== bucket) continue
    const folder = join(directory, entry.name)
    const made = await stat(folder).catch(() => undefined)
    if (made === undefined || !(facts.isLeft || made.mtimeMs < processStart)) continue
    const files = await filesIn(folder)
    for (const path of files) found.push({ key: keyOf(relative(folder, path)), path, folder })
    if (files.length === 0) await rm(folder, { recursive: true, force: true })
  }
  return found
}

/** Those with something in them; what was made of torn ones does not count. */
async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const file of entries) {
    const path = join(file.parentPath ?? file.path, file.name)
    if (!file.isFile() || file.name.endsWith(recoveredMark)) continue
    const { size } = await stat(path).catch(() => ({ size: 0 }))
    if (size > 0) paths.push(path)
  }
  return paths
}

/** The file is uploaded; its folder goes with the last one. */
export async function removeLeftover({ path, folder }: Leftover): Promise<void> {
  await rm(path, { force: true })
  if ((await filesIn(folder)).length === 0) await rm(folder, { recursive: true, force: true })
}

/** The path to upload: of the file itself, or of what could be read of it. */
export async function readable({ path }: Leftover): Promise<string> {
  if (!path.endsWith('.txt.gz') || (await isWhole(path))) return path
  const recovered = join(path, '..', basename(path, '.txt.gz') + recoveredMark)
  const unpacker = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  await pipeline(createReadStream(path), unpacker, createGzip(), createWriteStream(recovered))
  return recovered
}

async function isWhole(path: string): Promise<boolean> {
  try {
    await pipeline(createReadStream(path), createGunzip(), async (pieces) => {
      for await (const _ of pieces);
    })
    return true
  } catch {
    return false
  }
}
