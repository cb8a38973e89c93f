/**
 * TLS and login of the kafka input and output in the words of the package `@platformatic/kafka`. Java's key stores
 * cannot be read here; PEM and PKCS#12 files can, and of JAAS lines the user and the password.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from 'node:tls'
import type { Password } from '../../plugin/define.ts'

interface TlsChoice {
  readonly ssl_truststore_location: string | undefined
  readonly ssl_keystore_location: string | undefined
  readonly ssl_keystore_password: Password | undefined
  readonly ssl_key_password: Password | undefined
  readonly ssl_endpoint_identification_algorithm: string
}

interface LoginChoice {
  readonly security_protocol: string
  readonly sasl_mechanism: string
  readonly sasl_jaas_config: Password | undefined
  readonly jaas_path: string | undefined
}

export async function tlsOf(options: TlsChoice): Promise<ConnectionOptions> {
  const { ssl_truststore_location, ssl_keystore_location } = options
  const tls: ConnectionOptions = {}
  if (ssl_truststore_location !== undefined) {
    const trusted = await readFile(ssl_truststore_location)
    if (!trusted.includes('-----BEGIN')) {
      throw new Error(
        `The trust store ${ssl_truststore_location} is not in PEM format; export its certificates`,
      )
    }
    tls.ca = trusted
  }
  if (ssl_keystore_location !== undefined) {
    tls.pfx = await readFile(ssl_keystore_location)
    tls.passphrase = (options.ssl_keystore_password ?? options.ssl_key_password)?.value
  }
  if (options.ssl_endpoint_identification_algorithm === '') tls.checkServerIdentity = () => undefined
  return tls
}

/** The setting `sasl`, if the protocol asks for a login. */
export function loginOf(options: LoginChoice): { sasl?: Record<string, string> } {
  return options.security_protocol.startsWith('SASL') ? { sasl: saslOf(options) } : {}
}

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']

export function saslOf(options: Omit<LoginChoice, 'security_protocol'>): Record<string, string> {
  const { sasl_mechanism, sasl_jaas_config, jaas_path } = options
  if (!mechanisms.includes(sasl_mechanism)) {
    throw new Error(
      `sasl_mechanism ${sasl_mechanism} is not supported: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 are`,
    )
  }
  const fromFile = sasl_jaas_config === undefined && jaas_path !== undefined
  const text = fromFile ? clientSection(readFileSync(jaas_path, 'utf8')) : (sasl_jaas_config?.value ?? '')
  const given = new Map([...text.matchAll(/(\w+)\s*=\s*["']([^"']*)["']/g)].map((m) => [m[1], m[2]]))
  const [username, password] = [given.get('username'), given.get('password')]
  if (username === undefined || password === undefined) {
    throw new Error(`${fromFile ? 'jaas_path' : 'sasl_jaas_config'} must hold username="…" and password="…"`)
  }
  return { mechanism: sasl_mechanism, username, password }
}

/** A JAAS file has a section for each kind of program: `KafkaClient { …Module required username="…"; };`. */
function clientSection(text: string): string {
  return /\bKafkaClient\s*\{([^}]*)\}/.exec(text)?.[1] ?? text
}
