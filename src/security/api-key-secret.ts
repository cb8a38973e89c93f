/**
 * Secrets of API keys: 128 random bits, kept as salted SHA-256. A slow hash would add nothing, because a random
 * secret cannot be guessed, and keys are checked with every request.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const saltBytes = 8

/** 20 and 22 characters, as the ids and keys of Elasticsearch have. */
export function newApiKey(): { readonly id: string; readonly secret: string } {
  return { id: randomBytes(15).toString('base64url'), secret: randomBytes(16).toString('base64url') }
}

export function hashSecret(secret: string): string {
  const salt = randomBytes(saltBytes)
  return `ssha256$${salt.toString('base64')}$${digest(salt, secret).toString('base64')}`
}

export function verifySecret(secret: string, hash: string): boolean {
  const [kind, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64')
  const given = digest(Buffer.from(salt, 'base64'), secret)
  return kind === 'ssha256' && given.length === expected.length && timingSafeEqual(given, expected)
}

function digest(salt: Buffer, secret: string): Buffer {
  return createHash('sha256').update(salt).update(secret).digest()
}
