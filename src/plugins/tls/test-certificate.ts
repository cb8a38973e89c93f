/** A certificate of its own issuer for localhost and 127.0.0.1, with its key, for tests only. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcO5aeUSPBTJCYt/+
YhAOFYNBwHYIJ58r8iHXiu9SAHihRANCAARy4zNP+f05k3eHv1Bl/pyIMdXs4ahA
UM5haI2x0XvKCMIYC9RuRUHX3sxy7te5UFYd/zT9ChD0JoHkhXxK8Crb
-----END PRIVATE KEY-----
`

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHLjM0/5/TmTd4e/
UGX+nIgx1ezhqEBQzmFojbHRe8oIwhgL1G5FQdfezHLu17lQVh3/NP0KEPQmgeSF
fErwKtujTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBSGkpK+6X22infqxPP5ypRSIRQftzAKBggqhkjOPQQD
AgNIADBFAiAPx52ZGTJX718QRbjHrPC0rUMLIpD/eq8ora7H3ouYFgIhAIqGekHE
G+u3jclH1JMBFuu0saQYuNbKp+sqJn0TR2Z/
-----END CERTIFICATE-----
`

/** Both as files, for options that name files. */
export async function certificateFiles(): Promise<{ certificate: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-tls-'))
  const certificate = join(folder, 'certificate.pem')
  const key = join(folder, 'key.pem')
  await writeFile(certificate, testCertificate)
  await writeFile(key, testKey)
  return { certificate, key }
}

/** Both in one file in PKCS#12 format; the password is `secret`. */
export async function keyStoreFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'millrace-tls-')), 'store.p12')
  await writeFile(path, Buffer.from(keyStore, 'base64'))
  return path
}

const keyStore = `
MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcB
MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg497TFbkR0OgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDR5
14WkbM6ZOvtYjs0ITQmAggHQ7r7xYIukSGsfOePw180OHpPyvnyM3uMRqTnso81iJ/0CUJhOGCuMzI5LVIj0RoR5dZyJM7GOlzsE
03/lsg0TOHb3wpCB97V80qUzxZsoaBtUHDuAkWzIGIxytwKtOlUv3nDELZN9ouwjbsdepuDkGb7vJy8DsYnrWIGmbRvd/F3kKCZy
AR+RaLJY4Zy5SVsOIC2Jmtg3wq6R9sUYuAkNwS7lgzeREAqqmf4isqKMjgjQi14Um06aR2Z2hzahX8nWqT2oS+llr4YcRTWgq3FH
Ksyu9nsAMf2flRiSAnPqbqpDGgn1MGg1PZ0iv1YYG0H5069/JCmQGP7yEK2PORemAt+x7DlFvRhCJU+yDJfW7AslY1QrE80OehP7
HpaV7r8zyj12ZoS9CpNulsFytTYQ00g2Yfme5h7isUYmZZGS5tYsBIYYBwOrKzIZ31ZH0BjrDAWBVQ/WeI3b8BEddOmj+3iGgICo
o/6xl+6xhuZ1DGZ9a7C5tZ3NgtwTK2QjtgRwrHSkWNWNVMETs8AA0HCpyM10dzC3P4iRzd+q+BtHkHgibJJb6KfX+90GLOd+PCVi
RZ6ZhmRfclV1OXIUHIRHNet0fdNwLrBG6xDypsvjLCgwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoB
AqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIUoPXesiANxYCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUD
BAEqBBBYO3Xp7bBfhZopgtTNm1rnBIGQhevbAdA2xhOBE5azftUrwffsgICGmiKVj8IyR7hS35IZ3et4+PBi6T5jzu/I8/yUMC5N
vh7nK5+TwmR9n+M5+uZfeWMy2+8BEw6hrrREvxdPGQNMybFAjgXPp7mceomCucpKObnSA8djbJxlo4uOheUxI03l/CqBs2ZJREPs
agVklcLy/fgvCBtCNMzRBcnKMSUwIwYJKoZIhvcNAQkVMRYEFCRXOgudboFOScHo1UBr9ZZiQvj+MEEwMTANBglghkgBZQMEAgEF
AAQgopwX0ADpk/z/UFnTd18dSI9UbEvmBJF6J8hwsMhV6bkECAfxMP2sHmGFAgIIAA==
`
