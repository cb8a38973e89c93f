/** Basic authentication. Comparison takes the same time whatever part of a credential is right. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** `malformed`: some other scheme, or credentials that are none. */
export type Credentials = 'accepted' | 'refused' | 'malformed'

export function basicAuth(
  username: string,
  password: string,
): (authorization: string | undefined) => Credentials {
  const expected = digest(`${username}:${password}`)
  return (authorization) => {
    if (authorization === undefined) return 'refused'
    const [, encoded] = /^basic +([A-Za-z0-9+/=_-]*) *$/i.exec(authorization) ?? []
    if (encoded === undefined) return 'malformed'
    const given = digest(Buffer.from(encoded, 'base64').toString('utf8'))
    return timingSafeEqual(given, expected) ? 'accepted' : 'refused'
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
