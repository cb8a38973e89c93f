/**
 * One process per data directory. The lock file names its owner and itself: process, when it began, the boot of the
 * kernel, device and inode of the file. So a file left behind by a process that is gone (a crash, a power cut, a
 * container that starts with the same process number again) and one that was copied along with its directory are
 * told from that of a running owner, and taken over.
 */
import { open, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeDataDirectory } from './data-directory.ts'

type LockedSetting = 'path.data' | 'search.path'

export class DataDirectoryInUse extends Error {
  constructor(directory: string, setting: LockedSetting, pid: number | undefined) {
    const owner =
      pid === undefined ? '' : ` The owner is the process ${pid}; its lock is ${join(directory, '.lock')}.`
    super(
      'Logstash could not be started because there is already another instance using the configured data directory.  ' +
        `If you wish to run multiple instances, you must change the "${setting}" setting.${owner}`,
    )
    this.name = 'DataDirectoryInUse'
  }
}

export interface DataLock {
  release(): Promise<void>
}

const attempts = 3

/** `pid startTime bootId device:inode hostname`, in one line. */
interface Owner {
  readonly pid: number
  /** When the process began, in the kernel's ticks; empty where there is no /proc. */
  readonly started: string
  readonly boot: string
  readonly file: string
}

export async function lockDataDirectory(
  directory: string,
  setting: LockedSetting = 'path.data',
): Promise<DataLock> {
  await makeDataDirectory(directory, setting)
  return lockFile(join(directory, '.lock'), (owner) => new DataDirectoryInUse(directory, setting, owner))
}

/** `inUse` makes the error where another process has the lock; it is told which, if that is known. */
export async function lockFile(path: string, inUse: (owner: number | undefined) => Error): Promise<DataLock> {
  let owner: number | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const file = await open(path, 'wx', 0o600)
      const { dev, ino } = await file.stat()
      const own = `${dev}:${ino}`
      const facts = [process.pid, await startTime(process.pid), await bootId(), own, hostname()]
      await file.writeFile(`${facts.map((fact) => fact || '-').join(' ')}\n`)
      await file.close()
      return { release: () => removeOwn(path, own) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      owner = await holderOf(path)
      if (owner !== undefined) break
      await rm(path, { force: true })
    }
  }
  throw inUse(owner)
}

/** What somebody else put there meanwhile is theirs. */
async function removeOwn(path: string, own: string): Promise<void> {
  if ((await fileId(path)) === own) await rm(path, { force: true })
}

async function fileId(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? '' : `${found.dev}:${found.ino}`
}

/** The process that holds the lock; undefined when nobody does. */
async function holderOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [pidText = '', started = '', boot = '', file = ''] = text
    .trim()
    .split(' ')
    .map((fact) => (fact === '-' ? '' : fact))
  const owner: Owner = { pid: Number(pidText), started, boot, file }
  return (await isHeld(owner, path)) ? owner.pid : undefined
}

async function isHeld({ pid, started, boot, file }: Owner, path: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  // The file of another directory: this one is a copy of it.
  if (file !== '' && file !== (await fileId(path))) return false
  // Written before the machine was started, or on another one.
  const current = await bootId()
  if (boot !== '' && current !== '' && boot !== current) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const now = await startTime(pid)
  return now === '' || started === '' || now === started
}

async function startTime(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** Empty where there is no /proc. */
async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
}
