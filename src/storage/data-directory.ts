/** The data directory, made when it is not there. What stands in the way is said in Logstash's words, with the setting. */
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from './make-directory.ts'

export async function makeDataDirectory(path: string, setting = 'path.data'): Promise<void> {
  const hint = `Choose another one with the --${setting} option.`
  try {
    await makeDirectory(path, 0o700)
    await access(path, constants.W_OK)
  } catch (error) {
    throw new Error(`${await reason(path, error as NodeJS.ErrnoException)} ${hint}`, { cause: error })
  }
}

async function reason(path: string, { code, message }: NodeJS.ErrnoException): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return `Path "${path}" must be a writable directory. It is not writable.`
  if (found !== undefined) return `Path "${path}" must be a writable directory. It is not a directory.`
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return `Path "${path}": ${message}.`
  return `Path "${path}" does not exist and I cannot create it because the parent path "${dirname(path)}" is not writable.`
}
