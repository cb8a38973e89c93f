/** Files of a configuration for an editor: read as they are now, and replaced as a whole, with their mode. */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Undefined when it cannot be read. */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Whoever reads it meanwhile sees the old text or the new one, never half of one. */
export function replaceConfigText(path: string, text: string): void {
  const mode = statSync(path).mode & 0o777
  // No name that `*.conf` finds.
  const beside = `${path}.${process.pid}.new`
  try {
    writeFileSync(beside, text, { mode, flush: true })
    chmodSync(beside, mode)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
