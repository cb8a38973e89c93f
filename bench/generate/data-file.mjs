// Generated input files, kept in bench/data so that only the first run pays for them. The name carries everything
// the bytes depend on (kind, generator version, seed, count); a file appears under it only when it is complete.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import * as apache from './apache.mjs'
import { hostile, notAscii, truncated } from './apache-variants.mjs'
import * as garbage from './garbage.mjs'
import * as jsonLogs from './json-logs.mjs'
import * as storeLogs from './store-logs.mjs'
import * as syslog from './syslog.mjs'

const SEED = 42
const LINES_PER_WRITE = 1000
const kinds = {
  apache,
  'apache-hostile': hostile,
  'apache-truncated': truncated,
  'apache-utf8-1': notAscii(100),
  'apache-utf8-100': notAscii(1),
  garbage,
  'json-logs': jsonLogs,
  'store-logs': storeLogs,
  syslog,
}

export const dataDirectory = join(import.meta.dirname, '..', 'data')

/** Path of a file with `count` lines of this kind; generated if it is not there yet. */
export function dataFile(kind, count, directory = dataDirectory) {
  const generator = kinds[kind]
  const path = join(directory, `${kind}-v${generator.version}-seed${SEED}-${count}.log`)
  if (existsSync(path)) return path
  mkdirSync(directory, { recursive: true })
  const unfinished = `${path}.${process.pid}.part`
  const file = openSync(unfinished, 'w')
  let pending = []
  const flush = () => {
    writeSync(file, pending.join(''))
    pending = []
  }
  for (const line of generator.lines(count, SEED)) {
    pending.push(`${line}\n`)
    if (pending.length === LINES_PER_WRITE) flush()
  }
  flush()
  closeSync(file)
  renameSync(unfinished, path)
  return path
}
