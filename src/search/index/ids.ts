/** Random ids in the url-safe base64 of the reference: 20 characters for documents, 22 for indices. */
import { randomBytes, randomFillSync } from 'node:crypto'

const idBytes = 15
const pool = Buffer.alloc(idBytes * 256)
let used = pool.length

/** Random bytes are fetched for many ids at a time. */
export function documentId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return pool.toString('base64url', used - idBytes, used)
}

export function uuid(): string {
  return randomBytes(16).toString('base64url')
}
