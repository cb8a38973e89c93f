/**
 * Certificates that are replaced while the server runs: looks at the files every few seconds and takes them over once
 * they can be used. Files that cannot, a key without its certificate in the middle of a change among them, are told and
 * left alone; connections that are open keep what they have.
 */
import { statSync } from 'node:fs'
import type { TlsOptions } from 'node:tls'
import { readTls, type TlsFiles } from './tls-files.ts'

export interface TlsRenewalOptions {
  readonly files: TlsFiles
  readonly use: (options: TlsOptions) => void
  readonly told: (error: Error | undefined) => void
  readonly everyMillis?: number
}

/** Gives back what ends it. */
export function renewTls({ files, use, told, everyMillis = 5000 }: TlsRenewalOptions): () => void {
  const paths = [files.keystore, files.certificate, files.key].filter((path) => typeof path === 'string')
  let seen = stampOf(paths)
  let isBusy = false
  const look = async () => {
    const stamp = stampOf(paths)
    if (stamp === seen || isBusy) return
    isBusy = true
    try {
      use(await readTls(files))
      told(undefined)
    } catch (error) {
      told(error as Error)
    } finally {
      seen = stamp
      isBusy = false
    }
  }
  const timer = setInterval(() => void look(), everyMillis)
  timer.unref()
  return () => clearInterval(timer)
}

function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stat === undefined ? '-' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
    })
    .join(',')
}
