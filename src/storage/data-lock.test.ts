import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDataDirectory } from './data-lock.ts'

let folder: string
let other: ReturnType<typeof spawn>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-lock-'))
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'])
  await new Promise((resolve) => other.stdout!.once('data', resolve))
})
afterEach(async () => {
  other.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** A lock as another running process would have written it in place. */
async function ofOther(directory: string, changes: readonly string[] = []): Promise<void> {
  const lock = await lockDataDirectory(directory)
  const path = join(directory, '.lock')
  const facts = (await readFile(path, 'utf8')).trim().split(' ')
  const started = (await readFile(`/proc/${other.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')[19]!
  facts[0] = String(other.pid)
  facts[1] = started
  changes.forEach((value, at) => {
    if (value !== '') facts[at] = value
  })
  await writeFile(path, `${facts.join(' ')}\n`)
  void lock
}

it('a directory of a running process is refused in the words of Logstash, with the number of the process', async () => {
  await ofOther(folder)
  await expect(lockDataDirectory(folder)).rejects.toThrow(
    `Logstash could not be started because there is already another instance using the configured data directory.  If you wish to run multiple instances, you must change the "path.data" setting. The owner is the process ${other.pid}`,
  )
  await expect(lockDataDirectory(folder, 'search.path')).rejects.toThrow('change the "search.path" setting')
})

it('a lock that was copied along with its directory blocks nobody', async () => {
  const original = join(folder, 'original')
  const copy = join(folder, 'copy')
  await ofOther(original)
  cpSync(original, copy, { recursive: true })
  await (await lockDataDirectory(copy)).release()
  await expect(lockDataDirectory(original)).rejects.toThrow('already another instance')
})

it('a lock of before the last boot, of an ended process or of another with its number is taken over', async () => {
  await ofOther(folder, ['', '', 'another-boot'])
  await (await lockDataDirectory(folder)).release()
  await ofOther(folder, ['', '1'])
  await (await lockDataDirectory(folder)).release()
  await ofOther(folder)
  other.kill('SIGKILL')
  await new Promise((resolve) => other.once('exit', resolve))
  await (await lockDataDirectory(folder)).release()
  await writeFile(join(folder, '.lock'), '')
  await (await lockDataDirectory(folder)).release()
})

it('a lock is readable by its owner alone, and only its own is removed', async () => {
  const lock = await lockDataDirectory(folder)
  const path = join(folder, '.lock')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await rename(path, `${path}.old`)
  await writeFile(path, 'theirs')
  await lock.release()
  expect(await readFile(path, 'utf8')).toBe('theirs')
})
