/**
 * Passwords as scrypt hashes (RFC 7914), `scrypt$N$r$p$salt$hash` with base64 of the last two. Hashing runs in the
 * thread pool, one at a time, so that a flood of logins leaves the other threads of the pool to fsync; whoever finds
 * too many waiting is turned away.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** The parameters OWASP names for 16 MiB of memory. */
const standardCost: ScryptCost = { N: 2 ** 14, r: 8, p: 5 }
const keyBytes = 32
const saltBytes = 16
const maxWaiting = 64
/** Bounds for scrypt parameters in a file that somebody else wrote. */
const maxMemory = 256 * 1024 * 1024
export const maxPasswordLength = 1024

export class TooManyLogins extends Error {
  constructor() {
    super('too many logins at once')
    this.name = 'TooManyLogins'
  }
}

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

async function derive(
  password: string,
  salt: Buffer,
  length: number,
  { N, r, p }: ScryptCost,
): Promise<Buffer> {
  if (waiting >= maxWaiting) throw new TooManyLogins()
  waiting += 1
  const mine = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFC'), salt, length, { N, r, p, maxmem: maxMemory }, (error, key) =>
          error === null ? resolve(key) : reject(error),
        )
      }),
  )
  last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    waiting -= 1
  }
}

export async function hashPassword(password: string, cost = standardCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derive(password, salt, keyBytes, cost)
  const { N, r, p } = cost
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`
}

const form = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/=]{1,128})\$([A-Za-z0-9+/=]{1,128})$/

export function isPasswordHash(text: string): boolean {
  return form.test(text)
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = form.exec(hash) ?? []
  if (N === undefined) return false
  const expected = Buffer.from(key, 'base64')
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await derive(password, Buffer.from(salt, 'base64'), expected.length, parameters)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

let decoy: Promise<string> | undefined

/** Takes as long as checking the password of somebody who exists. */
export async function verifyNobody(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await verifyPassword(password, await decoy)
  return false
}
