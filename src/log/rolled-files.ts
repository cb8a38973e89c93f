/**
 * Looks after log files that were rolled: compresses them and removes the old ones. At most 30 files
 * of a day (or of a pipeline) and the last 7 days are kept. Runs a moment after a file is opened or rolled,
 * never holds the process open, and picks up what an earlier process left uncompressed.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { localDay } from './layout.ts'

const delayMillis = 2_000
const keepPerDay = 30
const keepDays = 7
const staleTemporaryMillis = 600_000
const dayMillis = 86_400_000

interface RolledFile {
  readonly entry: string
  readonly day: string
  readonly number: number
  readonly isCompressed: boolean
}

const scheduled = new Set<string>()

export function scheduleTidy(directory: string, name: string, daily: boolean): void {
  const key = join(directory, name)
  if (scheduled.has(key)) return
  scheduled.add(key)
  const timer = setTimeout(() => {
    scheduled.delete(key)
    // A failure here costs disk space, not lines; the next roll tries again.
    tidyRolledFiles(directory, name, daily, Date.now()).catch(() => undefined)
  }, delayMillis)
  timer.unref()
}

export async function tidyRolledFiles(
  directory: string,
  name: string,
  daily: boolean,
  now: number,
): Promise<void> {
  const rolled = findRolled(await readdir(directory), name, daily)
  const oldestDay = localDay(now - keepDays * dayMillis)
  const perDay = new Map<string, RolledFile[]>()
  for (const file of rolled) {
    const sameDay = perDay.get(file.day)
    if (sameDay === undefined) perDay.set(file.day, [file])
    else sameDay.push(file)
  }
  for (const [day, files] of perDay) {
    files.sort((a, b) => b.number - a.number)
    const kept = daily && day < oldestDay ? 0 : keepPerDay
    for (const file of files.slice(kept)) await rm(join(directory, file.entry), { force: true })
    for (const file of files.slice(0, kept)) {
      if (!file.isCompressed) await compress(join(directory, file.entry))
    }
  }
}

function findRolled(entries: readonly string[], name: string, daily: boolean): RolledFile[] {
  const found: RolledFile[] = []
  const prefix = daily ? `${name}-` : `${name}.`
  const form = daily ? /^(\d{4}-\d\d-\d\d)-(\d{1,9})\.log\.(rolled|gz)$/ : /^()(\d{1,9})\.log\.(rolled|gz)$/
  for (const entry of entries) {
    if (!entry.startsWith(prefix)) continue
    const parts = form.exec(entry.slice(prefix.length))
    if (parts === null) continue
    found.push({
      entry,
      day: parts[1] ?? '',
      number: Number(parts[2]),
      isCompressed: parts[3] === 'gz',
    })
  }
  return found
}

async function compress(path: string): Promise<void> {
  const target = path.replace(/\.rolled$/, '.gz')
  const temporary = `${target}.tmp`
  const left = await stat(temporary).catch(() => undefined)
  if (left !== undefined) {
    // Another thread is at it, unless the file is too old for that.
    if (Date.now() - left.mtimeMs < staleTemporaryMillis) return
    await rm(temporary, { force: true })
  }
  const { createGzip } = await import('node:zlib')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(createReadStream(path), createGzip(), createWriteStream(temporary, { flags: 'wx' }))
  await rename(temporary, target)
  await rm(path, { force: true })
}
