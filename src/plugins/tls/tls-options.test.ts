import { describe, expect, it } from 'vitest'
import { certificateFiles, testCertificate } from './test-certificate.ts'
import { opensslCipher, tlsOptions } from './tls-options.ts'

describe('TLS options', () => {
  it.each([
    ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
    ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
    ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
    ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ])('names %s as OpenSSL does', (name, expected) => {
    expect(opensslCipher(name)).toBe(expected)
  })

  it('reads files and turns versions into a range', async () => {
    const { certificate, key } = await certificateFiles()
    const options = await tlsOptions({
      certificate,
      key,
      authorities: [certificate],
      protocols: ['TLSv1.3', 'TLSv1.2'],
      ciphers: ['TLS_AES_256_GCM_SHA384', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
    })
    expect(String(options.cert)).toBe(testCertificate)
    expect(options.ca).toEqual([testCertificate])
    expect(options.minVersion).toBe('TLSv1.2')
    expect(options.maxVersion).toBe('TLSv1.3')
    expect(options.ciphers).toBe('TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES256-GCM-SHA384')
  })

  it('wants a key with a certificate', async () => {
    const { certificate } = await certificateFiles()
    await expect(tlsOptions({ certificate })).rejects.toThrow(/must be given together/)
  })
})
