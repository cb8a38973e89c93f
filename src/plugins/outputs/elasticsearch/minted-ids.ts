/**
 * Document ids made by the sender. A request that is sent again then names the same documents again, and what was
 * stored the first time is not stored twice.
 */
import { randomBytes } from 'node:crypto'

/** 12 characters of this output's own, 8 that count. */
export function mintIds(): () => string {
  const own = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    const id = own + count.toString(36).padStart(8, '0')
    count += 1
    return id
  }
}
