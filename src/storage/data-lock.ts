/**
 * One process per data directory. The lock file names its owner; a file left behind by a process that
 * is gone (a crash, a power cut, a container that starts with the same process number again) is taken over.
 */
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDirectory } from './data-directory.ts'

export class DataDirectoryInUse extends Error {
  constructor() {
    super(
      'Logstash could not be started because there is already another instance using the configured data directory.  ' +
        'If you wish to run multiple instances, you must change the "path.data" setting.',
    )
    this.name = 'DataDirectoryInUse'
  }
}

export interface DataLock {
  release(): Promise<void>
}

const attempts = 3

export async function lockDataDirectory(directory: string): Promise<DataLock> {
  await makeDataDirectory(directory)
  const path = join(directory, '.lock')
  const own = `${process.pid} ${await startTime(process.pid)}\n`
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(own)
      await file.close()
      return { release: () => rm(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (await isHeld(path)) throw new DataDirectoryInUse()
      await rm(path, { force: true })
    }
  }
  throw new DataDirectoryInUse()
}

async function isHeld(path: string): Promise<boolean> {
  const [pidText = '', started = ''] = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const now = await startTime(pid)
  return now === '' || started === '' || now === started
}

/** When a process began, in the kernel's ticks; empty where there is no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
