import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTls } from './tls-files.ts'

let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-tls-files-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

describe('readTls', () => {
  it('says what to do with a Java keystore', async () => {
    const file = join(directory, 'old.jks')
    await writeFile(file, Buffer.from('feedfeed00000002', 'hex'))
    await expect(readTls({ keystore: file, password: 'x' })).rejects.toThrow('keytool -importkeystore')
  })

  it('names the file that is no certificate', async () => {
    const file = join(directory, 'note.p12')
    await writeFile(file, 'just a note')
    await expect(readTls({ keystore: file, password: 'x' })).rejects.toThrow(`${file} cannot be used for TLS`)
  })

  it('makes a range of the protocol versions', async () => {
    const options = await readTls({ protocols: ['TLSv1.3', 'TLSv1.2'] })
    expect(options).toMatchObject({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' })
  })
})
