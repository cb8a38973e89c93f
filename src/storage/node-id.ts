/** The identity of this node: a UUID kept in `path.data/uuid`, made on the first start. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from './replace-file.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function nodeId(directory: string): Promise<string> {
  const path = join(directory, 'uuid')
  const known = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (uuid.test(known)) return known
  const fresh = randomUUID()
  await replaceFile(path, fresh)
  return fresh
}
