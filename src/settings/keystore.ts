/**
 * The file of secrets that `${NAME}` can refer to. One JSON envelope around one encrypted map:
 *   {"format":"millrace.keystore","version":1,
 *    "kdf":{"name":"scrypt","N":…,"r":…,"p":…,"salt":base64},
 *    "cipher":{"name":"aes-256-gcm","iv":base64,"tag":base64},"data":base64}
 * The key is scrypt of LOGSTASH_KEYSTORE_PASS; "format|version|kdf" as JSON is authenticated with the data.
 * Names are kept in lower case, as in Logstash. A wrong password tells nothing about the content.
 */
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { replaceFile } from '../storage/replace-file.ts'
import { SettingsError } from './errors.ts'
import { isVariableName } from './substitution.ts'

export const passwordVariable = 'LOGSTASH_KEYSTORE_PASS'

/** For whoever creates a keystore without a password. */
export const noPasswordWarning = `The keystore password is not set. Please set the environment variable \`${passwordVariable}\`. Failure to do so will result in reduced security.`

const format = 'millrace.keystore'
const maxFileBytes = 16 * 1024 * 1024
const maxNameLength = 255
const maxSecretLength = 1024 * 1024
const defaultCost = { N: 2 ** 15, r: 8, p: 1 }

interface Kdf {
  readonly name: 'scrypt'
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: string
}

interface Envelope {
  readonly format: string
  readonly version: number
  readonly kdf: Kdf
  readonly cipher: { readonly name: string; readonly iv: string; readonly tag: string }
  readonly data: string
}

export class Keystore {
  readonly file: string
  readonly #password: string
  readonly #secrets: Map<string, string>

  /** Use `createKeystore` or `loadKeystore`. */
  constructor(file: string, password: string, secrets: ReadonlyMap<string, string>) {
    this.file = file
    this.#password = password
    this.#secrets = new Map(secrets)
  }

  get(name: string): string | undefined {
    return this.#secrets.get(name.toLowerCase())
  }

  /** Names only, sorted. */
  list(): string[] {
    return [...this.#secrets.keys()].sort()
  }

  /** Adds or replaces a secret and writes the file. */
  async add(name: string, secret: string): Promise<void> {
    if (!isVariableName(name) || name.length > maxNameLength) {
      throw new SettingsError(
        `"${name}" can not be a keystore name: it must begin with a letter, "_" or "." and continue with letters, digits, "_" or "."`,
      )
    }
    if (secret === '') throw new SettingsError('Value cannot be empty')
    if (secret.length > maxSecretLength) throw new SettingsError('Value is longer than 1 MiB')
    this.#secrets.set(name.toLowerCase(), secret)
    await this.#save()
  }

  /** False when there is no such secret. */
  async remove(name: string): Promise<boolean> {
    if (!this.#secrets.delete(name.toLowerCase())) return false
    await this.#save()
    return true
  }

  async #save(): Promise<void> {
    await writeAtomically(this.file, await encrypt(this.#secrets, this.#password))
  }

  static async create(file: string, password: string): Promise<Keystore> {
    const store = new Keystore(file, password, new Map())
    await store.#save()
    return store
  }
}

/** Makes an empty keystore, replacing one that is there. */
export function createKeystore(file: string, password: string | undefined): Promise<Keystore> {
  return Keystore.create(file, password ?? '')
}

export async function keystoreExists(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}

export async function loadKeystore(file: string, password: string | undefined): Promise<Keystore> {
  let text: string
  try {
    if ((await stat(file)).size > maxFileBytes) throw notAKeystore(file)
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notAKeystore(file)
    throw error instanceof SettingsError ? error : noAccess(file)
  }
  const envelope = parseEnvelope(text)
  if (envelope === undefined) throw notAKeystore(file)
  const secrets = await decrypt(envelope, password ?? '')
  if (secrets === undefined) throw noAccess(file)
  return new Keystore(file, password ?? '', secrets)
}

async function encrypt(secrets: ReadonlyMap<string, string>, password: string): Promise<string> {
  const kdf: Kdf = { name: 'scrypt', ...defaultCost, salt: randomBytes(16).toString('base64') }
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(password, kdf), iv)
  cipher.setAAD(authenticated(1, kdf))
  const data = Buffer.concat([cipher.update(JSON.stringify([...secrets]), 'utf8'), cipher.final()])
  const envelope: Envelope = {
    format,
    version: 1,
    kdf,
    cipher: { name: 'aes-256-gcm', iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64') },
    data: data.toString('base64'),
  }
  return `${JSON.stringify(envelope)}\n`
}

async function decrypt(envelope: Envelope, password: string): Promise<Map<string, string> | undefined> {
  const { kdf, cipher, data, version } = envelope
  const key = await deriveKey(password, kdf)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.iv, 'base64'), {
      authTagLength: 16,
    })
    decipher.setAAD(authenticated(version, kdf))
    decipher.setAuthTag(Buffer.from(cipher.tag, 'base64'))
    const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString(
      'utf8',
    )
    return new Map(JSON.parse(text) as [string, string][])
  } catch {
    return undefined
  }
}

function authenticated(version: number, kdf: Kdf): Buffer {
  return Buffer.from(JSON.stringify([format, version, kdf.name, kdf.N, kdf.r, kdf.p, kdf.salt]))
}

function deriveKey(password: string, kdf: Kdf): Promise<Buffer> {
  const options: ScryptOptions = { N: kdf.N, r: kdf.r, p: kdf.p, maxmem: 256 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(kdf.salt, 'base64'), 32, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** Costs are limited: whoever can write the file must not be able to make us compute for hours. */
function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Envelope
    const { kdf, cipher } = value
    const isSound =
      value.format === format &&
      value.version === 1 &&
      kdf.name === 'scrypt' &&
      Number.isInteger(Math.log2(kdf.N)) &&
      kdf.N >= 2 &&
      kdf.N <= 2 ** 17 &&
      Number.isInteger(kdf.r) &&
      kdf.r >= 1 &&
      kdf.r <= 8 &&
      Number.isInteger(kdf.p) &&
      kdf.p >= 1 &&
      kdf.p <= 4 &&
      cipher.name === 'aes-256-gcm' &&
      [kdf.salt, cipher.iv, cipher.tag, value.data].every((part) => typeof part === 'string')
    return isSound ? value : undefined
  } catch {
    return undefined
  }
}

/** Two commands may write at once. */
async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await replaceFile(file, text, { mode: 0o600, temporary })
}

function noAccess(file: string): SettingsError {
  return new SettingsError(
    `Can not access Logstash keystore at ${file}. Please verify correct file permissions and keystore password.`,
  )
}

function notAKeystore(file: string): SettingsError {
  return new SettingsError(
    `Can not find Logstash keystore at ${file}. Please verify this file exists and is a valid Logstash keystore.`,
  )
}
