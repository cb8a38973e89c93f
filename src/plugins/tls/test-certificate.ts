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
