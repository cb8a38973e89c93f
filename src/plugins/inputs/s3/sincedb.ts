/**
 * The time of the last object that was read, in a file of its own, as Ruby writes a time: `2015-05-22 15:15:50 UTC`. Services
 * that know fractions of a second get them written, so that an object is not read twice.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../storage/replace-file.ts'

export function sincedbPath(data: string, bucket: string, prefix: string | undefined): string {
  const digest = createHash('md5')
    .update(`${bucket}+${prefix ?? ''}`)
    .digest('hex')
  return join(data, 'plugins', 'inputs', 's3', `sincedb_${digest}`)
}

/** Milliseconds since 1970; 0 when there is nothing yet. */
export async function readSincedb(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return parseTime(text)
}

export function parseTime(text: string): number {
  const trimmed = text.trim()
  if (trimmed === '') return 0
  const ruby = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?) ?(UTC|Z|[+-]\d\d:?\d\d)?$/.exec(trimmed)
  const iso = ruby === null ? trimmed : `${ruby[1]}T${ruby[2]}${(ruby[3] ?? 'UTC').replace('UTC', 'Z')}`
  const time = Date.parse(iso)
  if (Number.isNaN(time)) throw new Error(`The sincedb does not hold a time: ${trimmed.slice(0, 100)}`)
  return time
}

export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('.000', '').replace('Z', ' UTC')
}

export async function writeSincedb(path: string, milliseconds: number): Promise<void> {
  await replaceFile(path, timeText(milliseconds))
}
