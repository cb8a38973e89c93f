// A fresh directory for one run, under bench/data so that inputs and outputs share a disk; gone after the run
// or when the suite is interrupted.
// It is also the working directory of the subject, so that whatever it writes by default lands there.
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirectory } from './generate/data-file.mjs'

const MAX_BYTES = 1000
const inUse = new Set()
const remove = (directory) => rmSync(directory, { recursive: true, force: true, maxRetries: 3 })

process.on('exit', () => {
  for (const directory of inUse) remove(directory)
})

export async function withWorkDirectory(task) {
  mkdirSync(dataDirectory, { recursive: true })
  const directory = mkdtempSync(join(dataDirectory, 'run-'))
  inUse.add(directory)
  try {
    return await task(directory)
  } finally {
    remove(directory)
    inUse.delete(directory)
  }
}

/** The beginning of what a failed subject said on stderr, for the report. */
export function firstWords(path) {
  const bytes = Buffer.alloc(MAX_BYTES)
  const file = openSync(path)
  const got = readSync(file, bytes, 0, MAX_BYTES, 0)
  closeSync(file)
  return bytes.toString('utf8', 0, got).trim()
}
