/**
 * Standard output for events that are let go of once they are printed: a text counts as printed when the operating
 * system has taken it, and what it did not take is an error, not a line that is missing at the end of a file.
 */
import type { Writable } from 'node:stream'

/** Whoever read the results has seen enough. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

export function printTo(stream: Writable): (text: string) => Promise<void> {
  // Every write hears of its own failure.
  stream.on('error', () => undefined)
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (!error) return resolve()
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') return reject(new ReaderGone(error.message))
        reject(new Error(`The results could not be written to standard output: ${error.message}`))
      })
    })
}
