/** The certificate that an API shows, from its `ssl` settings: both APIs have the same. */
import type { TlsFiles } from '../http/tls-files.ts'
import type { Settings } from '../settings/settings.ts'

export function tlsFilesOf(settings: Settings, api: 'api' | 'search'): TlsFiles | undefined {
  if (!settings.get(`${api}.ssl.enabled`)) return undefined
  return {
    keystore: settings.get(`${api}.ssl.keystore.path`),
    password: settings.get(`${api}.ssl.keystore.password`),
    certificate: settings.get(`${api}.ssl.certificate`),
    key: settings.get(`${api}.ssl.key`),
    protocols: settings.get(`${api}.ssl.supported_protocols`),
  }
}
