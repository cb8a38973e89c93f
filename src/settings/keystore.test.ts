import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeystore, keystoreExists, loadKeystore } from './keystore.ts'
import { openVariables } from './variables.ts'

let directory = ''
let file = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-keystore-'))
  file = join(directory, 'millrace.keystore')
})

afterEach(() => rm(directory, { recursive: true, force: true }))

describe('keystore', () => {
  it('keeps secrets under names that ignore case', async () => {
    const store = await createKeystore(file, 'pass')
    await store.add('ES_PWD', 'geheim ü')
    await store.add('a.b', 'two')
    const loaded = await loadKeystore(file, 'pass')
    expect(loaded.list()).toEqual(['a.b', 'es_pwd'])
    expect(loaded.get('es_PWD')).toBe('geheim ü')
    expect(loaded.get('__proto__')).toBeUndefined()
    expect(await loaded.remove('A.B')).toBe(true)
    expect(await loaded.remove('A.B')).toBe(false)
    expect((await loadKeystore(file, 'pass')).list()).toEqual(['es_pwd'])
  })

  it('is readable by its owner only, and nothing of it is readable without the password', async () => {
    const store = await createKeystore(file, 'pass')
    await store.add('canary_name', 'canary_secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain('canary')
    expect(JSON.parse(text)).toMatchObject({
      format: 'millrace.keystore',
      kdf: { name: 'scrypt' },
      cipher: { name: 'aes-256-gcm' },
    })
    expect(await readdir(directory)).toEqual(['millrace.keystore'])
    await expect(loadKeystore(file, 'wrong')).rejects.toThrow(
      `Can not access Logstash keystore at ${file}. Please verify correct file permissions and keystore password.`,
    )
    await expect(loadKeystore(file, undefined)).rejects.toThrow('Can not access')
  })

  it('works without a password', async () => {
    const store = await createKeystore(file, undefined)
    await store.add('x', '1')
    expect((await loadKeystore(file, undefined)).get('X')).toBe('1')
  })

  it('notices tampering and other files', async () => {
    await (await createKeystore(file, 'pass')).add('x', '1')
    const envelope = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...envelope, kdf: { ...envelope.kdf, r: 4 } }))
    await expect(loadKeystore(file, 'pass')).rejects.toThrow('Can not access')
    await writeFile(file, JSON.stringify({ ...envelope, kdf: { ...envelope.kdf, N: 2 ** 30 } }))
    await expect(loadKeystore(file, 'pass')).rejects.toThrow('Can not find Logstash keystore')
    await writeFile(file, 'something else')
    await expect(loadKeystore(file, 'pass')).rejects.toThrow('Can not find Logstash keystore')
    await expect(loadKeystore(join(directory, 'none'), 'pass')).rejects.toThrow(
      'Can not find Logstash keystore',
    )
    expect(await keystoreExists(join(directory, 'none'))).toBe(false)
  })

  it('takes only names that can be referred to', async () => {
    const store = await createKeystore(file, 'pass')
    for (const name of ['my-secret', '1a', '', 'a b', 'a}']) {
      await expect(store.add(name, 'x')).rejects.toThrow('can not be a keystore name')
    }
    await expect(store.add('ok', '')).rejects.toThrow('Value cannot be empty')
  })
})

describe('openVariables', () => {
  it('prefers the keystore to the environment', async () => {
    await (await createKeystore(file, 'pass')).add('shared', 'secret')
    const env = { LOGSTASH_KEYSTORE_PASS: 'pass', SHARED: 'env', OTHER: 'env' }
    const variables = await openVariables(file, env)
    expect(variables.secret('SHARED')).toBe('secret')
    expect(variables.secret('OTHER')).toBeUndefined()
    expect(variables.environment('OTHER')).toBe('env')
    const without = await openVariables(join(directory, 'none'), env)
    expect(without.secret('SHARED')).toBeUndefined()
  })
})
