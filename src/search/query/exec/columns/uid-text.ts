/** Ids of documents as OpenSearch stores and prints them: digits in nibbles, base64 decoded, or UTF-8 behind a mark. */

const base64Url = /^[\w-]+$/

function isBase64(id: string): boolean {
  if (!base64Url.test(id)) return false
  const last = id.at(-1)!
  if (id.length % 4 === 0) return true
  if (id.length % 4 === 2) return 'AQgw'.includes(last)
  return id.length % 4 === 3 && 'AEIMQUYcgkosw048'.includes(last)
}

function uid(id: string): Buffer {
  if (/^\d+$/.test(id)) return Buffer.from(`fe${id}${id.length % 2 === 1 ? 'f' : ''}`, 'hex')
  if (!isBase64(id)) return Buffer.from([0xff, ...Buffer.from(id)])
  const bytes = Buffer.from(id, 'base64url')
  return bytes[0]! >= 0xfd ? Buffer.from([0xfd, ...bytes]) : bytes
}

/** `[fe 17 8f]` for each id, in the order of the bytes. */
export function uidTexts(ids: readonly string[]): string[] {
  return ids
    .map(uid)
    .toSorted(Buffer.compare)
    .map((bytes) => `[${[...bytes].map((byte) => byte.toString(16)).join(' ')}]`)
}
