/**
 * Bytes that the program does not understand, or no longer needs but was not told to delete, go to a folder
 * `quarantine` beside their place. Nothing in it is ever read or deleted by the program, except torn tails of
 * crashed writes, which were never acknowledged: of those the newest few are kept.
 */
import type { Files } from '../../storage/files.ts'

export const quarantineName = 'quarantine'
const maxTornTails = 8
const tornTail = /^torn-/

export function keepTornTail(files: Files, directory: string, name: string, bytes: Uint8Array): string {
  const kept = keepBytes(files, directory, `torn-${name}`, bytes)
  const folder = `${directory}/${quarantineName}`
  const tails = files.list(folder).filter((one) => tornTail.test(one))
  for (const old of tails.slice(0, Math.max(0, tails.length - maxTornTails))) files.remove(`${folder}/${old}`)
  return kept
}

/** Writes the bytes durably and returns where they are. */
function keepBytes(files: Files, directory: string, name: string, bytes: Uint8Array): string {
  const folder = `${directory}/${quarantineName}`
  files.makeDirectory(folder)
  const path = `${folder}/${name}`
  files.write(path, [bytes])
  files.syncDirectory(folder)
  files.syncDirectory(directory)
  return path
}
