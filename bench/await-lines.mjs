// Waits until a file that another process writes has so many lines. Only the new bytes are read at each look; a file
// that stops growing is an error long before the time limit of the run.
import { closeSync, openSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 10
const STALL_MS = 20_000
const CHUNK = 1 << 20

export async function awaitLines(path, expected, signal) {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let file
  let position = 0
  let lines = 0
  let grewAt = performance.now()
  try {
    for (;;) {
      file ??= openIfThere(path)
      for (let got; file !== undefined && (got = readSync(file, chunk, 0, CHUNK, position)) > 0; ) {
        position += got
        lines += lineEnds(chunk.subarray(0, got))
        grewAt = performance.now()
      }
      if (lines >= expected) return
      signal.throwIfAborted()
      if (performance.now() - grewAt > STALL_MS) {
        throw new Error(`the output stopped at ${lines} of ${expected} lines`)
      }
      await sleep(LOOK_MS)
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function openIfThere(path) {
  try {
    return openSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function lineEnds(bytes) {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
