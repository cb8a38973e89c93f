/**
 * Digest, OpenSSL::HMAC, Base64.
 */
import { createHash, createHmac } from 'node:crypto'
import { textArgument } from '../arguments.ts'
import { bytesOf, textOfBytes } from '../bytes.ts'
import { argumentError, raise } from '../errors.ts'
import { toText } from '../inspect.ts'
import {
  defineMethods,
  defineStatics,
  newClass,
  newModule,
  objectClass,
  type RubyClass,
  type RubyValue,
} from '../ruby-class.ts'
import { Instance } from '../values.ts'

const digest = newModule('Digest')
const openssl = newModule('OpenSSL')
const hmac = newClass('HMAC', objectClass, openssl)
const sslDigest = newClass('Digest', objectClass, openssl)

interface Hashing {
  readonly algorithm: string
  bytes: Buffer[]
}

const hashed = (algorithm: string, parts: readonly Buffer[]): Buffer => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const data = (value: RubyValue | undefined): Buffer => bytesOf(textArgument(value))

function hexOr(result: Buffer, form: 'hex' | 'base64' | 'bytes'): string {
  return form === 'bytes' ? textOfBytes(result) : result.toString(form)
}

function defineAlgorithm(owner: RubyClass, algorithm: string): void {
  defineStatics(owner, {
    'hexdigest 1': (_, [text]) => hexOr(hashed(algorithm, [data(text)]), 'hex'),
    'digest 1': (_, [text]) => hexOr(hashed(algorithm, [data(text)]), 'bytes'),
    'base64digest 1': (_, [text]) => hexOr(hashed(algorithm, [data(text)]), 'base64'),
    new: (self) => new Instance<Hashing>(self, { algorithm, bytes: [] }),
  })
  defineHashing(owner)
}

function defineHashing(owner: RubyClass): void {
  defineMethods<Instance<Hashing>>(owner, {
    'update,<< 1': (self, [text]) => {
      self.state.bytes.push(data(text))
      return self
    },
    'hexdigest,to_s 0-1': (self, args) => read(self, args, 'hex'),
    'digest 0-1': (self, args) => read(self, args, 'bytes'),
    'base64digest 0-1': (self, args) => read(self, args, 'base64'),
    reset: (self) => {
      self.state.bytes = []
      return self
    },
  })
}

function read({ state }: Instance<Hashing>, [text]: RubyValue[], form: 'hex' | 'base64' | 'bytes'): string {
  return hexOr(hashed(state.algorithm, text === undefined ? state.bytes : [data(text)]), form)
}

const algorithms: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
}
for (const [name, algorithm] of Object.entries(algorithms)) {
  defineAlgorithm(newClass(name, objectClass, digest), algorithm)
  defineAlgorithm(newClass(name, sslDigest, sslDigest), algorithm)
}
defineHashing(sslDigest)

function algorithmOf(value: RubyValue | undefined): string {
  const name = value instanceof Instance ? (value.state as Hashing).algorithm : toText(value ?? null)
  const known = algorithms[name.toUpperCase().replace('-', '')]
  if (known === undefined) raise(argumentError, `Unsupported digest algorithm (${name}).`)
  return known
}

defineStatics(sslDigest, {
  'new 1-2': (self, [name]) => new Instance<Hashing>(self, { algorithm: algorithmOf(name), bytes: [] }),
  'hexdigest 2': (_, [name, text]) => hexOr(hashed(algorithmOf(name), [data(text)]), 'hex'),
  'digest 2': (_, [name, text]) => hexOr(hashed(algorithmOf(name), [data(text)]), 'bytes'),
})

const keyed = ([name, key, text]: RubyValue[]): Buffer =>
  createHmac(algorithmOf(name), data(key)).update(data(text)).digest()
defineStatics(hmac, {
  'hexdigest 3': (_, args) => hexOr(keyed(args), 'hex'),
  'digest 3': (_, args) => hexOr(keyed(args), 'bytes'),
  'base64digest 3': (_, args) => hexOr(keyed(args), 'base64'),
})

const base64 = newModule('Base64')
const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

defineStatics(base64, {
  'encode64 1': (_, [text]) =>
    data(text)
      .toString('base64')
      .replace(/.{1,60}/g, '$&\n'),
  'strict_encode64 1': (_, [text]) => data(text).toString('base64'),
  'urlsafe_encode64 1-2': (_, [text]) =>
    data(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  'decode64 1': (_, [text]) => textOfBytes(Buffer.from(leading(textArgument(text)), 'base64')),
  'strict_decode64 1': (_, [text]) => {
    if (!alphabet.test(textArgument(text))) raise(argumentError, 'invalid base64')
    return textOfBytes(Buffer.from(textArgument(text), 'base64'))
  },
  'urlsafe_decode64 1': (_, [text]) => textOfBytes(Buffer.from(textArgument(text), 'base64url')),
})

/** What is no base64 is skipped; an `=` ends the data. */
function leading(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9+/=]/g, '')
  const end = clean.indexOf('=')
  return end < 0 ? clean : clean.slice(0, end)
}
