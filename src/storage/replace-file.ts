/**
 * Replaces a small file as a whole: how far an input has read, the keystore, the id of the node. A reader finds the old
 * text or the new one, also after a power cut: the new text is synced before it gets the name, because a file system may
 * otherwise keep the name and lose the text.
 */
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from './make-directory.ts'

interface ReplaceOptions {
  /** Permissions of the file; by default those that the process gives to new files. */
  readonly mode?: number
  /** Where the text is written first, in the same folder. */
  readonly temporary?: string
}

export async function replaceFile(
  path: string,
  text: string,
  { mode = 0o666, temporary = `${path}.new` }: ReplaceOptions = {},
): Promise<void> {
  await makeDirectory(dirname(path))
  try {
    const file = await open(temporary, 'w', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    // Half a file takes room that a full disk does not have.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Some systems cannot sync a directory; the text itself is safe by then. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => undefined)
  await directory?.close()
}
