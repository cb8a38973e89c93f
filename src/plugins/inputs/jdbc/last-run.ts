/**
 * The value the next run of a statement begins at, kept in a file as Logstash keeps it: a YAML document of one
 * number, `--- 42`, or one time, `--- 2024-05-06 07:08:09.123456000 Z`.
 */
import { readFile, rm } from 'node:fs/promises'
import { parseTimestamp } from '../../../event/parse-timestamp.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { float, integer, LsFloat, type Value } from '../../../event/value.ts'
import { replaceFile } from '../../../storage/replace-file.ts'
import { utc } from '../../../time/zone.ts'

export type LastValue = number | bigint | LsFloat | Timestamp

export async function readLastRun(path: string): Promise<LastValue | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return parseLastRun(text)
}

export function parseLastRun(text: string): LastValue | undefined {
  const body = text
    .replace(/^---\s*/, '')
    .replace(/\n\.\.\.\s*$/, '')
    .replace(/^!\S+\s+/, '')
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
  if (body === '') return undefined
  if (/^[+-]?\d+$/.test(body)) return integer(BigInt(body))
  if (/^[+-]?\d+\.\d+(e[+-]?\d+)?$/i.test(body)) return float(Number(body))
  const iso = body.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T').replace(/ (?=Z$|[+-]\d)/, '')
  return parseTimestamp(iso, utc)
}

export async function writeLastRun(path: string, value: LastValue): Promise<void> {
  await replaceFile(path, lastRunText(value))
}

export function lastRunText(value: LastValue): string {
  if (!(value instanceof Timestamp)) return `--- ${value}\n`
  const seconds = new Date(value.millis).toISOString().slice(0, 19).replace('T', ' ')
  const nanos = (value.millis - Math.floor(value.millis / 1000) * 1000) * 1_000_000 + value.nanos
  return `--- ${seconds}.${String(nanos).padStart(9, '0')} Z\n`
}

export async function forgetLastRun(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** A column's value as one to begin at; undefined when it is of the wrong kind. */
export function lastValueOf(value: Value | undefined, kind: 'numeric' | 'timestamp'): LastValue | undefined {
  if (kind === 'timestamp') {
    if (value instanceof Timestamp) return value
    return typeof value === 'string' ? parseTimestamp(value.replace(' ', 'T'), utc) : undefined
  }
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat) return value
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value) ? parseLastRun(value) : undefined
}
